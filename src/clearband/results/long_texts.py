"""Long texts in generic rows, cut while they are read, so that gigabytes of prompts are not held for their scores.

A text that may name its question becomes its key, which it would become later anyway. Every other one keeps its
beginning, for messages. Fields that are ids are left alone, so that an id that is too long is still seen.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from clearband.results import identity, limits, names, strict_json
from clearband.results.outline import LIST, OBJECT
from clearband.results.result_file import first_sign

if TYPE_CHECKING:
    from collections.abc import Callable

    from clearband.results.options import ReadOptions
    from clearband.results.result_file import ResultFile
    from clearband.results.strict_json import Buffer

ROW_BYTES = 4_096
"""Bytes of a row from which on it is looked through; a shorter one holds no text worth cutting."""

_LONG = limits.ID_CHARACTERS
_DEPTH = 5
_AT_ONCE = 2**20
_NUMBERS = frozenset({int, float, bool, type(None)})


class _Kind(Enum):
    """What a field may be."""

    ID = auto()
    LABEL = auto()
    QUESTION = auto()
    """It names the question where no id does."""
    OTHER = auto()


def cutter(options: ReadOptions) -> Callable[[dict[str, object]], None]:
    """Return what cuts the long texts of a row in place."""
    labels = {*options.labels, *(name.partition(".")[0] for name in options.labels)}
    own = options.id_field or ""
    ids = {own, own.partition(".")[0]}
    known: dict[str, _Kind] = {}

    def kind_of(field: str) -> _Kind:
        name = names.plain(field)
        if field in ids or name in names.ID_NAMES:
            return _Kind.ID
        return _Kind.LABEL if field in labels else _Kind.QUESTION if name in names.TEXT_NAMES else _Kind.OTHER

    def cut(row: dict[str, object]) -> None:
        for field in row.keys() - known.keys():
            known[field] = kind_of(field)
        is_named = any(known[field] is _Kind.ID for field in row)
        for field, cell in row.items():
            kind = known[field]
            if type(cell) not in _NUMBERS and kind is not _Kind.ID:
                needed = kind is _Kind.LABEL or (kind is _Kind.QUESTION and not is_named)
                row[field] = _cut(cell, identity.text_key if needed else _beginning)

    return cut


def document(file: ResultFile, options: ReadOptions) -> object:
    """Return what a JSON document holds, or the `Fault` for which there is none; of a large one piece by piece."""
    if isinstance(file.content, bytes) or len(file.content) <= _AT_ONCE:
        return strict_json.attempt(file.buffer)
    try:
        return _piecewise(file, file.buffer, cutter(options), _DEPTH)
    except strict_json.REFUSED as error:
        return strict_json.fault(file.buffer, error)


def _piecewise(file: ResultFile, data: Buffer, cut: Callable[[dict[str, object]], None], depth: int) -> object:
    """Decode the entries of a large object or list one by one, so that each is cut before the next is decoded."""
    sign = first_sign(data) if depth and len(data) > _AT_ONCE else b""
    if sign == b"{":
        return {name: _piecewise(file, memoryview(raw), cut, depth - 1) for name, raw in OBJECT.decode(data).items()}
    if sign == b"[":
        return [_piecewise(file, memoryview(raw), cut, depth - 1) for raw in LIST.decode(data)]
    value = strict_json.attempt(data)
    if isinstance(value, strict_json.Fault):
        raise file.problem(f"the file cannot be read: {value.what}", remedy=value.remedy)
    if len(data) > ROW_BYTES and isinstance(value, dict):
        cut(value)
    return value


def _cut(cell: object, shorten: Callable[[str], str]) -> object:
    match cell:
        case str():
            return shorten(cell) if len(cell) > _LONG and not cell.isspace() else cell
        case dict():
            return {name: _cut(inner, shorten) for name, inner in cell.items()}
        case list():
            return [_cut(inner, shorten) for inner in cell]
        case _:
            return cell


def _beginning(text: str) -> str:
    return f"{text[: identity.SHORT]}…"
