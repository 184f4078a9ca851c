"""Registration and looks in words: what can be shown about when the metric was chosen, and how often was looked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from clearband.declaration import Declaration
from clearband.looks import false_improvement
from clearband.report.fact import Fact
from clearband.report.numbers import NBSP
from clearband.report.phrase import Phrase, Piece, Prose, Quote, say
from clearband.stats.interval import exact_alpha
from clearband.vocabulary import Registrar, Requirement, Standing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clearband.answers import Answer
    from clearband.registration import Registration
    from clearband.terms import Terms

_MOST_TIMES = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Registered:
    """What stands in the open about registration."""

    warning: Phrase
    """Said loudly; empty where nothing is wrong."""
    text: Phrase


def registered(answer: Answer) -> Registered:
    """Return what to say about when the metric was declared; nothing where nobody looked."""
    registration = answer.registration
    if registration is None:
        return Registered(warning=say(), text=say())
    looks = _looks(answer.terms)
    match registration.standing:
        case Standing.BEFORE:
            return Registered(warning=say(), text=say(_before(registration), looks))
        case Standing.AMENDED:
            return Registered(
                warning=say("The declaration was changed after results existed; the first one still counts."),
                text=say(_amended(answer, registration), looks),
            )
        case Standing.AFTER:
            return Registered(
                warning=say("Declared after results existed: exploratory, whatever it shows."),
                text=say(
                    "Every metric of the policy is a guardrail here, so that no loss was left out by choice.", looks
                ),
            )
        case Standing.UNKNOWN:
            return Registered(
                warning=say("It cannot be shown that this was declared before its result: exploratory."),
                text=say(_doubts(registration), "Every metric of the policy is a guardrail here.", looks),
            )
        case _:
            assert_never(registration.standing)


def registration_facts(registration: Registration | None) -> Iterator[Fact]:
    """Yield the times that show it, as the server had them, oldest first."""
    if registration is None:
        return
    times = registration.evidence[:_MOST_TIMES]
    parts: list[Piece | Phrase] = []
    for number, one in enumerate(times):
        parts += ["; " if number else "", time_of(one.at), " ", Prose(one.what, 120), f" ({one.source})"]
    more = len(registration.evidence) - len(times)
    if times:
        yield Fact(label=say("When"), text=say(*parts, f"; and {more} more." if more else "."))


def time_of(at: str) -> str:
    """Return a server's time for people: ``2026-03-01 12:00 UTC``."""
    return f"{at[:10]}{NBSP}{at[11:16]}{NBSP}UTC"


def _before(registration: Registration) -> Phrase:
    match registration.registrar:
        case Registrar.POLICY:
            return say("The policy registered it: it stood on the base branch before this pull request.")
        case Registrar.DESCRIPTION:
            return say("Declared before the first CI result.")
        case _:
            assert_never(registration.registrar)


def _amended(answer: Answer, registration: Registration) -> Phrase:
    first = registration.registered
    if first is None:
        return say()
    parts: list[Piece | Phrase] = ["First declared: ", Quote(first.primary_metric), _further(first)]
    now = answer.declaration
    if isinstance(now, Declaration):
        parts += ["; now: ", Quote(now.primary_metric), _further(now)]
    else:
        parts.append("; now: nothing")
    if registration.first_result_at is not None:
        parts.append(f"; first result: {time_of(registration.first_result_at)}")
    parts.append(".")
    if isinstance(now, Declaration) and now.reason:
        parts += [" Reason given: ", Prose(now.reason.strip().removesuffix("."), 240), "."]
    return say(*parts)


def _further(declared: Declaration) -> str:
    parts = [] if declared.require is None else [f"required: {declared.require.value}"]
    parts += [] if declared.effect is None else [f"effect {declared.effect:.12g}"]
    return f" ({', '.join(parts)})" if parts else ""


def _doubts(registration: Registration) -> Phrase:
    parts: list[Piece] = []
    for doubt in registration.doubts[:3]:
        parts += [Prose(doubt, 240), " "]
    return say(*parts)


def _looks(terms: Terms | None) -> str:
    """Return which look this is; where an improvement is asked, also how often looking alone shows one."""
    if terms is None or terms.look is None or (terms.look.number == 1 and terms.look.planned is None):
        return ""
    look = terms.look
    planned = "" if look.planned is None else f", {look.planned} were planned"
    said = f" Look {look.number} under this declaration{planned}."
    if terms.require is not Requirement.IMPROVEMENT or look.number == 1:
        return said
    chance = 100.0 * false_improvement(exact_alpha(terms.policy.confidence), look.number)
    return f"{said} With no change, at most {chance:.0f}{NBSP}% that one of {look.number} looks clears as better."
