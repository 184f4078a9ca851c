"""What a format says of itself; docs/formats.md is written from it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """One format, for people."""

    name: str
    """The tool or shape, such as ``promptfoo``."""
    versions: str
    """Which versions' files were read, and how they came about."""
    produce: str
    """The command or option that makes the tool write per-question results."""
    key: str
    """What names a question across two runs."""
    metrics: str
    """Which metrics are offered, and what they are called."""
    direction: str
    """What the file itself says about which way is better."""
    errors: str
    """What counts as a lost question and what as a score."""
    measurement: str
    """Which parts of the measurement identity the file tells."""
    traps: tuple[str, ...] = ()
    """What surprises people, one sentence each."""
