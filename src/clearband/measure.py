"""One metric, measured: its pairs and its policy in, a `MetricResult` out."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, assert_never

import numpy as np

from clearband.comparison import Lost, MetricResult
from clearband.stats.betting import bettor
from clearband.stats.differences import EQUAL_WITHIN, Differences, paired_differences
from clearband.stats.ideal import ideal_bootstrap
from clearband.stats.interval import (
    Interval,
    bootstrap_interval,
    bounded_interval,
    exact_alpha,
    least_changed,
    p_greater,
)
from clearband.stats.monte_carlo import derived_seed, monte_carlo_bootstrap
from clearband.stats.sign_flip import sign_flip_p
from clearband.stats.size import exaggeration, sizes
from clearband.vocabulary import Direction, Flag, IntervalMethod, State

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from clearband.pairing import MetricPairs
    from clearband.policy import MetricPolicy
    from clearband.stats.distribution import BootstrapDistribution
    from clearband.terms import Terms

_FEWEST_PAIRS = 2


def measure(pairs: MetricPairs, terms: Terms, *, progress: Callable[[float], None] | None = None) -> MetricResult:
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
    invalid = _why_invalid(pairs, terms)
    needs_range = terms.policy.interval is IntervalMethod.BOUNDED
    if pairs.n < _FEWEST_PAIRS or (needs_range and terms.of(pairs.name).range is None):
        return _unmeasured(pairs, terms, invalid or "fewer than two paired questions")
    rules = terms.of(pairs.name)
    differences = paired_differences(pairs.baseline, pairs.candidate, value_range=rules.range)
    seed = None if terms.n_boot is None else terms.seed
    if terms.n_boot is not None and seed is None:
        seed = derived_seed(pairs.name, pairs.ids, pairs.baseline, pairs.candidate)
    distribution = _distribution(differences, terms, seed, progress)
    ends = _interval(differences, distribution, pairs.ids, rules, terms)
    greater_share = p_greater(distribution)
    state, why = _state(differences, ends, rules.direction, terms)
    if invalid is not None:
        state, why = State.INVALID, invalid
    cleared = state in {State.IMPROVED, State.REGRESSED, State.CHANGED}
    size = sizes(
        n=differences.n,
        delta=differences.delta,
        low=ends.low,
        high=ends.high,
        standard_error=differences.standard_error,
        cleared=cleared,
        effect=rules.effect,
    )
    lower_is_better = rules.direction is Direction.LOWER
    greater, smaller = int((differences.values > 0.0).sum()), int((differences.values < 0.0).sum())
    return MetricResult(
        name=pairs.name,
        role=rules.role,
        direction=rules.direction,
        n=differences.n,
        not_applicable=pairs.not_applicable,
        baseline_mean=_mean(pairs.baseline),
        candidate_mean=_mean(pairs.candidate),
        delta=differences.delta,
        interval=(ends.low, ends.high),
        state=state,
        why=why,
        flags=() if state in {State.INVALID, State.TOO_SPARSE} else _flags(ends, rules, differences),
        cleared=cleared,
        p_two_sided=ends.p_two_sided,
        p_better=1.0 - greater_share if lower_is_better else greater_share,
        p_sign_flip=sign_flip_p(differences),
        wins=smaller if lower_is_better else greater,
        losses=greater if lower_is_better else smaller,
        ties=differences.n - greater - smaller,
        nonzero=differences.nonzero,
        sd=float(differences.values.std(ddof=1)),
        effect=rules.effect,
        margin=rules.margin,
        n_to_clear=size.to_clear,
        n_suggested=size.suggested,
        n_suggested_basis=None if size.basis is None else size.basis.value,
        mde=size.mde,
        lost=pairs.lost,
        worst_case_interval=_worst_case(pairs, rules, terms),
        worst_case_is_bound=rules.range is not None,
        monte_carlo_error=ends.monte_carlo_error,
        seed=seed,
        exaggeration_at_effect=_exaggeration(rules.effect or 0.0, differences, terms),
        exaggeration_at_half=_exaggeration(differences.delta / 2.0, differences, terms),
    )


def _exaggeration(effect: float, differences: Differences, terms: Terms) -> float | None:
    return exaggeration(effect, differences.standard_error, exact_alpha(terms.policy.confidence))


def _why_invalid(pairs: MetricPairs, terms: Terms) -> str | None:
    if pairs.missing_from is not None:
        return f"not measured in {pairs.missing_from}"
    lost, total = pairs.lost.total, pairs.n + pairs.lost.total
    # One lost question never invalidates by itself, however small the set.
    if lost > 1 and lost > Fraction(str(terms.policy.max_lost)) * total:
        allowed = f"{100 * terms.policy.max_lost:.4g} %"
        return f"{lost} of {total} questions lost, more than the {allowed} that max_lost allows"
    if pairs.n < _FEWEST_PAIRS:
        return "fewer than two paired questions"
    return _why_out_of_range(pairs, terms.of(pairs.name), terms.policy.interval)


def _why_out_of_range(pairs: MetricPairs, rules: MetricPolicy, method: IntervalMethod) -> str | None:
    """Return why the declared range does not hold: bounds, tolerances and the bounded interval stand on it."""
    if rules.range is None:
        if method is IntervalMethod.BOUNDED:
            return "the bounded interval needs the metric's range, and the policy declares none"
        return None
    smallest, largest = _observed_range(pairs)
    slack = EQUAL_WITHIN * (rules.range[1] - rules.range[0])
    if smallest < rules.range[0] - slack or largest > rules.range[1] + slack:
        return f"values from {smallest:g} to {largest:g} lie outside the declared range"
    return None


def _distribution(
    differences: Differences, terms: Terms, seed: int | None, progress: Callable[[float], None] | None
) -> BootstrapDistribution:
    if terms.n_boot is None or seed is None:
        return ideal_bootstrap(differences)
    return monte_carlo_bootstrap(differences, n_boot=terms.n_boot, seed=seed, progress=progress)


def _interval(
    differences: Differences,
    distribution: BootstrapDistribution,
    ids: Sequence[str],
    rules: MetricPolicy,
    terms: Terms,
) -> Interval:
    method, confidence = terms.policy.interval, terms.policy.confidence
    match method:
        case IntervalMethod.BOUNDED:
            width = 0.0 if rules.range is None else rules.range[1] - rules.range[0]
            bets = bettor(differences.values, ids, width=width, alpha=exact_alpha(confidence))
            return bounded_interval(bets, differences, confidence=confidence)
        case IntervalMethod.PERCENTILE | IntervalMethod.EXPANDED | IntervalMethod.BCA:
            return bootstrap_interval(distribution, differences, method=method, confidence=confidence)
        case _:
            assert_never(method)


def _state(differences: Differences, ends: Interval, direction: Direction, terms: Terms) -> tuple[State, str | None]:
    """Return the state of a measured metric; the first that matches wins."""
    if differences.nonzero == 0:
        return State.IDENTICAL, None
    needed = least_changed(exact_alpha(terms.policy.confidence))
    if differences.nonzero < needed:
        noun = "question" if differences.nonzero == 1 else "questions"
        return State.TOO_SPARSE, f"only {differences.nonzero} {noun} changed; an interval needs {needed}"
    if differences.n < terms.policy.min_questions:
        return State.TOO_SPARSE, f"only {differences.n} questions; the policy asks for {terms.policy.min_questions}"
    if not (ends.above_zero or ends.below_zero):
        return State.INCONCLUSIVE, None
    match direction:
        case Direction.HIGHER:
            return (State.IMPROVED if ends.above_zero else State.REGRESSED), None
        case Direction.LOWER:
            return (State.IMPROVED if ends.below_zero else State.REGRESSED), None
        case Direction.NEUTRAL:
            return State.CHANGED, None
        case _:
            assert_never(direction)


def _flags(ends: Interval, rules: MetricPolicy, differences: Differences) -> tuple[Flag, ...]:
    flags = []
    # An interval without width shows no equivalence, only that nothing was seen to differ.
    if rules.effect is not None and differences.nonzero and -rules.effect < ends.low and ends.high < rules.effect:
        flags.append(Flag.WITHIN_EFFECT)
    best_case = -ends.low if rules.direction is Direction.LOWER else ends.high
    if rules.direction is not Direction.NEUTRAL and best_case < -rules.margin:
        flags.append(Flag.WORSE_THAN_MARGIN)
    return tuple(flags)


def _worst_case(pairs: MetricPairs, rules: MetricPolicy, terms: Terms) -> tuple[float, float] | None:
    """Return the interval with every lost question filled against the candidate; None where there is none to fill."""
    if pairs.lost.total == 0 or rules.direction is Direction.NEUTRAL:
        return None
    smallest, largest = rules.range or _observed_range(pairs)
    worst, best = (largest, smallest) if rules.direction is Direction.LOWER else (smallest, largest)
    filled = paired_differences(
        np.concatenate((pairs.baseline, pairs.baseline_only, np.full(pairs.candidate_only.size, best))),
        np.concatenate((pairs.candidate, np.full(pairs.baseline_only.size, worst), pairs.candidate_only)),
        value_range=rules.range,
    )
    ids = (
        *pairs.ids,
        *(f"candidate missing {row}" for row in range(pairs.baseline_only.size)),
        *(f"baseline missing {row}" for row in range(pairs.candidate_only.size)),
    )
    ends = _interval(filled, ideal_bootstrap(filled), ids, rules, terms)
    return ends.low, ends.high


def _observed_range(pairs: MetricPairs) -> tuple[float, float]:
    everything = np.concatenate((pairs.baseline, pairs.candidate, pairs.baseline_only, pairs.candidate_only))
    return float(everything.min()), float(everything.max())


def _mean(values: NDArray[np.float64]) -> float:
    """Return the mean by exact summation: the two means' difference is then the mean difference to the last digits."""
    return math.fsum(values) / values.size


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
    )
