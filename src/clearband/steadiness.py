"""A/A: a run against a re-run of the same system, which tells how steady the evaluation itself is. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clearband.vocabulary import State

if TYPE_CHECKING:
    from clearband.comparison import Comparison, MetricResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Steadiness:
    """How much one metric moves although nothing changed."""

    name: str
    n: int
    delta: float | None
    interval: tuple[float, float] | None
    differ: int
    """Questions whose value is not the same in both runs."""
    sd: float | None
    """Standard deviation, over questions, of the difference between the two runs."""
    detectable: float | None
    """Smallest change that could be detected if this movement were the only one."""
    effect: float | None
    moved: bool
    """Whether the interval excludes 0: then more than chance differs between the two runs."""

    @property
    def is_steady_enough(self) -> bool | None:
        """Whether the declared effect stands out from the movement alone; None without an effect or a measurement."""
        if self.effect is None or self.sd is None:
            return None
        return not self.moved and (self.detectable or 0.0) <= self.effect


def steadiness(comparison: Comparison) -> tuple[Steadiness, ...]:
    """Return what an A/A comparison says of each metric; invalid ones are left out."""
    return tuple(_of(metric) for metric in comparison.metrics if metric.state is not State.INVALID)


def _of(metric: MetricResult) -> Steadiness:
    return Steadiness(
        name=metric.name,
        n=metric.n,
        delta=metric.delta,
        interval=metric.interval,
        differ=metric.nonzero,
        sd=metric.sd,
        detectable=metric.mde,
        effect=metric.effect,
        moved=metric.cleared,
    )
