"""Strict JSON, with the place of every fault.

msgspec decodes: no NaN, no overflow, no lone surrogate, no invalid UTF-8, and no more nesting than the stack can hold.
It is fast because it says little when it refuses; `attempt` looks again, only then, and finds the byte.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from clearband.results import limits

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

REFUSED = (msgspec.DecodeError, RecursionError)
"""What `decode` raises on anything but strict JSON (an overflowing number is a kind of DecodeError too)."""

decode = msgspec.json.Decoder().decode

Buffer = bytes | memoryview
"""JSON text, in memory or (memoryview) where a large file lies."""

_PIECE = 2**20
_BYTE = re.compile(r"\(byte (\d+)\)")
_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?', re.DOTALL)
_ESCAPE = re.compile(rb"\\(?:u([0-9a-fA-F]{4})|.)", re.DOTALL)
_NON_FINITE = re.compile(rb"-?(?:NaN|nan|Infinity|inf)")
_SPACE = re.compile(r"[ \t\r\n]*")
_NULL_ADVICE = "JSON has no such number. Write null where a question has no value (DataFrame.to_json does)."


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Why some bytes are not strict JSON."""

    what: str
    offset: int
    """Byte at which the fault lies."""
    remedy: str


def attempt(data: Buffer) -> object:
    """Return the decoded value, or the `Fault` for which there is none."""
    try:
        return decode(data)
    except REFUSED as error:
        return fault(data, error)


def fault(data: Buffer, error: Exception) -> Fault:
    """Return where and why the parser refused `data`; of what is too large to hold, no more than it says itself."""
    if isinstance(error, RecursionError):
        return Fault(what="it nests deeper than any result", offset=0, remedy="Keep the ids and the scores.")
    if isinstance(data, bytes) or len(data) <= limits.FILE_BYTES:
        return _looked_up(bytes(data), error)
    return _plain(error, end=len(data))


def _looked_up(data: bytes, error: Exception) -> Fault:
    for look in (_bad_text, _lone_surrogate, _non_finite_word):
        found = look(data, error)
        if found is not None:
            return found
    if isinstance(error, msgspec.ValidationError):
        return _too_large(data)
    return _plain(error, end=len(data.rstrip()))


def _plain(error: Exception, *, end: int) -> Fault:
    offset = _offset(error)
    if offset is None or offset >= end:
        return Fault(
            what="it ends in the middle of a value",
            offset=end,
            remedy="The evaluation or the upload was cut short; write the file again.",
        )
    reason = _BYTE.sub("", str(error)).removeprefix("JSON is malformed: ").strip()
    return Fault(what=f"it is not JSON: {reason}", offset=offset, remedy="Write the file with a JSON library.")


def place(data: Buffer, offset: int) -> str:
    """Return line and column of a byte, counted from 1; the line alone where the data end."""
    if not isinstance(data, bytes):
        ends = sum(bytes(data[at : min(at + _PIECE, offset)]).count(b"\n") for at in range(0, offset, _PIECE))
        return f"line {ends + 1}"
    line = data.count(b"\n", 0, offset) + 1
    column = offset - data.rfind(b"\n", 0, offset)
    return f"line {line}, column {column}" if offset < len(data) else f"line {line}"


def entries(text: str, path: Sequence[str] = ()) -> Iterator[tuple[str, int]]:
    """Walk the array or object at `path` of a valid document and yield each entry's key (or index) and offset.

    A plain walk, because the fast parser keeps the last of two equal keys and does not say so.
    """
    return ((key, start) for key, start, _ in spans(text, path))


def spans(text: str, path: Sequence[str] = ()) -> Iterator[tuple[str, int, int]]:
    """Yield each entry's key (or index), and where its value begins and ends."""
    at = 0
    for name in path:
        at = [start for key, start, _ in _spans_at(text, at) if key == name][-1]
    yield from _spans_at(text, at)


def line_of(text: str, offset: int) -> int:
    """Return the line of a character, counted from 1."""
    return text.count("\n", 0, offset) + 1


def _spans_at(text: str, at: int) -> Iterator[tuple[str, int, int]]:
    scan = json.JSONDecoder(parse_int=str, parse_float=str).raw_decode
    at = _skip(text, at)
    is_object = text[at] == "{"
    at = _skip(text, at + 1)
    index = 0
    while text[at] not in "]}":
        key = str(index)
        if is_object:
            key, at = scan(text, at)
            at = _skip(text, _skip(text, at) + 1)
        start = at
        _, at = scan(text, at)
        yield key, start, at
        at = _skip(text, at)
        if text[at] == ",":
            at = _skip(text, at + 1)
        index += 1


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _offset(error: Exception) -> int | None:
    found = _BYTE.search(str(error))
    return int(found[1]) if found else None


def _bad_text(data: bytes, error: Exception) -> Fault | None:
    if "UTF-8" not in str(error):
        return None
    try:
        data.decode()
    except UnicodeDecodeError as bad:
        return Fault(
            what=f"byte 0x{data[bad.start]:02x} is not UTF-8", offset=bad.start, remedy="Save the file as UTF-8."
        )
    return None


def _lone_surrogate(data: bytes, error: Exception) -> Fault | None:
    if "surrogate" not in str(error) and "truncated" not in str(error):
        return None
    high = -1  # end of a high half that waits for its low half
    start = 0
    for escape in _ESCAPE.finditer(data):
        code = int(escape[1], 16) if escape[1] else 0
        is_low = 0xDC00 <= code <= 0xDFFF
        if (high >= 0 and not (is_low and escape.start() == high)) or (is_low and high < 0):
            start = start if high >= 0 else escape.start()
            return _half_character(start)
        high = escape.end() if 0xD800 <= code <= 0xDBFF else -1
        start = escape.start()
    # A high half at the very end of the data is a cut file; followed by anything else it stands alone.
    return _half_character(start) if 0 <= high < len(data.rstrip()) else None


def _half_character(offset: int) -> Fault:
    return Fault(
        what="half a character (a lone surrogate) stands in a text",
        offset=offset,
        remedy="The tool cut a text inside a character; cut by characters, or leave the text out.",
    )


def _non_finite_word(data: bytes, error: Exception) -> Fault | None:
    offset = _offset(error)
    if offset is None:
        return None
    for start in (max(offset - 1, 0), offset):  # the parser stops at the sign or behind it
        word = _NON_FINITE.match(data, start)
        if word:
            return Fault(what=f"{word[0].decode()} is not a value", offset=word.start(), remedy=_NULL_ADVICE)
    return None


def _too_large(data: bytes) -> Fault:
    numbers = (token for token in _TOKEN.finditer(data) if token[0][:1] != b'"')
    token = next(token for token in numbers if math.isinf(float(token[0])))
    number = token[0][:20].decode() + ("…" if len(token[0]) > 20 else "")
    return Fault(what=f"{number} is beyond every finite number", offset=token.start(), remedy=_NULL_ADVICE)
