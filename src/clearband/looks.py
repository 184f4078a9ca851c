"""Looks: how often new results were compared under one declaration, and what that does to the chances. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """One comparison in a series under one declaration."""

    number: int
    """Counted from 1; a repetition with the same candidate keeps its number."""
    planned: int | None = None
    """How many the author planned; None where nothing was said."""

    @property
    def is_beyond_plan(self) -> bool:
        """Whether more results were looked at than the declaration planned."""
        return self.planned is not None and self.number > self.planned


def look(candidates: Sequence[str], candidate: str, *, planned: int | None) -> Look:
    """Return the number of the present look.

    Parameters
    ----------
    candidates
        SHA-256 of the candidate of every earlier comparison under the same declaration, oldest first.
    candidate
        SHA-256 of the present one.
    planned
        The declaration's `looks`.

    """
    seen = list(dict.fromkeys(candidates))
    number = seen.index(candidate) + 1 if candidate in seen else len(seen) + 1
    return Look(number=number, planned=planned)


def false_improvement(alpha: float, looks: int) -> float:
    """Return at most how often one of several looks clears as better although nothing changed: 1 - (1 - alpha/2)^k."""
    return 1.0 - (1.0 - alpha / 2.0) ** looks


def regression_passes(power: float, looks: int) -> float:
    """Return how often a regression that one look finds with `power` passes one of several independent: 1 - power^k."""
    return 1.0 - power**looks
