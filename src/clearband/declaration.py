"""The declaration: what the author of a pull request wrote down before the result existed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clearband.vocabulary import Requirement


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """One declaration block, read."""

    suite: str
    primary_metric: str
    effect: float | None = None
    require: Requirement | None = None
    hypothesis: str | None = None
    line: int
    """1-based line of the pull request's body where the block starts."""
    sha256: str
    """Hex digest of the canonical block (sorted ``key: value`` lines), not of the body around it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotDeclared:
    """The body holds no declaration for the suite."""

    suite: str
    reason: str
    """Why nothing was read, such as "the template's placeholder was left as it was"; one sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclarationProblem:
    """Something was declared, and it cannot be used."""

    suite: str
    what: str
    remedy: str
    lines: tuple[int, ...]
