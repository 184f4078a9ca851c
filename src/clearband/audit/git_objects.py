"""Git's objects, read without git: loose ones, packs and bundles. Pure.

Only what a ledger's branch needs: every object is held to its own id, so nothing in a repository can be changed and
still be read. Repositories with SHA-256 ids are not read.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass, field
from hashlib import sha1
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

Buffer = bytes | memoryview
Raw = tuple[str, bytes]
"""An object's kind (``commit``, ``tree``, ``blob``, ``tag``) and its bytes."""

MOST_BYTES: Final = 64 * 2**20
"""Bytes of one object that are read."""
_KINDS: Final = {1: "commit", 2: "tree", 3: "blob", 4: "tag"}
_OFFSET, _BY_ID = 6, 7
_DEEPEST: Final = 5_000
_REMEMBERED: Final = 2**26
"""Bytes of unpacked objects that are kept."""
FOLDER: Final = b"40000"
"""The mode of a folder in a tree."""
_IN_TREE: Final = re.compile(rb"([0-7]{5,6}) ([^\0]+)\0(.{20})", re.DOTALL)


class DamagedError(Exception):
    """An object is missing, damaged or not what its id says; the text says which, as the end of a sentence."""


@dataclass(slots=True)
class Pack:
    """A pack: its bytes, and where in them an object begins."""

    data: Buffer
    place: Callable[[str], int | None]
    _kept: dict[int, Raw] = field(default_factory=dict)
    """Objects that were unpacked: the deltas of a ledger's objects form long chains, and the next one is in them."""
    _held: int = 0

    def find(self, oid: str, by_id: Callable[[str], Raw]) -> Raw | None:
        """Return an object; None where the pack does not hold it."""
        offset = self.place(oid)
        return None if offset is None else self.at(offset, by_id)

    def at(self, offset: int, by_id: Callable[[str], Raw]) -> Raw:
        """Return the object that begins at `offset`."""
        deltas: list[tuple[int, bytes]] = []
        found = self._kept.get(offset)
        while found is None:
            if len(deltas) > _DEEPEST:
                raise DamagedError("a git pack has a chain of deltas without an end")
            kind, start, reference = _header(self.data, offset)
            data = _inflated(self.data, start)[0]
            if kind in _KINDS:
                found = self._keep(offset, (_KINDS[kind], data))
            else:
                deltas.append((offset, data))
                if isinstance(reference, str):
                    found = by_id(reference)
                else:
                    offset = reference
                    found = self._kept.get(offset)
        for place, delta in reversed(deltas):
            found = self._keep(place, (found[0], _patched(found[1], delta)))
        return found

    def _keep(self, offset: int, raw: Raw) -> Raw:
        if self._held > _REMEMBERED:
            self._kept.clear()
            self._held = 0
        self._kept[offset] = raw
        self._held += len(raw[1])
        return raw


def loose(data: bytes) -> Raw:
    """Return what the file of a loose object holds."""
    inner = _inflated(data, 0)[0]
    head, _, body = inner.partition(b"\0")
    kind, _, size = head.partition(b" ")
    if kind.decode("ascii", "replace") not in _KINDS.values() or size != str(len(body)).encode():
        raise DamagedError("is damaged")
    return kind.decode("ascii"), body


def checked(oid: str, raw: Raw) -> Raw:
    """Return the object if it is what its id says."""
    if object_id(raw) != oid:
        raise DamagedError(f"the git object {oid[:12]} is not what its id says")
    return raw


def object_id(raw: Raw) -> str:
    """Return the id of an object."""
    kind, data = raw
    return sha1(f"{kind} {len(data)}\0".encode() + data, usedforsecurity=False).hexdigest()


def indexed(index: Buffer) -> Callable[[str], int | None]:
    """Return what finds an object's place in a pack, by the index beside it."""
    if bytes(index[:8]) != b"\xfftOc\x00\x00\x00\x02":
        raise DamagedError("a pack's index has a version that is not read")
    count = int.from_bytes(index[8 + 255 * 4 : 8 + 256 * 4], "big")
    ids = 8 + 256 * 4
    small = ids + count * 24
    large = small + count * 4
    if len(index) < large + 40:
        raise DamagedError("a pack's index is cut short")

    def place(oid: str) -> int | None:
        wanted = bytes.fromhex(oid)
        fan = 8 + wanted[0] * 4
        low = int.from_bytes(index[fan - 4 : fan], "big") if wanted[0] else 0
        high = int.from_bytes(index[fan : fan + 4], "big")
        while low < high:
            middle = (low + high) // 2
            found = bytes(index[ids + middle * 20 : ids + middle * 20 + 20])
            if found == wanted:
                offset = int.from_bytes(index[small + middle * 4 : small + middle * 4 + 4], "big")
                if offset >> 31:
                    at = large + (offset & 0x7FFFFFFF) * 8
                    offset = int.from_bytes(index[at : at + 8], "big")
                return offset
            if found < wanted:
                low = middle + 1
            else:
                high = middle
        return None

    return place


def scanned(data: Buffer) -> Pack:
    """Return a pack that has no index, as it comes in a bundle; each object is unpacked to learn its id."""
    if bytes(data[:4]) != b"PACK" or bytes(data[4:8]) not in {b"\0\0\0\2", b"\0\0\0\3"}:
        raise DamagedError("holds no pack that is read")
    if sha1(data[:-20], usedforsecurity=False).digest() != bytes(data[-20:]):
        raise DamagedError("is damaged: its pack does not have the digest at its end")
    places: dict[str, int] = {}
    pack = Pack(data, places.get)

    def by_id(oid: str) -> Raw:
        found = pack.find(oid, by_id)
        if found is None:
            raise DamagedError(f"the git object {oid[:12]} is missing")
        return found

    offset = 12
    for _ in range(int.from_bytes(data[8:12], "big")):
        _, start, _ = _header(data, offset)
        end = _inflated(data, start)[1]
        places[object_id(pack.at(offset, by_id))] = offset
        offset = end
    return pack


def bundle(data: bytes) -> tuple[dict[str, str], Buffer]:
    """Return the branches of a git bundle with their commits, and its pack."""
    head, end, rest = data.partition(b"\n\n")
    first, *lines = head.decode("utf-8", "replace").split("\n")
    if not is_bundle(data) or not end:
        raise DamagedError("is no git bundle that is read")
    if any(line.startswith("-") for line in lines):
        raise DamagedError("is a git bundle of a part of the history alone")
    if first.startswith("# v3") and any(line.startswith("@") and "sha1" not in line for line in lines):
        raise DamagedError("is a git bundle with capabilities that are not read")
    refs = [line.partition(" ") for line in lines if not line.startswith("@")]
    return {name: oid for oid, _, name in refs}, memoryview(rest)


def is_bundle(data: bytes) -> bool:
    """Whether the bytes start like a git bundle."""
    return data.startswith((b"# v2 git bundle\n", b"# v3 git bundle\n"))


def tree(data: bytes) -> set[tuple[bytes, bytes, bytes]]:
    """Return the entries of a tree: mode, name, id."""
    found = _IN_TREE.findall(data)
    if sum(len(mode) + len(name) + 22 for mode, name, _ in found) != len(data):
        raise DamagedError("a git tree is damaged")
    return set(found)


def _header(data: Buffer, offset: int) -> tuple[int, int, str | int]:
    """Return an object's kind, where its packed bytes begin, and what a delta is based on."""
    try:
        start = offset
        byte = data[offset]
        kind = byte >> 4 & 7
        while byte & 0x80:
            offset += 1
            byte = data[offset]
        offset += 1
        if kind == _BY_ID:
            return kind, offset + 20, bytes(data[offset : offset + 20]).hex()
        if kind == _OFFSET:
            byte = data[offset]
            back = byte & 0x7F
            while byte & 0x80:
                offset += 1
                byte = data[offset]
                back = (back + 1) << 7 | byte & 0x7F
            if not 0 < back < start:
                raise DamagedError("a git pack is damaged")
            return kind, offset + 1, start - back
    except IndexError:
        raise DamagedError("a git pack is cut short") from None
    if kind not in _KINDS:
        raise DamagedError("a git pack is damaged")
    return kind, offset, 0


def _inflated(data: Buffer, start: int) -> tuple[bytes, int]:
    """Return what is packed from `start` on, and where it ends."""
    unpacking = zlib.decompressobj()
    out = bytearray()
    place = start
    try:
        while not unpacking.eof:
            chunk = unpacking.unconsumed_tail or bytes(data[place : place + 65_536])
            if not chunk:
                raise DamagedError("a git object is cut short")
            if not unpacking.unconsumed_tail:
                place += len(chunk)
            out += unpacking.decompress(chunk, MOST_BYTES + 1 - len(out))
            if len(out) > MOST_BYTES:
                raise DamagedError(f"a git object is larger than {MOST_BYTES >> 20} MiB")
    except zlib.error:
        raise DamagedError("a git object is damaged") from None
    return bytes(out), place - len(unpacking.unused_data)


def _patched(base: bytes, delta: bytes) -> bytes:
    """Return what a delta makes of its base."""
    try:
        size, place = _size(delta, 0)
        wanted, place = _size(delta, place)
        out = bytearray()
        while place < len(delta) and len(out) <= MOST_BYTES:
            command = delta[place]
            place += 1
            if command & 0x80:
                numbers = []
                for bits in (range(4), range(4, 7)):
                    number = 0
                    for shift, bit in enumerate(bits):
                        if command >> bit & 1:
                            number |= delta[place] << 8 * shift
                            place += 1
                    numbers.append(number)
                start, length = numbers[0], numbers[1] or 0x10000
                out += base[start : start + length]
            else:
                out += delta[place : place + command]
                place += command
                if not command:
                    raise DamagedError("a git delta is damaged")
    except IndexError:
        raise DamagedError("a git delta is cut short") from None
    if size != len(base) or wanted != len(out):
        raise DamagedError("a git delta is damaged")
    return bytes(out)


def _size(data: bytes, place: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        byte = data[place]
        number |= (byte & 0x7F) << shift
        shift += 7
        place += 1
        if not byte & 0x80:
            return number, place
