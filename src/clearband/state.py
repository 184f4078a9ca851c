"""The state of one metric and the flags beside it: the table of METHODS section 4, from an estimate. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from clearband.estimate import SHARES
from clearband.stats.interval import exact_alpha, least_changed
from clearband.stats.quantile import FEWEST_BEYOND, few_beyond
from clearband.vocabulary import Direction, Flag, State

if TYPE_CHECKING:
    from clearband.estimate import Estimate
    from clearband.policy import MetricPolicy
    from clearband.stats.interval import Interval
    from clearband.terms import Terms

CLEARED = frozenset({State.IMPROVED, State.REGRESSED, State.CHANGED})
"""The states of a change whose interval excludes 0."""


def state_of(found: Estimate, rules: MetricPolicy, terms: Terms) -> tuple[State, str | None]:
    """Return the state of a measured metric, and why it is too sparse where it is; the first that matches wins."""
    if found.differences.nonzero == 0:
        return State.IDENTICAL, None
    sparse = _why_too_sparse(found, rules, terms)
    if sparse is not None:
        return State.TOO_SPARSE, sparse
    ends = found.ends
    if not (ends.above_zero or ends.below_zero):
        return State.INCONCLUSIVE, None
    match rules.direction:
        case Direction.HIGHER:
            return (State.IMPROVED if ends.above_zero else State.REGRESSED), None
        case Direction.LOWER:
            return (State.IMPROVED if ends.below_zero else State.REGRESSED), None
        case Direction.NEUTRAL:
            return State.CHANGED, None
        case _:
            assert_never(rules.direction)


def flags_of(found: Estimate, state: State, rules: MetricPolicy, *, beyond_budget: Interval | None) -> tuple[Flag, ...]:
    """Return what is said beside the state.

    Parameters
    ----------
    found, state, rules
        The estimate, its state and the metric's rules.
    beyond_budget
        The interval of how far the candidate is beyond its relative budget; None where the margin is absolute.

    """
    if state in {State.INVALID, State.TOO_SPARSE}:
        return ()
    flags = []
    low, high, effect = found.ends.low, found.ends.high, rules.effect
    # An interval without width shows no equivalence, only that nothing was seen to differ.
    if effect is not None and found.differences.nonzero and -effect < low and high < effect:
        flags.append(Flag.WITHIN_EFFECT)
    if rules.direction is not Direction.NEUTRAL:
        best, worst = _beyond(found.ends, rules) if beyond_budget is None else _beyond(beyond_budget, rules, margin=0.0)
        if best < 0.0:
            flags.append(Flag.WORSE_THAN_MARGIN)
        if worst > 0.0:
            flags.append(Flag.WITHIN_MARGIN)
    return tuple(flags)


def _beyond(ends: Interval, rules: MetricPolicy, margin: float | None = None) -> tuple[float, float]:
    """Return the best and the worst case in better units, counted from the edge of the margin."""
    allowed = rules.margin if margin is None else margin
    if rules.direction is Direction.LOWER:
        return allowed - ends.low, allowed - ends.high
    return ends.high + allowed, ends.low + allowed


def _why_too_sparse(found: Estimate, rules: MetricPolicy, terms: Terms) -> str | None:
    units, needed = found.resampling, least_changed(exact_alpha(terms.policy.confidence))
    unit = "cluster" if terms.policy.cluster is not None else "question"
    if units.nonzero < needed:
        noun = unit if units.nonzero == 1 else f"{unit}s"
        return f"only {units.nonzero} {noun} changed; an interval needs {needed}"
    n = found.differences.n
    if n < terms.policy.min_questions:
        return f"only {n} questions; the policy asks for {terms.policy.min_questions}"
    share = SHARES.get(rules.statistic)
    if share is not None and few_beyond(n, share):
        beyond = float(n * (1 - share))
        return f"only {beyond:.3g} of {n} questions lie beyond the {rules.statistic}; an interval needs {FEWEST_BEYOND}"
    return None
