"""What to do next, with the numbers it takes and what they rest on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clearband.report.numbers import NBSP, count, counted
from clearband.report.phrase import Phrase, Quote, listed, say
from clearband.report.words import Subject, state_in_words
from clearband.vocabulary import Outcome, Role, State

if TYPE_CHECKING:
    from clearband.comparison import Comparison
    from clearband.report.phrase import Piece

_CURSE = "A change that cleared tends to be measured larger than it is. "


def next_step(about: Subject, outcome: Outcome, *, same_bytes: bool) -> Phrase:
    """Return one line on what to do next."""
    metric = about.metric
    match metric.state:
        case State.INVALID:
            lost = metric.lost.total
            again = f"run the {counted(lost, 'lost question')} again" if lost else "check both result files"
            return say(f"{again}, then compare again.")
        case State.IDENTICAL if same_bytes:
            return say("check which file the candidate's run wrote.")
        case State.IDENTICAL:
            return say("check that the change reaches what this metric measures.")
        case State.TOO_SPARSE:
            return say("add questions" + ("." if about.has_few_questions else " on which the two systems differ."))
        case State.IMPROVED:
            return say(f"nothing more is asked by this check. {_CURSE}{_detects(about)}")
        case State.REGRESSED if outcome is Outcome.PASS:
            return say(f"decide whether a loss is wanted here; the policy allows {about.margin}. {_detects(about)}")
        case State.REGRESSED:
            worse = counted(metric.losses, "question")
            return say(f"start with the {worse} that got worse ({count(metric.wins)} got better). {_detects(about)}")
        case State.CHANGED:
            return say(_CURSE, _detects(about))
        case State.INCONCLUSIVE:
            return say(_sizes(about))


def without_primary(outcome: Outcome) -> Phrase:
    """Return what to do where no primary metric was compared."""
    if outcome is Outcome.NOT_GATED:
        return say("name the metric that decides before the next result: ", Quote("--primary NAME"), ".")
    return say("compare the name with the metrics below, or add the metric to both result files.")


def _detects(about: Subject) -> str:
    """Return what today's set can detect; empty where that is not known."""
    if about.metric.mde is None:
        return ""
    have = counted(about.metric.n, "question")
    return f"Today's {have} detect {about.figures.about(about.metric.mde)} and more."


def _sizes(about: Subject) -> str:
    """Return the size advice with its basis: a declared effect, or the measured change taken as true."""
    metric, have = about.metric, count(about.metric.n)
    if metric.n_suggested is None:
        return _detects(about)
    detectable = None if metric.mde is None else f"detect {about.figures.about(metric.mde)} and more"
    today = f"; today's {have} {detectable}" if detectable else ""
    if metric.n_suggested_basis == "declared":
        goal = f"the declared {about.effect} in 4 of 5 tries"
        if metric.n_suggested <= metric.n:
            they = f"; they {detectable}" if detectable else ""
            return f"today's {counted(metric.n, 'question')} are enough to detect {goal}{they}."
        return f"{counted(metric.n_suggested, 'question')} (you have {have}) would detect {goal}{today}."
    if metric.n_suggested > 10 * metric.n:
        return f"if the measured change were true, more than 10 times today's {have} questions are needed{today}."
    needs = f"{counted(metric.n_suggested, 'question')} (you have {have}) would show it in 4 of 5 tries"
    least = "" if metric.n_to_clear is None else f", {count(metric.n_to_clear)} would just clear"
    return f"if the measured change were true, {needs}{least}{today}."


def also(primary: Subject | None, blamed: tuple[Subject, ...]) -> Phrase:
    """Return a sentence on the primary metric where the headline is about another one."""
    if primary is None or not blamed or any(s.metric.name == primary.metric.name for s in blamed):
        return say()
    return say("The primary metric ", state_in_words(primary), ".")


def by_chance(comparison: Comparison) -> Phrase:
    """Return how often this many metrics would show one that clears by chance; empty for a single one."""
    together = comparison.family
    if together is None:
        return say()
    chance = f"{100 * together.chance_any:.0f}{NBSP}%"
    return say(
        f"With these {together.metrics} metrics and no true change, about {chance} of pull requests would show at "
        "least one that clears."
    )


def undeclared_cleared(subjects: tuple[Subject, ...], primary: Subject | None) -> Phrase:
    """Return the warning about metrics that cleared without having been declared; empty where none did."""
    names: tuple[Piece, ...] = tuple(Quote(s.metric.name) for s in subjects if _may_be_mistaken(s))
    if not names:
        return say()
    if primary is None:
        after = " cleared, but no metric was declared first: picking one afterwards is no evidence for it."
    elif len(names) == 1:
        after = " cleared, but was not declared: it cannot replace the starred one."
    else:
        after = " cleared, but were not declared: they cannot replace the starred one."
    return say(listed(names, most=5), after)


def _may_be_mistaken(about: Subject) -> bool:
    return about.metric.role is Role.EXPLORATORY and about.metric.state in {State.IMPROVED, State.REGRESSED}
