"""A ledger entry: a pure record with when, where and after what it was written; one JSON file of one spelling.

An entry's name holds its sequence number and the SHA-256 of its bytes, and it names the digest of the entry before it.
So no byte can change, no entry can go and no two can change places without the chain showing where.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from clearband.audit.record import canonical_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping

VERSION: Final = 1
NAME: Final = re.compile(r"([0-9]{8})-([0-9a-f]{64})\.json")
"""Sequence number, counted from 1, and digest."""

KEYS: Final = (
    "v",
    "seq",
    "prev",
    "key",
    "type",
    "recorded_at",
    "repo",
    "pr",
    "run",
    "registration",
    "look",
    "record",
    "event",
)


class EntryType(StrEnum):
    """What an entry is about."""

    COMPARISON = "comparison"
    OVERRIDE = "override"
    ADOPTION = "adoption"


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An entry before it has a place in the ledger."""

    key: str
    """What makes it the same entry when a run is repeated: run, attempt and suite, or the record's digest."""
    type: EntryType
    recorded_at: str
    """UTC, ISO 8601 to the second, as the writer's clock had it."""
    record: Mapping[str, Any] | None = None
    """The pure record of a comparison; None for the other types."""
    event: Mapping[str, Any] | None = None
    """Who did what and why, for an override or an adoption; None for a comparison."""
    repo: Mapping[str, Any] | None = None
    pr: Mapping[str, Any] | None = None
    run: Mapping[str, Any] | None = None
    registration: Mapping[str, Any] | None = None
    look: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """What the next entry has to know of the one before it."""

    seq: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry(Link):
    """An entry in its place."""

    data: bytes
    """The canonical bytes."""
    body: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The file's name."""
        return f"{self.seq:08d}-{self.sha256}.json"

    @property
    def key(self) -> str:
        """What makes it the same entry when a run is repeated."""
        return str(self.body["key"])


def adoption(
    *,
    sha256: str,
    suite: str | None,
    author: str | None,
    author_id: int | None,
    reason: str | None,
    recorded_at: str,
) -> Draft:
    """Return the entry that says which run became the baseline; None as `suite` is about all of them."""
    event = {"suite": suite, "sha256": sha256, "author": author, "author_id": author_id, "reason": reason}
    return Draft(key=f"adoption:{suite or '*'}:{sha256}", type=EntryType.ADOPTION, recorded_at=recorded_at, event=event)


@dataclass(frozen=True, slots=True)
class Recorded:
    """The entry is in the ledger."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class NotRecorded:
    """The entry could not be written; its content is in the run's own artifacts."""

    reason: str
    remedy: str
    read_only: bool
    """Whether the token may not write, as on forks: then a trusted run has to do it."""


def place(draft: Draft, after: Link | None) -> Entry:
    """Return the entry that `draft` becomes behind the newest one; None for the first of a ledger."""
    seq = 1 if after is None else after.seq + 1
    body = {
        "v": VERSION,
        "seq": seq,
        "prev": None if after is None else after.sha256,
        "key": draft.key,
        "type": draft.type.value,
        "recorded_at": draft.recorded_at,
        "repo": _plain(draft.repo),
        "pr": _plain(draft.pr),
        "run": _plain(draft.run),
        "registration": _plain(draft.registration),
        "look": draft.look,
        "record": _plain(draft.record),
        "event": _plain(draft.event),
    }
    data = canonical_bytes(body)
    return Entry(seq=seq, sha256=sha256(data).hexdigest(), data=data, body=body)


def _plain(mapping: Mapping[str, Any] | None) -> dict[str, Any] | None:
    return None if mapping is None else dict(mapping)
