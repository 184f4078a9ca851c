"""What a person may ask of a reader."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """How to read a result file; a reader finds out for itself whatever is None or empty."""

    id_field: str | None = None
    """The field that names the question."""
    series: str | None = None
    """Which of several systems in one file (provider, prompt, scorer output) to read."""
    task: str | None = None
    """Which of several tasks to read."""
    labels: tuple[str, ...] = ()
    """Fields that the policy uses as clusters or slices: readers keep their text, and no other field's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairOptions:
    """How to read each of two runs; they may be two series of one file."""

    baseline: ReadOptions = field(default_factory=ReadOptions)
    candidate: ReadOptions = field(default_factory=ReadOptions)
