"""The n-fold convolution of a histogram, by FFT, in a window outside which there is next to nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_OUTSIDE: Final = 1e-12
"""Probability that a sum falls outside the window, on each side."""

_RUNGS: Final = 8
"""Rungs of the ladder of exponents that are passed over at first."""

_NOTHING: Final = 60.0
"""Minus the logarithm of a modulus that is as good as 0."""

_COALESCED: Final = 1024
"""Number of cells that many distinct values are coalesced into for the bound."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """Where the sum of n draws lies but for 1e-12 on each side."""

    low: float
    high: float

    @property
    def width(self) -> float:
        """Length of the window, in the unit of the sums."""
        return self.high - self.low


def sum_window(values: NDArray[np.float64], counts: NDArray[np.int64], n: int) -> Window:
    """Bound the sum of n draws from `values` (weighted by `counts`, which sum to n) by Chernoff's inequality.

    Ten standard deviations would not do: with one outlier among tiny differences the sum is close to Poisson.
    Any exponent gives a valid bound, so the best of a ladder of exponents is taken.
    """
    values, weights = _coalesce(values, counts)
    mean = float(values @ weights)
    centred = values - mean
    deviation = float(np.sqrt(centred**2 @ weights))
    if deviation == 0.0:
        return Window(low=n * mean, high=n * mean)
    ladder = np.exp(np.linspace(-14.0, 3.0, 96)) * np.sqrt(-2.0 * np.log(_OUTSIDE) / n) / deviation
    return Window(
        low=n * mean - _chernoff(-centred, weights, ladder, n), high=n * mean + _chernoff(centred, weights, ladder, n)
    )


def _chernoff(centred: NDArray[np.float64], weights: NDArray[np.float64], ladder: NDArray[np.float64], n: int) -> float:
    """Return the smallest x with P(S >= n mean + x) <= 1e-12 that the exponents of `ladder` can show."""
    highest = float(centred.max())

    def bounds(exponents: NDArray[np.float64]) -> NDArray[np.float64]:
        moments = np.exp(np.outer(exponents, centred - highest)) @ weights
        found: NDArray[np.float64] = (-np.log(_OUTSIDE) + n * (exponents * highest + np.log(moments))) / exponents
        return found

    # The bound falls and then rises along the ladder: the best rung is next to the best of every eighth.
    near = _RUNGS * int(bounds(ladder[::_RUNGS]).argmin())
    best = bounds(ladder[max(0, near - _RUNGS + 1) : near + _RUNGS]).min()
    # No sum exceeds n times the largest value: for few questions that is the tighter bound.
    return float(min(best, n * highest))


def _coalesce(
    values: NDArray[np.float64], counts: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return at most `_COALESCED` values with probabilities, same mean, and a moment function nowhere smaller.

    Each value is shared between its two neighbours in proportion to nearness; exp is convex, so E exp(t d) can only
    grow and the Chernoff bound stays a bound.
    """
    # A value that is never drawn must not scale the moments: they would underflow to 0.
    drawn = counts > 0
    values = values[drawn]
    weights = counts[drawn].astype(np.float64) / float(counts.sum())
    if values.size <= _COALESCED:
        return values, weights
    low, high = float(values.min()), float(values.max())
    cell = (high - low) / (_COALESCED - 1)
    place = (values - low) / cell
    left = np.minimum(place.astype(np.int64), _COALESCED - 2)
    share = place - left
    coalesced = np.bincount(left, weights * (1.0 - share), _COALESCED)
    coalesced += np.bincount(left + 1, weights * share, _COALESCED)
    points = low + cell * np.arange(_COALESCED, dtype=np.float64)
    return points[coalesced > 0.0], coalesced[coalesced > 0.0].astype(np.float64)


def convolution_power(histogram: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    """Return the n-fold circular convolution of a probability histogram over cells 0, 1, ..., size - 1 (modulo size).

    Of a histogram of several dimensions every axis is circular.

    The modulus is raised and the phase multiplied separately: a zero of the transform stays a zero, and the phase's
    error grows as n times the rounding error, 4e-8 at n = 10^8.
    """
    transform = np.fft.rfftn(histogram)
    transform.flat[0] = 1.0
    modulus = np.minimum(np.abs(transform), 1.0)
    # Of most frequencies the n-th power is nothing; what is left out is below e^-60 each.
    alive = modulus > np.exp(-_NOTHING / n)
    powers = np.zeros_like(transform)
    powers[alive] = modulus[alive] ** n * np.exp(1j * n * np.angle(transform[alive]))
    return np.fft.irfftn(powers, histogram.shape, tuple(range(histogram.ndim)))


def fft_size(points: float) -> int:
    """Return the power of two that holds `points` cells."""
    return 1 << max(3, int(np.ceil(np.log2(max(points, 1.0)))))
