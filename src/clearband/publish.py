"""The three files that every run leaves behind: record.json, comment.md, summary.md. The record comes first."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkstemp
from typing import TYPE_CHECKING

from clearband.audit.record import canonical_bytes

if TYPE_CHECKING:
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
    directory.mkdir(parents=True, exist_ok=True)
    written = Written(
        record=directory / "record.json", comment=directory / "comment.md", summary=directory / "summary.md"
    )
    _replace(written.record, canonical_bytes(answer.record))
    # The renderer loads the template engine: the record must not wait for it, nor fail with it.
    from clearband.report import render  # noqa: PLC0415

    _replace(written.comment, render.comment(answer).encode())
    _replace(written.summary, render.summary(answer).encode())
    return written


def _replace(path: Path, data: bytes) -> None:
    """Put a new file in the place of `path`: whole or not at all, and never through a link that was planted there."""
    handle, name = mkstemp(dir=path.parent, prefix=f".{path.name}.")
    whole = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        whole.chmod(0o644)  # later steps read it as another user than a container's root
        whole.replace(path)
    except BaseException:
        whole.unlink()
        raise
