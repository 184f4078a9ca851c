"""JSON as tools write it: typed, without holding what is not asked for, and with NaN where a tool writes NaN.

A reader names the fields it needs in a `msgspec.Struct`; prompts and traces are skipped while parsing, so a log of
gigabytes costs the memory of its scores. Python's own ``json`` writes a bare NaN for "not scored": it becomes null.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar

import msgspec

from clearband.results import limits, strict_json
from clearband.results.result_file import shown
from clearband.results.snapshot import copied

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clearband.errors import UnusableResults
    from clearband.results.result_file import ResultFile
    from clearband.results.strict_json import Buffer

T = TypeVar("T")

_NAN = b"NaN"
_EVERY_NAN = re.compile(_NAN)
_PIECE = 2**24
_BACKSLASH = 0x5C


def document(file: ResultFile, kind: type[T], *, tool: str) -> T:
    """Decode the whole file as `kind`, or say what `tool` would have written there."""
    return _decoded(file, file.buffer, msgspec.json.Decoder(kind), tool, line=None)


def part(file: ResultFile, data: bytes | msgspec.Raw, kind: type[T], *, tool: str) -> T:
    """Decode a piece of the file (a raw value, a member of an archive) as `kind`."""
    whole = memoryview(data) if isinstance(data, msgspec.Raw) else data
    return _decoded(file, whole, msgspec.json.Decoder(kind), tool, line=None)


def lines(file: ResultFile, kind: type[T], *, tool: str, keeps_raw: bool = False) -> Iterator[tuple[int, T]]:
    """Decode JSON lines as `kind`, each with its line number; blank lines are passed over.

    A raw value holds on to all of its line. Where a reader `keeps_raw` values, they are therefore taken from the
    mapped file and not from a line in memory.
    """
    decoder = msgspec.json.Decoder(kind)
    view = memoryview(file.buffer)
    start = 0
    for number, line in enumerate(file.lines(), 1):
        if not line.isspace():
            data = view[start : start + len(line)] if keeps_raw else line
            yield number, _decoded(file, data, decoder, tool, line=number)
        start += len(line)


def without_nan(data: Buffer) -> Buffer:
    """Return the same JSON with null for every bare NaN; the bytes themselves where there is none.

    Texts may speak of NaN as they like: a NaN behind an odd number of quotes stands in one. Nothing is decoded, so that
    a log of gigabytes is not held twice as objects; what lies on the disk is written there anew.
    """
    pieces: list[Buffer] = []
    view = memoryview(data)
    start = 0
    in_text = False
    for found in _EVERY_NAN.finditer(data):
        between = view[start : found.start()]
        in_text ^= bool(_quotes(between) % 2)
        pieces += (between, _NAN if in_text else b"null")
        start = found.end()
    if b"null" not in pieces[1::2]:
        return data
    pieces.append(view[start:])
    return b"".join(pieces) if len(data) <= limits.HELD_BYTES else copied(pieces).view


def _quotes(data: memoryview) -> int:
    """Count the quotes that no backslash escapes, in pieces that end behind no backslash."""
    count = start = 0
    while start < len(data):
        end = min(start + _PIECE, len(data))
        while end < len(data) and data[end - 1] == _BACKSLASH:
            end += 1
        count += bytes(data[start:end]).replace(rb"\\", b"").replace(rb"\"", b"").count(b'"')
        start = end
    return count


def _decoded(file: ResultFile, data: Buffer, decoder: msgspec.json.Decoder[T], tool: str, *, line: int | None) -> T:
    try:
        return decoder.decode(data)
    except strict_json.REFUSED as error:
        repaired = without_nan(data)
        if repaired is not data:
            try:
                return decoder.decode(repaired)
            except strict_json.REFUSED as second:
                raise _refused(file, repaired, second, tool, line) from second
        raise _refused(file, data, error, tool, line) from error


def _refused(file: ResultFile, data: Buffer, error: Exception, tool: str, line: int | None) -> UnusableResults:
    where = None if line is None else f"line {line}"
    fault = strict_json.attempt(data)
    if isinstance(fault, strict_json.Fault):
        place = where or strict_json.place(data, fault.offset)
        return file.problem(f"the file cannot be read: {fault.what}", where=place, remedy=fault.remedy)
    return file.problem(
        f"the file looks like one of {tool}, but {shown(str(error), width=160)}",
        where=where,
        remedy=f"Write it again with {tool}; a file that was edited by hand reads better as plain CSV or JSON lines.",
    )
