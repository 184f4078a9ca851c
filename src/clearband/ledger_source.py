"""A ledger wherever it lies: a folder, a zip or tar of one, a git bundle, or a clone of the ledger's branch.

Nothing is unpacked onto the disk, and no other program is run.
"""

from __future__ import annotations

import io
import tarfile
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from clearband import ledger_clone
from clearband.audit.git_objects import is_bundle
from clearband.errors import ClearbandError, UsageError
from clearband.ledger_folder import MOST_BYTES
from clearband.results import archive, limits
from clearband.results.result_file import open_file

if TYPE_CHECKING:
    from pathlib import Path

    from clearband.audit.chain import Fault
    from clearband.audit.commits import Commits

MOST_FILES: Final = 1_000_000
_MOST_TOTAL: Final = limits.ARCHIVE_BYTES
_DEEPEST: Final = 3
_TAR_AT, _TAR = 257, b"ustar"
_GZIP: Final = b"\x1f\x8b"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The files of a ledger, and what is known about how they came there."""

    files: dict[str, bytes]
    """By path; folders of pull requests stand before the names."""
    commits: Commits | None = None
    """None where there are no commits to look at, as in a plain folder."""
    read_from: str | None = None
    """Which commit of which branch; None for plain files."""
    no_commits: str | None = None
    """Why commits could not be checked although there are some."""
    faults: tuple[Fault, ...] = ()
    """What the folder and its commit disagree about."""


def find(path: Path) -> Found:
    """Read a ledger.

    Raises
    ------
    UsageError
        There is no ledger at `path`, or it cannot be read.

    """
    try:
        if not path.exists():
            raise _no_ledger(path, "it does not exist")
        if path.is_dir():
            clone = ledger_clone.folder_of(path)
            return Found(files=_folder(path)) if clone is None else _clone(path, clone)
        return _file(path)
    except OSError as problem:
        raise _no_ledger(path, problem.strerror or "unknown reason") from None


def _clone(path: Path, clone: ledger_clone.Clone) -> Found:
    read = ledger_clone.read(clone)
    found = Found(files={}, commits=read.commits, read_from=read.read_from, no_commits=read.no_commits)
    if not read.is_checked_out:
        return replace(found, files=read.files)
    files = _folder(path)
    return replace(found, files=files, faults=tuple(ledger_clone.apart(read.files, files)))


def _file(path: Path) -> Found:
    if path.stat().st_size > _MOST_TOTAL:
        raise _no_ledger(path, f"it has more than {_MOST_TOTAL >> 20:,} MiB")
    data = path.read_bytes()
    if is_bundle(data):
        read = ledger_clone.read_bundle(data, path.name)
        return Found(files=read.files, commits=read.commits, read_from=read.read_from, no_commits=read.no_commits)
    if archive.is_archive(data):
        return Found(files=_zip(path, data))
    if data.startswith(_GZIP) or data[_TAR_AT : _TAR_AT + len(_TAR)] == _TAR:
        return Found(files=_tar(path, data))
    raise _no_ledger(path, "it is neither a zip, nor a tar, nor a git bundle")


def _folder(root: Path) -> dict[str, bytes]:
    """Return the files of a folder; hidden ones, and what git keeps, are no part of a ledger."""
    found: dict[str, bytes] = {}
    waiting = [(root, 0)]
    while waiting:
        here, depth = waiting.pop()
        for path in sorted(here.iterdir()):
            if path.name.startswith("."):
                continue
            name = path.relative_to(root).as_posix()
            if path.is_dir() and not path.is_symlink() and depth < _DEEPEST:
                waiting.append((path, depth + 1))
                continue
            if path.is_symlink() or not path.is_file() or path.stat().st_size > MOST_BYTES or len(found) >= MOST_FILES:
                raise UsageError(
                    f"{str(path)!r} is no entry of a ledger",
                    remedy="A ledger's folder holds its entries alone, each a plain file.",
                )
            found[name] = path.read_bytes()
    return found


def _zip(path: Path, data: bytes) -> dict[str, bytes]:
    try:
        file = open_file(path.name, data)
        members = [member for member in archive.members(file) if not _is_hidden(member.name)]
        found = {member.name: content for member, content in archive.contents(file, members)}
    except ClearbandError as problem:
        raise _no_ledger(path, problem.what) from None
    if len(found) != len(members):
        raise _no_ledger(path, "two of its files have one name")
    return found


def _tar(path: Path, data: bytes) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    total = 0
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:*") as opened:
            for member in opened:
                if member.isdir() or _is_hidden(member.name):
                    continue
                total += member.size
                handle = opened.extractfile(member) if member.isreg() and member.size <= MOST_BYTES else None
                if handle is None or total > _MOST_TOTAL or member.name in found:
                    raise _no_ledger(path, f"{member.name!r:.80} in it is no entry")
                found[member.name] = handle.read()
    except (tarfile.TarError, EOFError, ValueError) as problem:
        raise _no_ledger(path, f"the archive is damaged ({type(problem).__name__})") from None
    return found


def _is_hidden(name: str) -> bool:
    return any(part.startswith(".") and part != "." for part in name.split("/"))


def _no_ledger(path: Path, why: str) -> UsageError:
    return UsageError(
        f"There is no ledger in {str(path)!r}: {why}",
        remedy="Name a folder of entries, a zip, tar or git bundle of one, or a clone that has the ledger's branch.",
    )
