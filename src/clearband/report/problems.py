"""What is said where nothing was compared: no number appears, only what is wrong and how to mend it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clearband.declaration import DeclarationProblem, NotDeclared
from clearband.report.declared import Paste, paste_declaration
from clearband.report.phrase import Block, Phrase, Piece, Prose, listed, say
from clearband.report.setting_up import setting_up
from clearband.report.words import sentence
from clearband.verdict import Code
from clearband.vocabulary import Outcome

if TYPE_CHECKING:
    from clearband.answers import Answer

_HEADINGS = {
    "unusable-results": "The results cannot be used",
    "unusable-policy": "The policy cannot be used",
    "unusable-declaration": "The declaration cannot be used",
    "usage": "The inputs cannot be used",
    "github": "GitHub did not give what the verdict needs",
}
_TEXT_LIMIT = 1200


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """An answer without a comparison, in words."""

    headline: Phrase
    merge: Phrase
    because: Phrase
    remedy: Phrase
    remedy_block: Block | None
    pastes: tuple[Paste, ...]


def trouble(answer: Answer) -> Trouble:
    """Return what to say where nothing was compared."""
    if any(reason.code == Code.NOT_SET_UP for reason in answer.verdict.reasons):
        new = setting_up(answer)
        return Trouble(
            headline=new.headline,
            merge=new.merge,
            because=_first_reason(answer),
            remedy=new.next_step,
            remedy_block=None,
            pastes=(),
        )
    if answer.verdict.outcome is Outcome.PASS:
        return Trouble(
            headline=say("Passed before it was queued"),
            merge=say("Not blocked."),
            because=_first_reason(answer),
            remedy=say(),
            remedy_block=None,
            pastes=(),
        )
    if answer.verdict.outcome is Outcome.NOT_GATED:
        return Trouble(
            headline=say("Nothing compared, nothing gated" if answer.verdict.applies else "Not applicable"),
            merge=say("Not blocked."),
            because=_first_reason(answer),
            remedy=say(),
            remedy_block=None,
            pastes=(),
        )
    if isinstance(answer.declaration, NotDeclared) and _is_about_the_declaration(answer):
        return Trouble(
            headline=say("No primary metric declared"),
            merge=say("Stopped before any result was shown: declare first, then look."),
            because=say("Nothing was read from the description: ", Prose(answer.declaration.reason.rstrip(".")), "."),
            remedy=say("paste the block below into the description, fill it in, and let this check run again."),
            remedy_block=None,
            pastes=(paste_declaration(answer),),
        )
    problem = answer.problem
    if problem is None:
        return Trouble(
            headline=say("Nothing was compared"),
            merge=say("Stopped: there is no answer, and that never passes."),
            because=_first_reason(answer),
            remedy=say(),
            remedy_block=None,
            pastes=(),
        )
    line, block = _remedy(problem.remedy)
    about_declaration = problem.code == "unusable-declaration"
    heading = _HEADINGS.get(problem.code, "The input cannot be used")
    if any(reason.code == Code.RESULTS_ABSENT for reason in answer.verdict.reasons):
        heading = "Cannot tell: no results"
    if about_declaration and answer.declaration is None:
        heading = "No primary metric declared"
    stop = "before any result was shown" if about_declaration else "nothing was compared, and that never passes"
    return Trouble(
        headline=say(heading),
        merge=say(f"Stopped{' ' if about_declaration else ': '}{stop}."),
        because=say(
            Prose(sentence(problem.what).removesuffix("."), _TEXT_LIMIT),
            *_where(answer, problem.where, problem.what),
            ".",
        ),
        remedy=line,
        remedy_block=block,
        pastes=(),
    )


def _first_reason(answer: Answer) -> Phrase:
    return say(*(Prose(sentence(reason.text)) for reason in answer.verdict.reasons[:1]))


def _is_about_the_declaration(answer: Answer) -> bool:
    return answer.problem is None or answer.problem.code == "unusable-declaration"


def _where(answer: Answer, where: str | None, what: str) -> tuple[Piece | Phrase, ...]:
    if where and where not in what:
        return (" (", Prose(where, 200), ")")
    if isinstance(answer.declaration, DeclarationProblem) and answer.declaration.lines:
        lines = answer.declaration.lines
        one = "line" if len(lines) == 1 else "lines"
        return (f" ({one} ", listed(tuple(str(number) for number in lines)), " of the description)")
    return ()


def _remedy(remedy: str | None) -> tuple[Phrase, Block | None]:
    """Return a remedy as a sentence and, where it has several lines, a block to copy."""
    if not remedy or not remedy.strip():
        return say(), None
    first, _, rest = remedy.strip().partition("\n")
    if not rest.strip():
        return say(Prose(first.removesuffix(".") + ".", _TEXT_LIMIT)), None
    return say(Prose(first, _TEXT_LIMIT)), Block(rest.strip("\n"))
