"""The result files that the Action was pointed at; they may be the pull request's own and are trusted with nothing."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Final

from clearband import folder
from clearband.errors import ResultsMissing, UnusableResults
from clearband.input_values import inside
from clearband.results import limits
from clearband.results.result_file import take

if TYPE_CHECKING:
    from pathlib import Path

    from clearband.results.snapshot import Content
    from clearband.sources import Source

SIZE_CAP: Final = limits.PLAIN_BYTES
"""Bytes of a file as it lies on the disk; the readers have their own caps for what it holds."""


def read(path: Path, *, arm: str, workspace: Path) -> Source:
    """Return the result file at `path`, an archive or a folder of a tool's files.

    Parameters
    ----------
    path
        As the settings resolved it.
    arm
        ``baseline`` or ``candidate``, for messages.
    workspace
        The folder that no link may lead out of.

    """

    def read_file(file: Path) -> Content:
        return _content(inside(workspace, str(file)), arm)

    try:
        return folder.read(inside(workspace, str(path)), what=arm, read_file=read_file)
    except OSError as problem:
        kind = ResultsMissing if isinstance(problem, FileNotFoundError) else UnusableResults
        raise kind(
            f"The {arm} `{_shown(path, workspace)}` cannot be read: {problem.strerror or 'no such file'}.",
            remedy=f"The input `{arm}` is a path in the workspace: the file must be written, or its artifact "
            "downloaded, before this step.",
        ) from None


def _content(file: Path, arm: str) -> Content:
    # O_NONBLOCK: a named pipe in the workspace must not hold the job for ever.
    with os.fdopen(os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW), "rb") as handle:
        about = os.fstat(handle.fileno())
        if not stat.S_ISREG(about.st_mode):
            raise UnusableResults(f"The {arm} `{file.name[:80]}` is not a plain file.")
        if about.st_size > SIZE_CAP:
            raise UnusableResults(
                f"The {arm} `{file.name[:80]}` has {about.st_size} bytes; at most {SIZE_CAP} are read."
            )
        return take(handle, file.name)


def _shown(path: Path, workspace: Path) -> str:
    root = workspace.resolve()
    return str(path.relative_to(root) if path.is_relative_to(root) else path.name)[:200]
