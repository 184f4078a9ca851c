"""The files of a folder, read for `results`, within bounds.

Links to folders, and links inside the folder, would only show files a second time: they are not followed. What is no
plain file is passed over.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final

from clearband.errors import UnusableResults
from clearband.results import limits, member_names
from clearband.results.result_file import take
from clearband.sources import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from clearband.results.snapshot import Content

    ReadFile = Callable[[Path], Content]

ENTRIES_CAP: Final = limits.ARCHIVE_MEMBERS
"""Files and folders looked at."""
DEPTH_CAP: Final = 20
"""Folders inside each other."""
BYTES_CAP: Final = limits.PLAIN_BYTES
"""Bytes of all files of a folder together."""
BESIDE_CAP: Final = 20
"""Files read beside a single one."""
BESIDE_BYTES_CAP: Final = limits.HELD_BYTES
"""Bytes of each of them: totals and settings of hundreds of tasks take a few megabytes."""


def read(path: Path, *, what: str = "input", read_file: ReadFile | None = None) -> Source:
    """Return the file or folder at `path`, with what a reader may want to see beside it.

    Parameters
    ----------
    path
        A result file, an archive, or a folder of a tool's files.
    what
        What it is, for messages: ``baseline``, ``candidate``.
    read_file
        Returns what a file holds, or raises; None for whatever can be opened.

    """
    read_file = read_file or _content
    if path.is_dir():
        return Source(name=path.resolve().name, members=_members(path, what, read_file))
    return Source(name=path.name, data=read_file(path), beside=_beside(path, read_file))


def _content(path: Path) -> Content:
    with path.open("rb") as handle:
        return take(handle, path.name)


def _members(folder: Path, what: str, read_file: ReadFile) -> dict[str, Content]:
    files = list(_files(folder, what))
    total = 0
    for file in files:
        total += file.stat().st_size
        if total > BYTES_CAP:
            raise _too_much(folder, what, f"more than {BYTES_CAP >> 20:,} MiB")
    return {file.relative_to(folder).as_posix(): read_file(file) for file in files}


def _files(folder: Path, what: str) -> Iterator[Path]:
    """Yield plain files, and links to plain files outside of the folder; links to folders are not followed."""
    root = folder.resolve()
    waiting = [(folder, 0)]
    seen = 0
    while waiting:
        here, depth = waiting.pop()
        for entry in sorted(here.iterdir()):
            seen += 1
            if seen > ENTRIES_CAP:
                raise _too_much(folder, what, f"more than {ENTRIES_CAP:,} files")
            is_link = entry.is_symlink()
            if entry.is_dir():
                if not is_link and entry.name.lower() not in member_names.IGNORED_FOLDERS:
                    if depth == DEPTH_CAP:
                        raise _too_much(folder, what, f"more than {DEPTH_CAP} folders inside each other")
                    waiting.append((entry, depth + 1))
            elif is_link and entry.resolve().is_relative_to(root):
                continue
            elif entry.is_file() and not member_names.is_ignored(entry.name):
                yield entry


def _too_much(folder: Path, what: str, how_much: str) -> UnusableResults:
    return UnusableResults(
        f"The {what} `{folder.name[:80]}` is a folder that holds {how_much}",
        remedy="Name the result file, or a folder that holds one run's files alone.",
    )


def _beside(file: Path, read_file: ReadFile) -> dict[str, bytes]:
    patterns = member_names.wanted_beside(file.name)
    if not patterns:
        return {}
    found: dict[str, bytes] = {}
    for other in sorted(file.parent.iterdir(), reverse=True):  # the newest first, where names hold the time
        wanted = other.name != file.name and any(fnmatchcase(other.name, pattern) for pattern in patterns)
        if wanted and other.is_file() and other.stat().st_size <= BESIDE_BYTES_CAP:
            content = read_file(other)
            if isinstance(content, bytes):
                found[other.name] = content
            if len(found) == BESIDE_CAP:
                break
    return found
