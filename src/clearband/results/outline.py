"""The first look at a file: what kind of text it is and which keys stand at its top, without decoding the rest."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING, TypeVar

import msgspec

from clearband.results import lenient_json, strict_json
from clearband.results.result_file import first_sign

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clearband.results.result_file import ResultFile
    from clearband.results.strict_json import Buffer

T = TypeVar("T")

OBJECT = msgspec.json.Decoder(dict[str, msgspec.Raw])
LIST = msgspec.json.Decoder(list[msgspec.Raw])
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
    _inside: dict[str, Mapping[str, msgspec.Raw]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def has(self, *keys: str) -> bool:
        """Whether all of these keys are there."""
        return all(key in self.keys for key in keys)

    def inside(self, key: str) -> Mapping[str, msgspec.Raw]:
        """Return the keys of the object under `key`; of a list, those of its first object. Empty where none is."""
        if key not in self._inside:
            raw = self.keys.get(key)
            self._inside[key] = _NOTHING if raw is None else keys_of(raw)
        return self._inside[key]


def keys_of(raw: Buffer | msgspec.Raw) -> Mapping[str, msgspec.Raw]:
    """Return the keys of an object, or of the first object of a list; empty for anything else."""
    data = memoryview(raw) if isinstance(raw, msgspec.Raw) else raw
    sign = first_sign(data)
    if sign == b"{":
        return _tolerant(OBJECT, data) or _NOTHING
    rows = _tolerant(LIST, data) if sign == b"[" else None
    return keys_of(rows[0]) if rows and opens(rows[0]) == b"{" else _NOTHING


def opens(raw: msgspec.Raw) -> bytes:
    """Return the first sign of a value, without copying it."""
    return first_sign(memoryview(raw))


def outline(file: ResultFile) -> Outline:
    """Look at a file; never raises."""
    start = file.head(4096).lstrip()
    if start.startswith(b"["):
        return Outline(shape=Shape.LIST, keys=keys_of(file.buffer))
    if not start.startswith(b"{"):
        return Outline(shape=Shape.OTHER, keys=_NOTHING)
    first, second = file.first_lines()
    keys = keys_of(first) if second.startswith(b"{") else _NOTHING
    return Outline(shape=Shape.LINES, keys=keys) if keys else Outline(shape=Shape.OBJECT, keys=keys_of(file.buffer))


def _tolerant(decoder: msgspec.json.Decoder[T], data: Buffer) -> T | None:
    """Decode, with null for NaN; None where that cannot be done."""
    try:
        return decoder.decode(data)
    except strict_json.REFUSED:
        repaired = lenient_json.without_nan(data)
    try:
        return None if repaired is data else decoder.decode(repaired)
    except strict_json.REFUSED:
        return None
