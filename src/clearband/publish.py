"""The files that a run leaves behind: record.json, comment.md, summary.md. The record comes first."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import mkstemp
from typing import TYPE_CHECKING

from clearband.audit.record import canonical_bytes
from clearband.several import Several

if TYPE_CHECKING:
    from clearband.answers import Answer
    from clearband.audit.entry import Draft


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """Where the files lie."""

    record: Path
    comment: Path
    summary: Path


def write(answer: Answer, directory: Path, *, comment: str | None = None) -> Written:
    """Write the files into `directory`, which is made where it is missing; `comment` takes the built-in one's place.

    Raises
    ------
    OSError
        If the directory cannot be made or a file cannot be written; what came before it is written.

    """
    record = write_record(answer, directory)
    several = Several((answer,), are_listed=False)
    worded, summary = write_texts(several, directory, comment=comment)
    return Written(record=record, comment=worded, summary=summary)


def write_record(answer: Answer, directory: Path) -> Path:
    """Write record.json alone."""
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / "record.json"
    _replace(path, canonical_bytes(answer.record))
    return path


def write_texts(several: Several, directory: Path, *, comment: str | None = None) -> tuple[Path, Path]:
    """Write comment.md and summary.md; `comment` is the comment's text where it was rendered already."""
    # The renderer loads the template engine: the record must not wait for it, nor fail with it.
    from clearband.report import render_suites  # noqa: PLC0415

    directory.mkdir(parents=True, exist_ok=True)
    worded, summary = directory / "comment.md", directory / "summary.md"
    _replace(worded, (comment or render_suites.comment(several)).encode())
    _replace(summary, render_suites.summary(several).encode())
    return worded, summary


def write_subjects(answer: Answer, directory: Path) -> Path | None:
    """Write the digests of both result files as a checksum file, what an attestation is about; None without them."""
    if answer.comparison is None:
        return None
    directory.mkdir(parents=True, exist_ok=True)
    arms = {"baseline": answer.comparison.baseline, "candidate": answer.comparison.candidate}
    path = directory / "subjects.txt"
    # Plain names: the files' own ones are whatever somebody called them.
    _replace(path, "".join(f"{arm.sha256}  {name}\n" for name, arm in arms.items()).encode())
    return path


def write_draft(draft: Draft, directory: Path) -> Path:
    """Write the content of an entry that has no place in a ledger yet."""
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / "ledger-entry.json"
    _replace(path, canonical_bytes(asdict(draft)))
    return path


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
