"""What is resampled: questions, or whole clusters of them, each with a value and a weight.

The statistic is T = sum(values) / sum(weights). For a mean over questions every weight is 1; over clusters the values
are the clusters' summed differences and the weights their sizes; for a relative change the weights are the baseline's
values. One form, so one bootstrap, one interval and one p serve them all.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from clearband.stats.differences import Differences
from clearband.stats.lattice import Lattice

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ROUNDING: Final = 1e-12
"""Share of the largest value that is rounding in a difference of floats."""


class Resampling(Protocol):
    """A statistic on some data, as an interval has to know it."""

    @property
    def n(self) -> int:
        """Number of units that are drawn: questions or clusters."""

    @property
    def nonzero(self) -> int:
        """Number of units that changed."""

    @property
    def delta(self) -> float:
        """The statistic on the data."""

    @property
    def is_constant(self) -> bool:
        """Whether every resample gives the same statistic."""

    @property
    def residuals(self) -> NDArray[np.float64]:
        """Shape (units,): what each unit moves the statistic by, up to a factor; their sum is 0."""

    @property
    def bounds(self) -> tuple[float, float]:
        """Smallest and largest statistic that any resample can have."""

    @property
    def smallest(self) -> float:
        """A size below any change of the statistic away from 0 that a single unit could make."""


@dataclass(frozen=True, kw_only=True)
class Units:
    """Values and weights, scaled so that the weights have mean 1: the mean of the values is then the statistic."""

    differences: Differences
    """One value per unit; exactly 0 where the unit did not change, on a lattice where there is one."""
    weights: NDArray[np.float64] | None = None
    """Shape (units,), not negative, mean 1; None where all are 1."""
    sizes: NDArray[np.int64] | None = None
    """Shape (units,): the weights as numbers of questions; None where they are no such numbers or all equal."""

    @property
    def n(self) -> int:
        """Number of units."""
        return self.differences.n

    @property
    def nonzero(self) -> int:
        """Number of units whose value is not 0."""
        return self.differences.nonzero

    @property
    def delta(self) -> float:
        """The statistic on the data."""
        return self.differences.delta

    @cached_property
    def is_constant(self) -> bool:
        """Whether every resample gives the same statistic, but for rounding."""
        if self.weights is None:
            return self.differences.is_constant
        return bool(np.abs(self.residuals).max() <= _ROUNDING * np.abs(self.differences.values).max(initial=0.0))

    @cached_property
    def residuals(self) -> NDArray[np.float64]:
        """Shape (units,): what each unit moves the statistic by, times n; their sum is 0."""
        values, delta = self.differences.values, self.delta
        return values - (delta if self.weights is None else delta * self.weights)

    @property
    def standard_error(self) -> float:
        """Standard deviation of the bootstrap distribution (divisor n; the delta method where weights differ)."""
        if self.weights is None:
            return self.differences.standard_error
        residuals = self.residuals
        return math.sqrt(float(residuals @ residuals)) / self.n

    @cached_property
    def bounds(self) -> tuple[float, float]:
        """Smallest and largest statistic that any resample can have."""
        values = self.differences.values
        if self.weights is None:
            return float(values.min()), float(values.max())
        weighty = self.weights > 0.0
        ratios = values[weighty] / self.weights[weighty]
        return float(ratios.min()), float(ratios.max())

    @cached_property
    def smallest(self) -> float:
        """Smallest change of one unit, as the mean feels it; infinite where nothing changed."""
        values = self.differences.values
        return float(np.abs(values[values != 0.0]).min(initial=math.inf)) / self.n

    def moved(self, by: float) -> Differences:
        """Return the values of T - `by`: their sum is below 0 exactly where the statistic is below `by`."""
        values = self.differences.values - by * (1.0 if self.weights is None else self.weights)
        values[np.abs(values) <= _ROUNDING * np.abs(values).max()] = 0.0
        return Differences(values=values, lattice=None)

    def mirrored(self) -> Units:
        """Return the units of -T."""
        lattice = self.differences.lattice
        turned = None if lattice is None else Lattice(step=lattice.step, multiples=-lattice.multiples)
        return replace(self, differences=Differences(values=-self.differences.values, lattice=turned))


def units_of(
    differences: Differences,
    *,
    weights: NDArray[np.float64] | None = None,
    clusters: NDArray[np.int64] | None = None,
) -> Units:
    """Return the units of paired differences.

    Parameters
    ----------
    differences
        One per question.
    weights
        Shape (n,), not negative, positive in sum: the baseline's values for a relative change; None for a mean.
    clusters
        Shape (n,), the cluster of each question as a number; None to resample questions.

    """
    if weights is None and clusters is None:
        return Units(differences=differences)
    heavy = np.ones(differences.n) if weights is None else weights
    multiples = None if differences.lattice is None else differences.lattice.multiples
    values = differences.values
    if clusters is not None:
        _, code = np.unique(clusters, return_inverse=True)
        heavy = np.bincount(code, heavy).astype(np.float64)
        values = np.bincount(code, values).astype(np.float64)
        if multiples is not None:
            sums = np.zeros(heavy.size, dtype=np.int64)
            np.add.at(sums, code, multiples)
            multiples = sums
    scale = float(heavy.mean())
    lattice = None
    if differences.lattice is not None and multiples is not None:
        divisor = max(1, int(np.gcd.reduce(multiples)))
        step = differences.lattice.step * divisor / scale
        lattice = Lattice(step=step, multiples=multiples // divisor)
        values = lattice.multiples.astype(np.float64) * step
    else:
        values = values / scale
        values[np.abs(values) <= _ROUNDING * np.abs(values).max(initial=0.0)] = 0.0
    even = np.ptp(heavy) <= _ROUNDING * scale
    changes = Differences(values=values, lattice=lattice)
    if even:
        return Units(differences=changes)
    sizes = heavy.astype(np.int64) if weights is None else None
    return Units(differences=changes, weights=heavy / scale, sizes=sizes)
