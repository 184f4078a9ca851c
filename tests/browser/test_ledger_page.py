"""The page of a ledger in a real browser: light and dark, wide and as on a phone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browser import Browser, chromium

from clearband.audit.chain import Chain
from clearband.audit.entry import Draft, Entry, EntryType, place
from clearband.report.export import page

if TYPE_CHECKING:
    from collections.abc import Iterator

RECORDS = sorted((Path(__file__).resolve().parents[1] / "golden" / "records").glob("*.json"))
DESKTOP, PHONE = 1100, 390
pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if chromium() is None:
        pytest.skip("pictures need Chromium")
    with Browser.start() as started:
        yield started


@pytest.fixture(scope="module")
def html() -> str:
    """The page of a ledger of real records, one of them with a name that nobody expected."""
    entries: list[Entry] = []
    for file in RECORDS * 3:
        record: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        record["suite"] = "a-suite-with-a-name-as-long-as-anybody-may-write-it-down-here"
        draft = Draft(
            key=str(len(entries)),
            type=EntryType.COMPARISON,
            recorded_at="2026-03-01T12:00:00Z",
            record=record,
            pr={"number": len(entries) + 1},
            look=1,
        )
        entries.append(place(draft, entries[-1] if entries else None))
    return page(Chain(entries=tuple(entries), faults=()))


@pytest.mark.parametrize("width", [DESKTOP, PHONE])
def test_the_page_is_no_wider_than_its_window(browser: Browser, html: str, width: int) -> None:
    shown = browser.open(html, width=width)
    assert shown.evaluate("document.documentElement.scrollWidth") == width
    assert shown.evaluate("document.querySelectorAll('tbody tr').length") == 3 * len(RECORDS)


@pytest.mark.parametrize("width", [DESKTOP, PHONE])
def test_every_interval_is_drawn_and_nothing_lies_over_anything(browser: Browser, html: str, width: int) -> None:
    shown = browser.open(html, width=width)
    sizes = shown.evaluate("[...document.querySelectorAll('td.change svg')].map(e => e.getBoundingClientRect().width)")
    assert len(sizes) > len(RECORDS)
    assert min(sizes) > 100
    over = """[...document.querySelectorAll('td > span')].filter(e => e.scrollWidth > e.clientWidth + 1
      && getComputedStyle(e).display !== 'inline').length"""
    assert shown.evaluate(over) == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_text_stands_out_from_the_page_in_either_theme(browser: Browser, html: str, theme: str) -> None:
    shown = browser.open(html, width=DESKTOP)
    browser.call(
        "Emulation.setEmulatedMedia", shown.session, features=[{"name": "prefers-color-scheme", "value": theme}]
    )
    brightness = (
        "(key) => getComputedStyle(document.body)[key].match(/[0-9]+/g).slice(0, 3).reduce((a, b) => a + +b, 0)"
    )
    ink, paper = (shown.evaluate(f"({brightness})('{key}')") for key in ("color", "backgroundColor"))
    assert abs(ink - paper) > 500
    assert (ink < paper) is (theme == "light")
    assert shown.picture().startswith(b"\x89PNG")
