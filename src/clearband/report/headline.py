"""What happened, in one line: the state, the metric, its change and its interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clearband.report.numbers import counted
from clearband.report.phrase import Phrase, Quote, say
from clearband.report.words import Subject, Tone, differing
from clearband.vocabulary import Outcome, Role, State

if TYPE_CHECKING:
    from clearband.verdict import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """The first line; the symbol never stands alone."""

    symbol: str
    tone: Tone
    text: Phrase


_LOOKS = {
    Outcome.PASS: ("⚪\ufe0f", Tone.PLAIN),
    Outcome.BLOCKED: ("⛔\ufe0f", Tone.BAD),
    Outcome.CANNOT_TELL: ("🟡", Tone.WARN),
    Outcome.INVALID: ("⚠️", Tone.WARN),
    Outcome.NOT_GATED: ("ℹ️", Tone.PLAIN),
}
_PASSED_LOOKS = {State.IMPROVED: ("✅", Tone.GOOD), State.REGRESSED: ("🟡", Tone.WARN)}


def headline(verdict: Verdict, primary: Subject | None, blamed: tuple[Subject, ...]) -> Headline:
    """Return the headline of a comparison that was made; `blamed` are the metrics that decided it."""
    symbol, tone = _LOOKS[verdict.outcome]
    if verdict.outcome is Outcome.PASS and primary is not None:
        symbol, tone = _PASSED_LOOKS.get(primary.metric.state, (symbol, tone))
    return Headline(symbol=symbol, tone=tone, text=_text(verdict, primary, blamed))


def _text(verdict: Verdict, primary: Subject | None, blamed: tuple[Subject, ...]) -> Phrase:
    first = blamed[0] if blamed else primary
    if first is None:
        return _about_no_metric(verdict)
    match verdict.outcome:
        case Outcome.BLOCKED:
            by = "Blocked by a guardrail: " if first.metric.role is Role.GUARDRAIL else "Blocked: "
            return say(by, first.name, _change_or_sameness(first))
        case Outcome.CANNOT_TELL:
            return say("Cannot tell: ", first.name, _change_or_sameness(first))
        case Outcome.INVALID | Outcome.PASS | Outcome.NOT_GATED:
            return spoken(first)


def _about_no_metric(verdict: Verdict) -> Phrase:
    named = next((reason.metric for reason in verdict.reasons if reason.metric is not None), None)
    match verdict.outcome:
        case Outcome.NOT_GATED:
            return say("Compared, not gated: no metric was declared primary")
        case Outcome.INVALID | Outcome.CANNOT_TELL:
            return say("Cannot tell", *(() if named is None else (": ", Quote(named), " was not compared")))
        case Outcome.BLOCKED:
            return say("Blocked")
        case Outcome.PASS:
            return say("Not blocked")


def _change_or_sameness(about: Subject) -> str:
    if about.metric.state is State.IDENTICAL:
        return f" is the same on all {counted(about.metric.n, 'question')}"
    return f" {about.change}"


def spoken(about: Subject) -> Phrase:
    """Return the state, the name and the change of one metric."""
    metric = about.metric
    match metric.state:
        case State.IMPROVED:
            return say("Improved: ", about.name, f" {about.change}")
        case State.REGRESSED:
            return say("Worse: ", about.name, f" {about.change}")
        case State.CHANGED:
            return say("Changed: ", about.name, f" {about.change}")
        case State.INCONCLUSIVE:
            return say("Inconclusive: ", about.name, f" {about.change}")
        case State.IDENTICAL:
            return say("No difference: ", about.name, _change_or_sameness(about))
        case State.TOO_SPARSE:
            few = "Too few questions: " if about.has_few_questions else "Too few differences: "
            return say(few, about.name, f" {about.figures.change(metric.delta or 0.0)}, {differing(about)}")
        case State.INVALID:
            lost = f", {counted(metric.lost.total, 'question')} lost" if metric.lost.total else ""
            return say("Not comparable: ", about.name, lost)
