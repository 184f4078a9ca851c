"""What a report says, before it is known whether it becomes Markdown or terminal text.

A sentence is a `Phrase`: our own words as plain strings, and everything that came from outside wrapped in `Quote` or
`Prose`. Each way out has its own escaping of the wrapped pieces, so nobody who writes a sentence has to think of it.
"""

from __future__ import annotations

from dataclasses import dataclass

NAME_LIMIT = 60
SENTENCE_LIMIT = 600


@dataclass(frozen=True, slots=True)
class Quote:
    """A name, an id, a file name, a hash: untrusted text quoted as one unit."""

    text: str
    limit: int = NAME_LIMIT


@dataclass(frozen=True, slots=True)
class Prose:
    """A sentence that may quote untrusted text, such as the text of an error."""

    text: str
    limit: int = SENTENCE_LIMIT


@dataclass(frozen=True, slots=True)
class Block:
    """Lines to copy: a file to add, a command to run."""

    text: str
    language: str = ""


Piece = str | Quote | Prose


@dataclass(frozen=True, slots=True)
class Phrase:
    """A sentence or a part of one; empty phrases are false."""

    pieces: tuple[Piece, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.pieces)


def say(*parts: Piece | Phrase) -> Phrase:
    """Return one phrase made of `parts`, empty ones left out."""
    pieces: list[Piece] = []
    for part in parts:
        if isinstance(part, Phrase):
            pieces.extend(part.pieces)
        elif part != "":
            pieces.append(part)
    return Phrase(tuple(pieces))


def listed(items: tuple[Piece, ...], *, most: int = 10) -> Phrase:
    """Return ``a, b and c``; beyond `most` items ``a, b and 7 more``."""
    shown: list[Piece] = list(items[:most])
    if len(items) > most:
        shown.append(f"{len(items) - most:,} more")
    parts: list[Piece] = []
    for position, item in enumerate(shown):
        if position:
            parts.append(" and " if position == len(shown) - 1 else ", ")
        parts.append(item)
    return say(*parts)
