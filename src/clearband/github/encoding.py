"""How GitHub spells what it cannot send as it is: parts of paths, and the bytes of files."""

from __future__ import annotations

import base64
import binascii
from urllib.parse import quote

from clearband.github import failures


def decoded(content: str, *, call: str) -> bytes:
    """Return the bytes of a base64 text, which GitHub breaks into lines; `call` names the answer it came in."""
    try:
        return base64.b64decode("".join(content.split()), validate=True)
    except (binascii.Error, ValueError):
        raise failures.NotUnderstood(f"GitHub's answer to {call} holds no base64.") from None


def part(text: str) -> str:
    """Return `text` as one part of a path."""
    return quote(text, safe="")
