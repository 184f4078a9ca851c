"""Small strict readings of what people write by hand, shared by the policy and the declaration.

Nothing here escapes for Markdown, HTML or a log; that is the business of whoever prints. `shown` only makes sure that
an error message never hides what it talks about.
"""

from __future__ import annotations

import math
import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

NAME_LIMIT = 200
"""Longest metric name, the same limit as in result files."""

SUITE_NAME = re.compile(r"[A-Za-z0-9._-]{1,50}")
"""A suite's name goes into markers, file names and keys as it is."""
DEFAULT_SUITE = "default"
"""The one comparison of a repository that has no more."""

_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})  # control, format (bidi, zero width), surrogate, separators
_SUGGESTION_LIMIT = 64  # difflib's cost grows with the product of lengths; nobody mistypes longer words than this
_NUMBER_LIMIT = 40
_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")


def is_repository_path(text: str) -> bool:
    """Tell whether `text` is the path of a file inside a repository, with forward slashes, such as ``a/b.yml``."""
    return len(text) <= 500 and text.isprintable() and "\\" not in text and not {"", ".", ".."} & set(text.split("/"))


def shown(text: str, *, limit: int = 60) -> str:
    """Return `text` for an error message: in backticks, cut to `limit`, invisible characters spelled out."""
    kept = "".join(char if char.isprintable() else f"<U+{ord(char):04X}>" for char in text[:limit])
    return f"`{kept}{'…' if len(text) > limit else ''}`"


def same_lines(text: str, other: str) -> bool:
    """Tell whether two texts are one but for their line ends, which GitHub changes, and the space around them."""
    return _lines(text) == _lines(other)


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").strip()


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate that `word` most probably meant; None where none is near."""
    if len(word) > _SUGGESTION_LIMIT:
        return None
    from difflib import get_close_matches  # noqa: PLC0415  5 ms of start-up, needed by error messages alone

    folded = {candidate.casefold(): candidate for candidate in candidates}
    match = get_close_matches(word.casefold(), folded, n=1, cutoff=0.5)
    return folded[match[0]] if match else None


def name_problem(name: str) -> str | None:
    """Return why `name` cannot be a metric's name, as the end of a sentence; None where it can.

    Names are compared character by character, so a character that cannot be seen could only mislead.
    """
    if not name:
        return "is empty"
    if len(name) > NAME_LIMIT:
        return f"is longer than {NAME_LIMIT} characters"
    hidden = next((char for char in name if unicodedata.category(char) in _INVISIBLE), None)
    if hidden is not None:
        return f"contains the invisible character <U+{ord(hidden):04X}>"
    return None


def decimal(text: str) -> float | None:
    """Return the finite number that `text` spells in plain decimal notation, such as ``0.03`` or ``1e-3``; else None.

    No underscores, hexadecimals, infinities, commas or signs of other scripts: a number that two programs could
    read differently is not read at all.
    """
    if len(text) > _NUMBER_LIMIT or _NUMBER.fullmatch(text) is None:
        return None
    value = float(text)
    return value if math.isfinite(value) else None
