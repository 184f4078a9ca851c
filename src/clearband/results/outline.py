"""The first look at a file: what kind of text it is and which keys stand at its top, without decoding the rest."""

from __future__ import annotations

import io
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

import msgspec

from clearband.results import lenient_json, strict_json

if TYPE_CHECKING:
    from collections.abc import Mapping

_OBJECT = msgspec.json.Decoder(dict[str, msgspec.Raw])
_LIST = msgspec.json.Decoder(list[msgspec.Raw])
_NOTHING: Mapping[str, msgspec.Raw] = {}


class Shape(Enum):
    """What the bytes are."""

    OBJECT = auto()
    """One JSON object."""
    LIST = auto()
    """One JSON list."""
    LINES = auto()
    """JSON lines: an object per line, two lines or more."""
    OTHER = auto()
    """Anything else: other text, archives, damaged JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """What a format is recognised by."""

    shape: Shape
    keys: Mapping[str, msgspec.Raw]
    """The object's own keys; of a list or of lines, those of the first row. Values are undecoded."""

    def has(self, *keys: str) -> bool:
        """Whether all of these keys are there."""
        return all(key in self.keys for key in keys)

    def inside(self, key: str) -> Mapping[str, msgspec.Raw]:
        """Return the keys of the object under `key`; of a list, those of its first object. Empty where none is."""
        raw = self.keys.get(key)
        return _NOTHING if raw is None else keys_of(raw)


def keys_of(raw: bytes | msgspec.Raw) -> Mapping[str, msgspec.Raw]:
    """Return the keys of an object, or of the first object of a list; empty for anything else."""
    data = lenient_json.without_nan(bytes(raw)).lstrip()
    try:
        if data.startswith(b"{"):
            return _OBJECT.decode(data)
        if data.startswith(b"["):
            rows = _LIST.decode(data)
            return keys_of(rows[0]) if rows and bytes(rows[0]).lstrip().startswith(b"{") else _NOTHING
    except strict_json.REFUSED:
        return _NOTHING
    return _NOTHING


def outline(data: bytes) -> Outline:
    """Look at `data`; never raises."""
    start = data[:4096].lstrip()
    if start.startswith(b"["):
        return _outlined(Shape.LIST, data)
    if not start.startswith(b"{"):
        return Outline(shape=Shape.OTHER, keys=_NOTHING)
    filled = (line.strip() for line in io.BytesIO(data))
    first, second = next(filter(None, filled), b""), next(filter(None, filled), b"")
    if second.startswith(b"{") and keys_of(first):
        return Outline(shape=Shape.LINES, keys=keys_of(first))
    return _outlined(Shape.OBJECT, data)


def _outlined(shape: Shape, data: bytes) -> Outline:
    keys = keys_of(data)
    return Outline(shape=shape, keys=keys)
