"""Medians and high percentiles: the difference between the two arms' order statistics, bootstrapped by resampling.

A percentile of latency is what its tail of slow questions says, and no convolution gives its distribution, so this is
the one statistic that always draws. Both arms are kept together in every resample (paired).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from clearband.stats.differences import EQUAL_WITHIN
from clearband.stats.monte_carlo import ResampledDistribution

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from numpy.typing import NDArray

    from clearband.stats.units import Units

RESAMPLES: Final = 9_999
"""Resamples where nobody asked for a number: a 95 % end is then the 249th smallest."""

FEWEST_BEYOND: Final = 5
"""Questions that have to lie beyond a percentile, n (1 - q), before its interval means anything."""

_CELLS: Final = 2_000_000
"""Questions counted at a time: bounds memory and changes no digit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuantileChange:
    """The difference of the two arms' order statistics, for the interval; see `Resampling`."""

    baseline: NDArray[np.float64]
    """Shape (n,), question by question with `candidate`."""
    candidate: NDArray[np.float64]
    share: Fraction
    units: Units
    """The same questions' differences: which units there are and which of them changed."""
    clusters: NDArray[np.int64] | None

    @property
    def n(self) -> int:
        """Number of questions or clusters."""
        return self.units.n

    @property
    def nonzero(self) -> int:
        """Number of them that changed."""
        return self.units.nonzero

    @property
    def delta(self) -> float:
        """Order statistic of the candidate minus that of the baseline; exactly 0 where they are equal."""
        before, after = order_statistic(self.baseline, self.share), order_statistic(self.candidate, self.share)
        return 0.0 if abs(after - before) <= EQUAL_WITHIN * max(abs(before), abs(after)) else after - before

    @property
    def is_constant(self) -> bool:
        """Whether every question changed by the same amount."""
        return bool(np.ptp(self.candidate - self.baseline) <= EQUAL_WITHIN * np.abs(self.baseline).max())

    @property
    def residuals(self) -> NDArray[np.float64]:
        """Influence of each unit, where both arms are about equally dense at the percentile."""
        before = self.baseline <= order_statistic(self.baseline, self.share)
        after = self.candidate <= order_statistic(self.candidate, self.share)
        influence = before.astype(np.float64) - after
        if self.clusters is not None:
            influence = np.bincount(np.unique(self.clusters, return_inverse=True)[1], influence).astype(np.float64)
        centred: NDArray[np.float64] = influence - influence.mean()
        return centred

    @property
    def bounds(self) -> tuple[float, float]:
        """Order statistics move no further apart than any one question did."""
        change = self.candidate - self.baseline
        return float(change.min()), float(change.max())

    @property
    def smallest(self) -> float:
        """See `Units.smallest`."""
        return self.units.smallest


def order_statistic(values: NDArray[np.float64], share: Fraction) -> float:
    """Return the ceil(share n)-th smallest value."""
    place = _place(values.size, share)
    return float(np.partition(values, place)[place])


def few_beyond(n: int, share: Fraction) -> bool:
    """Tell whether too few of n questions lie beyond the percentile."""
    return n * (1 - share) < FEWEST_BEYOND


def quantile_bootstrap(
    baseline: NDArray[np.float64],
    candidate: NDArray[np.float64],
    share: Fraction,
    *,
    clusters: NDArray[np.int64] | None,
    n_boot: int,
    seed: int,
    progress: Callable[[float], None] | None = None,
) -> ResampledDistribution:
    """Draw questions (or whole clusters) with replacement and return the sorted differences of the order statistics.

    Parameters
    ----------
    baseline, candidate
        Shape (n,), question by question.
    share
        The percentile as a share, such as 19/20.
    clusters
        Shape (n,), the cluster of each question as a number; None to resample questions.
    n_boot, seed
        Number of resamples and the seed of a PCG64 stream.
    progress
        Called with the share done after each block.

    """
    # Descending, so that a high percentile is found among the first few questions.
    orders = [np.argsort(-values, kind="stable") for values in (baseline, candidate)]
    units = np.arange(baseline.size) if clusters is None else np.unique(clusters, return_inverse=True)[1]
    count = int(units.max()) + 1
    reach = baseline.size if clusters is not None else _reach(baseline.size, share)
    generator = np.random.default_rng(seed)
    block = max(1, _CELLS // max(baseline.size, count))
    drawn = np.empty((2, n_boot))
    for start in range(0, n_boot, block):
        rows = min(block, n_boot - start)
        picks = generator.integers(0, count, size=(rows, count), dtype=np.int64)
        picks += count * np.arange(rows)[:, None]
        times = np.bincount(picks.ravel(), minlength=rows * count).reshape(rows, count)
        sizes = times @ np.bincount(units)
        # In integers: a float share would be off by one at the very places that count.
        beyond = sizes - -(-sizes * share.numerator // share.denominator)
        for arm, (order, values) in enumerate(zip(orders, (baseline, candidate), strict=True)):
            taken = np.cumsum(times[:, units[order[:reach]]], axis=1, dtype=np.int32)
            place = np.minimum((taken <= beyond[:, None]).sum(axis=1), order.size - 1)
            drawn[arm, start : start + rows] = values[order[place]]
        if progress is not None:
            progress((start + rows) / n_boot)
    change = drawn[1] - drawn[0]
    change[np.abs(change) <= EQUAL_WITHIN * np.abs(drawn).max(axis=0)] = 0.0
    return ResampledDistribution(means=np.sort(change))


def _reach(n: int, share: Fraction) -> int:
    """Return how many of the largest values hold the order statistic of a resample, but for a chance of 1e-20."""
    beyond = float(n * (1 - share))
    return min(n, math.ceil(beyond + 10.0 * math.sqrt(beyond) + 50.0))


def _place(n: int, share: Fraction) -> int:
    return math.ceil(n * share) - 1
