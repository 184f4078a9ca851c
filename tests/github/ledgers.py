"""What the tests of the ledger's branch share: a draft, and what a clone of the branch would hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clearband.audit.entry import Draft, EntryType
from clearband.github.ledger_branch import LedgerBranch
from clearband.github.ledger_listing import BRANCH
from github.peer.world import blob

if TYPE_CHECKING:
    from clearband.audit.entry import Entry
    from clearband.github.client import Client
    from github.peer import Peer


def draft(key: str, *, number: int | None = 7) -> Draft:
    return Draft(
        key=key,
        type=EntryType.OVERRIDE,
        recorded_at="2026-03-01T12:00:00Z",
        event={"comment": key},
        pr=None if number is None else {"number": number},
    )


def ledger_of(peer: Peer, client: Client) -> LedgerBranch:
    """A ledger as a new run has it: nothing read so far."""
    return LedgerBranch(client=client, repository=peer.world.repository, chance=lambda: 0.5, sleep=lambda _: None)


def tip(peer: Peer) -> dict[str, bytes]:
    """The files at the branch's head by path; changing them changes the branch."""
    commit = peer.world.branches.get(BRANCH)
    return {} if commit is None else peer.world.commits[commit]


def files(peer: Peer) -> dict[str, bytes]:
    """Return what the branch holds, by file name, as `audit verify` reads it."""
    return {path.rpartition("/")[2]: data for path, data in tip(peer).items()}


def plant(peer: Peer, path: str, data: bytes) -> None:
    """Put a file on the branch's head past the ledger's writers."""
    tip(peer)[path] = data
    peer.world.git.blobs[blob(data)] = data


def plant_entry(peer: Peer, entry: Entry, *, number: int) -> None:
    plant(peer, f"pr-{number}/{entry.name}", entry.data)
