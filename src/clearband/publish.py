"""The three files that every run leaves behind: record.json, comment.md, summary.md. The record comes first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clearband.audit.record import canonical_bytes

if TYPE_CHECKING:
    from pathlib import Path

    from clearband.pipeline import Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """Where the files lie."""

    record: Path
    comment: Path
    summary: Path


def write(answer: Answer, directory: Path) -> Written:
    """Write the files into `directory`, which is made where it is missing.

    Raises
    ------
    OSError
        If the directory cannot be made or a file cannot be written; what came before it is written.

    """
    # The renderer loads the template engine: the record must not wait for it, nor fail with it.
    directory.mkdir(parents=True, exist_ok=True)
    written = Written(
        record=directory / "record.json", comment=directory / "comment.md", summary=directory / "summary.md"
    )
    written.record.write_bytes(canonical_bytes(answer.record))
    from clearband.report import render  # noqa: PLC0415

    written.comment.write_text(render.comment(answer), encoding="utf-8", newline="\n")
    written.summary.write_text(render.summary(answer), encoding="utf-8", newline="\n")
    return written
