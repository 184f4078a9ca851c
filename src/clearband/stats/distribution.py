"""What every bootstrap distribution of a mean difference can be asked, however it was computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEVEL_SLACK: Final = 1e-12
"""A cumulative probability this close below a level has reached it: the accuracy of the sums themselves."""


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

    def monte_carlo_error(self, level: float) -> tuple[float, float] | None:
        """Return the Monte Carlo error of `lower(level)` and `upper(level)`; None where nothing was drawn."""


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

    def monte_carlo_error(self, level: float) -> None:
        """Nothing was drawn, so there is no Monte Carlo error."""


def first_reaching(cumulative: NDArray[np.float64], level: float) -> int:
    """Return the first index whose cumulative probability has reached `level`."""
    index = int(np.searchsorted(cumulative, level - LEVEL_SLACK, side="left"))
    return min(index, cumulative.size - 1)
