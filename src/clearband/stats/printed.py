"""Fractions behind printed values: 0.3333 and 0.6667 are thirds, and 0.6667 - 0.3333 is one third.

As printed, 2/3 - 1/3 and 1/3 - 0 would differ by one unit of the last digit and never cancel: ties would be missed and
intervals end on the wrong side of 0. Both arms are read, because a difference of two rounded values says less.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from clearband.stats.lattice import BY_CHANCE, COARSE, LARGEST_SUM, Lattice, coarsest

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FEWEST_PLACES: Final = 2
_UNPRINTED: Final = 6
"""Values with more than five decimals are taken as they are: what rounding took from them decides nothing."""

_CLOSE_SHARE: Final = 1e-3
"""A value is a decimal within this share of its last digit."""

_TIE_SLACK: Final = 1e-6
"""Share of half a unit by which a tie, rounded up or down, may seem to lie beyond it."""

_LARGEST_COVER: Final = 0.125
"""Share of the decimals that may be such fractions at most; beyond, being one says nothing."""

_FRACTIONS_TO: Final = 3.0 / np.pi**2
"""Number of fractions between 0 and 1 with denominators up to Q, as a share of Q^2."""


def printed_fractions(baseline: NDArray[np.float64], candidate: NDArray[np.float64]) -> Lattice | None:
    """Return candidate - baseline on the lattice of the fractions that both arms print; None where they print none.

    Every value of both arms must be a fraction k/q with q at most 100, rounded to the decimals that the values have,
    and values with that many decimals must be most unlikely to be such fractions by chance.

    Parameters
    ----------
    baseline, candidate
        Shape (n,), finite.

    """
    values = np.concatenate((baseline, candidate))
    witnesses = values[:: max(1, values.size // 32)]
    places = _decimal_places(witnesses)
    if places < _UNPRINTED:
        places = _decimal_places(values)
    if places == _UNPRINTED or (_denominators(witnesses, places) == 0).any():
        return None
    distinct, place = np.unique(values, return_inverse=True)
    denominators = _denominators(distinct, places)
    if (denominators == 0).any() or not _evident(distinct, denominators, places):
        return None
    denominator = math.lcm(*np.unique(denominators).tolist())
    if (float(np.abs(distinct).max()) + 1.0) * denominator * values.size >= LARGEST_SUM:
        return None
    numerators = np.rint(distinct * denominators).astype(np.int64) * (denominator // denominators)
    multiples = numerators[place[baseline.size :]] - numerators[place[: baseline.size]]
    return coarsest(multiples, 1.0 / denominator) if multiples.any() else None


def _decimal_places(values: NDArray[np.float64]) -> int:
    """Return how many decimals the values have: 2 to 5, or `_UNPRINTED` for more."""
    for places in range(_FEWEST_PLACES, _UNPRINTED):
        scaled = values * 10.0**places
        if (np.abs(scaled - np.rint(scaled)) <= _CLOSE_SHARE).all():
            return places
    return _UNPRINTED


def _denominators(values: NDArray[np.float64], places: int) -> NDArray[np.int64]:
    """Return the denominator of the fraction that each value prints, 0 where it prints none.

    Up to 10^(places/2) two fractions lie at least one unit apart, so a value prints at most one of them, or a tie.
    """
    half = 0.5 * 10.0**-places * (1.0 + _TIE_SLACK)
    tried = np.arange(1, min(COARSE, int(10.0 ** (places / 2))) + 1)
    scaled = np.multiply.outer(values, tried)
    nearest = np.rint(scaled)
    prints = (np.abs(scaled - nearest) <= half * tried) & ((nearest != 0.0) | (scaled == 0.0))
    denominators: NDArray[np.int64] = np.where(prints.any(axis=1), tried[prints.argmax(axis=1)], 0)
    return denominators


def _evident(distinct: NDArray[np.float64], denominators: NDArray[np.int64], places: int) -> bool:
    """Tell whether fractions explain the values far better than chance, and no two values print one fraction."""
    unit = 10**places
    printed, first = np.unique(np.rint(distinct * unit), return_index=True)
    fractions = distinct[first] * denominators[first]
    if np.unique(np.rint(fractions) / denominators[first]).size < printed.size:
        return False
    # A value that is its fraction to the last digit, as 0.25 is, says nothing about the others.
    rounded = int((unit % denominators[first] != 0).sum())
    largest = int(denominators.max())
    cover = min(math.lcm(*np.unique(denominators).tolist()), _FRACTIONS_TO * largest**2) / unit
    return rounded > 0 and cover <= _LARGEST_COVER and cover**rounded <= BY_CHANCE
