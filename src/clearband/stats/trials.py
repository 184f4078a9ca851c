"""Trials of one question: reduced to its value, and asked how much of the spread they account for."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_TRIALS: Final = 10_000
"""Trials per question that are ever advised."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Trials and passes of each question; a question without trials has 0 of both."""

    trials: NDArray[np.int64]
    passes: NDArray[np.int64]


def are_passes(values: NDArray[np.float64]) -> bool:
    """Tell whether every trial is a pass or a failure, 1 or 0."""
    return bool(np.isin(values, (0.0, 1.0)).all())


def count(question: NDArray[np.int64], values: NDArray[np.float64], questions: int) -> Counts:
    """Count trials and passes per question.

    Parameters
    ----------
    question
        Shape (k,), the question of each trial.
    values
        Shape (k,), 0 or 1.
    questions
        Number of questions.

    """
    passes = np.bincount(question[values == 1.0], minlength=questions).astype(np.int64)
    return Counts(trials=np.bincount(question, minlength=questions).astype(np.int64), passes=passes)


def majority(counts: Counts) -> NDArray[np.float64]:
    """Return 1 where more than half of the trials passed, 0.5 where half did; NaN without trials."""
    share = _share(counts)
    return np.where(np.isnan(share), np.nan, (share > 0.5) + 0.5 * (share == 0.5))


def pass_at_k(counts: Counts, k: int) -> NDArray[np.float64]:
    """Return the unbiased estimate that at least one of k trials passes (Chen et al. 2021): 1 - C(t-c, k) / C(t, k).

    NaN where a question has fewer than k trials.
    """
    return 1.0 - _all_of(counts.trials - counts.passes, counts.trials, k)


def pass_hat_k(counts: Counts, k: int) -> NDArray[np.float64]:
    """Return the unbiased estimate that all of k trials pass (Yao et al. 2024, pass^k): C(c, k) / C(t, k).

    NaN where a question has fewer than k trials.
    """
    return _all_of(counts.passes, counts.trials, k)


def retried_until_pass(question: NDArray[np.int64], values: NDArray[np.float64]) -> int | None:
    """Return the largest number of attempts where further ones were made only after a failure; None where not.

    That is: numbers of attempts differ, no attempt follows a pass, and whoever has fewer attempts than the most ended
    with a pass. Averaging such attempts would reward whoever is retried more.

    Parameters
    ----------
    question, values
        Shape (k,), increasing questions; within a question in the order of the attempts, or ascending.

    """
    if not question.size or not are_passes(values):
        return None
    starts = np.flatnonzero(np.diff(question, prepend=-1))
    attempts = np.diff(starts, append=question.size)
    most = int(attempts.max())
    if most == int(attempts.min()):
        return None
    last = values[starts + attempts - 1]
    passes = np.add.reduceat(values, starts)
    stopped = bool(((attempts == most) | (last == 1.0)).all())
    return most if stopped and bool((passes == last).all()) else None


def spread(
    question: NDArray[np.int64], values: NDArray[np.float64], questions: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the number of trials and their sample variance per question; NaN where there is only one."""
    trials = np.bincount(question, minlength=questions).astype(np.int64)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.bincount(question, values, questions) / trials
        squares = np.bincount(question, (values - means[question]) ** 2, questions)
        variance = np.where(trials > 1, squares / (trials - 1), np.nan)
    return trials, variance


def mean_variance(trials: NDArray[np.int64], variance: NDArray[np.float64]) -> tuple[float, float] | None:
    """Return the mean variance of a single trial and of a question's mean; None where no question has two trials.

    A question with one trial is taken to vary as the others do on average.
    """
    known = ~np.isnan(variance)
    if not known.any():
        return None
    single = float(variance[known].mean())
    return single, float((np.where(known, variance, single) / np.maximum(trials, 1)).mean())


def trials_for(*, between: float, single: float, wanted: float) -> int | None:
    """Return the trials per question and arm whose variance of d is at most `wanted`; None where none can be."""
    if between >= wanted:
        return None
    needed = math.ceil(single / (wanted - between) * (1.0 - 1e-12))
    return max(1, needed) if needed <= MOST_TRIALS else None


def _share(counts: Counts) -> NDArray[np.float64]:
    share = np.full(counts.trials.size, np.nan)
    np.divide(counts.passes, counts.trials, out=share, where=counts.trials > 0)
    return share


def _all_of(good: NDArray[np.int64], trials: NDArray[np.int64], k: int) -> NDArray[np.float64]:
    """Return C(good, k) / C(trials, k), factor by factor, so that nothing overflows; NaN where trials < k."""
    steps = np.arange(k)
    top = np.maximum(good[:, None] - steps, 0).astype(np.float64)
    bottom = np.maximum(trials[:, None] - steps, 1).astype(np.float64)
    share: NDArray[np.float64] = np.where(trials < k, np.nan, (top / bottom).prod(axis=1))
    return share
