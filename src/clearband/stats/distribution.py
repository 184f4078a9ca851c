"""What every bootstrap distribution of a mean difference can be asked, however it was computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEVEL_SLACK: Final = 1e-12
"""A cumulative probability this close below a level has reached it: the accuracy of the sums themselves."""


TIE: Final = 1e-9
"""Two means this close, as a share of the largest, are one: a mean is computed in more than one way."""


SUM_IS_ZERO: Final = 1e-9
"""Share of the largest difference below which a sum of differences is a rounding error around 0."""


class BootstrapDistribution(Protocol):
    """The bootstrap distribution T* of the mean difference."""

    @property
    def p_not_above_zero(self) -> float:
        """P*(T* <= 0)."""

    @property
    def p_not_below_zero(self) -> float:
        """P*(T* >= 0)."""

    def lower(self, level: float) -> float:
        """Return inf{x: P*(T* <= x) >= level}."""

    def upper(self, level: float) -> float:
        """Return sup{x: P*(T* >= x) >= level}."""

    def below(self, value: float) -> float:
        """Return P*(T* < value) + P*(T* = value) / 2."""

    def monte_carlo_error(self, lower: float, upper: float) -> tuple[float, float] | None:
        """Return the Monte Carlo error of the ends at these levels; None where nothing was drawn."""

    def require(self, level: float) -> None:
        """Raise `UsageError` where `level` lies too far out to be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AtomicDistribution:
    """A distribution known atom by atom: nothing is interpolated."""

    support: NDArray[np.float64]
    """Shape (k,), increasing, in the metric's units; an atom at zero is exactly 0."""
    probability: NDArray[np.float64]
    """Shape (k,), sums to 1."""

    @property
    def p_not_above_zero(self) -> float:
        """P*(T* <= 0)."""
        return float(self.probability[: np.searchsorted(self.support, 0.0, side="right")].sum())

    @property
    def p_not_below_zero(self) -> float:
        """P*(T* >= 0)."""
        return float(self.probability[np.searchsorted(self.support, 0.0, side="left") :].sum())

    def lower(self, level: float) -> float:
        """Return inf{x: P*(T* <= x) >= level}."""
        return float(self.support[first_reaching(np.cumsum(self.probability), level)])

    def upper(self, level: float) -> float:
        """Return sup{x: P*(T* >= x) >= level}."""
        return float(self.support[::-1][first_reaching(np.cumsum(self.probability[::-1]), level)])

    def below(self, value: float) -> float:
        """Return P*(T* < value) + P*(T* = value) / 2; an atom within rounding of `value` is at it."""
        near = TIE * max(abs(value), float(np.abs(self.support).max()))
        first = np.searchsorted(self.support, value - near, side="left")
        last = np.searchsorted(self.support, value + near, side="right")
        return float(self.probability[:first].sum() + self.probability[first:last].sum() / 2.0)

    def monte_carlo_error(self, lower: float, upper: float) -> None:
        """Nothing was drawn, so there is no Monte Carlo error."""

    def require(self, level: float) -> None:
        """Any level can be read."""


def first_reaching(cumulative: NDArray[np.float64], level: float) -> int:
    """Return the first index whose cumulative probability has reached `level`."""
    index = int(np.searchsorted(cumulative, level - LEVEL_SLACK, side="left"))
    return min(index, cumulative.size - 1)
