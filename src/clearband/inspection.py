"""What one result file was read as, metric by metric: the first thing to look at when a comparison surprises. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from clearband.results.run import Run
    from clearband.vocabulary import Direction

_LEVELS: Final = 12
"""Most distinct values of a metric that is said to have levels."""
_EXAMPLES: Final = 3


class Kind(StrEnum):
    """What the values of a metric are like."""

    NONE = "none"
    """There is no value at all."""
    BINARY = "0/1"
    LEVELS = "levels"
    """A few values, each of them often: grades, counts."""
    CONTINUOUS = "continuous"


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricInspection:
    """One metric of a run."""

    name: str
    n: int
    """Questions with a value."""
    missing: int
    mean: float | None
    """Over questions, trials averaged first."""
    kind: Kind
    """Of the single trials where a question has several."""
    direction: Direction | None
    """As the tool itself says; None where it does not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One question."""

    question: str
    values: Mapping[str, float | None]
    errored: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """A run with what can be said of it."""

    run: Run
    metrics: tuple[MetricInspection, ...]
    examples: tuple[Example, ...]
    errored: int


def inspect(run: Run) -> Inspection:
    """Look at a run."""
    return Inspection(
        run=run,
        metrics=tuple(_metric(run, name, values) for name, values in run.metrics.items()),
        examples=tuple(_example(run, place) for place in range(min(_EXAMPLES, len(run.ids)))),
        errored=int(np.count_nonzero(run.errored)),
    )


def _metric(run: Run, name: str, values: NDArray[np.float64]) -> MetricInspection:
    known = values[~np.isnan(values)]
    single = run.trials_of[name].values if name in run.trials_of else known
    return MetricInspection(
        name=name,
        n=known.size,
        missing=values.size - known.size,
        mean=float(np.mean(known)) if known.size else None,
        kind=_kind(single),
        direction=run.directions.get(name),
    )


def _kind(values: NDArray[np.float64]) -> Kind:
    if not values.size:
        return Kind.NONE
    distinct = np.unique(values)
    if set(distinct.tolist()) <= {0.0, 1.0}:
        return Kind.BINARY
    # Three questions with three values show no levels yet.
    return Kind.LEVELS if distinct.size <= min(_LEVELS, max(1, values.size // 2)) else Kind.CONTINUOUS


def _example(run: Run, place: int) -> Example:
    cells = {name: float(values[place]) for name, values in run.metrics.items()}
    return Example(
        question=run.ids[place],
        values={name: None if np.isnan(cell) else cell for name, cell in cells.items()},
        errored=bool(run.errored[place]),
    )
