"""The bootstrap distribution by resampling, for those who want resamples: B draws, a seed, a Monte Carlo error.

More resamples steady the digits; they do not narrow the interval. Only more questions do.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

import numpy as np

from clearband.errors import UsageError
from clearband.stats.distribution import SUM_IS_ZERO, TIE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from clearband.stats.units import Units

_CELLS: Final = 4_000_000
"""Indices drawn at a time: bounds memory (32 MB) and changes no digit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResampledDistribution:
    """B resampled means, sorted."""

    means: NDArray[np.float64]
    """Shape (B,), increasing; a sum of 0 is exactly 0."""

    @property
    def p_not_above_zero(self) -> float:
        """(1 + #{T* <= 0}) / (B + 1): never 0, as a resample always could have been."""
        return (1 + int(np.searchsorted(self.means, 0.0, side="right"))) / (self.means.size + 1)

    @property
    def p_not_below_zero(self) -> float:
        """(1 + #{T* >= 0}) / (B + 1)."""
        return (1 + self.means.size - int(np.searchsorted(self.means, 0.0, side="left"))) / (self.means.size + 1)

    def lower(self, level: float) -> float:
        """Return the r-th smallest mean, r = ceil(level (B + 1)) - 1."""
        return float(self.means[rank(level, self.means.size) - 1])

    def upper(self, level: float) -> float:
        """Return the r-th largest mean."""
        return float(self.means[-rank(level, self.means.size)])

    def below(self, value: float) -> float:
        """Return the share of means below `value`, those equal to it by half."""
        near = TIE * max(abs(value), float(np.abs(self.means).max()))
        first = int(np.searchsorted(self.means, value - near, side="left"))
        last = int(np.searchsorted(self.means, value + near, side="right"))
        return (first + last) / 2.0 / self.means.size

    def monte_carlo_error(self, lower: float, upper: float) -> tuple[float, float]:
        """Return, per end, half the distance between the order statistics r -+ sqrt(B level (1 - level)).

        A density would be 0 or infinite on lattices, so none is estimated.
        """
        return _end_error(self.means, lower), _end_error(-self.means[::-1], upper)

    def require(self, level: float) -> None:
        """Raise `UsageError` where no order statistic lies at `level`: a clamped end would be no end."""
        require_enough(self.means.size, 2.0 * level)


def _end_error(means: NDArray[np.float64], level: float) -> float:
    size = means.size
    reach = math.ceil(math.sqrt(size * level * (1.0 - level)))
    place = rank(level, size) - 1
    return float(means[min(size - 1, place + reach)] - means[max(0, place - reach)]) / 2.0


def rank(level: float, n_boot: int) -> int:
    """Return r = ceil(level (B + 1)) - 1, at least 1, in exact arithmetic: 0.025 is the decimal, not its double."""
    return min(n_boot, max(1, _rank(level, n_boot)))


def _rank(level: float, n_boot: int) -> int:
    return math.ceil(Fraction(str(level)) * (n_boot + 1)) - 1


def require_enough(n_boot: int, alpha: float) -> None:
    """Refuse a number of resamples whose tail holds no order statistic.

    Raises
    ------
    UsageError
        If r = ceil(alpha/2 (B + 1)) - 1 is below 1.

    """
    if _rank(alpha / 2.0, n_boot) < 1:
        least = math.ceil(2 / Fraction(str(alpha / 2.0)))
        raise UsageError(
            f"{n_boot} resamples are too few for an interval whose end lies at the {alpha / 2.0:.3g} quantile",
            remedy=f"Use at least {least:,} resamples, or leave --n-boot at its default, ideal, which draws none.",
        )


def monte_carlo_bootstrap(
    units: Units,
    *,
    n_boot: int,
    seed: int,
    progress: Callable[[float], None] | None = None,
) -> ResampledDistribution:
    """Draw `n_boot` resamples of the units and return the sorted statistics.

    Parameters
    ----------
    units
        Questions or clusters; at least one.
    n_boot, seed
        Number of resamples and the seed of a PCG64 stream.
    progress
        Called with the share done after each block.

    """
    n = units.n
    lattice = units.differences.lattice
    values = units.differences.values if lattice is None else lattice.multiples
    generator = np.random.default_rng(seed)
    block = max(1, _CELLS // n)
    sums = np.empty(n_boot, dtype=values.dtype)
    heavy = np.full(n_boot, float(n))
    for start in range(0, n_boot, block):
        rows = min(block, n_boot - start)
        # int64 indices: for narrower types a chunked stream differs from one long draw.
        picks = generator.integers(0, n, size=(rows, n), dtype=np.int64)
        sums[start : start + rows] = values[picks].sum(axis=1)
        if units.weights is not None:
            heavy[start : start + rows] = units.weights[picks].sum(axis=1)
        if progress is not None:
            progress((start + rows) / n_boot)
    if lattice is None:
        sums[np.abs(sums) <= SUM_IS_ZERO * np.abs(values).max(initial=0.0)] = 0.0
        means = sums / heavy
    else:
        means = sums * (lattice.step / heavy)
    return ResampledDistribution(means=np.sort(means))


def derived_seed(metric: str, ids: Sequence[str], baseline: NDArray[np.float64], candidate: NDArray[np.float64]) -> int:
    """Return a seed that nobody chose: a hash of the metric's name and of its paired ids and values."""
    digest = hashlib.sha256()
    for text in (metric, *ids):
        encoded = text.encode()
        digest.update(len(encoded).to_bytes(8, "big") + encoded)
    digest.update(np.ascontiguousarray(baseline, dtype="<f8").tobytes())
    digest.update(np.ascontiguousarray(candidate, dtype="<f8").tobytes())
    return int.from_bytes(digest.digest()[:6], "big")
