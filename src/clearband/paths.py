"""Which changes an evaluation is about: the policy's `paths` against the files that a pull request touches. Pure.

A pattern is matched part by part: `*` and `?` stand for anything within one part of a path, `**` for any number of
parts. A pattern that ends in `/` is about everything below.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def touches(files: Iterable[str], patterns: Sequence[str]) -> bool:
    """Tell whether any of `files` is one that any of `patterns` means."""
    split = [_parts(pattern) for pattern in patterns]
    return any(_matches(file.split("/"), pattern) for file in files for pattern in split)


def _parts(pattern: str) -> list[str]:
    parts = pattern.removeprefix("./").removeprefix("/").split("/")
    if parts[-1] == "":
        parts[-1] = "**"
    # Neighbouring `**` mean the same as one, and would only multiply the work.
    return [part for place, part in enumerate(parts) if part != "**" or place == 0 or parts[place - 1] != "**"]


def _matches(file: Sequence[str], pattern: Sequence[str]) -> bool:
    """Match by a table, row by row: work grows with the product of both lengths and never faster."""
    reachable = [True, *(False for _ in file)]
    for part in pattern:
        if part == "**":
            seen = False
            for place, open_here in enumerate(reachable):
                seen = seen or open_here
                reachable[place] = seen
        else:
            reachable = [False, *(reachable[place] and fnmatchcase(name, part) for place, name in enumerate(file))]
    return reachable[-1]
