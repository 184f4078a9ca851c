"""The terms of one comparison: policy, declaration and command line made into one set of rules.

A declaration may choose the primary among the policy's metrics and only tighten; the command line is the person's own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from clearband.declaration import Declaration, DeclarationProblem, NotDeclared, to_paste
from clearband.errors import ClearbandError, UnusableDeclaration, UnusablePolicy, UsageError
from clearband.plain_text import nearest, shown
from clearband.policy import CONFIDENCE_ALLOWED, CONFIDENCE_RANGE, UNSAID, MetricPolicy, Policy
from clearband.results.options import PairOptions
from clearband.tightening import check_tightens, in_description
from clearband.vocabulary import Direction, Mode, Requirement, Role

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clearband.looks import Look
    from clearband.vocabulary import IntervalMethod


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the command line (or the Action's inputs) asks for; None where it is silent."""

    primary: str | None = None
    effect: float | None = None
    """The smallest effect that matters for the primary metric."""
    confidence: float | None = None
    interval: IntervalMethod | None = None
    n_boot: int | None = None
    """Number of Monte Carlo resamples; None for the ideal bootstrap."""
    seed: int | None = None
    reading: PairOptions = field(default_factory=PairOptions)
    """How to read the result files."""
    metrics: tuple[str, ...] = ()
    """Compare only these; empty for all that both files hold."""
    lower_is_better: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What this comparison is held to."""

    policy: Policy
    primary: str | None
    """The primary metric; None where nothing names one (then nothing is gated)."""
    require: Requirement
    declaration: Declaration | None
    metrics: Mapping[str, MetricPolicy]
    """The policy's metrics with the declared effect and the roles put in; see `of`."""
    n_boot: int | None = None
    """Number of Monte Carlo resamples; None for the ideal bootstrap."""
    seed: int | None = None
    """Monte Carlo seed; None for one derived from the data."""
    exploratory: bool = False
    """Whether the primary may have been chosen by its result: nothing can then be shown to improve."""
    look: Look | None = None
    """Which comparison under this declaration it is; None where nobody counts."""
    gated: bool = True
    ungated_reason: str | None = None
    """Why nothing is gated, a sentence; None where `gated`."""
    set_up: bool = True
    """False only for a repository that has no policy yet: then what to add is shown."""

    def of(self, metric: str) -> MetricPolicy:
        """Return what holds for `metric`; the defaults where nobody said anything."""
        return self.metrics.get(metric, UNSAID)

    def told(self, *directions: Mapping[str, Direction]) -> Terms:
        """Return the same terms with the directions that the result files tell, where nobody else said one.

        Files that contradict each other tell nothing.
        """
        metrics = dict(self.metrics)
        for name in dict.fromkeys(name for told in directions for name in told):
            said = {told[name] for told in directions if name in told}
            if len(said) == 1 and not self.of(name).directed:
                metrics[name] = replace(self.of(name), direction=said.pop(), directed=True)
        return replace(self, metrics=metrics)


def settle(
    *,
    policy: Policy | None,
    declaration: Declaration | NotDeclared | DeclarationProblem | None,
    options: Options,
    needs_policy: bool,
    exploratory: bool = False,
) -> Terms:
    """Return what a comparison is held to.

    The primary metric is the declared one or the command line's, which may not contradict each other, else the
    policy's. A declaration chooses among the policy's metrics and can only ask for more; the policy's own primary
    then stays a guardrail. Where nothing is gated anyway, a declaration that cannot be used stops nothing either.

    Parameters
    ----------
    policy
        The policy; None where there is none.
    declaration
        What the description of the pull request holds; None where none was read.
    options
        The person's own wishes.
    needs_policy
        Whether a missing policy means that the repository is not set up yet.
    exploratory
        Whether the declaration may have been chosen by its result: every metric of the policy then is a guardrail.

    Raises
    ------
    UnusableDeclaration
        The declaration is missing where one is needed, contradicts itself or asks for what it may not.
    UsageError
        An option contradicts the declaration, names an impossible metric or is out of bounds.
    UnusablePolicy
        The policy's own primary cannot decide under the options.

    """
    _check(options)
    if policy is None and needs_policy:
        return _not_set_up(declaration, options)
    try:
        terms = _settled(policy, declaration, options)
    except UnusableDeclaration as problem:
        if policy is None or policy.mode is Mode.GATE:
            raise
        reason = f"The policy only reports (mode: report). As a gate it would have stopped here: {problem.what}."
        terms = _terms(policy, policy.primary, None, options)
        return replace(terms, gated=False, ungated_reason=reason)
    if policy is not None and policy.mode is Mode.REPORT:
        return replace(terms, gated=False, ungated_reason="The policy only reports (mode: report).")
    return _every_metric_guarded(terms) if exploratory else terms


def _every_metric_guarded(terms: Terms) -> Terms:
    """Whoever chose the metric after the fact chose which losses not to look at: all of them are looked at."""
    guarded = {
        name: replace(rules, role=Role.GUARDRAIL)
        if name in terms.policy.metrics and name != terms.primary and rules.direction is not Direction.NEUTRAL
        else rules
        for name, rules in terms.metrics.items()
    }
    return replace(terms, metrics=guarded, exploratory=True)


def _not_set_up(declaration: Declaration | NotDeclared | DeclarationProblem | None, options: Options) -> Terms:
    declared = declaration if isinstance(declaration, Declaration) else None
    reason = "This repository is not set up yet: there is no policy at the base commit."
    if isinstance(declaration, DeclarationProblem):
        reason += f" The declaration cannot be used either: {declaration.what}."
    primary = options.primary or (declared.primary_metric if declared else None)
    terms = _terms(Policy(), primary, declared, options)
    return replace(terms, gated=False, ungated_reason=reason, set_up=False)


def _settled(
    policy: Policy | None, declaration: Declaration | NotDeclared | DeclarationProblem | None, options: Options
) -> Terms:
    if isinstance(declaration, DeclarationProblem):
        raise UnusableDeclaration(declaration.what, where=in_description(declaration.lines), remedy=declaration.remedy)
    declared = declaration if isinstance(declaration, Declaration) else None
    choice = _choice(policy, declared, options)
    if choice is None and policy is None:
        reason = "Neither a primary metric nor a policy was given."
        return replace(_terms(Policy(), None, None, options), gated=False, ungated_reason=reason)
    rules = policy or Policy()
    if choice is None:
        raise _nothing_declared(rules, declaration)
    _check_listed(choice, rules)
    terms = _terms(rules, choice.primary, declared, options)
    if declared is not None:
        check_tightens(declared, rules, effect=options.effect)
    _check_primary(choice, rules, terms)
    return terms


@dataclass(frozen=True, slots=True)
class _Choice:
    """The primary metric and who chose it."""

    primary: str
    error: type[ClearbandError]
    where: str | None = None

    def refused(self, what: str, remedy: str) -> ClearbandError:
        return self.error(what, where=self.where, remedy=remedy)


def _choice(policy: Policy | None, declared: Declaration | None, options: Options) -> _Choice | None:
    if options.primary is not None:
        if declared is not None and declared.primary_metric != options.primary:
            what = (
                f"The command line names the primary metric {shown(options.primary)}, "
                f"the description declares {shown(declared.primary_metric)}"
            )
            raise UsageError(what, where=in_description((declared.line,)), remedy="Leave out one of the two.")
        return _Choice(options.primary, UsageError)
    if declared is not None:
        return _Choice(declared.primary_metric, UnusableDeclaration, in_description((declared.line,)))
    if policy is not None and policy.primary is not None:
        return _Choice(policy.primary, UnusablePolicy)
    return None


def _terms(policy: Policy, primary: str | None, declared: Declaration | None, options: Options) -> Terms:
    """Put everything together, trusting that it has been or will be checked."""
    metrics = dict(policy.metrics)
    for name in options.lower_is_better:
        metrics[name] = replace(metrics.get(name, UNSAID), direction=Direction.LOWER, directed=True)
    if policy.primary is not None and policy.primary != primary:
        metrics[policy.primary] = replace(metrics.get(policy.primary, UNSAID), role=Role.GUARDRAIL)
    for name in declared.guardrails if declared else ():
        metrics[name] = replace(metrics.get(name, UNSAID), role=Role.GUARDRAIL)
    if primary is not None:
        listed = metrics.get(primary, UNSAID)
        effect = options.effect or (declared.effect if declared else None) or listed.effect
        metrics[primary] = replace(listed, role=Role.PRIMARY, effect=effect)
    return Terms(
        policy=replace(
            policy,
            confidence=policy.confidence if options.confidence is None else options.confidence,
            interval=options.interval or policy.interval,
        ),
        primary=primary,
        require=(declared.require if declared else None) or policy.require,
        declaration=declared,
        metrics=metrics,
        n_boot=options.n_boot,
        seed=options.seed,
    )


def _nothing_declared(policy: Policy, declaration: NotDeclared | Declaration | None) -> UnusableDeclaration:
    metrics = [name for name, metric in policy.metrics.items() if metric.direction is not Direction.NEUTRAL]
    if isinstance(declaration, NotDeclared):
        what = f"No primary metric: the policy names none, and {declaration.reason}"
        remedy = f"Put this into the description and fill it in:\n{to_paste(suite=declaration.suite, metrics=metrics)}"
        return UnusableDeclaration(what, remedy=remedy)
    what = "No primary metric: the policy names none, and no description of a pull request was read"
    ways = "Name it with --primary (in a workflow with `primary-metric`), or declare it in the description"
    return UnusableDeclaration(what, remedy=f"{ways}:\n{to_paste(metrics=metrics)}")


def _check_listed(choice: _Choice, policy: Policy) -> None:
    """Refuse a metric that the policy does not know: its direction would have to be guessed."""
    if not policy.metrics or choice.primary in policy.metrics or choice.primary == policy.primary:
        return
    near = nearest(choice.primary, policy.metrics)
    known = ", ".join(shown(name) for name in list(policy.metrics)[:10])
    remedy = f"Did you mean {shown(near)}?" if near else f"The policy's metrics: {known}."
    raise choice.refused(f"The primary metric {shown(choice.primary)} is not in the policy", remedy)


def _check_primary(choice: _Choice, policy: Policy, terms: Terms) -> None:
    """Refuse a primary that could not decide: without a better direction, or without the margin it needs."""
    metric = terms.of(choice.primary)
    name = shown(choice.primary)
    if metric.direction is Direction.NEUTRAL:
        what = f"{name} cannot be the primary metric: its direction is neutral, so nothing is better or worse"
        raise choice.refused(what, "Choose a metric whose direction is higher or lower.")
    excess = None if metric.effect is None else metric.why_too_large(metric.effect)
    if excess is not None:
        what = f"The effect {metric.effect:g} of {name} is {excess}"
        raise UsageError(what, remedy="Write --effect in the metric's own units, not in per cent.")
    if terms.require is Requirement.NON_INFERIORITY and not metric.has_margin:
        asked = "the policy" if policy.require is terms.require else "the declaration"
        what = f"{asked} requires non-inferiority, and the policy gives {name} no margin to be held to"
        raise choice.refused(what, "Declare `require: improvement`, or add `margin:` or `budget:` in the policy.")


def _check(options: Options) -> None:
    low, high = CONFIDENCE_RANGE
    if options.confidence is not None and not low <= options.confidence <= high:
        share = options.confidence / 100
        remedy = f"Write --confidence {share:g}." if low <= share <= high else f"Write {CONFIDENCE_ALLOWED}."
        raise UsageError(f"The confidence {options.confidence:g} is not {CONFIDENCE_ALLOWED}", remedy=remedy)
    if options.effect is not None and not 0 < options.effect < math.inf:
        remedy = "Write the size of the smallest change that matters, without a sign."
        raise UsageError(f"The effect {options.effect:g} is not a number above 0", remedy=remedy)
