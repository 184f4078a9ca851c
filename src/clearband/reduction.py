"""Reduction: the trials of a question become its one value, as the policy says, before anything is paired."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

import numpy as np

from clearband.stats.trials import (
    are_passes,
    count,
    majority,
    mean_variance,
    pass_at_k,
    pass_hat_k,
    retried_until_pass,
    spread,
)
from clearband.vocabulary import Reducer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clearband.policy import MetricPolicy
    from clearband.results.run import Run, Trials


@dataclass(frozen=True, slots=True, kw_only=True)
class Reduced:
    """One metric of one run, a value per question."""

    values: NDArray[np.float64]
    """Shape (questions,), NaN where there is none."""
    trials: NDArray[np.int64] | None = None
    """Shape (questions,); None where no question was measured twice."""
    variance: NDArray[np.float64] | None = None
    """Shape (questions,): sample variance of the trials, NaN where there is one; only for the mean."""
    retried: int | None = None
    """Most attempts, where further ones were made only after a failure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialNoise:
    """What the trials of both arms add to the spread of the paired differences."""

    baseline_trials: float
    candidate_trials: float
    single: float
    """Variance of a difference with one trial in each arm."""
    within: float
    """The same at today's numbers of trials."""


def reduce(run: Run, metric: str, rules: MetricPolicy) -> Reduced | str:
    """Return the metric's values after reduction, or why the policy's reducer does not work on them."""
    trials = run.trials_of.get(metric)
    if trials is None:
        return _single(run, metric, rules)
    questions = len(run.ids)
    most = retried_until_pass(trials.question, trials.values)
    if most is not None:
        # The last attempt is what the rule calls the result; the mean would count every retry against the question.
        return Reduced(values=_last(trials, questions), retried=most)
    if rules.reducer is Reducer.MEAN:
        counts, variance = spread(trials.question, trials.values, questions)
        return Reduced(values=run.metrics[metric], trials=counts, variance=variance)
    if not are_passes(trials.values):
        return _no_passes(rules.reducer, run.name)
    counted = count(trials.question, trials.values, questions)
    k = rules.k or 1
    if int(counted.trials.max()) < k:
        return f"{rules.reducer} with k = {k} needs {k} trials, and {run.name} has {int(counted.trials.max())} at most"
    match rules.reducer:
        case Reducer.MAJORITY:
            return Reduced(values=majority(counted), trials=counted.trials)
        case Reducer.PASS_AT_K:
            return Reduced(values=pass_at_k(counted, k), trials=counted.trials)
        case Reducer.PASS_HAT_K:
            return Reduced(values=pass_hat_k(counted, k), trials=counted.trials)
        case _:
            assert_never(rules.reducer)


def trial_noise(
    baseline: Reduced, candidate: Reduced, before: NDArray[np.int64], after: NDArray[np.int64]
) -> TrialNoise | None:
    """Return what the trials add on the paired questions (rows of each run); None unless both arms tell."""
    arms = []
    for reduced, rows in ((baseline, before), (candidate, after)):
        if reduced.trials is None or reduced.variance is None or not rows.size:
            return None
        arms.append((reduced.trials[rows], reduced.variance[rows]))
    parts = [mean_variance(trials, variance) for trials, variance in arms]
    if parts[0] is None or parts[1] is None:
        return None
    return TrialNoise(
        baseline_trials=float(arms[0][0].mean()),
        candidate_trials=float(arms[1][0].mean()),
        single=parts[0][0] + parts[1][0],
        within=parts[0][1] + parts[1][1],
    )


def _single(run: Run, metric: str, rules: MetricPolicy) -> Reduced | str:
    """Reduce a metric that was measured once per question."""
    values = run.metrics[metric]
    if rules.reducer is not Reducer.MEAN and not are_passes(values[np.isfinite(values)]):
        return _no_passes(rules.reducer, run.name)
    match rules.reducer:
        case Reducer.MEAN | Reducer.MAJORITY:
            return Reduced(values=values)
        case Reducer.PASS_AT_K | Reducer.PASS_HAT_K:
            if (rules.k or 1) > 1:
                return f"{rules.reducer} with k = {rules.k} needs {rules.k} trials, and {run.name} has 1"
            return Reduced(values=values)
        case _:
            assert_never(rules.reducer)


def _no_passes(reducer: Reducer, name: str) -> str:
    return f"{reducer} needs trials of 0 and 1, and {name} has others"


def _last(trials: Trials, questions: int) -> NDArray[np.float64]:
    values = np.full(questions, np.nan)
    values[trials.question] = trials.values  # in order: the last attempt is written last
    return values
