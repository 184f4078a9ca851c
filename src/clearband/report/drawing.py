"""A metric's interval drawn in one line of signs, right for better, so that many can be told apart at a glance.

Metrics that share a scale (a declared range, a unit, relative changes) share an axis, and are as long as they are wide.
The numbers beside a drawing carry everything; whoever cannot see it misses nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clearband.report.phrase import Phrase, Quote, say
from clearband.vocabulary import Direction, State, Statistic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clearband.report.words import Subject

COLUMNS: Final = 25
"""Odd, so that zero has a column of its own."""
_ZERO: Final = COLUMNS // 2
_EMPTY, _LINE, _LOW, _HIGH, _POINT, _AXIS, _CROSSING = "·─├┤●│┼"


def drawings(subjects: Sequence[Subject]) -> tuple[Phrase, ...]:
    """Return one drawing for each metric, empty where there is no interval."""
    reaches: dict[object, float] = {}
    for about in subjects:
        ends = _ends(about)
        if ends is not None:
            reach = max(map(abs, ends))
            reaches[_scale(about)] = max(reach, reaches.get(_scale(about), 0.0))
    return tuple(_drawing(about, reaches.get(_scale(about), 0.0)) for about in subjects)


def _scale(about: Subject) -> object:
    """Return what metrics must have in common to share an axis."""
    policy = about.policy
    if policy.statistic is Statistic.RELATIVE:
        return policy.statistic
    if policy.range is not None:
        return policy.range[1] - policy.range[0]
    return policy.unit or about.metric.name


def _ends(about: Subject) -> tuple[float, float, float] | None:
    """Return lower end, change and upper end, turned so that larger is better."""
    metric = about.metric
    if metric.interval is None or metric.delta is None or metric.state in {State.INVALID, State.IDENTICAL}:
        return None
    low, high = metric.interval
    if metric.direction is Direction.LOWER:
        return -high, -metric.delta, -low
    return low, metric.delta, high


def _drawing(about: Subject, reach: float) -> Phrase:
    ends = _ends(about)
    if ends is None or reach <= 0.0:
        return say()
    low, point, high = (_ZERO + round(end / reach * _ZERO) for end in ends)
    signs = [_EMPTY] * COLUMNS
    signs[_ZERO] = _AXIS
    for column in range(low, high + 1):
        signs[column] = _CROSSING if column == _ZERO else _LINE
    signs[low], signs[high] = _LOW, _HIGH
    signs[point] = _POINT
    return say(Quote("".join(signs)))
