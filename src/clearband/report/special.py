"""Verdicts that no single metric's interval explains: broken promises, slices, lost questions, unlike measurements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clearband.report.numbers import count, counted
from clearband.report.phrase import Phrase, Piece, Prose, Quote, listed, say
from clearband.report.words import Subject, state_in_words
from clearband.verdict import Code
from clearband.vocabulary import Outcome, ShowQuestions

if TYPE_CHECKING:
    from clearband.comparison import Comparison, MustPassResult
    from clearband.verdict import Reason, Verdict

_NAMED = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Special:
    """What is said instead of the words for a metric's state."""

    headline: Phrase
    merge: Phrase
    because: Phrase
    next_step: Phrase


def special(verdict: Verdict, comparison: Comparison, subjects: tuple[Subject, ...]) -> Special | None:
    """Return the words for a verdict that rests on more than one metric's interval; None for all others."""
    if comparison.not_comparable and verdict.outcome is Outcome.INVALID:
        return _not_alike(comparison)
    first = next((reason for reason in verdict.reasons if reason.outcome is verdict.outcome), None)
    if first is None or verdict.outcome is Outcome.NOT_GATED:
        return None
    because = say(Prose(first.text))
    match first.code:
        case Code.MUST_PASS:
            failing = sum(len(result.newly_failing) for result in comparison.must_pass)
            return Special(
                headline=say(f"Blocked: {counted(failing, 'must-pass question')} newly failing"),
                merge=say("The merge is blocked: a question that must pass and did pass fails now."),
                because=say("One is enough; no interval is asked."),
                next_step=say("mend these questions first; everything else can wait."),
            )
        case Code.MUST_PASS_UNKNOWN:
            return Special(
                headline=say("Cannot tell: must-pass questions have no score"),
                merge=say("Held back: a question that must pass was not scored, so nobody knows whether it does."),
                because=because,
                next_step=say("run these questions again, or bring their scores with ", Quote("--fill FILE"), "."),
            )
        case Code.SLICE_REGRESSED:
            return Special(
                headline=_of_slice(comparison),
                merge=say("The merge is blocked: a guarded slice got worse."),
                because=say(
                    "Its whole interval is on the worse side, also after Holm's correction for all guarded slices."
                ),
                next_step=say("look at the questions of that slice; the mean over all questions hides them."),
            )
        case Code.AMENDED:
            return _by_the_first_declaration(first, verdict.outcome, subjects)
        case Code.DECLARED_LATE | Code.LOOKS_SPENT:
            return _not_shown(first)
        case Code.ANCHOR_REGRESSED | Code.ANCHOR_INVALID:
            return _by_the_anchor(first, comparison)
        case Code.LOST_QUESTIONS:
            return _by_the_lost(first, verdict.outcome)
        case _:
            return None


def _of_slice(comparison: Comparison) -> Phrase:
    result = next(result for result in comparison.slices if result.worse)
    return say("Blocked: ", Quote(result.metric), " got worse on ", Quote(f"{result.field} = {result.value}"))


def _by_the_first_declaration(reason: Reason, outcome: Outcome, subjects: tuple[Subject, ...]) -> Special:
    blocked = outcome is Outcome.BLOCKED
    about = next((one for one in subjects if one.metric.name == reason.metric), None)
    change = "" if about is None else f" {about.change}"
    because = say(Prose(reason.text)) if about is None else say("By it ", state_in_words(about), ".")
    return Special(
        headline=say(
            "Blocked" if blocked else "Cannot tell", " by the first declaration: ", Quote(reason.metric or ""), change
        ),
        merge=say("The merge is blocked" if blocked else "Held back", ": the declaration that came first decides too."),
        because=because,
        next_step=say("judge the change by the metric that was declared first, or have it overridden with a reason."),
    )


def _not_shown(reason: Reason) -> Special:
    late = reason.code == Code.DECLARED_LATE
    return Special(
        headline=say("Cannot tell: ", Quote(reason.metric or ""), " improved, and that is not yet shown"),
        merge=say("Held back: an improvement has to be shown, and this one may be the luckiest of several."),
        because=say(Prose(reason.text)),
        next_step=say(
            "declare the metric in a new pull request, before its first result."
            if late
            else "collect new questions, and declare how often they will be looked at."
        ),
    )


def _by_the_anchor(reason: Reason, comparison: Comparison) -> Special:
    name = Quote("" if comparison.anchored is None else comparison.anchored.name)
    because = say(Prose(reason.text))
    if reason.code == Code.ANCHOR_INVALID:
        return Special(
            headline=say("Cannot tell: ", Quote(reason.metric or ""), " against the anchor ", name),
            merge=say("Stopped: the policy gates against the anchor, and that comparison cannot be made."),
            because=because,
            next_step=say("check the anchor's file, and that it holds the same eval set."),
        )
    return Special(
        headline=say("Blocked: ", Quote(reason.metric or ""), " fell behind the anchor ", name),
        merge=say("The merge is blocked: worse than the anchor, whatever the baseline does."),
        because=because,
        next_step=say(
            "look for what was lost since the anchor: several changes, each too small to see, or a lucky baseline."
        ),
    )


def _by_the_lost(reason: Reason, outcome: Outcome) -> Special:
    name = Quote(reason.metric or "")
    blocked = outcome is Outcome.BLOCKED
    merge = (
        "The merge is blocked: counted against the candidate,"
        if blocked
        else "Held back: counted against the candidate,"
    )
    return Special(
        headline=say("Blocked" if blocked else "Cannot tell", " by lost questions: ", name),
        merge=say(merge, " the lost questions decide, as the policy asks (", Quote("on_lost: worst-case"), ")."),
        because=say(Prose(reason.text)),
        next_step=say("run the lost questions again, or bring their scores with ", Quote("--fill FILE"), "."),
    )


def _not_alike(comparison: Comparison) -> Special:
    lines = comparison.not_comparable
    fields = listed(tuple(line.field.value for line in lines))
    parts: list[Piece | Phrase] = []
    for line in lines[:3]:
        parts += [
            " " if parts else "",
            f"{line.field.value.capitalize()}: ",
            Quote(line.baseline or ""),
            " in the baseline, ",
            Quote(line.candidate or ""),
            " in the candidate.",
        ]
    return Special(
        headline=say("Cannot tell: measured with another ", fields),
        merge=say("Stopped: the two runs were not measured alike, and that never passes."),
        because=say(*parts),
        next_step=say(
            "measure the baseline again the candidate's way. If the difference is meant, the policy has to allow it (",
            Quote("varies"),
            ").",
        ),
    )


def promises(comparison: Comparison, show: ShowQuestions) -> tuple[Phrase, ...]:
    """Return a line for each must-pass rule that is broken or cannot be told, its questions named where allowed."""
    return tuple(line for result in comparison.must_pass for line in _promise(result, show))


def _promise(result: MustPassResult, show: ShowQuestions) -> list[Phrase]:
    lines = []
    total = counted(result.n, "question")
    where = say() if result.questions == total else say(" (", Quote(result.questions), ")")
    for ids, what in ((result.newly_failing, "newly fail"), (result.cannot_tell, "have no score that would tell")):
        if ids:
            shown = ids if show is ShowQuestions.IDS else ()
            named = say(": ", listed(tuple(Quote(question, 40) for question in shown), most=_NAMED)) if shown else say()
            of = say(f"{count(len(ids))} of {total}", where, " that must pass on ", Quote(result.metric))
            lines.append(say(of, f" {what}", named, "."))
    return lines
