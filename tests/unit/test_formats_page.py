"""docs/formats.md is what the readers say of themselves, with real output."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from clearband.results import FORMATS

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def page() -> str:
    return (ROOT / "docs" / "formats.md").read_text("utf-8")


def test_the_page_is_what_the_generator_writes(page: str) -> None:
    written = runpy.run_path(str(ROOT / "scripts" / "formats_page.py"))["page"]()
    assert page == written, "run `make formats`"


def test_every_format_has_a_row_and_a_section_that_it_leads_to(page: str) -> None:
    anchors = re.findall(r"^\| \[[^\]]+\]\(#([^)]+)\)", page, re.MULTILINE)
    headings = re.findall(r"^## (.+)$", page, re.MULTILINE)
    assert len(anchors) == len(set(anchors)) == len(FORMATS)
    assert set(anchors) <= {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_format_says_everything(page: str) -> None:
    assert len({one.ABOUT.name for one in FORMATS}) == len(FORMATS)
    for one in FORMATS:
        about = one.ABOUT
        for text in (about.versions, about.produce, about.key, about.metrics, about.direction, about.errors):
            assert text.strip()
            assert text in page


def test_five_tools_are_shown_as_they_are_inspected(page: str) -> None:
    shown = re.findall(r"^\$ clearband inspect (\S+).*\n(.+) was read as (\S+)$", page, re.MULTILINE)
    assert len(shown) >= 5
    assert all(file == named for file, named, _ in shown)
    assert len({form.partition("/")[0] for _, _, form in shown}) == len(shown)
