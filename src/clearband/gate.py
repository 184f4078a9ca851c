"""The gate: a comparison and its terms in, a verdict out. Pure.

Every rule of METHODS section 8 is a row here: what the primary's state means under each requirement, that guardrails
follow the no-regression column, and which outcome wins.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from clearband.stats.interval import exact_alpha
from clearband.vocabulary import Direction, Flag, Outcome, Requirement, Role, State

if TYPE_CHECKING:
    from clearband.comparison import Comparison, MetricResult
    from clearband.terms import Terms


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """One reason of a verdict."""

    code: str
    """Stable and machine-readable, such as ``regressed`` or ``primary-missing``."""
    metric: str | None
    text: str
    """A plain sentence; may quote untrusted names, so whoever prints it escapes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What the comparison means for the merge."""

    outcome: Outcome
    reasons: tuple[Reason, ...]

    @property
    def exit_status(self) -> int:
        """0 pass or not gated, 1 blocked, 2 cannot tell, 3 unusable."""
        return self.outcome.exit_status


_PRECEDENCE = (Outcome.BLOCKED, Outcome.INVALID, Outcome.CANNOT_TELL, Outcome.PASS)
"""The first of these that any gated metric has is the outcome of the whole."""


def judge(comparison: Comparison, terms: Terms) -> Verdict:
    """Return the verdict of a comparison under its terms; the primary's reason comes first."""
    judged = [_judge_metric(metric, terms) for metric in comparison.metrics if metric.role is not Role.EXPLORATORY]
    judged += [_missing(name, terms) for name in _gated_but_absent(comparison, terms)]
    reasons = tuple(reason for _, reason in judged)
    if not terms.gated:
        code = "not-gated" if terms.set_up else "not-set-up"
        not_gated = Reason(code=code, metric=None, text=terms.ungated_reason or "Nothing is gated.")
        return Verdict(outcome=Outcome.NOT_GATED, reasons=(not_gated, *reasons))
    outcomes = {outcome for outcome, _ in judged}
    return Verdict(outcome=next(outcome for outcome in _PRECEDENCE if outcome in outcomes), reasons=reasons)


def _gated_but_absent(comparison: Comparison, terms: Terms) -> list[str]:
    """Return primary and guardrails that neither file holds."""
    compared = {metric.name for metric in comparison.metrics}
    gated = {name for name, rules in terms.metrics.items() if rules.role is not Role.EXPLORATORY}
    if terms.primary is not None:
        gated.add(terms.primary)
    return sorted(gated - compared)


def _missing(name: str, terms: Terms) -> tuple[Outcome, Reason]:
    role = "primary metric" if name == terms.primary else "guardrail"
    code = "primary-missing" if name == terms.primary else "guardrail-missing"
    return Outcome.INVALID, Reason(code=code, metric=name, text=f"The {role} {name} is in neither result file.")


def _judge_metric(metric: MetricResult, terms: Terms) -> tuple[Outcome, Reason]:
    require = terms.require if metric.role is Role.PRIMARY else Requirement.NO_REGRESSION
    outcome = _outcome(metric, require, terms)
    role = "primary metric" if metric.role is Role.PRIMARY else "guardrail"
    return outcome, Reason(
        code=metric.state.value, metric=metric.name, text=_sentence(metric, role, require, outcome, terms)
    )


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
            return Outcome.PASS if largest_loss < metric.margin else Outcome.CANNOT_TELL
        case _:
            assert_never(require)


def _too_sparse(metric: MetricResult, require: Requirement) -> Outcome:
    if require is not Requirement.NO_REGRESSION:
        return Outcome.CANNOT_TELL
    if metric.effect is not None and -_better(metric, metric.delta or 0.0) >= metric.effect:
        return Outcome.CANNOT_TELL
    return Outcome.PASS


def _non_inferior(metric: MetricResult) -> Outcome:
    """Tell whether the whole interval stays within the margin, on the bad side."""
    if metric.interval is None:
        return Outcome.CANNOT_TELL
    low, high = metric.interval
    worst_end = -high if metric.direction is Direction.LOWER else low
    return Outcome.PASS if worst_end > -metric.margin else Outcome.CANNOT_TELL


def _better(metric: MetricResult, change: float) -> float:
    return -change if metric.direction is Direction.LOWER else change


_CONSEQUENCE = {
    Outcome.BLOCKED: "this blocks the merge",
    Outcome.CANNOT_TELL: "this comparison cannot tell what is asked",
    Outcome.PASS: "this does not block the merge",
    Outcome.INVALID: "nothing can be said",
    Outcome.NOT_GATED: "nothing is gated",
}


def _sentence(metric: MetricResult, role: str, require: Requirement, outcome: Outcome, terms: Terms) -> str:
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
    # Where nothing is gated, a block is only what would have been.
    consequence = (
        _CONSEQUENCE[outcome] if terms.gated or outcome is not Outcome.BLOCKED else "this would block the merge"
    )
    return f"The {role} {metric.name} {states[metric.state]}{why}; {consequence}{asked}."
