"""The page of a ledger: one file that needs nothing else, whatever hostile text the ledger holds."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

from clearband.audit.chain import Chain, Fault
from clearband.audit.log import exposure, line_of
from clearband.report.audit_text import logged
from clearband.report.export import page
from clearband.report.export_svg import bar, line

from .ledgers import adoption, chained, comparison, override

if TYPE_CHECKING:
    from clearband.audit.entry import Draft, Entry
    from clearband.report.phrase import Phrase

HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(2)>\u202e{{ 7*7 }} https://example.org @somebody'


class Tags(HTMLParser):
    """Collects what a page is made of."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data if "style" not in self.open else ""


def parsed(html: str) -> Tags:
    tags = Tags()
    tags.feed(html)
    tags.close()
    assert tags.open == []
    return tags


def chain(*drafts: Draft, faults: tuple[Fault, ...] = ()) -> Chain:
    return Chain(entries=tuple(chained(drafts)), faults=faults)


def usual() -> list[Draft]:
    drafts = [comparison(number, -0.006, seed=number) for number in range(1, 5)]
    drafts.append(comparison(5, -0.09, seed=9))
    return [*drafts, override(chained(drafts)[4]), comparison(None, 0.06, standing=None)]


def test_the_page_runs_nothing_and_fetches_nothing() -> None:
    found = parsed(page(chain(*usual())))
    names = {name for name, _ in found.tags}
    assert not names & {"script", "link", "img", "iframe", "object", "embed", "form", "a", "base", "image", "use"}
    attributes = {key for _, attributes in found.tags for key in attributes}
    assert not [key for key in attributes if key.startswith("on") or key in {"src", "href", "style", "srcdoc"}]
    policy = next(told["content"] for name, told in found.tags if told.get("http-equiv") == "Content-Security-Policy")
    assert policy == "default-src 'none'; style-src 'unsafe-inline'"
    assert "url(" not in page(chain(*usual()))


def test_every_comparison_is_there_with_what_was_shown_of_it() -> None:
    text = " ".join(parsed(page(chain(*usual()))).text.split())
    assert "7 entries" in text
    assert chained(usual())[-1].sha256 in text
    for wanted in ("before the first CI result", "blocked, let through", "maintainer", "Known flake", "pass", "#5"):
        assert wanted in text
    assert text.count("\u2212") > 5


def test_erosion_is_a_number_and_a_plain_sentence() -> None:
    text = " ".join(parsed(page(chain(*usual()))).text.split())
    assert re.search(
        r"4 of 6 comparisons since the first entry left it unresolved: .* come to \u22120\.0\d+, which is", text
    )
    assert "since entry 8, which adopted a baseline" in " ".join(
        parsed(page(chain(*usual(), adoption(), *usual()[:3]))).text.split()
    )


def test_hostile_names_are_shown_and_do_nothing() -> None:
    draft = comparison(5, -0.09, seed=9)
    record = {**(draft.record or {}), "suite": HOSTILE}
    record["metrics"] = [{**metric, "name": HOSTILE, "why": HOSTILE} for metric in record["metrics"]]
    draft = replace(draft, record=record, recorded_at=HOSTILE)
    drafts = [draft, replace(comparison(6, -0.004), record={**record, "verdict": {"outcome": HOSTILE}})]
    drafts.append(override(chained(drafts)[0], reason=HOSTILE, author=HOSTILE))
    hostile = chain(*drafts, faults=(Fault(file=HOSTILE, what=HOSTILE),))
    html = page(hostile)
    found = parsed(html)
    assert {"script", "img", "a"}.isdisjoint(name for name, _ in found.tags)
    assert "\u202e" not in html
    assert "<U+202E>" in found.text
    assert "This ledger does not verify: 1 fault." in found.text


@pytest.mark.parametrize("entries", [[], [adoption()]])
def test_a_ledger_without_comparisons_is_a_page_too(entries: list[Draft]) -> None:
    assert ("The ledger is empty." in page(chain(*entries))) is not entries


def test_intervals_stay_inside_their_drawing_on_one_scale() -> None:
    def x(phrase: Phrase) -> float:
        return float(str(phrase.pieces[0]))

    drawn = bar(-0.2, 0.1, -0.05, reach=0.2)
    assert [x(drawn.low), x(drawn.high), x(drawn.point)] == pytest.approx([6.0, 147.0, 76.5])
    assert x(bar(0.0, 0.0, 0.0, reach=0.0).point) == 100.0


def test_thousands_of_comparisons_make_a_line_of_hundreds_of_points() -> None:
    drawn = line([0.001 * number for number in range(5_000)])
    points = str(drawn.points.pieces[0]).split(" ")
    assert len(points) <= 402
    assert points[-1] == "314.0,6.0"
    assert points[0] == "6.0,66.0"


def test_the_page_is_the_same_for_the_same_ledger() -> None:
    assert page(chain(*usual())) == page(chain(*usual()))


def test_entries_come_newest_first() -> None:
    entries: list[Entry] = chained(usual())
    html = page(Chain(entries=tuple(entries), faults=()))
    numbers = re.findall(r'data-label="Entry"><span>(\d+)</span>', html)
    assert numbers == [str(entry.seq) for entry in reversed(entries)]


@pytest.mark.parametrize("width", [40, 48, 60, 80, 100, 140])
def test_the_log_fits_its_terminal_and_always_names_what_matters(width: int) -> None:
    entries = chained(usual())
    text = logged([line_of(entry) for entry in entries], exposure(entries), width=width)
    table, _, seen = text.partition("\n\n")
    assert max(map(len, table.split("\n"))) <= width
    assert table.count("quality") == 6
    assert all(word in table for word in ("#5", "blocked", "override", "default"))
    assert "6 looks over 5 pull requests" in seen
