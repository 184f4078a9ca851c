"""Paired differences of one metric, with equal values made exactly equal and lattices recognised.

A float32 round trip, or 0.3 against 0.1 + 0.2, is no change; and a 0/1 metric has integers behind it, from which
signs are read without rounding. Both are settled here, once, before any statistic sees a number.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

EQUAL_WITHIN: Final = 1e-6
"""Two values closer than this share of the larger one are equal (a float32 round trip is 6e-8 of it)."""

_ROUNDING: Final = 1e-12
"""Share of the largest difference (or of the scale) that is rounding in a sum of floats."""

_SMALLEST: Final = 1e-100
"""Differences below it are 0: their squares could not be told from 0."""

_LARGEST_DENOMINATOR: Final = 10_000
"""Finest lattice looked for, 1/10,000: four decimals, as ``trec_eval -q`` prints."""

_SNAP_SHARE: Final = 0.01
"""A value counts as a lattice point only within this share of the lattice's step."""

_COARSE: Final = 100
"""Beyond this denominator the tolerance shrinks with the step: two or three values would fit some lattice by chance."""


_LARGEST_SUM: Final = 2.0**62
"""Sums of multiples stay within 64-bit integers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lattice:
    """Differences that are whole multiples of one step."""

    step: float
    multiples: NDArray[np.int64]
    """Shape (n,): difference divided by `step`; the greatest common divisor is 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Differences:
    """Paired differences d = candidate - baseline of one metric, in the canonical order of the questions."""

    values: NDArray[np.float64]
    """Shape (n,); exactly 0 where the two values are equal, exact lattice multiples where there is a lattice."""
    lattice: Lattice | None

    @property
    def n(self) -> int:
        """Number of paired questions."""
        return int(self.values.size)

    @property
    def nonzero(self) -> int:
        """Number of questions whose value changed."""
        return int(np.count_nonzero(self.values))

    @property
    def is_constant(self) -> bool:
        """Whether every question changed by the same amount, but for rounding; true where nothing changed."""
        return bool(np.ptp(self.values) <= _ROUNDING * np.abs(self.values).max(initial=0.0))

    @property
    def delta(self) -> float:
        """Mean difference; exactly 0 where the lattice says so."""
        if self.lattice is not None:
            return int(self.lattice.multiples.sum()) * self.lattice.step / self.n
        mean = math.fsum(self.values) / self.n
        return 0.0 if abs(mean) <= _ROUNDING * np.abs(self.values).max(initial=0.0) else mean

    @property
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
    lattice = find_lattice(differences, tolerance=EQUAL_WITHIN * scale)
    if lattice is not None:
        differences = lattice.multiples.astype(np.float64) * lattice.step
    return Differences(values=differences, lattice=lattice)


def _scale(
    baseline: NDArray[np.float64], candidate: NDArray[np.float64], value_range: tuple[float, float] | None
) -> float:
    if value_range is not None:
        return value_range[1] - value_range[0]
    if baseline.size == 0:
        return 0.0
    return float(max(np.abs(baseline).max(), np.abs(candidate).max()))


def find_lattice(differences: NDArray[np.float64], *, tolerance: float) -> Lattice | None:
    """Return the coarsest lattice 1/q, q at most 10,000, that holds every difference; None where there is none.

    Parameters
    ----------
    differences
        Shape (n,), exactly 0 where nothing changed.
    tolerance
        Distance within which a difference still counts as a lattice point, in the metric's units.

    """
    changed = differences[differences != 0.0]
    if changed.size == 0:
        return None
    witnesses = changed[:: max(1, changed.size // 16)][:32]
    denominators = np.arange(1, _LARGEST_DENOMINATOR + 1, dtype=np.float64)
    while True:
        # One value after the other: the first two or three leave few denominators to try.
        for witness in witnesses:
            denominators = denominators[_fits(witness, denominators, tolerance)]
        if denominators.size == 0:
            return None
        denominator = float(denominators[0])
        bad = changed[~_fits(changed, denominator, tolerance)]
        if bad.size == 0:
            break
        witnesses = bad[:8]
    if np.abs(changed).max() * denominator * differences.size >= _LARGEST_SUM:
        return None
    multiples = np.rint(differences * denominator).astype(np.int64)
    divisor = int(np.gcd.reduce(multiples))
    return Lattice(step=divisor / denominator, multiples=multiples // divisor)


def _fits(
    values: NDArray[np.float64] | np.float64, denominators: NDArray[np.float64] | float, tolerance: float
) -> NDArray[np.bool_]:
    scaled = values * denominators
    nearest = np.rint(scaled)
    allowed = np.minimum(tolerance * np.minimum(denominators, _COARSE), _SNAP_SHARE)
    fits: NDArray[np.bool_] = (np.abs(scaled - nearest) <= allowed) & (nearest != 0.0)
    return fits
