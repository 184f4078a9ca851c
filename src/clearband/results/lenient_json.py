"""JSON as tools write it: typed, without holding what is not asked for, and with NaN where a tool writes NaN.

A reader names the fields it needs in a `msgspec.Struct`; prompts and traces are skipped while parsing, so a log of
gigabytes costs the memory of its scores. Python's own ``json`` writes a bare NaN for "not scored": it becomes null.
"""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, TypeVar

import msgspec

from clearband.results import strict_json
from clearband.results.result_file import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clearband.errors import UnusableResults
    from clearband.results.result_file import ResultFile

T = TypeVar("T")

_WORDS = (b"NaN", b"Infinity")


def document(file: ResultFile, kind: type[T], *, tool: str) -> T:
    """Decode the whole file as `kind`, or say what `tool` would have written there."""
    return _decoded(file, file.data, msgspec.json.Decoder(kind), tool, line=None)


def part(file: ResultFile, data: bytes | msgspec.Raw, kind: type[T], *, tool: str) -> T:
    """Decode a piece of the file (a raw value, a member of an archive) as `kind`."""
    return _decoded(file, bytes(data), msgspec.json.Decoder(kind), tool, line=None)


def lines(file: ResultFile, kind: type[T], *, tool: str) -> Iterator[tuple[int, T]]:
    """Decode JSON lines as `kind`, each with its line number; blank lines are passed over."""
    decoder = msgspec.json.Decoder(kind)
    for number, line in enumerate(io.BytesIO(file.data), 1):
        if not line.isspace():
            yield number, _decoded(file, line, decoder, tool, line=number)


def without_nan(data: bytes) -> bytes:
    """Return the same JSON with null for NaN; the bytes themselves where they hold none or are no JSON."""
    if not any(word in data for word in _WORDS):
        return data
    try:
        return msgspec.json.encode(json.loads(data, parse_constant=_null))
    except (ValueError, RecursionError, UnicodeError):
        return data


def _null(word: str) -> None:
    if word != "NaN":
        raise ValueError(word)  # an infinite score is a fault, not a missing one


def _decoded(file: ResultFile, data: bytes, decoder: msgspec.json.Decoder[T], tool: str, *, line: int | None) -> T:
    try:
        return decoder.decode(data)
    except strict_json.REFUSED as error:
        repaired = without_nan(data)
        if repaired is not data:
            try:
                return decoder.decode(repaired)
            except strict_json.REFUSED as second:
                raise _refused(file, data, second, tool, line) from second
        raise _refused(file, data, error, tool, line) from error


def _refused(file: ResultFile, data: bytes, error: Exception, tool: str, line: int | None) -> UnusableResults:
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
