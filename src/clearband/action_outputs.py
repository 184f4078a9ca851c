"""What the Action hands to later steps, and how its annotation is titled."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clearband.audit.entry import Recorded
from clearband.github.workflow import Output
from clearband.vocabulary import Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clearband.answers import Answer
    from clearband.several import Several

_PLAIN_NAME: Final = re.compile(r"[A-Za-z0-9_./:@+-]{1,200}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Paths:
    """Where one suite's files lie, relative to the workspace; empty for what could not be written."""

    record: str
    subjects: str


def title(answer: Answer, *, named: bool) -> str:
    """Return what the annotation is called: GitHub shows it bold, on the run and on the pull request.

    `named` puts the suite's name behind it.
    """
    suite = f" ({answer.suite})" if named else ""
    if answer.override is not None:
        return f"Clearband: overridden{suite}"
    outcome = answer.verdict.outcome
    if answer.exit_status == Outcome.INVALID.exit_status:
        outcome = Outcome.INVALID
    return _TITLES[outcome] + suite


_TITLES: Final[Mapping[Outcome, str]] = {
    Outcome.PASS: "Clearband: passed",
    Outcome.BLOCKED: "Clearband: blocked",
    Outcome.CANNOT_TELL: "Clearband: cannot tell",
    Outcome.INVALID: "Clearband: no verdict",
    Outcome.NOT_GATED: "Clearband: not gated",
}


def values(several: Several, written: Mapping[str, Paths]) -> dict[Output, str]:
    """Return every output but the comment's address, which is not known yet: those of the suite that decides.

    `written` says by suite where its files lie.
    """
    answer = several.deciding
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
        Output.RECORD_PATH: written[answer.suite].record,
        Output.SUBJECTS_PATH: written[answer.suite].subjects,
        Output.REGISTRATION: answer.registration.standing if answer.registration else "",
        Output.OVERRIDDEN_BY: _plain_name(answer.override.author) if answer.override else "",
        Output.LEDGER_HEAD: answer.ledger.entry.sha256 if isinstance(answer.ledger, Recorded) else "",
        Output.SUITES: json.dumps({one.suite: _in_short(one, written[one.suite]) for one in several.answers}),
    }


def _in_short(answer: Answer, paths: Paths) -> dict[str, str | int]:
    """Return one suite's result for the output that has all of them: words and numbers of ours, no text from data."""
    return {"outcome": answer.verdict.outcome, "exit-status": answer.exit_status, "record-path": paths.record}


def _plain_name(name: str) -> str:
    """Return a metric's name for an output, empty where a later step's shell might do something with it."""
    return name if _PLAIN_NAME.fullmatch(name) else ""


def _number(value: float | None) -> str:
    """Return `value` with the record's 12 significant digits; empty for None."""
    return "" if value is None else f"{value:.12g}"
