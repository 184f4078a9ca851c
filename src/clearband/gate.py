"""The gate: a comparison and its terms in, a verdict out. Pure.

Every rule of METHODS section 8 is a row here: what the primary's state means under each requirement, that guardrails
follow the no-regression column, and which outcome wins.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from clearband.stats.interval import exact_alpha
from clearband.verdict import PRECEDENCE, Code, Reason, Verdict, first_of
from clearband.vocabulary import Direction, Flag, OnLost, Outcome, Requirement, Role, State

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clearband.comparison import Anchored, Comparison, MetricResult, MustPassResult, SliceResult
    from clearband.terms import Terms


def judge(comparison: Comparison, terms: Terms) -> Verdict:
    """Return the verdict of a comparison under its terms; broken promises come first, then the primary's reason."""
    reasons = [reason for result in comparison.must_pass for reason in _judge_must_pass(result, terms)]
    reasons += [_judge_metric(metric, terms) for metric in comparison.metrics if metric.role is not Role.EXPLORATORY]
    reasons += [_missing(name, terms) for name in _gated_but_absent(comparison, terms)]
    reasons += [_judge_slice(result, terms) for result in comparison.slices if result.worse]
    if comparison.anchored is not None and terms.policy.anchor is not None and terms.policy.anchor.gate:
        reasons += _judge_anchored(comparison.anchored, terms)
    if not terms.gated:
        code = Code.NOT_GATED if terms.set_up else Code.NOT_SET_UP
        text = terms.ungated_reason or "Nothing is gated."
        not_gated = Reason(code=code, metric=None, text=text, outcome=Outcome.NOT_GATED)
        return Verdict(outcome=Outcome.NOT_GATED, reasons=(not_gated, *reasons))
    outcome = first_of({reason.outcome for reason in reasons})
    # Gated terms name a primary, which is judged or missing: without any reason something is badly wrong.
    return Verdict(outcome=outcome or Outcome.INVALID, reasons=tuple(reasons))


def _judge_must_pass(result: MustPassResult, terms: Terms) -> Iterator[Reason]:
    what = f"of {result.questions} that must pass on {result.metric}"
    if result.newly_failing:
        yield Reason(
            code=Code.MUST_PASS,
            metric=result.metric,
            text=f"{len(result.newly_failing)} {what} newly failed; {_consequence(Outcome.BLOCKED, terms)}.",
            outcome=Outcome.BLOCKED,
        )
    if result.cannot_tell:
        yield Reason(
            code=Code.MUST_PASS_UNKNOWN,
            metric=result.metric,
            text=f"{len(result.cannot_tell)} {what} have no score that would tell; "
            f"{_consequence(Outcome.CANNOT_TELL, terms)}.",
            outcome=Outcome.CANNOT_TELL,
        )


def _judge_slice(result: SliceResult, terms: Terms) -> Reason:
    return Reason(
        code=Code.SLICE_REGRESSED,
        metric=result.metric,
        text=f"The guarded slice {result.field} = {result.value} regressed on {result.metric}, also after correction "
        f"for all slices; {_consequence(Outcome.BLOCKED, terms)}.",
        outcome=Outcome.BLOCKED,
    )


def _judge_anchored(anchored: Anchored, terms: Terms) -> Iterator[Reason]:
    """Yield a reason for each gated metric that is worse than the anchor, or that could not be compared with it."""
    for metric in anchored.metrics:
        if metric.role is Role.EXPLORATORY:
            continue
        if metric.state is State.REGRESSED and Flag.WORSE_THAN_MARGIN in metric.flags:
            text = f"{metric.name} is worse than in the anchor {anchored.name}"
            outcome, code = Outcome.BLOCKED, Code.ANCHOR_REGRESSED
        elif metric.state is State.INVALID:
            text = f"{metric.name} could not be compared with the anchor {anchored.name} ({metric.why})"
            outcome, code = Outcome.INVALID, Code.ANCHOR_INVALID
        else:
            continue
        yield Reason(code=code, metric=metric.name, text=f"{text}; {_consequence(outcome, terms)}.", outcome=outcome)


def _gated_but_absent(comparison: Comparison, terms: Terms) -> list[str]:
    """Return primary and guardrails that neither file holds."""
    compared = {metric.name for metric in comparison.metrics}
    gated = {name for name, rules in terms.metrics.items() if rules.role is not Role.EXPLORATORY}
    if terms.primary is not None:
        gated.add(terms.primary)
    return sorted(gated - compared)


def _missing(name: str, terms: Terms) -> Reason:
    role = "primary metric" if name == terms.primary else "guardrail"
    code = Code.PRIMARY_MISSING if name == terms.primary else Code.GUARDRAIL_MISSING
    text = f"The {role} {name} is in neither result file."
    return Reason(code=code, metric=name, text=text, outcome=Outcome.INVALID)


def _judge_metric(metric: MetricResult, terms: Terms) -> Reason:
    require = terms.require if metric.role is Role.PRIMARY else Requirement.NO_REGRESSION
    if metric.state is State.IMPROVED and require is Requirement.IMPROVEMENT:
        doubt = _doubt(metric, terms)
        if doubt is not None:
            return doubt
    complete = _outcome(metric, require, terms)
    worst = _worst_case(metric, require, terms)
    outcome = worst if worst is not None and PRECEDENCE.index(worst) < PRECEDENCE.index(complete) else complete
    role = "primary metric" if metric.role is Role.PRIMARY else "guardrail"
    by_lost = "" if outcome is complete else "; with every lost question counted against the candidate,"
    text = _sentence(metric, role, require, outcome, terms, by_lost=by_lost)
    code = metric.state.value if outcome is complete else Code.LOST_QUESTIONS
    return Reason(code=code, metric=metric.name, text=text, outcome=outcome)


def _doubt(metric: MetricResult, terms: Terms) -> Reason | None:
    """Return why an improvement that the interval shows is still not shown to what is asked; None where it is."""
    if terms.exploratory:
        code, why = Code.DECLARED_LATE, "it cannot be shown that the metric was declared before its result"
    elif terms.look is not None and terms.look.is_beyond_plan:
        code = Code.LOOKS_SPENT
        why = f"this is look {terms.look.number}, and the declaration planned {terms.look.planned}"
    else:
        planned = (terms.declaration.looks if terms.declaration is not None else None) or 1
        alpha = exact_alpha(terms.policy.confidence)
        # One look is judged as always: by the interval, which agrees with its p but for the floor of a p.
        if planned == 1 or metric.p_two_sided is None or metric.p_two_sided < alpha / planned:
            return None
        code = Code.LOOKS_SPENT
        why = f"with {planned} planned looks each may use {alpha / planned:.2g} of alpha, and p is larger"
    text = f"The primary metric {metric.name} improved; {why}, so {_consequence(Outcome.CANNOT_TELL, terms)}."
    return Reason(code=code, metric=metric.name, text=text, outcome=Outcome.CANNOT_TELL)


def hold_to_first(now: Verdict, first: Verdict, *, metric: str, terms: Terms) -> Verdict:
    """Return the verdict of an amended declaration: what the first one means for the merge counts too.

    Parameters
    ----------
    now, first
        The verdicts under the present declaration and under the registered one.
    metric
        The primary metric that was registered.
    terms
        The present terms; where they gate nothing, the first declaration gates nothing either.

    """
    told = first.reasons[0].text if first.reasons else ""
    outcome = first.if_gated or Outcome.INVALID
    text = f"Held to the first declaration, which named {metric}: {told}"
    reasons = (*now.reasons, Reason(code=Code.AMENDED, metric=metric, text=text, outcome=outcome))
    if not terms.gated:
        return Verdict(outcome=now.outcome, reasons=reasons)
    return Verdict(outcome=first_of({now.outcome, outcome}) or Outcome.INVALID, reasons=reasons)


def _worst_case(metric: MetricResult, require: Requirement, terms: Terms) -> Outcome | None:
    """Return what the worst case means where the policy decides by it; None where it changes nothing."""
    if terms.policy.on_lost is OnLost.COMPLETE_PAIRS or metric.state is State.INVALID or metric.lost.total == 0:
        return None
    if metric.worst_case_state is None:
        return Outcome.CANNOT_TELL
    filled = replace(
        metric,
        state=metric.worst_case_state,
        flags=metric.worst_case_flags,
        interval=metric.worst_case_interval,
    )
    outcome = _outcome(filled, require, terms)
    # Only a declared range bounds what a lost question may have been.
    return Outcome.CANNOT_TELL if outcome is Outcome.PASS and not metric.worst_case_is_bound else outcome


def _outcome(metric: MetricResult, require: Requirement, terms: Terms) -> Outcome:
    """Return what one metric's state means under a requirement."""
    match metric.state:
        case State.INVALID:
            return Outcome.INVALID
        case State.REGRESSED:
            return _regressed(metric, require)
        case State.IMPROVED:
            return Outcome.PASS
        case State.CHANGED | State.INCONCLUSIVE:
            return _unresolved(metric, require)
        case State.IDENTICAL:
            return _identical(metric, require, terms)
        case State.TOO_SPARSE:
            return _too_sparse(metric, require)
        case _:
            assert_never(metric.state)


def _regressed(metric: MetricResult, require: Requirement) -> Outcome:
    if Flag.WORSE_THAN_MARGIN in metric.flags or require is Requirement.IMPROVEMENT:
        return Outcome.BLOCKED
    match require:
        case Requirement.NO_REGRESSION:
            return Outcome.PASS
        case Requirement.NON_INFERIORITY:
            return _non_inferior(metric)
        case _:
            assert_never(require)


def _unresolved(metric: MetricResult, require: Requirement) -> Outcome:
    match require:
        case Requirement.NO_REGRESSION:
            return Outcome.PASS
        case Requirement.IMPROVEMENT:
            return Outcome.CANNOT_TELL
        case Requirement.NON_INFERIORITY:
            return _non_inferior(metric)
        case _:
            assert_never(require)


def _identical(metric: MetricResult, require: Requirement, terms: Terms) -> Outcome:
    match require:
        case Requirement.NO_REGRESSION:
            return Outcome.PASS
        case Requirement.IMPROVEMENT:
            return Outcome.BLOCKED
        case Requirement.NON_INFERIORITY:
            value_range = terms.of(metric.name).range
            if value_range is None:
                return Outcome.CANNOT_TELL
            # Clopper-Pearson: the share of changed questions that n unchanged ones still allow.
            unseen = 1.0 - (exact_alpha(terms.policy.confidence) / 2.0) ** (1.0 / metric.n)
            largest_loss = (value_range[1] - value_range[0]) * unseen
            margin = metric.margin if metric.budget is None else metric.budget * abs(metric.baseline_mean or 0.0)
            return Outcome.PASS if largest_loss < margin else Outcome.CANNOT_TELL
        case _:
            assert_never(require)


def _too_sparse(metric: MetricResult, require: Requirement) -> Outcome:
    if require is not Requirement.NO_REGRESSION:
        return Outcome.CANNOT_TELL
    if metric.effect is not None and -_better(metric, metric.delta or 0.0) >= metric.effect:
        return Outcome.CANNOT_TELL
    return Outcome.PASS


def _non_inferior(metric: MetricResult) -> Outcome:
    return Outcome.PASS if Flag.WITHIN_MARGIN in metric.flags else Outcome.CANNOT_TELL


def _better(metric: MetricResult, change: float) -> float:
    return -change if metric.direction is Direction.LOWER else change


_CONSEQUENCE = {
    Outcome.BLOCKED: "this blocks the merge",
    Outcome.CANNOT_TELL: "this comparison cannot tell what is asked",
    Outcome.PASS: "this does not block the merge",
    Outcome.INVALID: "nothing can be said",
    Outcome.NOT_GATED: "nothing is gated",
}


def _consequence(outcome: Outcome, terms: Terms) -> str:
    """Say what an outcome means; where nothing is gated, a block is only what would have been."""
    return _CONSEQUENCE[outcome] if terms.gated or outcome is not Outcome.BLOCKED else "this would block the merge"


def _sentence(
    metric: MetricResult, role: str, require: Requirement, outcome: Outcome, terms: Terms, *, by_lost: str
) -> str:
    states = {
        State.INVALID: "was not measured well enough",
        State.IDENTICAL: "is identical on every question",
        State.TOO_SPARSE: "changed on too few questions",
        State.IMPROVED: "improved",
        State.REGRESSED: "regressed",
        State.CHANGED: "changed",
        State.INCONCLUSIVE: "is inconclusive",
    }
    why = f" ({metric.why})" if metric.why else ""
    asked = f" under require: {require.value}" if require is not Requirement.NO_REGRESSION else ""
    said = f"{by_lost or ';'} {_consequence(outcome, terms)}"
    return f"The {role} {metric.name} {states[metric.state]}{why}{said}{asked}."
