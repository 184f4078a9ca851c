"""Parquet files: honest ones, written with DuckDB, and lying ones, written byte by byte."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import duckdb

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_I32, _I64, _BINARY, _LIST, _STRUCT = 5, 6, 8, 9, 12
DOUBLE, BYTE_ARRAY = 5, 6
_PLAIN, _RLE, _RLE_DICTIONARY = 0, 3, 8
_DATA_PAGE, _DICTIONARY_PAGE = 0, 2


def written(folder: Path, query: str, **options: str) -> bytes:
    """Return what DuckDB writes for the rows of a query."""
    path = folder / "written.parquet"
    given = "".join(f", {name} {value}" for name, value in options.items())
    with duckdb.connect(":memory:") as connection:
        connection.execute(f"COPY ({query}) TO '{path}' (FORMAT parquet{given})")
    return path.read_bytes()


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


def _integer(number: int) -> bytes:
    return _varint(number << 1 if number >= 0 else (-number << 1) - 1)


@dataclass
class Struct:
    """A structure as Thrift's compact protocol writes it."""

    data: bytearray = field(default_factory=bytearray)
    last: int = 0

    def _add(self, number: int, kind: int, value: bytes) -> Struct:
        self.data.append(number - self.last << 4 | kind)
        self.data += value
        self.last = number
        return self

    def i32(self, number: int, value: int) -> Struct:
        return self._add(number, _I32, _integer(value))

    def i64(self, number: int, value: int) -> Struct:
        return self._add(number, _I64, _integer(value))

    def binary(self, number: int, value: bytes) -> Struct:
        return self._add(number, _BINARY, _varint(len(value)) + value)

    def struct(self, number: int, value: bytes) -> Struct:
        return self._add(number, _STRUCT, value)

    def list(self, number: int, kind: int, items: Sequence[bytes]) -> Struct:
        size = bytes([len(items) << 4 | kind]) if len(items) < 15 else bytes([0xF0 | kind]) + _varint(len(items))
        return self._add(number, _LIST, size + b"".join(items))

    def end(self) -> bytes:
        return bytes(self.data) + b"\0"


def element(name: bytes, *, children: int | None = None, kind: int | None = None, text: bool = False) -> bytes:
    """One field of a schema: an object with children, or a column."""
    struct = Struct()
    if kind is not None:
        struct.i32(1, kind)
    struct.i32(3, 0)
    struct.binary(4, name)
    if children is not None:
        struct.i32(5, children)
    if text:
        struct.i32(6, 0)
    return struct.end()


def file(schema: Sequence[bytes], *, rows: int = 0, groups: Sequence[bytes] = (), body: bytes = b"") -> bytes:
    """A whole file: `body` between the magic words, and a table of contents that says what it likes."""
    contents = Struct().i32(1, 1).list(2, _STRUCT, schema).i64(3, rows).list(4, _STRUCT, groups).end()
    return b"PAR1" + body + contents + len(contents).to_bytes(4, "little") + b"PAR1"


def one_value(value: bytes | float, rows: int, *, claimed: int | None = None, page: int | None = None) -> bytes:
    """A file with one column, `id` or `score`, that repeats one value; it costs a few bytes whatever `rows` is.

    Parameters
    ----------
    value
        A text or a number.
    rows
        How often the column repeats it.
    claimed
        How many rows the file says it has, if it lies.
    page
        How many bytes the page says it has, if it lies.

    """
    is_text = isinstance(value, bytes)
    kind, name = (BYTE_ARRAY, b"id") if is_text else (DOUBLE, b"score")
    plain = len(value).to_bytes(4, "little") + value if isinstance(value, bytes) else b"\0" * 8
    dictionary = Struct().i32(1, _DICTIONARY_PAGE).i32(2, len(plain)).i32(3, len(plain))
    dictionary.struct(7, Struct().i32(1, 1).i32(2, _PLAIN).end())
    indices = bytes([1]) + _varint(rows << 1) + b"\0"  # one run of the dictionary's first entry
    size = len(indices) if page is None else page
    data = Struct().i32(1, _DATA_PAGE).i32(2, size).i32(3, size)
    data.struct(5, Struct().i32(1, rows).i32(2, _RLE_DICTIONARY).i32(3, _RLE).i32(4, _RLE).end())
    first = dictionary.end() + plain
    body = first + data.end() + indices
    chunk = Struct().i32(1, kind).list(2, _I32, [_integer(_PLAIN), _integer(_RLE_DICTIONARY)])
    chunk.list(3, _BINARY, [_varint(len(name)) + name]).i32(4, 0).i64(5, rows).i64(6, len(body)).i64(7, len(body))
    chunk.i64(9, 4 + len(first)).i64(11, 4)
    column = Struct().i64(2, 0).struct(3, chunk.end()).end()
    count = rows if claimed is None else claimed
    group = Struct().list(1, _STRUCT, [column]).i64(2, len(body)).i64(3, count).end()
    schema = [element(b"root", children=1), element(name, kind=kind, text=is_text)]
    return file(schema, rows=count, groups=[group], body=body)
