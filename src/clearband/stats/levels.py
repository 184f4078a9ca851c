"""At which levels the ends of an interval are read from the bootstrap distribution, and the p that inverts them.

Each method maps the level that is asked for (alpha/2) to one that is read, and back: the p of a probability P at 0 is
the asked level at which the end would lie exactly there. The upper end is the lower end of the mirrored distribution.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from clearband.stats.student import t_cdf, t_quantile

if TYPE_CHECKING:
    from numpy.typing import NDArray

_NORMAL: Final = NormalDist()
_SMALLEST: Final = 1e-16
"""A probability this small is a rounding error of the distribution functions."""


class Levels(Protocol):
    """How one end of an interval is read; `mirrored` reads the other."""

    def read(self, asked: float) -> float:
        """Return the level to read where `asked` is asked for; increasing."""

    def asked(self, read: float) -> float:
        """Return the inverse of `read`."""

    def mirrored(self) -> Levels:
        """Return the levels of the mirrored distribution."""


@dataclass(frozen=True, slots=True)
class PercentileLevels:
    """The quantiles themselves (Efron & Tibshirani 1993, chapter 13)."""

    def read(self, asked: float) -> float:
        """Return `asked`."""
        return asked

    def asked(self, read: float) -> float:
        """Return `read`."""
        return read

    def mirrored(self) -> PercentileLevels:
        """Return itself."""
        return self


@dataclass(frozen=True, slots=True)
class ExpandedLevels:
    """Percentiles moved outward for small n (Hesterberg 2015): t for the normal, n/(n-1) for the plug-in variance."""

    n: int

    def read(self, asked: float) -> float:
        """Return Phi(sqrt(n/(n-1)) t_{asked, n-1})."""
        return normal_cdf(math.sqrt(self.n / (self.n - 1)) * t_quantile(asked, self.n - 1))

    def asked(self, read: float) -> float:
        """Return T_{n-1}(sqrt((n-1)/n) Phi^-1(read))."""
        return t_cdf(normal_quantile(read) * math.sqrt((self.n - 1) / self.n), self.n - 1)

    def mirrored(self) -> ExpandedLevels:
        """Return itself: the correction is symmetric."""
        return self


@dataclass(frozen=True, slots=True)
class BcaLevels:
    """Bias-corrected and accelerated percentiles (Efron 1987; DiCiccio & Efron 1996)."""

    bias: float
    """z0, from P*(T* < delta) with half the ties."""
    acceleration: float

    def read(self, asked: float) -> float:
        """Return Phi(z0 + (z0 + z) / (1 - a (z0 + z))), z the normal quantile of `asked`."""
        moved = self.bias + normal_quantile(asked)
        scale = 1.0 - self.acceleration * moved
        if scale <= 0.0:
            return 1.0 if moved > 0.0 else 0.0
        return normal_cdf(self.bias + moved / scale)

    def asked(self, read: float) -> float:
        """Return Phi(w / (1 + a w) - z0), w = Phi^-1(read) - z0."""
        moved = normal_quantile(read) - self.bias
        scale = 1.0 + self.acceleration * moved
        if scale <= 0.0:
            return 1.0 if moved > 0.0 else 0.0
        return normal_cdf(moved / scale - self.bias)

    def mirrored(self) -> BcaLevels:
        """Return the levels with both corrections turned round."""
        return BcaLevels(bias=-self.bias, acceleration=-self.acceleration)


def bca_levels(values: NDArray[np.float64], below_delta: float) -> BcaLevels:
    """Return the BCa levels of a mean.

    Parameters
    ----------
    values
        Shape (n,), the paired differences; at least two different ones.
    below_delta
        P*(T* < delta) + P*(T* = delta) / 2.

    """
    centred = values - values.mean()
    centred /= np.abs(centred).max()  # the skewness has no scale, and cubes must not overflow
    square = float(centred @ centred)
    # The jackknife values of a mean are linear in the data, so their skewness is the data's own.
    return BcaLevels(bias=normal_quantile(below_delta), acceleration=float((centred**3).sum()) / (6.0 * square**1.5))


def normal_cdf(value: float) -> float:
    """Return the standard normal distribution function, precise in both tails."""
    return 0.5 * math.erfc(-value / math.sqrt(2.0))


def normal_quantile(probability: float) -> float:
    """Return the standard normal quantile; a probability of 0 or 1 counts as the smallest that can be told from it."""
    return _NORMAL.inv_cdf(min(1.0 - _SMALLEST, max(_SMALLEST, probability)))
