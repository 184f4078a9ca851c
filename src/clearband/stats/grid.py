"""The ideal bootstrap for values on no lattice: a fine grid anchored at d = 0, and how it is read.

Each changed value is shared between its three nearest grid points with weights u(u-1)/2, 1-u^2, u(u+1)/2 (u its offset
in steps): mean and variance are kept and the transform's modulus stays at most 1. The grid is as coarse as the third
and fourth cumulants of that sharing allow, from 8,192 points up to 2^20.

A distribution without atoms is smooth at the grid's step: its cumulative sum at point k belongs to k + 1/2 and is
interpolated, and the cell of 0 counts half to each side. Otherwise the values are snapped to a grid of 2^20 points,
nothing is interpolated, and the atom at 0 is put together again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from clearband.stats.atoms import atom_at_zero, has_no_atoms, tie_width
from clearband.stats.convolution import Window, convolution_power, sum_window
from clearband.stats.distribution import first_reaching

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clearband.stats.differences import Differences

_SMALLEST: Final = 1 << 13
_LARGEST: Final = 1 << 20

_OUTLIERS: Final = 12
"""Conditional on none of so many largest changes being drawn (e^-12), the rest must be resolved by the grid as well."""

_STEP_SHARE: Final = 8e-3
"""Largest step as a share of the standard error: interpolation is then within 2e-6 in probability."""

_CUMULANT_ERROR: Final = 2e-6
"""Largest error in probability from the sharing's third and fourth cumulants."""

_SNAPPED_SHARE: Final = 1e-4
"""Largest snapping error as a share of the standard error."""

_STEPS: Final = 4097
_MANY: Final = 64
"""Grid steps tried, and number of distinct changes from which on fewer are tried and no relations are looked for."""

_ATOM_ERROR: Final = 1e-6
_ATOM_REACH: Final = 8
_NEIGHBOURHOOD: Final = 64
"""Cells around 0 that hold a smeared atom, and cells whose median gives the background under it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GridDistribution:
    """A bootstrap distribution on an even grid of the mean difference that contains 0."""

    step: float
    start: int
    """Grid index of the first point; point i lies at (start + i) * step."""
    mass: NDArray[np.float64]
    interpolated: bool
    """Whether the grid samples a smooth distribution; otherwise its points are atoms."""
    p_not_above_zero: float
    p_not_below_zero: float

    def lower(self, level: float) -> float:
        """Return inf{x: P*(T* <= x) >= level}."""
        return self._end(self.mass, self.start, level)

    def upper(self, level: float) -> float:
        """Return sup{x: P*(T* >= x) >= level}."""
        return -self._end(self.mass[::-1], -(self.start + self.mass.size - 1), level)

    def below(self, value: float) -> float:
        """Return P*(T* < value) + P*(T* = value) / 2, interpolated within the cell of `value`."""
        place = value / self.step - self.start + 0.5
        cell = int(np.clip(np.floor(place), 0, self.mass.size - 1))
        return float(self.mass[:cell].sum() + self.mass[cell] * min(1.0, max(0.0, place - cell)))

    def monte_carlo_error(self, lower: float, upper: float) -> None:
        """Nothing was drawn, so there is no Monte Carlo error."""

    def require(self, level: float) -> None:
        """Any level can be read."""

    def _end(self, mass: NDArray[np.float64], start: int, level: float) -> float:
        cumulative = np.maximum.accumulate(np.cumsum(mass))
        index = first_reaching(cumulative, level)
        position = float(start + index)
        if self.interpolated and mass[index] > 0.0:
            below = float(cumulative[index - 1]) if index else 0.0
            position += min(1.0, max(0.0, (level - below) / (float(cumulative[index]) - below))) - 0.5
        return position * self.step


def grid_bootstrap(differences: Differences) -> GridDistribution:
    """Return the ideal bootstrap distribution of the mean for values on no lattice, or on one with very many points.

    Probabilities of T* <= 0 and T* >= 0 are within 1e-5 of exact; ends are within 1e-4 standard errors, or between
    the exact quantiles at level -+ 1e-5 where the distribution is flat.
    """
    n = differences.n
    changed, counts = np.unique(differences.values[differences.values != 0.0], return_counts=True)
    window = sum_window(np.append(changed, 0.0), np.append(counts, n - counts.sum()), n)
    if has_no_atoms(differences):
        return _smooth(changed, counts, window, differences)
    return _atomic(changed, counts, window, differences)


def _smooth(
    changed: NDArray[np.float64], counts: NDArray[np.int64], window: Window, differences: Differences
) -> GridDistribution:
    n, size, deviation = differences.n, _SMALLEST, _without_outliers(changed, counts)
    while size < _LARGEST and not _resolves(changed, counts, window.width / (size - 8), deviation):
        size *= 2
    step = window.width / (size - 8)
    mass, start = _sums(_shared(changed / step, counts, size, n), window, step, n)
    # On a lattice this fine a tie at 0 is as likely as its neighbours.
    tie = _at(mass, -start) * tie_width(differences.lattice) / step
    return _read(mass, start, step / n, atom=tie, reach=0, interpolated=True)


def _without_outliers(changed: NDArray[np.float64], counts: NDArray[np.int64]) -> float:
    """Return the root of the sum of squares without the largest changes."""
    order = np.argsort(np.abs(changed))
    remaining = counts[order]
    beyond = np.cumsum(remaining[::-1])[::-1] - _OUTLIERS
    return float(np.sqrt(changed[order] ** 2 @ np.clip(beyond, 0, remaining)))


def _resolves(changed: NDArray[np.float64], counts: NDArray[np.int64], step: float, deviation: float) -> bool:
    """Tell whether a grid of this step resolves the distribution, outliers or not."""
    if step > _STEP_SHARE * deviation:
        return False
    share = step / deviation
    offset = changed / step
    offset -= np.rint(offset)
    square = offset * offset
    third = abs(float((offset * (1.0 - square)) @ counts)) / 6.0 * share**3 * 1.16
    fourth = float((square * (1.0 - square)) @ counts) / 8.0 * share**4 * 2.17
    return third + fourth <= _CUMULANT_ERROR


def _atomic(
    changed: NDArray[np.float64], counts: NDArray[np.int64], window: Window, differences: Differences
) -> GridDistribution:
    """Snap the values to a fine grid whose step leaves the mean where it is, or share them if none does."""
    n, lattice = differences.n, differences.lattice
    deviation = float(np.sqrt(changed**2 @ counts))
    steps = _candidate_steps(changed, window)
    nearest = np.rint(changed[:, None] / steps)
    error = changed[:, None] - nearest * steps
    harm = np.sqrt((error**2).T @ counts) + np.abs(error.T @ counts)
    known = lattice is not None or changed.size > _MANY
    broken = np.zeros(steps.size) if known else (_relations(changed) @ nearest != 0.0).sum(axis=0)
    harmless = harm <= _SNAPPED_SHARE * deviation
    best = int(np.lexsort((harm, np.where(harmless, broken, np.inf)))[0])
    step = float(steps[best])
    if harmless.any():
        histogram = np.bincount(nearest[:, best].astype(np.int64) % _LARGEST, counts / n, _LARGEST).astype(np.float64)
        histogram[0] += 1.0 - counts.sum() / n
    else:
        histogram = _shared(changed / step, counts, _LARGEST, n)
    mass, start = _sums(histogram, window, step, n)
    reach = 0
    if lattice is not None:
        atom = atom_at_zero(lattice)
        reach = _reach(mass, -start, atom)
    elif harmless.any() and not known and broken[best] == 0:
        atom = _at(mass, -start)
    else:
        atom = _smeared_atom(mass, -start)
    return _read(mass, start, step / n, atom=atom, reach=reach)


def _candidate_steps(changed: NDArray[np.float64], window: Window) -> NDArray[np.float64]:
    """Return steps of a grid of at most `_LARGEST` points, whole parts of the changes themselves among them."""
    finest = window.width / (_LARGEST - 64)
    even = finest * np.linspace(1.0, 1.25, max(_MANY + 1, _STEPS * _MANY // max(_MANY, changed.size)))
    parts = np.floor(np.abs(changed) / finest)
    return np.append(even, (np.abs(changed) / np.maximum(parts, 1.0))[parts >= 4.0])


def _relations(changed: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the sums x + y = z among the values as rows of coefficients: sums of 0 that snapping must keep at 0."""
    tolerance = 1e-9 * np.abs(changed).max()
    first, second = np.triu_indices(changed.size)
    sums = changed[first] + changed[second]
    place = np.clip(np.searchsorted(changed, sums), 1, changed.size - 1)
    place -= np.abs(changed[place - 1] - sums) < np.abs(changed[place] - sums)
    cancel, add = np.abs(sums) <= tolerance, np.abs(changed[place] - sums) <= tolerance
    rows = np.zeros((sums.size, changed.size))
    np.add.at(rows, (np.arange(sums.size), first), 1.0)
    np.add.at(rows, (np.arange(sums.size), second), 1.0)
    np.add.at(rows, (np.arange(sums.size)[add], place[add]), -1.0)
    relations: NDArray[np.float64] = rows[cancel | add]
    return relations


def _shared(positions: NDArray[np.float64], counts: NDArray[np.int64], size: int, n: int) -> NDArray[np.float64]:
    """Return the histogram of one draw on a circular grid of `size` points, each value shared between three."""
    nearest = np.rint(positions)
    offset = positions - nearest
    index = nearest.astype(np.int64) % size
    square = offset * offset
    histogram = np.bincount(index, counts * (1.0 - square), size)
    histogram += np.roll(np.bincount(index, counts * (square - offset) / 2.0, size), -1)
    histogram += np.roll(np.bincount(index, counts * (square + offset) / 2.0, size), 1)
    histogram[0] += n - counts.sum()
    return histogram / n


def _sums(histogram: NDArray[np.float64], window: Window, step: float, n: int) -> tuple[NDArray[np.float64], int]:
    """Return the distribution of the sum of n draws, unrolled so that it begins at the window's low end."""
    start = int(np.floor(window.low / step)) - 2
    return np.roll(convolution_power(histogram, n), -start), start


def _at(mass: NDArray[np.float64], cell: int) -> float:
    return float(mass[cell]) if 0 <= cell < mass.size else 0.0


def _read(
    mass: NDArray[np.float64], start: int, step: float, *, atom: float, reach: int, interpolated: bool = False
) -> GridDistribution:
    """Return the distribution with `atom` at 0, and the rest of the cells within `reach` of it half to each side."""
    zero = -start
    if zero < 0 or zero >= mass.size:
        below, above = (0.0, 1.0) if zero < 0 else (1.0, 0.0)
    else:
        first, last = max(0, zero - reach), zero + reach + 1
        share = (float(mass[first:last].sum()) + atom) / 2.0
        below, above = float(mass[:first].sum()) + share, float(mass[last:].sum()) + share
    return GridDistribution(
        step=step,
        start=start,
        mass=mass,
        interpolated=interpolated,
        p_not_above_zero=min(1.0, max(0.0, below)),
        p_not_below_zero=min(1.0, max(0.0, above)),
    )


def _reach(mass: NDArray[np.float64], zero: int, atom: float) -> int:
    """Return how many cells to each side of 0 it takes to hold a known atom that snapping may have scattered."""
    for reach in range(_NEIGHBOURHOOD):
        if float(mass[max(0, zero - reach) : max(0, zero + reach + 1)].sum()) >= atom - _ATOM_ERROR:
            return reach
    return _NEIGHBOURHOOD


def _smeared_atom(mass: NDArray[np.float64], zero: int) -> float:
    """Return the atom at 0: what the cells around it hold above the background, the sharing being symmetric there."""
    if not 0 <= zero < mass.size:
        return 0.0
    near = mass[max(0, zero - _ATOM_REACH) : zero + _ATOM_REACH + 1]
    around = mass[max(0, zero - _NEIGHBOURHOOD) : zero + _NEIGHBOURHOOD + 1]
    return max(0.0, float(near.sum() - near.size * np.median(around)))
