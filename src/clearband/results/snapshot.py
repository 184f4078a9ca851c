"""A file that is too large to hold in memory: copied once, and read from the copy.

The copy lies in a temporary file without a name, which nobody else can open. Mapping the file itself would be quicker,
but a file that is cut short while it is mapped ends the process with a signal instead of an error, and a file that
changes between two looks would be hashed as one thing and read as another. The copy costs disk, no memory: the system
may drop its pages at any time.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import mmap
import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, BinaryIO

from clearband.errors import UnusableResults
from clearband.results import limits

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from _typeshed import WriteableBuffer

_PIECE = 2**18
_ROOMY = "/var/tmp"  # noqa: S108  only ever files without a name; /tmp may be memory


class _Handle:
    """An open file without a name, never written to again; it goes with the last snapshot that needs it."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __del__(self) -> None:
        os.close(self.number)


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """The bytes of a large file."""

    file: _Handle
    size: int
    """Bytes, counted from `start`."""
    sha256: str
    """Of the whole file."""
    view: memoryview
    """All of them, mapped once; the system holds what is looked at for as long as it likes."""
    start: int = 0

    def __len__(self) -> int:
        return self.size

    def head(self, count: int) -> bytes:
        """Return the first bytes."""
        return os.pread(self.file.number, count, self.start)

    def behind(self, count: int) -> Snapshot:
        """Return the same without its first bytes."""
        return replace(self, size=self.size - count, view=self.view[count:], start=self.start + count)

    def reader(self) -> io.BufferedReader:
        """Return a stream of its own over the bytes, which holds a piece of them at a time."""
        return io.BufferedReader(_Stream(self), _PIECE)


Content = bytes | Snapshot
"""What a file holds."""


def copied(pieces: Iterable[bytes | memoryview]) -> Snapshot:
    """Write `pieces` one behind the other into a snapshot.

    Raises
    ------
    UnusableResults
        Where the disk has no room for them.

    """
    digest = hashlib.sha256()
    size = 0
    with _explained():
        file = _unnamed()
    with file:
        for piece in pieces:
            digest.update(piece)
            size += len(piece)
            with _explained():
                file.write(piece)
        with _explained():
            file.flush()
            view = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
            handle = _Handle(os.dup(file.fileno()))
    return Snapshot(file=handle, size=size, sha256=digest.hexdigest(), view=view)


@contextlib.contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except OSError as problem:
        raise UnusableResults(
            f"A file of more than {limits.HELD_BYTES >> 20} MiB is read from a copy on the disk, which cannot be "
            f"written: {problem.strerror or 'no folder takes it'}.",
            remedy="Make room, or let the environment variable TMPDIR name a folder with room for both result files.",
        ) from problem


def _unnamed() -> BinaryIO:
    """Open a file without a name, on the disk rather than in memory where there is a choice."""
    import tempfile  # noqa: PLC0415  4 ms that a start without a large file does not pay (measured)

    if "TMPDIR" not in os.environ:
        with contextlib.suppress(OSError):
            return tempfile.TemporaryFile(dir=_ROOMY)
    return tempfile.TemporaryFile()


class _Stream(io.RawIOBase):
    """Reads a snapshot from its own position, without mapping it."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._handle = snapshot.file.number
        self._snapshot = snapshot  # which keeps the file open
        self._at = snapshot.start

    def readable(self) -> bool:
        """Whether it can be read."""
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Fill `buffer`, and return how much of it."""
        room = memoryview(buffer)
        piece = os.pread(self._handle, len(room), self._at)
        room[: len(piece)] = piece
        self._at += len(piece)
        return len(piece)
