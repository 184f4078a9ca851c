"""The description of a pull request, part by part: which declaration blocks stand in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clearband.declaration_block import read_fence, read_line
from clearband.markdown import Fence, Hidden, TextLine, blocks

if TYPE_CHECKING:
    from clearband.declaration_block import Block

MOST_BLOCKS = 20
"""Declarations that are read; with one more the description is refused."""

_OPENINGS = ("```clearband", "~~~clearband")


def blocks_of(body: str) -> tuple[list[Block], str | None]:
    """Return the declaration blocks of a description, and why one that seems to be there is not read.

    Reading ends with the first block that is too many.
    """
    found: list[Block] = []
    unread: str | None = None
    for part in blocks(body):
        block, reason = _read(part)
        found.extend([block] if block else [])
        unread = unread or reason
        if len(found) > MOST_BLOCKS:
            break
    return found, unread


def _read(part: Fence | TextLine | Hidden) -> tuple[Block | None, str | None]:
    """Return the declaration in a part of the description, and why one that seems to be there is not read."""
    match part:
        case Fence(info=info) if info.casefold().split()[:1] == ["clearband"]:
            return read_fence(part), None
        case Fence(content=content):
            if any(line.strip().startswith(_OPENINGS) for line in content):
                return None, f"the block stands inside another code fence, which begins on line {part.line}"
            return None, None
        case TextLine():
            return read_line(part), None
        case Hidden(text=text):
            if text.startswith(_OPENINGS):
                return None, f"the block on line {part.line} stands in {part.inside}"
            return None, None
