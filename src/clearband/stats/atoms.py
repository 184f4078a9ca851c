"""Atoms of the distribution of a sum: whether there are any, and how much probability lies at exactly 0.

Sums of integers are wound around a clock: what cancels to 0 shows on hour 0, however far the sums reach. All else is
spread evenly over the hours, unless single sums are likely.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from clearband.stats.convolution import convolution_power

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clearband.stats.differences import Differences
    from clearband.stats.lattice import Lattice

_ROUNDED: Final = 1e-9
"""Share of the largest change that values on no lattice are rounded to before they are wound."""

_CLOCK: Final = 11**4
_CLOCKS: Final = (11**5, 7**6)
"""Hours of the clocks. Two of them, because on one a sum other than 0 can show 0."""

_NOTHING: Final = 40.0
"""Minus the logarithm of a modulus that is as good as 0."""

_EVEN: Final = 5e-6
"""Largest probability of an hour beyond its fair share in a distribution that counts as smooth."""


def has_no_atoms(differences: Differences) -> bool:
    """Tell whether every sum is about as likely as its neighbours, so that the distribution can be read as smooth.

    No hour of the clock exceeds its fair share by more than the sum of the transform's moduli. A bell of sums passes
    from about 6,000 points per standard error on.
    """
    if differences.lattice is not None:
        multiples = differences.lattice.multiples
    else:
        unit = _ROUNDED * float(np.abs(differences.values).max())
        multiples = np.rint(differences.values / unit).astype(np.int64)
    moduli = np.minimum(np.abs(np.fft.rfft(_wound(multiples, _CLOCK)))[1:], 1.0)
    # Moduli whose n-th power is next to nothing do not add up to anything either.
    large = moduli[moduli > np.exp(-_NOTHING / differences.n)]
    return 2.0 * float((large**differences.n).sum()) / _CLOCK <= _EVEN


def atom_at_zero(lattice: Lattice) -> float:
    """Return the probability that n draws from the multiples sum to exactly 0."""
    n = int(lattice.multiples.size)
    return min(
        max(0.0, float(convolution_power(_wound(lattice.multiples, hours), n)[0]) - 1.0 / hours) for hours in _CLOCKS
    )


def tie_width(lattice: Lattice | None) -> float:
    """Return the distance of the sums that can occur, where 0 is one of them; 0 where it is none."""
    if lattice is None:
        return 0.0
    first = int(lattice.multiples[0])
    distance = int(np.gcd.reduce(lattice.multiples - first))
    return 0.0 if distance == 0 or lattice.multiples.size * first % distance else distance * lattice.step


def _wound(multiples: NDArray[np.int64], hours: int) -> NDArray[np.float64]:
    return np.bincount(multiples % hours, minlength=hours) / multiples.size
