"""Every comment in a real browser, light and dark, wide and as on a phone.

`CLEARBAND_PICTURES` names a folder that keeps a picture of each; otherwise two are taken to see that they can be.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browser import Browser, chromium
from github_page import document
from npm_packages import NotAvailable
from picture import style_sheet, take

if TYPE_CHECKING:
    from collections.abc import Iterator

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
COMMENTS = sorted([*GOLDEN.glob("comments/*.md"), *GOLDEN.glob("suites/*.md")])
EVERY = pytest.mark.parametrize("file", COMMENTS, ids=lambda file: file.stem)
PICTURED = [
    file for file in COMMENTS if os.environ.get("CLEARBAND_PICTURES") or file.stem in {"blocked", "inconclusive"}
]
DESKTOP, PHONE = 880, 420
pytestmark = [pytest.mark.browser, pytest.mark.slow]


def skip_or_fail(reason: str) -> None:
    """A laptop may lack a browser; CI may not."""
    if os.environ.get("CLEARBAND_REQUIRE_ALL") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if chromium() is None:
        skip_or_fail("pictures need Chromium")
    try:
        style_sheet("light")
    except NotAvailable as reason:
        skip_or_fail(f"pictures need GitHub's style sheet, but {reason}")
    with Browser.start() as started:
        yield started


@EVERY
def test_no_comment_is_wider_than_a_phone(browser: Browser, file: Path) -> None:
    """A table may scroll inside itself; nothing else may, and the first three columns are seen without scrolling."""
    page = browser.open(
        document(file.read_text(encoding="utf-8"), css=style_sheet("light"), theme="light"), width=PHONE
    )
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE
    third = (
        "[...document.querySelectorAll('article > table tr > :nth-child(3)')].map(e => e.getBoundingClientRect().right)"
    )
    if file.stem != "hostile_names":
        assert all(right <= PHONE for right in page.evaluate(third))


@EVERY
def test_the_table_fits_a_desktop_without_scrolling(browser: Browser, file: Path) -> None:
    page = browser.open(
        document(file.read_text(encoding="utf-8"), css=style_sheet("light"), theme="light"), width=DESKTOP
    )
    wide = "[...document.querySelectorAll('article > table')].filter(e => e.scrollWidth > e.clientWidth).length"
    assert page.evaluate(wide) == 0


def test_the_details_are_folded_and_the_verdict_is_in_the_first_screen(browser: Browser) -> None:
    blocked = next(file for file in COMMENTS if file.stem == "blocked").read_text(encoding="utf-8")
    page = browser.open(document(blocked, css=style_sheet("light"), theme="light"), width=PHONE, height=700)
    assert page.evaluate("document.querySelector('details').open") is False
    assert page.evaluate("document.querySelector('strong').getBoundingClientRect().bottom") < 200
    assert page.evaluate("document.querySelector('table').getBoundingClientRect().top") < 700


@pytest.mark.parametrize("file", PICTURED, ids=lambda file: file.stem)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pictures_are_taken(browser: Browser, tmp_path: Path, file: Path, theme: str) -> None:
    kept = os.environ.get("CLEARBAND_PICTURES")
    folder = Path(kept) if kept else tmp_path
    folder.mkdir(parents=True, exist_ok=True)
    picture = folder / f"{file.stem}-{theme}.png"
    picture.write_bytes(take(browser, file.read_text(encoding="utf-8"), theme=theme, width=DESKTOP))
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert picture.stat().st_size > 5_000
