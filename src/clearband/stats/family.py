"""Several metrics at once: how often one would clear by chance, and intervals that hold together.

Bootstrap means of several metrics are resampled over the union of questions, so their joint distribution is close to
normal with the correlation that the differences have. That normal is drawn from, with a fixed seed: nothing to choose.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from clearband.stats.levels import normal_quantile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

DRAWS: Final = 20_000
"""Each taken with both signs. Monte Carlo error of a chance: 0.3 percentage points."""

_BLOCK: Final = 2**18
"""Units whose influences are laid side by side at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One metric of a family."""

    rows: NDArray[np.int64]
    """Shape (n,), increasing: places of its units among those of all metrics."""
    influence: NDArray[np.float64]
    """Shape (n,): what each unit moves the statistic by (the centred differences of a mean); not all 0."""
    worse: int
    """-1 where smaller is worse, +1 where greater is, 0 where neither is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """What is true of K metrics together, if nothing had changed."""

    metrics: int
    chance_any: float
    """Share of comparisons in which at least one metric would clear, in either direction."""
    chance_any_worse: float
    """Share in which at least one would clear as worse."""
    critical: float
    """max-T: with this many standard errors to each side all intervals hold together at the confidence."""


def family(members: Sequence[Member], *, units: int, alpha: float) -> Family | None:
    """Return the joint behaviour of several metrics under no change; None for fewer than two.

    Parameters
    ----------
    members
        The metrics, without identical and too sparse ones, which cannot clear.
    units
        Number of questions, or of clusters, of all metrics together.
    alpha
        1 - confidence.

    """
    if len(members) < 2:
        return None
    normal = np.random.default_rng(0).standard_normal((DRAWS, len(members)))
    # One row a metric: the largest of each draw is then found many times faster.
    draws = np.ascontiguousarray((normal @ _root(_correlation(members, units))).T)
    largest = np.abs(draws).max(axis=0)
    critical = normal_quantile(1.0 - alpha / 2.0)
    one = draws * np.array([[member.worse] for member in members], dtype=np.float64)
    return Family(
        metrics=len(members),
        chance_any=float((largest > critical).mean()),
        chance_any_worse=float(np.mean([(worst > critical).mean() for worst in (one.max(axis=0), -one.min(axis=0))])),
        critical=_quantile(largest, 1.0 - alpha),
    )


def _quantile(values: NDArray[np.float64], level: float) -> float:
    """Return a quantile, interpolated; numpy's own imports its masked arrays first, a tenth of a start-up."""
    return float(np.interp(level * (values.size - 1), np.arange(values.size), np.sort(values)))


def _correlation(members: Sequence[Member], units: int) -> NDArray[np.float64]:
    """Return the correlation of the resampled means, shape (K, K): centred influences over the union of units."""
    means = [member.influence.mean() for member in members]
    norms = [np.sqrt(deviations @ deviations) for deviations in map(_centred, members, means)]
    correlation = np.zeros((len(members), len(members)))
    # Block by block: all units at once would take as much memory again as the values themselves.
    for start in range(0, units, _BLOCK):
        block = np.zeros((len(members), min(_BLOCK, units - start)))
        for place, (member, mean, norm) in enumerate(zip(members, means, norms, strict=True)):
            low, high = np.searchsorted(member.rows, (start, start + block.shape[1]))
            block[place, member.rows[low:high] - start] = (member.influence[low:high] - mean) / norm
        correlation += block @ block.T
    return correlation


def _centred(member: Member, mean: float) -> NDArray[np.float64]:
    return member.influence - mean


def _root(correlation: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a square root of a correlation matrix that may be singular (two metrics can be one)."""
    values, vectors = np.linalg.eigh(correlation)
    root: NDArray[np.float64] = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
    return root


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the Holm-adjusted p of each p, in the same order."""
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    adjusted, largest = [0.0] * len(p_values), 0.0
    for passed, place in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - passed) * p_values[place]))
        adjusted[place] = largest
    return adjusted
