"""A ledger in a folder: one file an entry, written once, never overwritten."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clearband.audit.chain import Chain, verify
from clearband.audit.entry import Draft, Entry, NotRecorded, Recorded, place
from clearband.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

_LOCK: Final = ".lock"
MOST_BYTES: Final = 16 * 2**20
"""Bytes of one entry that are read."""


@dataclass(frozen=True, slots=True)
class LedgerFolder:
    """A folder as a store."""

    folder: Path

    def past(self, number: int | None) -> tuple[Entry, ...]:
        """Return the entries of one pull request, or of the runs without one, oldest first.

        Raises
        ------
        UsageError
            The folder cannot be read, or does not verify.

        """
        if not self.folder.exists():
            return ()
        chain = verify(read_folder(self.folder))
        _check(chain, self.folder)
        return tuple(entry for entry in chain.entries if (entry.body["pr"] or {}).get("number") == number)

    def append(self, draft: Draft) -> Recorded | NotRecorded:
        """Write `draft` behind the newest entry; an entry of the same key is returned as it stands."""
        try:
            return Recorded(append(self.folder, draft))
        except UsageError as problem:
            return NotRecorded(problem.what, problem.remedy or "", read_only=False)


def read_folder(folder: Path) -> dict[str, bytes]:
    """Return every file of a ledger's folder by name; hidden files are no part of it.

    Raises
    ------
    UsageError
        The folder cannot be read, or holds something that is no plain file of an entry's size.

    """
    found = {}
    try:
        for path in sorted(folder.iterdir()):
            if path.name.startswith("."):
                continue
            if path.is_symlink() or not path.is_file() or path.stat().st_size > MOST_BYTES:
                raise UsageError(
                    f"{str(path)!r} is no entry of a ledger",
                    remedy="A ledger's folder holds its entries alone, each a plain file.",
                )
            found[path.name] = path.read_bytes()
    except OSError as problem:
        raise UsageError(
            f"The ledger {str(folder)!r} cannot be read: {problem.strerror or 'unknown reason'}",
            remedy="Name the folder that holds the entries.",
        ) from None
    return found


def append(folder: Path, draft: Draft) -> Entry:
    """Write `draft` behind the newest entry; an entry with the same key is returned as it stands.

    Writers wait for each other. A ledger that does not verify is not continued: the new entry would seem to vouch for
    what is wrong before it.

    Raises
    ------
    UsageError
        The ledger cannot be read, written or verified.

    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder / _LOCK, os.O_CREAT | os.O_RDWR, 0o644)
    except OSError as problem:
        raise _unwritable(folder, problem) from None
    try:
        _wait_for(descriptor)
        chain = verify(read_folder(folder))
        _check(chain, folder)
        known = chain.by_key(draft.key)
        if known is not None:
            return known
        entry = place(draft, chain.head)
        _write_once(folder, entry)
    except OSError as problem:
        raise _unwritable(folder, problem) from None
    else:
        return entry
    finally:
        os.close(descriptor)


def _wait_for(descriptor: int) -> None:
    """Take the lock; it goes with the descriptor, so a writer that dies leaves none behind."""
    try:
        import fcntl  # noqa: PLC0415  not on Windows
    except ImportError:
        return
    fcntl.flock(descriptor, fcntl.LOCK_EX)


def _check(chain: Chain, folder: Path) -> None:
    if chain.faults:
        fault = chain.faults[0]
        raise UsageError(
            f"The ledger {str(folder)!r} does not verify: {fault.file} {fault.what}",
            remedy="Nothing was added to it. See `clearband audit verify`, and restore the folder from a copy.",
        )


def _write_once(folder: Path, entry: Entry) -> None:
    """Write the whole file under a name that is no entry's, then give it its name, never over another file."""
    unfinished = folder / f".{entry.name}.{os.getpid()}"
    try:
        with unfinished.open("wb") as handle:
            handle.write(entry.data)
            handle.flush()
            os.fsync(handle.fileno())
        os.link(unfinished, folder / entry.name)
    finally:
        unfinished.unlink(missing_ok=True)


def _unwritable(folder: Path, problem: OSError) -> UsageError:
    return UsageError(
        f"The ledger {str(folder)!r} cannot be written: {problem.strerror or 'unknown reason'}",
        remedy="Name a folder that may be written; it is made if it does not exist.",
    )
