"""The exact bootstrap of few clusters, or of whole-numbered changes: how many questions and how much change, jointly.

Summed change and summed size of n clusters lie on a lattice of two dimensions, whose distribution is an n-fold
convolution like that of a single sum. Their ratio is then known atom by atom, and no end has to be searched for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from clearband.stats.convolution import convolution_power, fft_size, sum_window
from clearband.stats.distribution import SUM_IS_ZERO, AtomicDistribution
from clearband.stats.enumeration import FEW_QUESTIONS, multisets

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clearband.stats.units import Units

LARGEST_TABLE: Final = 1 << 20
"""Most pairs of sums that are kept; beyond, the ends are searched for."""

_NOTHING: Final = 1e-18
"""Pairs less likely than this are rounding errors of the transform."""


def joint_bootstrap(units: Units) -> AtomicDistribution | None:
    """Return the exact distribution of summed change over summed size; None off lattices or where the table is large.

    Parameters
    ----------
    units
        With weights; beyond ten of them, clusters with `sizes`.

    """
    if units.n <= FEW_QUESTIONS:
        return _enumerated(units)
    lattice, sizes = units.differences.lattice, units.sizes
    if lattice is None or sizes is None:
        return None
    change, heavy = _axis(lattice.multiples), _axis(sizes)
    if change[1] * heavy[1] > LARGEST_TABLE:
        return None
    n, shape = units.n, (change[1], heavy[1])
    cells = lattice.multiples % shape[0] * shape[1] + sizes % shape[1]
    histogram = np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape) / n
    mass = np.roll(convolution_power(histogram, n), (-change[0], -heavy[0]), (0, 1))
    rows, columns = np.nonzero(mass > _NOTHING)
    probability = mass[rows, columns]
    total = columns + heavy[0]
    possible = total > 0
    # Change by change and size by size in whole numbers: an index of 0 is a change of exactly 0.
    ratio = (rows + change[0])[possible] * (lattice.step * float(sizes.mean())) / total[possible]
    order = np.argsort(ratio, kind="stable")
    probability = probability[possible][order]
    return AtomicDistribution(support=ratio[order], probability=probability / probability.sum())


def _enumerated(units: Units) -> AtomicDistribution:
    """Return the distribution over every multiset of few clusters."""
    counts, probability = multisets(units.n)
    weights = np.ones(units.n) if units.weights is None else units.weights
    values = units.differences.values
    change = counts @ values
    change[np.abs(change) <= SUM_IS_ZERO * np.abs(values).max()] = 0.0
    total = counts @ weights
    possible = total > 0.0
    ratio = change[possible] / total[possible]
    order = np.argsort(ratio, kind="stable")
    kept = probability[possible][order]
    return AtomicDistribution(support=ratio[order], probability=kept / kept.sum())


def _axis(values: NDArray[np.int64]) -> tuple[int, int]:
    """Return where the window of sums begins and how many cells it has."""
    kinds, counts = np.unique(values, return_counts=True)
    window = sum_window(kinds.astype(np.float64), counts, values.size)
    return int(np.floor(window.low)) - 1, fft_size(window.width + 3.0)
