"""The gate: a comparison and its terms in, a verdict out. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clearband.vocabulary import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """One reason of a verdict."""

    code: str
    """Stable and machine-readable, such as ``regressed`` or ``primary-missing``."""
    metric: str | None
    text: str
    """A plain sentence; may quote untrusted names, so whoever prints it escapes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What the comparison means for the merge."""

    outcome: Outcome
    reasons: tuple[Reason, ...]

    @property
    def exit_status(self) -> int:
        """0 pass or not gated, 1 blocked, 2 cannot tell, 3 unusable."""
        return self.outcome.exit_status
