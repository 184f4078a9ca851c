"""Paired differences of one metric, with equal values made exactly equal and lattices recognised.

A float32 round trip, or 0.3 against 0.1 + 0.2, is no change; and a 0/1 metric has integers behind it, from which
signs are read without rounding. Both are settled here, once, before any statistic sees a number.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from clearband.stats.exact_sum import exact_sum
from clearband.stats.lattice import COARSE, Lattice, find_lattice
from clearband.stats.printed import printed_fractions

if TYPE_CHECKING:
    from numpy.typing import NDArray

EQUAL_WITHIN: Final = 1e-6
"""Two values closer than this share of the larger one are equal (a float32 round trip is 6e-8 of it)."""

_ROUNDING: Final = 1e-12
"""Share of the largest difference (or of the scale) that is rounding in a sum of floats."""

_SMALLEST: Final = 1e-100
"""Differences below it are 0: their squares could not be told from 0."""


@dataclass(frozen=True, kw_only=True)
class Differences:
    """Paired differences d = candidate - baseline of one metric, in the canonical order of the questions."""

    values: NDArray[np.float64]
    """Shape (n,); exactly 0 where the two values are equal, exact lattice multiples where there is a lattice."""
    lattice: Lattice | None

    @property
    def n(self) -> int:
        """Number of paired questions."""
        return int(self.values.size)

    @cached_property
    def nonzero(self) -> int:
        """Number of questions whose value changed."""
        return int(np.count_nonzero(self.values))

    @cached_property
    def is_constant(self) -> bool:
        """Whether every question changed by the same amount, but for rounding; true where nothing changed."""
        return bool(np.ptp(self.values) <= _ROUNDING * np.abs(self.values).max(initial=0.0))

    @cached_property
    def delta(self) -> float:
        """Mean difference; exactly 0 where the lattice says so."""
        if self.lattice is not None:
            return int(self.lattice.multiples.sum()) * self.lattice.step / self.n
        mean = exact_sum(self.values) / self.n
        return 0.0 if abs(mean) <= _ROUNDING * np.abs(self.values).max(initial=0.0) else mean

    @cached_property
    def standard_error(self) -> float:
        """Standard deviation of the bootstrap distribution of the mean (divisor n, as resampling has it)."""
        return float(self.values.std() / np.sqrt(self.n))


def paired_differences(
    baseline: NDArray[np.float64],
    candidate: NDArray[np.float64],
    *,
    value_range: tuple[float, float] | None = None,
) -> Differences:
    """Return candidate - baseline per question.

    Parameters
    ----------
    baseline, candidate
        Shape (n,), finite, question by question.
    value_range
        The metric's declared smallest and largest value. It caps the tolerance: on a metric from 1,000,000 to 1,000,001
        a millionth of a value would be the whole range.

    """
    differences = candidate - baseline
    scale = _scale(baseline, candidate, value_range)
    # Relative to the pair, not to the largest value: one huge score must not hide what happened to the others.
    tolerance = EQUAL_WITHIN * np.maximum(np.abs(baseline), np.abs(candidate))
    if value_range is not None:
        tolerance = np.minimum(tolerance, EQUAL_WITHIN * scale)
    trusted = scale if value_range is not None else float(np.abs(baseline).max(initial=0.0))
    differences[np.abs(differences) <= np.maximum(tolerance, max(_SMALLEST, _ROUNDING * trusted))] = 0.0
    lattice = _lattice(baseline, candidate, differences, tolerance=EQUAL_WITHIN * scale)
    if lattice is not None:
        differences = lattice.multiples.astype(np.float64) * lattice.step
    return Differences(values=differences, lattice=lattice)


def _lattice(
    baseline: NDArray[np.float64],
    candidate: NDArray[np.float64],
    differences: NDArray[np.float64],
    *,
    tolerance: float,
) -> Lattice | None:
    """Return the lattice of the differences; that of the fractions which the two arms print before a finer one."""
    lattice = find_lattice(differences, tolerance=tolerance)
    if differences.size == 0 or (lattice is not None and COARSE * lattice.step >= 1.0):
        return lattice
    printed = printed_fractions(baseline, candidate)
    if printed is None or ((printed.multiples != 0) != (differences != 0.0)).any():
        return lattice
    return printed


def _scale(
    baseline: NDArray[np.float64], candidate: NDArray[np.float64], value_range: tuple[float, float] | None
) -> float:
    if value_range is not None:
        return value_range[1] - value_range[0]
    if baseline.size == 0:
        return 0.0
    return float(max(np.abs(baseline).max(), np.abs(candidate).max()))
