"""Several suites compared in one run, taken together: which of them decides, and the one exit status. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clearband.verdict import PRECEDENCE

if TYPE_CHECKING:
    from clearband.answers import Answer

_SEVERITY = tuple(outcome.exit_status for outcome in PRECEDENCE)
"""Exit statuses, the gravest first: what was shown to be worse counts before what could not be shown."""


@dataclass(frozen=True, slots=True)
class Several:
    """The answers of one run; at least one."""

    answers: tuple[Answer, ...]
    """One for each suite, in the policy's order."""
    are_listed: bool = True
    """Whether the policy lists suites, so that they are told together; else there is the one that the run was for."""

    @property
    def deciding(self) -> Answer:
        """The first answer of those that make the exit status what it is."""
        return self.gravest_first()[0]

    @property
    def exit_status(self) -> int:
        """The process's exit status: the gravest suite's. One suite that does not pass is enough."""
        return self.deciding.exit_status

    def gravest_first(self) -> tuple[Answer, ...]:
        """Return the answers by the severity of their exit status; those of one status in the policy's order."""
        return tuple(sorted(self.answers, key=lambda answer: _SEVERITY.index(answer.exit_status)))
