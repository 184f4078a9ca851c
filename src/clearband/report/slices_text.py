"""Slices in words: the table of the deciding metrics, worst first, and the worst slice in one line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clearband.report.numbers import NONE, count, counted
from clearband.report.phrase import Phrase, Quote, say
from clearband.slices import worst
from clearband.vocabulary import Direction, Role, State

if TYPE_CHECKING:
    from clearband.comparison import Comparison, SliceResult
    from clearband.report.words import Subject

MOST_ROWS = 12

_WORDS = {
    State.IMPROVED: "yes, better",
    State.REGRESSED: "yes, worse",
    State.CHANGED: "yes, changed",
    State.INCONCLUSIVE: "no",
    State.IDENTICAL: "no, identical",
    State.TOO_SPARSE: "too little differs",
    State.INVALID: "not comparable",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceRow:
    """One slice of one metric."""

    name: Phrase
    metric: Phrase
    n: Phrase
    change: Phrase
    cleared: Phrase


def slice_rows(comparison: Comparison, subjects: tuple[Subject, ...], *, least: int) -> tuple[SliceRow, ...]:
    """Return the slices of the metrics that decide (of all, where none does), those that lost most first.

    Parameters
    ----------
    comparison
        The comparison.
    subjects
        Its metrics.
    least
        Paired questions below which a slice is reported and never gated.

    """
    deciding = [about for about in subjects if about.metric.role is not Role.EXPLORATORY] or list(subjects)
    rows = [
        (_better(result, about), about, result)
        for about in deciding
        for result in comparison.slices
        if result.metric == about.metric.name
    ]
    rows.sort(key=lambda row: row[0])
    return tuple(_row(result, about, least) for _, about, result in rows[:MOST_ROWS])


def slice_line(comparison: Comparison, primary: Subject | None) -> Phrase:
    """Return the slice on which the primary metric lost most; empty where there are no slices."""
    if primary is None or not comparison.slices:
        return say()
    lower = primary.metric.direction is Direction.LOWER
    found = worst(comparison.slices, primary.metric.name, lower_is_better=lower)
    if found is None:
        measured = any(
            result.metric == primary.metric.name and result.delta is not None for result in comparison.slices
        )
        return say("No slice lost on ", primary.name, ".") if measured else say()
    change = primary.figures.change_with_interval(found.delta, found.interval)
    where = Quote(f"{found.field} = {found.value}")
    return say("Worst slice: ", where, f", {counted(found.n, 'question')}, ", primary.name, f" {change}.")


def _better(result: SliceResult, about: Subject) -> float:
    if result.delta is None:
        return float("inf")
    return -result.delta if about.metric.direction is Direction.LOWER else result.delta


def _row(result: SliceResult, about: Subject, least: int) -> SliceRow:
    few = " (reported, not gated)" if result.n < least else ""
    blocks = ", blocks" if result.worse else ""
    has_change = result.state not in {State.INVALID, State.IDENTICAL}
    change = about.figures.change_with_interval(result.delta, result.interval) if has_change else NONE
    return SliceRow(
        name=say(Quote(f"{result.field} = {result.value}")),
        metric=about.name,
        n=say(count(result.n)),
        change=say(change),
        cleared=say(_WORDS[result.state] + blocks + few),
    )
