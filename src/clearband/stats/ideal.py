"""The ideal bootstrap: the whole bootstrap distribution of a mean, computed outright instead of drawn.

For a mean the distribution over resamples is the n-fold convolution of the empirical distribution of the paired
differences (Efron & Tibshirani 1993, section 6.4, name the limit B -> infinity "ideal"). Computed, it has no resamples,
no seed and no Monte Carlo error, so there is none to shop for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clearband.stats.atoms import has_no_atoms
from clearband.stats.convolution import convolution_power, fft_size, sum_window
from clearband.stats.distribution import AtomicDistribution, BootstrapDistribution
from clearband.stats.enumeration import FEW_CHANGED, FEW_QUESTIONS, enumerated_bootstrap
from clearband.stats.grid import grid_bootstrap

if TYPE_CHECKING:
    from clearband.stats.differences import Differences
    from clearband.stats.lattice import Lattice

LARGEST_LATTICE = 1 << 20
"""Most lattice points a window of sums may have; beyond, the sums are put on a coarser grid."""

_QUICK_LATTICE = 1 << 16
"""Up to so many points the lattice itself is used in any case; beyond, only if single sums are likely."""


def ideal_bootstrap(differences: Differences) -> BootstrapDistribution:
    """Return the bootstrap distribution of the mean paired difference as B goes to infinity.

    Parameters
    ----------
    differences
        At least one paired question.

    """
    if differences.is_constant:
        return AtomicDistribution(support=np.array([differences.delta]), probability=np.ones(1))
    if differences.lattice is not None:
        distribution = _lattice_bootstrap(differences, differences.lattice)
        if distribution is not None:
            return distribution
    if differences.n <= FEW_QUESTIONS or differences.nonzero <= FEW_CHANGED:
        return enumerated_bootstrap(differences)
    return grid_bootstrap(differences)


def _lattice_bootstrap(differences: Differences, lattice: Lattice) -> AtomicDistribution | None:
    """Return the exact distribution on a lattice; None where a grid does as well, or its window has too many points."""
    n = differences.n
    # No window is narrower than eight standard deviations of the sum.
    if 8.0 * differences.standard_error * n / lattice.step > LARGEST_LATTICE:
        return None
    values, counts = np.unique(lattice.multiples, return_counts=True)
    window = sum_window(values.astype(np.float64), counts, n)
    size = fft_size(window.width + 3.0)
    few = n <= FEW_QUESTIONS or differences.nonzero <= FEW_CHANGED
    if size > LARGEST_LATTICE or (size > _QUICK_LATTICE and (few or has_no_atoms(differences))):
        return None
    histogram = np.bincount(values % size, counts / n, size).astype(np.float64)
    start = int(np.floor(window.low)) - 1
    mass = np.roll(convolution_power(histogram, n), -start)
    probability = np.maximum(mass, 0.0)
    # Atoms before the division: an index of 0 is a mean of exactly 0, whatever the step.
    support = np.arange(start, start + size, dtype=np.float64) * (lattice.step / n)
    return AtomicDistribution(support=support, probability=probability / probability.sum())
