"""A ledger as one HTML page that needs nothing else: no script, no font, no network. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clearband.audit.entry import EntryType
from clearband.audit.erosion import Erosion, erosion, overrides
from clearband.audit.log import LogLine, exposure, line_of
from clearband.plain_text import DEFAULT_SUITE
from clearband.report.audit_text import ends_text
from clearband.report.export_svg import Bar, Line, bar, line
from clearband.report.numbers import NONE, about, count, counted
from clearband.report.phrase import Phrase, Prose, Quote, say
from clearband.report.render import ledger_page

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from clearband.audit.chain import Chain
    from clearband.audit.entry import Entry

_MOST_FAULTS: Final = 20
_TIME: Final = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\dZ", re.ASCII)
_STANDINGS: Final = {
    "declared-before-first-result": "before the first CI result",
    "amended-after-results": "changed after results",
    "declared-after-results": "after results",
    "unknown": "cannot be shown",
}
_OUTCOMES: Final = {
    "pass": "pass",
    "blocked": "blocked",
    "cannot-tell": "cannot tell",
    "invalid": "unusable",
    "not-gated": "not gated",
}
_TONES: Final = {"pass": "good", "blocked": "bad", "cannot-tell": "warn", "invalid": "warn"}
_STATES: Final = {"improved": "good", "regressed": "bad"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One entry."""

    number: Phrase
    time: Phrase
    pr: Phrase
    suite: Phrase
    metric: Phrase
    change: Phrase
    interval: Phrase
    bar: Bar | None
    bar_tone: Phrase
    registration: Phrase
    look: Phrase
    verdict: Phrase
    verdict_tone: Phrase
    more: Phrase
    """Who let it through and why, or what an entry that is no comparison is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """The unresolved changes of one metric."""

    title: Phrase
    total: Phrase
    tone: Phrase
    text: Phrase
    line: Line


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Cards that are shown together."""

    title: Phrase
    is_folded: bool
    cards: tuple[Card, ...]


def page(chain: Chain) -> str:
    """Return the page of a ledger, entries newest first."""
    lines = {entry.sha256: line_of(entry) for entry in chain.entries}
    reach = _reach(lines.values())
    let_through = overrides(chain.entries)
    cards = erosion(chain.entries)
    first = chain.entries[0].body["recorded_at"] if chain.entries else None
    last = chain.entries[-1].body["recorded_at"] if chain.entries else None
    return ledger_page(
        {
            "counts": say(f"{counted(len(chain.entries), 'entry', 'entries')}", _period(first, last)),
            "head": None if chain.head is None else Quote(chain.head.sha256, 64),
            "faults": tuple(say(Quote(one.file, 110), " ", Prose(one.what)) for one in chain.faults[:_MOST_FAULTS]),
            "fault_count": say(counted(len(chain.faults), "fault")),
            "groups": tuple(_groups(cards)),
            "rows": tuple(
                _row(entry, lines[entry.sha256], reach, let_through.get(entry.sha256))
                for entry in reversed(chain.entries)
            ),
            "sets": tuple(
                say(
                    Quote(one.eval_set[:12]),
                    f": {counted(one.looks, 'candidate')} in {counted(one.comparisons, 'comparison')}",
                    f" of {counted(one.pull_requests, 'pull request')}" if one.pull_requests else "",
                    ", suite ",
                    Quote(", ".join(one.suites)),
                )
                for one in exposure(chain.entries)
            ),
        }
    )


def _period(first: str | None, last: str | None) -> str:
    days = [matched[1] for told in (first, last) if (matched := _TIME.fullmatch(told or "")) is not None]
    if len(days) < 2:
        return ""
    return f", {days[0]}" if days[0] == days[1] else f", {days[0]} to {days[1]}"


def _reach(lines: Iterable[LogLine]) -> dict[tuple[str | None, str | None], float]:
    """Return how far from zero the intervals of each suite and metric go: those of one metric share a scale."""
    found: dict[tuple[str | None, str | None], float] = {}
    for one in lines:
        if one.low is not None and one.high is not None:
            key = (one.suite, one.primary)
            found[key] = max(found.get(key, 0.0), abs(one.low), abs(one.high))
    return found


def _row(entry: Entry, one: LogLine, reach: dict[tuple[str | None, str | None], float], override: Entry | None) -> Row:
    is_comparison = one.type == EntryType.COMPARISON
    let_through = override if is_comparison else None
    verdict = _OUTCOMES.get(one.outcome or "", NONE) if is_comparison else one.type
    shown = _shown(one, reach)
    return Row(
        number=say(str(one.seq)),
        time=_time(one.recorded_at),
        pr=say("" if one.pr is None else f"#{one.pr}"),
        suite=say() if one.suite in {None, DEFAULT_SUITE} else _name(one.suite),
        metric=_name(one.primary),
        change=shown[0],
        interval=shown[1],
        bar=shown[2],
        bar_tone=say(_STATES.get(one.state or "", "plain")),
        registration=say(_STANDINGS.get(one.registration or "", "")),
        look=say("" if one.look is None else str(one.look)),
        verdict=say(f"{verdict}, let through" if let_through is not None else verdict),
        verdict_tone=say("warn" if let_through is not None else _TONES.get(one.outcome or "", "plain")),
        more=_event(entry) if let_through is None else say(f"Entry {let_through.seq}: ", _event(let_through)),
    )


def _shown(one: LogLine, reach: dict[tuple[str | None, str | None], float]) -> tuple[Phrase, Phrase, Bar | None]:
    """Return change, interval and drawing; nothing of a comparison that is not to be relied on."""
    if one.delta is None or one.low is None or one.high is None or one.state == "invalid":
        return say(), say(), None
    drawn = bar(one.low, one.high, one.delta, reach=reach[one.suite, one.primary])
    return say(about(one.delta, signed=True)), say(ends_text(one.low, one.high)), drawn


def _time(told: str) -> Phrase:
    """Return a time to the minute; what is no time is quoted like anything from outside."""
    matched = _TIME.fullmatch(told)
    return say(Quote(told)) if matched is None else say(f"{matched[1]} {matched[2]}")


def _name(name: str | None) -> Phrase:
    return say() if name is None else say(Quote(name, 48))


def _event(entry: Entry) -> Phrase:
    """Return who did what and why; nothing for a comparison."""
    event = entry.body["event"]
    if event is None:
        return say()
    author, reason = event.get("author"), event.get("reason")
    what = "let through" if entry.body["type"] == EntryType.OVERRIDE else "a baseline was adopted"
    return say(
        what,
        say(" by ", Quote(str(author))) if author is not None else "",
        say(": ", Prose(str(reason), 300)) if reason is not None else "",
    )


def _groups(sums: Sequence[Erosion]) -> Iterator[Group]:
    """Yield the metrics that decided something, then the others, folded."""
    for deciding in (True, False):
        cards = tuple(_card(one) for one in sums if one.deciding is deciding)
        if cards:
            yield Group(title=say(counted(len(cards), "exploratory metric")), is_folded=not deciding, cards=cards)


def _card(one: Erosion) -> Card:
    how = "worse" if one.is_worse else "better" if one.direction != "neutral" and one.total else ""
    begin = "since the first entry" if one.since is None else f"since entry {one.since}, which adopted a baseline"
    many = counted(len(one.sums), "comparison")
    text = say(
        f"{count(one.unresolved)} of {many} {begin} left it unresolved: none of these changes cleared by itself, and ",
        f"together they come to {about(one.total, signed=True)}" + (f", which is {how}." if how else "."),
    )
    suite = say(" in suite ", Quote(one.suite)) if one.suite != DEFAULT_SUITE else say()
    return Card(
        title=say(Quote(one.metric), suite),
        total=say(about(one.total, signed=True)),
        tone=say("warn" if one.is_worse else "plain"),
        text=text,
        line=line(one.sums),
    )
