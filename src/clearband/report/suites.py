"""Several suites in one comment: the head that says how all of them ended, and what each came to in one line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clearband.report.numbers import counted
from clearband.report.phrase import Phrase, Quote, listed, say
from clearband.report.words import Tone
from clearband.vocabulary import Outcome

if TYPE_CHECKING:
    from clearband.report.view import CommentView
    from clearband.several import Several


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteRow:
    """One suite in one line."""

    suite: Phrase
    symbol: Phrase
    headline: Phrase


@dataclass(frozen=True, slots=True, kw_only=True)
class SuitesView:
    """The head of the comment."""

    symbol: Phrase
    headline: Phrase
    merge: Phrase
    because: Phrase
    rows: tuple[SuiteRow, ...]
    left_out: Phrase
    """Which suites' parts found no room."""


def suites_view(several: Several, views: tuple[CommentView, ...], *, left_out: int = 0) -> SuitesView:
    """Return the head for `several` suites, whose own views are `views`, in the same order."""
    status = several.exit_status
    names = tuple(Quote(answer.suite) for answer in several.answers if answer.exit_status == status)
    symbol, headline, merge, because = _said(several, views, names)
    rows = tuple(
        SuiteRow(suite=say(Quote(answer.suite)), symbol=view.symbol, headline=view.headline)
        for answer, view in zip(several.answers, views, strict=True)
    )
    room = f"There was no room for the parts of {counted(left_out, 'suite')}; the run's summary has all of them."
    return SuitesView(
        symbol=symbol,
        headline=headline,
        merge=merge,
        because=because,
        rows=rows,
        left_out=say(room if left_out else ""),
    )


def _said(
    several: Several, views: tuple[CommentView, ...], names: tuple[Quote, ...]
) -> tuple[Phrase, Phrase, Phrase, Phrase]:
    all_of_them = counted(len(several.answers), "suite")
    graver = {several.exit_status, 0}
    also = tuple(Quote(answer.suite) for answer in several.answers if answer.exit_status not in graver)
    because = say("Not passing either: ", listed(also, most=3), ".") if also else say()
    share = f"{len(names)} of {all_of_them}"
    first = several.answers.index(several.deciding)
    symbol = views[first].symbol
    if several.exit_status == Outcome.BLOCKED.exit_status:
        return (
            symbol,
            say("Blocked by ", listed(names, most=3)),
            say(f"The merge is blocked: {share} got worse."),
            because,
        )
    if several.exit_status == Outcome.INVALID.exit_status:
        stopped = f"Stopped: {share} {_have(names)} no result to judge, and that never passes."
        return symbol, say("No verdict on ", listed(names, most=3)), say(stopped), because
    if several.exit_status == Outcome.CANNOT_TELL.exit_status:
        held = f"Held back: {share} cannot tell."
        return symbol, say("Cannot tell about ", listed(names, most=3)), say(held), because
    better = tuple(
        Quote(answer.suite)
        for answer, view in zip(several.answers, views, strict=True)
        if view.tone is Tone.GOOD and answer.verdict.outcome is Outcome.PASS
    )
    if better:
        return say("✅"), say("Improved: ", listed(better, most=3)), say(f"Not blocked: {all_of_them} compared."), say()
    noted = next((view.symbol for view in views if view.tone is Tone.WARN), say("⚪\ufe0f"))
    return noted, say(f"Not blocked: {all_of_them} compared"), say("Not blocked, not shown to help."), say()


def _have(names: tuple[Quote, ...]) -> str:
    return "has" if len(names) == 1 else "have"
