"""What a declaration may ask for: more than the policy, never less."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clearband.errors import UnusableDeclaration, UsageError
from clearband.plain_text import nearest, shown
from clearband.policy import UNSAID
from clearband.vocabulary import Direction, Requirement

if TYPE_CHECKING:
    from clearband.declaration import Declaration
    from clearband.policy import Policy

_STRICTNESS = (Requirement.NO_REGRESSION, Requirement.NON_INFERIORITY, Requirement.IMPROVEMENT)
"""From the least to the most that a primary metric can be asked to show."""


def check_tightens(declared: Declaration, policy: Policy, *, effect: float | None) -> None:
    """Refuse a declaration that asks for less than the policy, or contradicts the command line's effect.

    Raises
    ------
    UnusableDeclaration
        It asks for less, or for what could not decide.
    UsageError
        Declaration and command line give two effects.

    """
    metric = policy.metrics.get(declared.primary_metric, UNSAID)
    where = in_description((declared.line,))
    if declared.require is not None and _STRICTNESS.index(declared.require) < _STRICTNESS.index(policy.require):
        what = f"The declaration requires {declared.require}, which is less than the policy's {policy.require}"
        raise UnusableDeclaration(what, where=where, remedy="Remove the line, or declare something stricter.")
    _check_guardrails(declared, policy, where)
    if declared.looks is not None and declared.looks > policy.max_looks:
        what = f"The declaration plans {declared.looks} looks, and the policy allows {policy.max_looks}"
        raise UnusableDeclaration(
            what, where=where, remedy="Plan fewer, or have `max_looks` raised in the policy on the base branch."
        )
    if declared.effect is None:
        return
    if metric.effect is not None and declared.effect > metric.effect:
        what = f"The declared effect {declared.effect:g} is larger than the policy's {metric.effect:g}"
        remedy = f"Declare an effect of at most {metric.effect:g}, or remove the line."
        raise UnusableDeclaration(what, where=where, remedy=remedy)
    excess = metric.why_too_large(declared.effect)
    if excess is not None:
        what = f"The declared effect {declared.effect:g} is {excess}"
        raise UnusableDeclaration(what, where=where, remedy="Write it in the metric's own units, not in per cent.")
    if effect not in {None, declared.effect}:
        what = f"The command line says effect {effect:g}, the description declares {declared.effect:g}"
        raise UsageError(what, where=where, remedy="Leave out one of the two.")


def _check_guardrails(declared: Declaration, policy: Policy, where: str | None) -> None:
    """Refuse further guardrails that the policy does not know, or that could never block."""
    for name in declared.guardrails:
        if policy.metrics and name not in policy.metrics:
            near = nearest(name, policy.metrics)
            remedy = f"Did you mean {shown(near)}?" if near else "Only metrics of the policy can be guardrails."
            raise UnusableDeclaration(f"The guardrail {shown(name)} is not in the policy", where=where, remedy=remedy)
        if policy.metrics.get(name, UNSAID).direction is Direction.NEUTRAL:
            what = f"{shown(name)} cannot be a guardrail: its direction is neutral, so nothing is better or worse"
            raise UnusableDeclaration(what, where=where, remedy="Remove it from the list.")


def in_description(lines: tuple[int, ...]) -> str | None:
    """Return where in the pull request's description something stands, for a message."""
    if not lines:
        return None
    word = "line" if len(lines) == 1 else "lines"
    return f"{word} {', '.join(str(line) for line in lines)} of the description"
