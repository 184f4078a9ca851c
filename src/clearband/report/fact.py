"""One line of the details."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clearband.report.phrase import Phrase


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One line of the details."""

    label: Phrase
    text: Phrase
    is_brief: bool = False
    """Whether a terminal shows it too."""
    is_extra: bool = False
    """Whether it goes where a comment grows too long."""
