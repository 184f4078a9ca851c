"""What is said in a repository whose base branch has no policy yet: nothing is gated, and what comes next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clearband.report.declared import Paste, paste_declaration, paste_policy
from clearband.report.phrase import Phrase, Prose, Quote, say
from clearband.report.words import sentence

if TYPE_CHECKING:
    from clearband.answers import Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingUp:
    """The lines that differ from those of a comparison that is gated."""

    headline: Phrase
    merge: Phrase
    next_step: Phrase
    pastes: tuple[Paste, ...]


def setting_up(answer: Answer, compared: tuple[str, ...] = ()) -> SettingUp:
    """Return what to say; `compared` are the metrics of the comparison, where there was one."""
    proposal = answer.proposal
    declaring = paste_declaration(answer, compared)
    pastes: tuple[Paste, ...] = ()
    if proposal is None:
        step = say("add the policy to the base branch, then declare one metric in each pull request.")
        pastes = (paste_policy(answer), declaring) if compared else ()
    elif proposal.problem is None:
        step = say(
            "merge it when it is ready: the policy that this pull request brings, ",
            Quote(proposal.name),
            ", can be used, and it holds for the pull requests after it. Each of them declares one metric.",
        )
        pastes = (declaring,) if compared else ()
    else:
        problem = proposal.problem
        place = (" (", Prose(problem.where), ")") if problem.where else ()
        step = say(
            "mend the policy that this pull request brings: ",
            Prose(sentence(problem.what).removesuffix(".")),
            *place,
            ". ",
            *((Prose(sentence(problem.remedy)),) if problem.remedy else ()),
        )
        pastes = ()
    title = "Not set up yet: compared, nothing is gated" if compared else "Not set up yet: nothing is gated"
    return SettingUp(
        headline=say(title),
        merge=say("Not blocked: the base branch has no policy yet."),
        next_step=step,
        pastes=pastes,
    )
