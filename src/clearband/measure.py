"""One metric, measured: its pairs and its rules in, a `MetricResult` out. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final

import numpy as np

from clearband.comparison import ClusterCount, Lost, MetricResult, TrialSplit
from clearband.estimate import Estimate, beyond_budget, estimate, why_not
from clearband.state import CLEARED, flags_of, state_of
from clearband.stats.differences import EQUAL_WITHIN
from clearband.stats.interval import exact_alpha, p_greater
from clearband.stats.sign_flip import sign_flip_p
from clearband.stats.size import exaggeration, sizes
from clearband.stats.trials import trials_for
from clearband.stats.units import Units
from clearband.vocabulary import Direction, State, Statistic

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from clearband.pairing import MetricPairs
    from clearband.policy import MetricPolicy
    from clearband.terms import Terms

_FEWEST_PAIRS: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A metric's result, and what the family of all metrics has to know of it."""

    result: MetricResult
    pairs: MetricPairs
    influence: NDArray[np.float64] | None
    """Shape (units,): what each question or cluster moves the statistic by; None where nothing varies."""
    standard_error: float


def measure(pairs: MetricPairs, terms: Terms, *, progress: Callable[[float], None] | None = None) -> Measured:
    """Return everything there is to say about one metric.

    Parameters
    ----------
    pairs
        The metric's paired values and what was lost.
    terms
        Policy, options and declaration as one set of rules.
    progress
        Called with the share of resamples drawn, where any are.

    """
    rules = terms.of(pairs.name)
    invalid = why_invalid(pairs, terms)
    if pairs.n < _FEWEST_PAIRS or why_not(pairs, rules, terms.policy.interval) is not None:
        result = _unmeasured(pairs, terms, invalid or "fewer than two paired questions")
        return Measured(result=result, pairs=pairs, influence=None, standard_error=0.0)
    found = estimate(pairs, rules, terms, progress=progress)
    state, why = state_of(found, rules, terms) if invalid is None else (State.INVALID, invalid)
    result = _with_worst_case(_result(found, pairs, terms, state, why), pairs, terms)
    return Measured(
        result=result,
        pairs=pairs,
        influence=_influence(found),
        standard_error=found.standard_error,
    )


def _influence(found: Estimate) -> NDArray[np.float64] | None:
    """Return the influence of each unit; None where no unit moves the statistic, which then correlates with nothing."""
    if found.resampling.is_constant:
        return None
    influence = found.resampling.residuals
    return influence if influence.any() else None


def why_invalid(pairs: MetricPairs, terms: Terms) -> str | None:
    """Return why the metric decides nothing, whatever its numbers are; None where it may."""
    if pairs.missing_from is not None:
        return f"not measured in {pairs.missing_from}"
    if pairs.refused is not None:
        return pairs.refused
    lost, total = pairs.lost.total, pairs.n + pairs.lost.total
    # One lost question never invalidates by itself, however small the set.
    if lost > 1 and lost > Fraction(str(terms.policy.max_lost)) * total:
        allowed = f"{100 * terms.policy.max_lost:.4g} %"
        return f"{lost} of {total} questions lost, more than the {allowed} that max_lost allows"
    if pairs.n < _FEWEST_PAIRS:
        return "fewer than two paired questions"
    if pairs.n < terms.policy.min_questions <= pairs.n + pairs.withdrawn:
        return f"only {pairs.n} questions are left after {pairs.withdrawn} were removed or edited"
    rules = terms.of(pairs.name)
    return why_not(pairs, rules, terms.policy.interval) or _why_out_of_range(pairs, rules)


def _why_out_of_range(pairs: MetricPairs, rules: MetricPolicy) -> str | None:
    """Return why the declared range does not hold: bounds, tolerances and the bounded interval stand on it."""
    if rules.range is None:
        return None
    smallest, largest = _observed_range(pairs)
    slack = EQUAL_WITHIN * (rules.range[1] - rules.range[0])
    if smallest < rules.range[0] - slack or largest > rules.range[1] + slack:
        return f"values from {smallest:g} to {largest:g} lie outside the declared range"
    return None


def _result(found: Estimate, pairs: MetricPairs, terms: Terms, state: State, why: str | None) -> MetricResult:
    rules, ends, delta, error = terms.of(pairs.name), found.ends, found.delta, found.standard_error
    alpha, cleared = exact_alpha(terms.policy.confidence), state in CLEARED
    n = found.differences.n
    size = sizes(
        n=n, delta=delta, low=ends.low, high=ends.high, standard_error=error, cleared=cleared, effect=rules.effect
    )
    greater_share = p_greater(found.distribution)
    lower_is_better = rules.direction is Direction.LOWER
    greater, smaller = int((found.differences.values > 0.0).sum()), int((found.differences.values < 0.0).sum())
    units = found.resampling
    budget = None if rules.budget is None else beyond_budget(pairs, rules, terms)
    return MetricResult(
        name=pairs.name,
        role=rules.role,
        direction=rules.direction,
        n=n,
        not_applicable=pairs.not_applicable,
        baseline_mean=found.baseline,
        candidate_mean=found.candidate,
        delta=delta,
        interval=(ends.low, ends.high),
        state=state,
        why=why,
        flags=flags_of(found, state, rules, beyond_budget=budget),
        cleared=cleared,
        p_two_sided=ends.p_two_sided,
        p_better=1.0 - greater_share if lower_is_better else greater_share,
        p_sign_flip=sign_flip_p(units.differences) if isinstance(units, Units) else None,
        wins=smaller if lower_is_better else greater,
        losses=greater if lower_is_better else smaller,
        ties=n - greater - smaller,
        nonzero=found.differences.nonzero,
        sd=float(found.differences.values.std(ddof=1)),
        effect=rules.effect,
        margin=rules.margin,
        n_to_clear=size.to_clear,
        n_suggested=size.suggested,
        n_suggested_basis=None if size.basis is None else size.basis.value,
        mde=size.mde,
        lost=pairs.lost,
        worst_case_interval=None,
        worst_case_is_bound=False,
        monte_carlo_error=ends.monte_carlo_error,
        seed=found.seed,
        exaggeration_at_effect=exaggeration(rules.effect or 0.0, error, alpha),
        exaggeration_at_half=exaggeration(delta / 2.0, error, alpha),
        statistic=rules.statistic,
        reducer=rules.reducer,
        k=rules.k,
        directed=rules.directed,
        budget=rules.budget,
        clustered=None if pairs.clusters is None else _clustered(found),
        trial_split=_trial_split(found, pairs, rules, size.suggested),
    )


def _clustered(found: Estimate) -> ClusterCount:
    units, alone = found.resampling, found.differences.standard_error
    comparable = isinstance(units, Units) and alone > 0.0
    return ClusterCount(
        clusters=units.n,
        nonzero=units.nonzero,
        design_effect=(found.standard_error / alone) ** 2 if comparable else None,
    )


def _trial_split(found: Estimate, pairs: MetricPairs, rules: MetricPolicy, suggested: int | None) -> TrialSplit | None:
    """Split the variance of the differences between questions and trials, and price the route by trials.

    Only for a mean: of a percentile or a ratio the variance of the differences does not give the size.
    """
    noise = pairs.noise
    if noise is None or rules.statistic is not Statistic.MEAN:
        return None
    total = float(found.differences.values.var(ddof=1))
    between = max(0.0, total - noise.within)
    wanted = None if suggested is None else total * pairs.n / suggested
    return TrialSplit(
        baseline_trials=noise.baseline_trials,
        candidate_trials=noise.candidate_trials,
        between=between,
        within=noise.within,
        trials_suggested=None if wanted is None else trials_for(between=between, single=noise.single, wanted=wanted),
    )


def _with_worst_case(result: MetricResult, pairs: MetricPairs, terms: Terms) -> MetricResult:
    """Add the interval and state with every lost question filled against the candidate, where there is one to fill."""
    rules = terms.of(pairs.name)
    if pairs.lost.total == 0 or rules.direction is Direction.NEUTRAL:
        return result
    smallest, largest = rules.range or _observed_range(pairs)
    worst, best = (largest, smallest) if rules.direction is Direction.LOWER else (smallest, largest)
    lost = pairs.lost
    filled = replace(
        pairs,
        ids=(*pairs.ids, *pairs.lost_ids),
        baseline=np.concatenate((pairs.baseline, pairs.baseline_only, np.full(lost.baseline_missing, best))),
        candidate=np.concatenate((pairs.candidate, np.full(lost.candidate_missing, worst), pairs.candidate_only)),
        clusters=None if pairs.clusters is None else _with_own_clusters(pairs.clusters, lost.total),
    )
    if why_not(filled, rules, terms.policy.interval) is not None:
        return result
    found = estimate(filled, rules, terms)
    state = state_of(found, rules, terms)[0]
    budget = None if rules.budget is None else beyond_budget(filled, rules, terms)
    return replace(
        result,
        worst_case_interval=(found.ends.low, found.ends.high),
        worst_case_is_bound=rules.range is not None,
        worst_case_state=state,
        worst_case_flags=flags_of(found, state, rules, beyond_budget=budget),
    )


def _with_own_clusters(clusters: NDArray[np.int64], more: int) -> NDArray[np.int64]:
    """Put each lost question into a cluster of its own: what it would have shared is unknown."""
    return np.concatenate((clusters, clusters.max() + 1 + np.arange(more)))


def _observed_range(pairs: MetricPairs) -> tuple[float, float]:
    everything = np.concatenate((pairs.baseline, pairs.candidate, pairs.baseline_only, pairs.candidate_only))
    return float(everything.min()), float(everything.max())


def _unmeasured(pairs: MetricPairs, terms: Terms, why: str) -> MetricResult:
    rules = terms.of(pairs.name)
    return MetricResult(
        name=pairs.name,
        role=rules.role,
        direction=rules.direction,
        n=pairs.n,
        not_applicable=pairs.not_applicable,
        baseline_mean=None,
        candidate_mean=None,
        delta=None,
        interval=None,
        state=State.INVALID,
        why=why,
        flags=(),
        cleared=False,
        p_two_sided=None,
        p_better=None,
        p_sign_flip=None,
        wins=0,
        losses=0,
        ties=0,
        nonzero=0,
        sd=None,
        effect=rules.effect,
        margin=rules.margin,
        n_to_clear=None,
        n_suggested=None,
        n_suggested_basis=None,
        mde=None,
        lost=pairs.lost if pairs.missing_from is None else Lost(candidate_missing=0, baseline_missing=0),
        worst_case_interval=None,
        worst_case_is_bound=False,
        monte_carlo_error=None,
        seed=None,
        statistic=rules.statistic,
        reducer=rules.reducer,
        k=rules.k,
        directed=rules.directed,
        budget=rules.budget,
    )
