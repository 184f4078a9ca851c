"""Several suites compared in one run, taken together: which of them decides, and the one exit status. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clearband.vocabulary import Outcome

if TYPE_CHECKING:
    from clearband.pipeline import Answer

SEVERITY: Final = (
    Outcome.BLOCKED.exit_status,
    Outcome.INVALID.exit_status,
    Outcome.CANNOT_TELL.exit_status,
    Outcome.PASS.exit_status,
)
"""Exit statuses, the gravest first: what was shown to be worse counts before what could not be shown."""


@dataclass(frozen=True, slots=True)
class Several:
    """The answers of every suite that the policy lists, in its order; at least one."""

    answers: tuple[Answer, ...]

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
        return tuple(sorted(self.answers, key=lambda answer: SEVERITY.index(answer.exit_status)))
