"""Independent ways to the same numbers: slow, plain, and sharing no code with the package."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

import numpy as np


@dataclass(frozen=True)
class ExactSums:
    """The distribution of the sum of n draws from integers, atom by atom."""

    support: np.ndarray
    mass: np.ndarray
    n: int
    standard_error: float

    @property
    def p_not_above_zero(self) -> float:
        return float(self.mass[self.support <= 0].sum())

    @property
    def p_not_below_zero(self) -> float:
        return float(self.mass[self.support >= 0].sum())

    def lower(self, level: float) -> float:
        return float(self.support[np.searchsorted(np.cumsum(self.mass), level)]) / self.n

    def upper(self, level: float) -> float:
        return float(self.support[::-1][np.searchsorted(np.cumsum(self.mass[::-1]), level)]) / self.n


def by_every_resample(values: list[Fraction]) -> dict[Fraction, Fraction]:
    """Enumerate all n^n resamples in rational arithmetic."""
    counts = Counter(sum(draws, start=Fraction(0)) for draws in itertools.product(values, repeat=len(values)))
    total = len(values) ** len(values)
    return {value / len(values): Fraction(count, total) for value, count in counts.items()}


def by_long_convolution(values: np.ndarray) -> ExactSums:
    """Convolve a histogram of integers with itself n times on every integer of a very wide window."""
    n = values.size
    reach = 10.0 * np.sqrt(n) * values.std() + 16.0 * np.abs(values).max()
    size = 1 << int(np.ceil(np.log2(2 * min(reach, n * float(np.abs(values).max())) + 4)))
    assert size <= 1 << 23, "the reference would need too much memory"
    histogram = np.bincount(values % size, minlength=size) / n
    transform = np.fft.rfft(histogram)
    transform[transform == 0.0] = 1e-300
    mass = np.fft.irfft(np.exp(n * np.log(transform)), size)
    start = int(n * values.mean()) - size // 2
    return ExactSums(
        support=np.arange(start, start + size),
        mass=np.roll(mass, -start),
        n=n,
        standard_error=float(values.std() / np.sqrt(n)),
    )
