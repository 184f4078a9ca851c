"""Overrides in words: who let a commit through and why, whose wish does not hold, and how it is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clearband.report.fact import Fact
from clearband.report.phrase import Phrase, Prose, Quote, say
from clearband.report.registration_text import time_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clearband.answers import Answer
    from clearband.override import Override

_MOST_REFUSED = 3


def let_through(override: Override) -> Phrase:
    """Return who let which commit through, when and why."""
    return say(
        "Not blocked: let through by ",
        Quote(override.author),
        f" on {time_of(override.at)}, for commit ",
        Quote(override.sha[:12]),
        " alone: ",
        Prose(override.reason.strip().removesuffix("."), 300),
        ".",
    )


def not_held(answer: Answer) -> tuple[Phrase, ...]:
    """Return a line for each override that does not hold, where it would have mattered."""
    if answer.overrides is None or answer.override is not None:
        return ()
    return tuple(
        say("The override by ", Quote(one.author), f" does not hold: it {one.why}.")
        for one in answer.overrides.refused[:_MOST_REFUSED]
    )


def override_facts(answer: Answer) -> Iterator[Fact]:
    """Yield how a stopped commit can be let through, where somebody looks for it."""
    if answer.overrides is None or not answer.verdict.outcome.may_be_overridden:
        return
    if answer.override is not None:
        return
    from clearband.override import to_paste  # noqa: PLC0415  nobody overrides on a laptop

    line = Quote(to_paste(answer.overrides.sha), 120)
    yield Fact(
        label=say("Override"),
        text=say("a person with write permission can let this commit through by the comment ", line, "."),
    )
