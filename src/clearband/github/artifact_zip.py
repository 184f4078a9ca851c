"""What lies in an artifact: its files by name, unpacked in memory, after everything that a hostile archive may try.

Anyone who may open a pull request may upload one. Nothing is written to the disk, so a name leads nowhere; names that
would lead somewhere are refused all the same, as nobody packs such a thing by accident.
"""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING, Final

from clearband.errors import UnusableResults
from clearband.results import archive, member_names
from clearband.results.result_file import ResultFile, shown
from clearband.sources import Source

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clearband.results.archive import Member

ENTRIES: Final = 1_000
FILE_BYTES: Final = 64 * 2**20
TOTAL_BYTES: Final = 256 * 2**20
RATIO: Final = 200
"""How many bytes one packed byte may become; results of a million questions reach forty."""
FREE_BYTES: Final = 2**20
"""Bytes that a file may have whatever its packed size: a small file of one value packs to nothing."""
_METHODS: Final = frozenset({0, 8})
_REMEDY: Final = "Upload the folder with the result files as `actions/upload-artifact` does, and nothing else."


def source(name: str, data: bytes) -> Source:
    """Return an artifact's content as something to read: its files, or the one file that was uploaded as it is.

    Raises
    ------
    UnusableResults
        The archive is damaged, or is one that nobody packs by accident.

    """
    if not archive.is_archive(data) or _is_log(name):
        return Source(name=name, data=data)
    file = ResultFile(name=name, sha256="", content=data)
    members = archive.members(file)
    _check(name, members)
    wanted = [member for member in members if not member_names.is_ignored(member.name)]
    contents = {member.name: content for member, content in archive.contents(file, wanted)}
    if len(contents) == 1:
        (inner, content), *_ = contents.items()
        return Source(name=inner.rpartition("/")[2], data=content)
    return Source(name=name, members=contents)


def _is_log(name: str) -> bool:
    """Whether a file uploaded as it is is an archive by itself: Inspect's logs are."""
    return name.endswith(".eval")


def _check(artifact: str, members: Iterable[Member]) -> None:
    seen: set[str] = set()
    total = 0
    for count, member in enumerate(members, 1):
        total += member.size
        why = _why_not(member)
        if why is None and member.name in seen:
            why = "is there twice"
        seen.add(member.name)
        if why is not None:
            raise UnusableResults(f"The artifact `{shown(artifact)}`: `{shown(member.name)}` {why}.", remedy=_REMEDY)
        if count > ENTRIES or total > TOTAL_BYTES:
            limit = f"{ENTRIES:,} files" if count > ENTRIES else f"{TOTAL_BYTES // 2**20} MiB unpacked"
            raise UnusableResults(f"The artifact `{shown(artifact)}` has more than {limit}.", remedy=_REMEDY)


def _why_not(member: Member) -> str | None:
    """Return what is wrong with one file of an archive; None where nothing is."""
    parts = member.name.split("/")
    if ".." in parts or member.name.startswith("/") or "\\" in member.name or "\0" in member.name or ":" in parts[0]:
        return "has a name that leads out of the archive"
    if stat.S_ISLNK(member.mode):
        return "is a link"
    if member.encrypted:
        return "is encrypted"
    if member.method not in _METHODS:
        return f"is packed with method {member.method}, which no upload uses"
    if member.size > FILE_BYTES:
        return f"unpacks to more than {FILE_BYTES // 2**20} MiB"
    if member.size > FREE_BYTES + RATIO * member.packed:
        return f"unpacks to more than {RATIO} times its size"
    return None
