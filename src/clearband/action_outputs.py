"""What the Action hands to later steps, and how its annotation is titled."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from clearband.audit.entry import Recorded
from clearband.github.workflow import Output
from clearband.vocabulary import Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clearband.pipeline import Answer

_PLAIN_NAME: Final = re.compile(r"[A-Za-z0-9_./:@+-]{1,200}")


def title(answer: Answer) -> str:
    """Return what the annotation is called: GitHub shows it bold, on the run and on the pull request."""
    if answer.override is not None:
        return "Clearband: overridden"
    if answer.exit_status == Outcome.INVALID.exit_status:
        return _TITLES[Outcome.INVALID]
    return _TITLES[answer.verdict.outcome]


_TITLES: Final[Mapping[Outcome, str]] = {
    Outcome.PASS: "Clearband: passed",
    Outcome.BLOCKED: "Clearband: blocked",
    Outcome.CANNOT_TELL: "Clearband: cannot tell",
    Outcome.INVALID: "Clearband: no verdict",
    Outcome.NOT_GATED: "Clearband: not gated",
}


def values(answer: Answer, *, record: str, subjects: str) -> dict[Output, str]:
    """Return every output but the comment's address, which is not known yet."""
    primary = answer.comparison.primary if answer.comparison else None
    low, high = (primary.interval if primary else None) or (None, None)
    named = answer.terms.primary if answer.terms else None
    return {
        Output.OUTCOME: answer.verdict.outcome,
        Output.EXIT_STATUS: str(answer.exit_status),
        Output.PRIMARY_METRIC: _plain_name((primary.name if primary else named) or ""),
        Output.DELTA: _number(primary.delta if primary else None),
        Output.INTERVAL_LOW: _number(low),
        Output.INTERVAL_HIGH: _number(high),
        Output.SUGGESTED_N: _number(primary.n_suggested if primary else None),
        Output.RECORD_PATH: record,
        Output.SUBJECTS_PATH: subjects,
        Output.REGISTRATION: answer.registration.standing if answer.registration else "",
        Output.OVERRIDDEN_BY: _plain_name(answer.override.author) if answer.override else "",
        Output.LEDGER_HEAD: answer.ledger.entry.sha256 if isinstance(answer.ledger, Recorded) else "",
    }


def _plain_name(name: str) -> str:
    """Return a metric's name for an output, empty where a later step's shell might do something with it."""
    return name if _PLAIN_NAME.fullmatch(name) else ""


def _number(value: float | None) -> str:
    """Return `value` with the record's 12 significant digits; empty for None."""
    return "" if value is None else f"{value:.12g}"
