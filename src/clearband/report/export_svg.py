"""The small drawings of a ledger's page: coordinates as the texts that SVG wants. Pure; everything in them is ours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clearband.report.phrase import Phrase, say

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH: Final = 200.0
_EDGE: Final = 6.0
CHART: Final = (320.0, 72.0)
_MOST_POINTS: Final = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """An interval on a line with its zero in the middle."""

    low: Phrase
    high: Phrase
    point: Phrase


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A running sum over the comparisons, with a line at zero."""

    points: Phrase
    zero: Phrase
    end_x: Phrase
    end_y: Phrase


def bar(low: float, high: float, delta: float, *, reach: float) -> Bar:
    """Return an interval drawn so that `reach` to either side of zero fills the width."""

    def place(value: float) -> Phrase:
        share = max(-1.0, min(1.0, value / reach)) if reach > 0.0 else 0.0
        return _at(WIDTH / 2.0 + share * (WIDTH / 2.0 - _EDGE))

    return Bar(low=place(low), high=place(high), point=place(delta))


def line(sums: Sequence[float]) -> Line:
    """Return a running sum that begins at zero, drawn in steps of one comparison; of very many, every so-manieth."""
    kept = [0.0, *sums]
    if len(kept) > _MOST_POINTS:
        step = -(-len(kept) // _MOST_POINTS)
        kept = [*kept[:-1:step], kept[-1]]
    width, height = CHART
    low, high = min(kept), max(kept)
    span = high - low or 1.0

    def x(place: int) -> float:
        return _EDGE + place * (width - 2.0 * _EDGE) / max(1, len(kept) - 1)

    def y(value: float) -> float:
        return height / 2.0 if high == low else height - _EDGE - (value - low) / span * (height - 2.0 * _EDGE)

    points = " ".join(f"{x(place):.1f},{y(value):.1f}" for place, value in enumerate(kept))
    return Line(points=say(points), zero=_at(y(0.0)), end_x=_at(x(len(kept) - 1)), end_y=_at(y(kept[-1])))


def _at(value: float) -> Phrase:
    return say(f"{value:.1f}")
