"""Lattices: differences that are whole multiples of one step, with the integers that stand behind the floats.

On a lattice sums cancel exactly and ties are atoms of the bootstrap distribution. Looked for, coarsest first: 1/q with
q up to 10,000; a finer decimal; any other step that fits far better than chance would.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

LARGEST_SUM: Final = 2.0**62
"""Sums of multiples stay within 64-bit integers."""

COARSE: Final = 100
"""Beyond this denominator the tolerance shrinks with the step: two or three values would fit some lattice by chance."""

BY_CHANCE: Final = 1e-3
"""Largest expected number of lattices on which values on none would lie by chance."""

_LARGEST_DENOMINATOR: Final = 10_000
"""Finest lattice 1/q looked for: four decimals, as ``trec_eval -q`` prints."""

_SNAP_SHARE: Final = 0.01
"""A value counts as a point of a lattice 1/q only within this share of its step."""

_CLOSE_SHARE: Final = 1e-3
"""A value counts as a point of a finer or arbitrary lattice only within this share of its step."""

_RELATIVE: Final = 1e-9
"""Two sizes this close, as a share of the largest, are one; no decimal step finer than it is looked for."""

_SMALLEST_STEP: Final = 1e-6
"""Finest arbitrary step looked for, as a share of the largest difference."""

_PARTS: Final = 100
"""The smallest size, or the smallest distance of two sizes, is at most so many steps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lattice:
    """Differences that are whole multiples of one step."""

    step: float
    multiples: NDArray[np.int64]
    """Shape (n,): difference divided by `step`; the greatest common divisor is 1."""


def find_lattice(differences: NDArray[np.float64], *, tolerance: float) -> Lattice | None:
    """Return the lattice that holds every difference; None where there is none, or nothing changed.

    Parameters
    ----------
    differences
        Shape (n,), exactly 0 where nothing changed.
    tolerance
        Distance within which a difference still counts as a point of a lattice 1/q, in the metric's units. Finer and
        arbitrary steps must fit to within a billionth of the largest difference.

    """
    changed = differences[differences != 0.0]
    if changed.size == 0:
        return None
    step = _unit_fraction(changed, tolerance)
    if step is None:
        sizes = _distinct(np.abs(changed))
        step = _decimal(sizes) or _arbitrary(sizes)
    if step is None or np.abs(changed).max() / step * differences.size >= LARGEST_SUM:
        return None
    return coarsest(np.rint(differences / step).astype(np.int64), step)


def coarsest(multiples: NDArray[np.int64], step: float) -> Lattice:
    """Return the lattice of these multiples of `step`, not all 0, with the largest step that holds them."""
    divisor = int(np.gcd.reduce(multiples))
    return Lattice(step=divisor * step, multiples=multiples // divisor)


def _unit_fraction(changed: NDArray[np.float64], tolerance: float) -> float | None:
    """Return 1/q for the smallest q up to 10,000 that fits; the likely ones are tried before the many."""
    return _smallest_fit(changed, tolerance, 1, COARSE) or _smallest_fit(
        changed, tolerance, COARSE + 1, _LARGEST_DENOMINATOR
    )


def _smallest_fit(changed: NDArray[np.float64], tolerance: float, first: int, last: int) -> float | None:
    witnesses = changed[:: max(1, changed.size // 16)][:32]
    denominators = np.arange(first, last + 1, dtype=np.float64)
    while True:
        # One value after the other: the first two or three leave few denominators to try.
        for witness in witnesses:
            denominators = denominators[_fits(witness, denominators, tolerance)]
        if denominators.size == 0:
            return None
        denominator = float(denominators[0])
        bad = changed[~_fits(changed, denominator, tolerance)]
        if bad.size == 0:
            return 1.0 / denominator
        witnesses = bad[:8]


def _fits(
    values: NDArray[np.float64] | np.float64, denominators: NDArray[np.float64] | float, tolerance: float
) -> NDArray[np.bool_]:
    scaled = values * denominators
    nearest = np.rint(scaled)
    allowed = np.minimum(tolerance * np.minimum(denominators, COARSE), _SNAP_SHARE)
    fits: NDArray[np.bool_] = (np.abs(scaled - nearest) <= allowed) & (nearest != 0.0)
    return fits


def _distinct(sizes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the sizes in increasing order; those that differ by rounding alone are one."""
    ordered = np.sort(sizes)
    apart = np.append(True, np.diff(ordered) > _RELATIVE * ordered[-1])
    distinct: NDArray[np.float64] = ordered[apart]
    return distinct


def _decimal(sizes: NDArray[np.float64]) -> float | None:
    """Return the largest step 10^-k, k at least 5, that holds the sizes.

    Values on no lattice pass one step with probability .002 a size, so two sizes are already evidence.
    """
    if sizes.size == 1:
        return float(sizes[0])
    witnesses = sizes[:: max(1, sizes.size // 16)]
    largest = float(np.log10(sizes[-1]))
    for places in range(max(5, int(np.ceil(-largest))), int(np.floor(-largest - np.log10(_RELATIVE))) + 1):
        if _is_whole(witnesses * 10.0**places) and _is_whole(sizes * 10.0**places):
            return 10.0**-places
    return None


def _is_whole(scaled: NDArray[np.float64]) -> bool:
    return bool((np.abs(scaled - np.rint(scaled)) <= _CLOSE_SHARE).all() and scaled.min() >= 0.5)


def _arbitrary(sizes: NDArray[np.float64]) -> float | None:
    """Return a step that holds at least two sizes, whatever it is; None where chance could have made it fit.

    Tried are the smallest size, or the smallest distance of two sizes, divided by 1 to 100.
    """
    smallest = min(float(sizes[0]), float(np.diff(sizes).min()))
    steps = smallest / np.arange(1, _PARTS + 1)
    steps = steps[steps >= _SMALLEST_STEP * sizes[-1]]
    for witness in sizes[:: max(1, sizes.size // 16)]:
        share = witness / steps
        steps = steps[np.abs(share - np.rint(share)) <= 0.05]
    for candidate in steps.tolist():
        multiples = np.rint(sizes / candidate)
        step = float(sizes @ multiples / (multiples @ multiples))
        allowed = min(_RELATIVE * float(sizes[-1]), _CLOSE_SHARE * step)
        if np.abs(sizes - multiples * step).max() <= allowed:
            # Every size but the one that gave the step had to fit by itself.
            return step if _PARTS * (2.0 * allowed / step) ** (sizes.size - 1) <= BY_CHANCE else None
    return None
