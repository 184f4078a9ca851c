"""Rows of which only the needed fields are decoded: traces, prompts and answers are passed over while parsing."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from clearband.results import delimited, json_document, lenient_json, strict_json
from clearband.results.options import ReadOptions
from clearband.results.outline import Outline, Shape, keys_of, outline
from clearband.results.rows import Rows, columns_of, refuse_too_wide

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from clearband.results.result_file import ResultFile

RawRow = dict[str, msgspec.Raw]

_HEADER = 2**16
_DELIMITERS = (",", "\t", ";")


def fields_of(file: ResultFile, seen: Outline) -> frozenset[str]:
    """Return the names of a table's fields, for `sniff`: of CSV, rows, or a DataFrame's JSON; cheap, never raises."""
    if seen.shape is not Shape.OTHER:
        if seen.has("columns", "data"):
            return frozenset(_texts(seen.keys["columns"]))
        return frozenset(seen.keys)
    start = file.head(_HEADER)
    if start.startswith((b"PK", b"PAR1", b"<")):
        return frozenset()
    head = start.decode(errors="replace")
    return max((_header(head, delimiter) for delimiter in _DELIMITERS), key=len)


def rows_of(file: ResultFile, tool: str, wanted: Callable[[str], bool], options: ReadOptions) -> Rows:
    """Read the rows of a table, whichever kind of text it is in.

    Parameters
    ----------
    file
        CSV, JSON lines, a JSON list, or what ``DataFrame.to_json`` writes.
    tool
        Whose file it is, for messages and as the format's name.
    wanted
        Whether a field is needed; the cells of other fields are None, unless `options` asks for the field.
    options
        Names further fields that are needed.

    """
    seen = outline(file)
    needed = _needed(wanted, options)
    match seen.shape:
        case Shape.OTHER:
            return _renamed(delimited.rows(file), tool)
        case Shape.LINES:
            numbers: list[int] = []
            lines = (_counted(numbers, *pair) for pair in lenient_json.lines(file, RawRow, tool=tool))
            return pick(file, f"{tool}/jsonl", lines, needed, place=lambda row: f"line {numbers[row]}")
        case Shape.LIST:
            return pick(file, f"{tool}/json", lenient_json.document(file, list[RawRow], tool=tool), needed)
        case Shape.OBJECT:
            if _is_frame(seen):
                frame = replace(file, content=bytes(lenient_json.without_nan(file.data)))
                return _renamed(json_document.rows(frame, ReadOptions(id_field=next(iter(seen.keys)))), tool)
            return pick(file, f"{tool}/jsonl", [lenient_json.document(file, RawRow, tool=tool)], needed)


def pick(
    file: ResultFile,
    kind: str,
    rows: Iterable[RawRow],
    needed: Callable[[str], bool],
    *,
    place: Callable[[int], str] = lambda row: f"row {row + 1}",
) -> Rows:
    """Decode the needed fields of rows; the others keep their names alone."""
    tool = kind.partition("/")[0]
    kept: list[dict[str, object]] = []
    names: dict[str, bool] = {}
    for row in rows:
        fresh = row.keys() - names.keys()
        if fresh:
            names |= {name: needed(name) for name in row if name in fresh}
            refuse_too_wide(file, names, len(kept))
        kept.append(_decoded(file, row, names, tool))
    silent: list[object] = [None] * len(kept)
    columns = columns_of(file, kept)
    columns |= {name: silent for name in names if name not in columns}
    return Rows(file=file, format=kind, count=len(kept), columns=columns, place=place)


def _decoded(file: ResultFile, row: RawRow, names: dict[str, bool], tool: str) -> dict[str, object]:
    try:
        return {name: strict_json.decode(raw) for name, raw in row.items() if names[name]}
    except strict_json.REFUSED:
        return {name: lenient_json.part(file, raw, object, tool=tool) for name, raw in row.items() if names[name]}


def only(rows: Rows, kept: list[int]) -> Rows:
    """Keep some of the rows."""
    place = rows.place
    return replace(
        rows,
        count=len(kept),
        columns={name: [cells[row] for row in kept] for name, cells in rows.columns.items()},
        place=lambda row: place(kept[row]),
    )


def needed_by(options: ReadOptions) -> frozenset[str]:
    """Return the fields that a person asked for: as they are spelled, and the objects in which they may lie."""
    asked = [name for name in (options.id_field, *options.labels) if name]
    return frozenset(asked) | {name.partition(".")[0] for name in asked}


def _needed(wanted: Callable[[str], bool], options: ReadOptions) -> Callable[[str], bool]:
    asked = needed_by(options)
    return lambda name: name in asked or wanted(name)


def _counted(numbers: list[int], number: int, row: RawRow) -> RawRow:
    numbers.append(number)
    return row


def _renamed(rows: Rows, tool: str) -> Rows:
    return replace(rows, format=f"{tool}/{rows.format.rpartition('/')[2]}")


def _is_frame(seen: Outline) -> bool:
    """Whether an object is a DataFrame: split, or columns over row numbers."""
    first = next(iter(seen.keys.values()), msgspec.Raw(b""))
    return seen.has("columns", "data") or "0" in keys_of(first)


def _texts(raw: msgspec.Raw) -> list[str]:
    try:
        return msgspec.json.decode(raw, type=list[str])
    except (msgspec.DecodeError, RecursionError):
        return []


def _header(head: str, delimiter: str) -> frozenset[str]:
    try:
        return frozenset(cell.strip() for cell in next(csv.reader(io.StringIO(head, newline=""), delimiter=delimiter)))
    except (csv.Error, StopIteration):
        return frozenset()
