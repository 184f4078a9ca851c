"""The bootstrap distribution by enumeration: every multiset of draws that can happen, with its probability.

Used where few questions changed (their sums are few, far apart atoms) or where there are few questions at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from clearband.stats.distribution import SUM_IS_ZERO, AtomicDistribution

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clearband.stats.differences import Differences

FEW_QUESTIONS: Final = 10
"""Up to this many questions every multiset of draws is enumerated (92,378 at most)."""

FEW_CHANGED: Final = 6
"""Up to this many changed questions, counts of the changed ones are enumerated (about a million at most)."""

_TAIL: Final = 1e-9
"""Probability of more draws of changed questions than are enumerated."""


def enumerated_bootstrap(differences: Differences) -> AtomicDistribution:
    """Return the exact bootstrap distribution of the mean, by counts of the distinct changed values.

    Parameters
    ----------
    differences
        At most `FEW_QUESTIONS` questions, or at most `FEW_CHANGED` of them changed (and at least one).

    """
    n = differences.n
    values, multiplicity = np.unique(differences.values[differences.values != 0.0], return_counts=True)
    changed = int(multiplicity.sum())
    most = _most_draws(n, changed)
    counts = _count_vectors(values.size, most)
    drawn = counts.sum(axis=1)
    if changed == n:
        keep = drawn == n
        counts, drawn = counts[keep], drawn[keep]
    log_factorial = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, most + 1)))))
    falling = np.concatenate(([0.0], np.cumsum(np.log(n - np.arange(most, dtype=np.float64)))))
    unchanged_share = 0.0 if changed == n else np.log1p(-changed / n)
    log_probability = (
        falling[drawn]
        + (counts * np.log(multiplicity / n)).sum(axis=1)
        - log_factorial[counts].sum(axis=1)
        + (n - drawn) * unchanged_share
    )
    sums = counts @ values
    sums[np.abs(sums) <= SUM_IS_ZERO * np.abs(values).max()] = 0.0
    support, place = np.unique(sums, return_inverse=True)
    probability = np.bincount(place, weights=np.exp(log_probability), minlength=support.size)
    return AtomicDistribution(support=support / n, probability=probability / probability.sum())


def multisets(n: int) -> tuple[NDArray[np.int8], NDArray[np.float64]]:
    """Return every multiset of n draws from n units: counts, shape (multisets, n), and probabilities.

    Parameters
    ----------
    n
        At most `FEW_QUESTIONS`.

    """
    counts = _count_vectors(n, n)
    counts = counts[counts.sum(axis=1, dtype=np.int64) == n]
    factorials = np.cumprod(np.maximum(np.arange(n + 1, dtype=np.float64), 1.0))
    return counts, factorials[n] / factorials[counts].prod(axis=1) / float(n) ** n


def _most_draws(n: int, changed: int) -> int:
    """Return how many draws of changed questions to enumerate: all, or all but a tail of `_TAIL`."""
    if n <= FEW_QUESTIONS:
        return n
    # Binomial(n, changed / n), summed upwards; its ratio of neighbours needs no special function.
    probability = float(np.exp(n * np.log1p(-changed / n)))
    total, draws = probability, 0
    while draws < n and 1.0 - total > _TAIL:
        probability *= (n - draws) / (draws + 1) * changed / (n - changed)
        draws += 1
        total += probability
    return draws


def _count_vectors(kinds: int, most: int) -> NDArray[np.int8]:
    """Return every vector of `kinds` counts whose sum is at most `most`, shape (vectors, kinds)."""
    vectors = np.zeros((1, 0), dtype=np.int8)
    room = np.array([most])
    for _ in range(kinds):
        repeats = room + 1
        parents = np.repeat(np.arange(room.size), repeats)
        starts = np.repeat(np.cumsum(repeats) - repeats, repeats)
        count = (np.arange(parents.size) - starts).astype(np.int8)
        vectors = np.column_stack((vectors[parents], count))
        room = room[parents] - count
    return vectors
