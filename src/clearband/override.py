"""Overrides: a person with write permission lets one commit through, by name, with a reason, where everybody sees it.

The line is ``/clearband override <head commit> <reason>``. The whole commit id is asked for: with a short one, another
commit could be made that begins with the same characters.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

LONGEST_REASON: Final = 500
"""Characters of a reason that are kept."""

_LINE: Final = re.compile(r"/clearband[ \t]+override(?:[ \t]+(\S+))?(?:[ \t]+(\S.*))?")
_COMMIT: Final = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a comment asks for."""

    sha: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Override:
    """A wish that holds: who may, did."""

    sha: str
    reason: str
    author: str
    """The person's login."""
    author_id: int
    at: str
    """When the comment was written, by the server's clock, UTC, ISO 8601."""
    comment_id: int
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NotHeld:
    """An override for this commit that does not hold."""

    author: str
    why: str
    """A sentence's end, such as ``has no write permission``."""
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Overrides:
    """What the comments of a pull request say about one commit."""

    sha: str
    """The commit that was judged."""
    held: Override | None = None
    """The newest that holds."""
    refused: tuple[NotHeld, ...] = ()


def parse(body: str) -> Wish | str | None:
    """Return what a comment asks for, why it cannot be understood, or None where it asks for nothing.

    The command is the comment's first line that is not empty; a quotation or an example further down is none.
    """
    first = next((line.strip() for line in body.splitlines() if line.strip()), "")
    found = _LINE.fullmatch(first[: 4 * LONGEST_REASON])
    if found is None:
        return None
    sha, reason = (found[1] or "").casefold(), (found[2] or "").strip()
    if not _COMMIT.fullmatch(sha):
        return "does not name the whole commit id"
    if not reason:
        return "gives no reason"
    return Wish(sha=sha, reason=reason[:LONGEST_REASON])


def to_paste(sha: str) -> str:
    """Return the line that overrides a verdict on the commit `sha`."""
    return f"/clearband override {sha} <reason>"
