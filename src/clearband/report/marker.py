"""The marker: the first line of our comment, by which we find it again (together with its authorship)."""

from __future__ import annotations


def marker(suite: str) -> str:
    """Return the first line of the comment of `suite`; suites are plain names, checked where they are read."""
    return f"<!-- clearband:comment suite={suite} -->"
