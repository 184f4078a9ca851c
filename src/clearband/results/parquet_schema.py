"""What a Parquet file says of its columns: names, kinds, and what lies inside columns of objects."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Any

from clearband.results.result_file import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from duckdb.sqltypes import DuckDBPyType

    from clearband.results.result_file import ResultFile

_DEPTH = 8
_NUMBERS = frozenset({
    "boolean", "tinyint", "smallint", "integer", "bigint", "utinyint", "usmallint", "uinteger", "ubigint", "hugeint",
    "uhugeint", "float", "double", "decimal", "null",
})  # fmt: skip
_TEXTS = frozenset({
    "varchar", "json", "enum", "uuid", "date", "time", "timestamp", "timestamp_s", "timestamp_ms", "timestamp_ns",
    "timestamp with time zone",
})  # fmt: skip


class Kind(Enum):
    """What a column holds."""

    NUMBER = auto()
    """Also true and false, and a column of nulls alone."""
    TEXT = auto()
    """Also dates and the like, which are asked for as text."""
    OTHER = auto()
    """Lists, maps, bytes: never read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """A column, or a field of a column of objects."""

    path: tuple[str, ...]
    """Its name, behind those of the objects that it lies in."""
    kind: Kind
    expression: str
    """How DuckDB is asked for it, in positions alone."""
    average: float = 0.0
    """Bytes of a value on average, as the file says; a long text need not even be unpacked to be passed over."""


def names_of(file: ResultFile, elements: Sequence[tuple[Any, ...]], renamed: Sequence[str]) -> list[str]:
    """Return the columns' own names: DuckDB renames those that differ from another one in case alone."""
    names: list[str] = []
    inside: list[int] = []  # how many more fields each open object has
    for name, children in elements[1:]:
        if not inside:
            names.append(str(name))
        if inside:
            inside[-1] -= 1
        if children:
            inside.append(int(children))
        while inside and inside[-1] < 1:
            inside.pop()
    if len(names) != len(renamed):
        return list(renamed)
    twice = next((name for name, often in Counter(names).items() if often > 1), None)
    if twice is not None:
        raise file.problem(f"two columns are called `{shown(twice)}`", remedy="Give each column a name of its own.")
    return names


def leaves_of(path: tuple[str, ...], kind: DuckDBPyType, expression: str, depth: int = _DEPTH) -> Iterator[Leaf]:
    """Yield a column, or the fields of a column of objects.

    Parameters
    ----------
    path
        The column's name.
    kind
        Its type, as DuckDB sees it.
    expression
        How DuckDB is asked for it.
    depth
        How many objects deep fields are looked for.

    """
    name = str(kind.id)
    if name == "struct" and depth:
        for position, (inner, inside) in enumerate(kind.children, 1):
            if not isinstance(inside, int | list):  # those are the parameters of types that are no objects
                yield from leaves_of((*path, inner), inside, f"struct_extract_at({expression}, {position})", depth - 1)
    elif name in _NUMBERS:
        yield Leaf(path=path, kind=Kind.NUMBER, expression=expression)
    elif name in _TEXTS:
        yield Leaf(path=path, kind=Kind.TEXT, expression=f"CAST({expression} AS VARCHAR)")
    else:
        yield Leaf(path=path, kind=Kind.OTHER, expression=expression)
