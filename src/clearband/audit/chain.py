"""Verification of a ledger: every byte, the order, the links, and the newest entry where its digest is known. Pure.

Whoever may rewrite every file can write another consistent chain. That shows only against a head that was seen
before: each comment prints it, and `verify` compares.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from clearband.audit.entry import KEYS, NAME, VERSION, Entry, EntryType
from clearband.audit.record import canonical_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing that is wrong with a ledger."""

    file: str
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """A ledger as it was found."""

    entries: tuple[Entry, ...]
    """The readable entries, by sequence number."""
    faults: tuple[Fault, ...]

    @property
    def head(self) -> Entry | None:
        """The newest entry."""
        return self.entries[-1] if self.entries else None

    def by_key(self, key: str) -> Entry | None:
        """Return the entry that was written under `key`."""
        return next((entry for entry in self.entries if entry.key == key), None)


def verify(files: Mapping[str, bytes], *, head: str | None = None) -> Chain:
    """Check a ledger.

    Parameters
    ----------
    files
        Every file of the ledger by name; the folder of entries holds nothing else.
    head
        The SHA-256 of an entry that is known to have been there, such as the head that a comment shows; None to check
        the chain by itself.

    """
    entries: list[Entry] = []
    faults: list[Fault] = []
    for name in sorted(files):
        found = read_entry(name, files[name])
        if isinstance(found, Fault):
            faults.append(found)
        else:
            entries.append(found)
    entries.sort(key=lambda entry: entry.seq)
    faults += _links(entries)
    if head is not None and all(entry.sha256 != head for entry in entries):
        last = entries[-1].name if entries else "the ledger"
        faults.append(
            Fault(
                file=last, what=f"the known entry {head[:12]} is not here: it was dropped, or the ledger is another one"
            )
        )
    return Chain(entries=tuple(entries), faults=tuple(faults))


def read_entry(name: str, data: bytes) -> Entry | Fault:
    """Return the entry that a file holds, checked byte by byte against its own name; else what is wrong with it."""
    matched = NAME.fullmatch(name)
    if matched is None:
        return Fault(file=name, what="is no entry: entries are called <8 digits>-<sha256>.json")
    digest = sha256(data).hexdigest()
    if digest != matched[2]:
        return Fault(
            file=name, what=f"was changed: its bytes have the digest {digest[:12]}, its name says {matched[2][:12]}"
        )
    try:
        body: Any = json.loads(data)
    except (ValueError, RecursionError):
        return Fault(file=name, what="is not JSON")
    wrong = _wrong_shape(body, int(matched[1]))
    if wrong is not None:
        return Fault(file=name, what=wrong)
    try:
        canonical = canonical_bytes(body) == data
    except (ValueError, TypeError, RecursionError):
        canonical = False
    if not canonical:
        return Fault(file=name, what="is not in canonical form, so it was not written by Clearband")
    return Entry(seq=int(matched[1]), sha256=digest, data=data, body=body)


def _wrong_shape(body: Any, seq: int) -> str | None:
    """Return what makes a document no entry; None where it is one."""
    if not isinstance(body, dict) or sorted(body) != sorted(KEYS):
        return "does not have the keys of an entry"
    if body["v"] != VERSION:
        return f"has the version {body['v']!r}; this Clearband reads version {VERSION}"
    if body["seq"] != seq or isinstance(body["seq"], bool):
        return f"says it is number {body['seq']!r}, its name says {seq}"
    if body["type"] not in {kind.value for kind in EntryType}:
        return f"has the unknown type {body['type']!r}"
    if not isinstance(body["key"], str) or not isinstance(body["recorded_at"], str):
        return "has no key or no time"
    if (body["record"] is None) is (body["type"] == EntryType.COMPARISON):
        return "does not hold what its type needs"
    return None


def _links(entries: list[Entry]) -> Iterator[Fault]:
    """Compare each entry with the one before it."""
    expected, before = 1, None
    for entry in entries:
        if before is not None and entry.seq == before.seq:
            yield Fault(file=entry.name, what=f"is a second entry number {entry.seq}")
            continue
        if entry.seq != expected:
            missing = f"{expected}" if entry.seq == expected + 1 else f"{expected} to {entry.seq - 1}"
            yield Fault(file=entry.name, what=f"follows a gap: number {missing} is missing")
        elif entry.body["prev"] != (None if before is None else before.sha256):
            link = str(entry.body["prev"])[:12]
            yield Fault(file=entry.name, what=f"does not follow the entry before it: it names {link}")
        expected, before = entry.seq + 1, entry
