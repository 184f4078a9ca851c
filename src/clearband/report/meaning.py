"""What the verdict means for the merge, in one bold line, and why, in one more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clearband.report.numbers import counted
from clearband.report.phrase import Phrase, Piece, Prose, Quote, listed, say
from clearband.report.words import Subject, sentence
from clearband.stats.interval import exact_alpha, least_changed
from clearband.vocabulary import Outcome, Requirement, Role, State

if TYPE_CHECKING:
    from clearband.verdict import Verdict

Lines = tuple[Phrase, Phrase]
"""What it means for the merge, and why."""


def meaning(
    verdict: Verdict,
    *,
    require: Requirement,
    primary: Subject | None,
    blamed: tuple[Subject, ...],
    same_bytes: bool,
    if_gated: Outcome | None,
) -> Lines:
    """Return what the verdict means for the merge, and why.

    Parameters
    ----------
    verdict
        The verdict to explain.
    require
        What the primary metric had to show.
    primary
        The primary metric, where there is one.
    blamed
        The metrics that alone give this outcome.
    same_bytes
        Whether both result files are the same.
    if_gated
        What the outcome would be if the comparison were gated, for one that is not.

    """
    match verdict.outcome:
        case Outcome.PASS if primary is not None:
            return _passed(primary, require, same_bytes=same_bytes)
        case Outcome.BLOCKED if blamed:
            return _blocked(blamed)
        case Outcome.CANNOT_TELL if blamed:
            return _cannot_tell(blamed[0], require)
        case Outcome.INVALID if blamed:
            names = listed(tuple(Quote(s.metric.name) for s in blamed), most=5)
            return say("Stopped: ", names, " cannot be compared, and that never passes."), _because(blamed[0])
        case Outcome.NOT_GATED:
            return _not_gated(verdict, primary, if_gated)
        case Outcome.PASS:
            return say("Not blocked."), _reasons(verdict)
        case Outcome.BLOCKED:
            return say("The merge is blocked."), _reasons(verdict)
        case Outcome.CANNOT_TELL | Outcome.INVALID:
            return say("Stopped: there is no answer, and that never passes."), _reasons(verdict)


def _reasons(verdict: Verdict) -> Phrase:
    parts: list[Piece] = []
    for reason in verdict.reasons[:3]:
        parts += [" ", Prose(sentence(reason.text))] if parts else [Prose(sentence(reason.text))]
    return say(*parts)


def _because(about: Subject) -> Phrase:
    return say(Prose(sentence(about.metric.why))) if about.metric.why else say()


def includes_zero(about: Subject) -> str:
    """Return what an interval that includes zero means."""
    return f"The {about.share} interval includes zero: the results fit a gain as well as a loss."


def _side(about: Subject) -> Phrase:
    """Return where the interval lies, without a word about the merge."""
    match about.metric.state:
        case State.IMPROVED:
            return say(f"The whole {about.share} interval is on the better side of zero.")
        case State.REGRESSED:
            return say(f"The whole {about.share} interval is on the worse side of zero.")
        case State.INCONCLUSIVE:
            return say(includes_zero(about))
        case State.TOO_SPARSE:
            return _sparse(about)
        case State.IDENTICAL | State.CHANGED | State.INVALID:
            return _because(about)


def _sparse(about: Subject) -> Phrase:
    if about.has_few_questions:
        have = counted(about.metric.n, "question")
        return say(f"{have}; at least {about.min_questions} have to be paired before an interval can be read.")
    fewest = least_changed(exact_alpha(about.confidence))
    return say(f"At {about.share} at least {fewest} questions have to differ before an interval can be read.")


_WOULD = {
    Outcome.PASS: "it would not block",
    Outcome.BLOCKED: "it would block",
    Outcome.CANNOT_TELL: "it would not pass: it cannot tell",
    Outcome.INVALID: "it would not pass: it cannot be compared",
}


def _not_gated(verdict: Verdict, primary: Subject | None, if_gated: Outcome | None) -> Lines:
    reason = verdict.reasons[0].text if verdict.reasons else "nothing here decides about the merge"
    reason = reason.strip().removesuffix(".")
    bold = say("Not gated: ", Prose(reason[:1].lower() + reason[1:] if reason[1:2].islower() else reason), ".")
    if primary is None:
        return bold, say()
    would = f" If it were gated, {_WOULD[if_gated]}." if if_gated in _WOULD else ""
    return bold, say(_side(primary), would)


def _passed(about: Subject, require: Requirement, *, same_bytes: bool) -> Lines:
    metric = about.metric
    small = f" All of it lies within ±{about.effect}, the smallest effect that was declared to matter."
    within = small if about.is_within_effect else ""
    match metric.state:
        case State.IMPROVED:
            why = f"The whole {about.share} interval is on the better side of zero.{within}"
            return say("Not blocked, and shown to help."), say(why)
        case State.REGRESSED:
            bold = f"Not blocked: worse, but not shown to be worse than the margin of {about.margin}."
            return say(bold), say(f"The whole {about.share} interval is on the worse side of zero.{within}")
        case State.INCONCLUSIVE if require is Requirement.NON_INFERIORITY:
            bold = f"Not blocked: shown to lose less than the margin of {about.margin}, not shown to help."
            return say(bold), say(f"The {about.share} interval includes zero and stays inside the margin.{within}")
        case State.INCONCLUSIVE:
            return say("Not blocked, not shown to help."), say(includes_zero(about) + within)
        case State.IDENTICAL:
            copies = "Both files are the same, byte for byte: was the candidate's own file picked up?"
            every = "Every paired question has the same value in both files."
            return say("Not blocked, and nothing changed."), say(copies if same_bytes else every)
        case State.TOO_SPARSE:
            return say("Not blocked, not shown to help: this comparison could not have blocked."), _sparse(about)
        case State.CHANGED:
            return say("Not blocked: this metric has no better or worse direction."), say()
        case State.INVALID:
            return say("Not blocked."), _because(about)


def _blocked(blamed: tuple[Subject, ...]) -> Lines:
    first = blamed[0]
    if not first.is_beyond_margin:
        found = "nothing changed" if first.metric.state is State.IDENTICAL else "it got worse"
        return say(f"The merge is blocked: an improvement is required, and {found}."), say()
    kind = "guardrail" if first.metric.role is Role.GUARDRAIL else "primary"
    names = listed(tuple(Quote(s.metric.name) for s in blamed), most=5)
    side = f"beyond the margin of {first.margin}" if first.has_margin else "on the worse side of zero"
    if len(blamed) == 1:
        bold = say(f"The merge is blocked: the {kind} metric got worse.")
        return bold, say(f"The whole {first.share} interval is {side}.")
    return say("The merge is blocked: ", names, " got worse."), say(
        "The whole interval of ", first.name, f" is {side}; the others are beyond their own limits."
    )


def _cannot_tell(about: Subject, require: Requirement) -> Lines:
    metric = about.metric
    if metric.role is not Role.PRIMARY or require is Requirement.NO_REGRESSION:
        loss = f"the measured loss is at least the declared {about.effect}" if about.effect else "a loss was measured"
        return say(f"Held back: {loss}, and too few questions differ to judge it."), _sparse(about)
    if require is Requirement.IMPROVEMENT:
        if metric.state is State.TOO_SPARSE:
            return say("Held back: an improvement has to be shown, and too little differs to show one."), _sparse(about)
        return say("Held back: an improvement has to be shown, and none is."), say(includes_zero(about))
    bold = say(f"Held back: a loss of the margin ({about.margin}) or more is not ruled out.")
    match metric.state:
        case State.IDENTICAL:
            return bold, say(f"No question differs, but {counted(metric.n, 'question')} are too few to rule it out.")
        case State.TOO_SPARSE:
            return bold, _sparse(about)
        case _:
            return bold, say(f"The {about.share} interval reaches beyond the margin.")
