"""Which fields may be metrics, and what they are called.

- A top-level field keeps its name.
- Objects and lists of named values known to hold metrics (``scores``, ``metrics``, ``usage`` ...) are looked into and
  left out of the name: ``scores.recall`` is ``recall``. Everything numeric in them is a metric, whatever its name.
- ``{"score": 0.5, "reason": "..."}`` is one value: ``scores.faithful.score`` is ``faithful``.
- Any other object is looked into as well, and stays in the name: ``retrieval.recall``.
- Where two of these names would be equal, both fields are called by their full path.
- Content (``answer``, ``context`` ...), descriptions (``level``, ``metadata`` ...) and bookkeeping (``index``, ``seed``
  ...) are no metrics outside metric objects.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from clearband.results import limits, names
from clearband.results.number_cells import types_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from clearband.results.rows import Cells

_DEPTH = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """A field that holds single values."""

    path: tuple[str, ...]
    cells: Cells
    trusted: bool
    """It stands at the top or in an object known to hold metrics, so that nulls and faults in it count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stray:
    """A row whose field is no object, although the other rows have one with metrics in it."""

    path: tuple[str, ...]
    row: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TooMany:
    """An object with more fields than metrics can have."""

    path: tuple[str, ...]


Found = Leaf | Stray | TooMany


def walk(columns: Mapping[str, Cells], *, skip: Collection[str]) -> Iterator[Found]:
    """Yield every field that may be a metric, in the order of the file."""
    for field, cells in columns.items():
        if field not in skip and not names.is_no_metric(field):
            yield from _walk((field,), cells, known=False, depth=_DEPTH)


def call(paths: Sequence[tuple[str, ...]]) -> list[str]:
    """Return a name for each path: short, or full where two would be equal."""
    short = [_short(path) for path in paths]
    often = Counter(short)
    return [".".join(path) if often[name] > 1 else name for path, name in zip(paths, short, strict=True)]


def _walk(path: tuple[str, ...], cells: Cells, *, known: bool, depth: int) -> Iterator[Found]:
    is_wrapper = names.plain(path[-1]) in names.WRAPPERS
    types = types_of(cells)
    if list in types and (known or is_wrapper) and not _numbers(types):
        cells = [_by_name(cell) for cell in cells]
        types = Counter(map(type, cells))
    # Where most values are numbers, an object among them is a fault of that row, like a text.
    if _numbers(types) > types[dict] or not any(isinstance(cell, dict) and cell for cell in cells):
        yield Leaf(path=path, cells=cells, trusted=known or len(path) == 1 or _is_value(path))
    elif depth:
        yield from _walk_object(path, cells, known=known or is_wrapper, depth=depth)


def _numbers(types: Counter[type]) -> int:
    return types[int] + types[float] + types[bool]


def _walk_object(path: tuple[str, ...], cells: Cells, *, known: bool, depth: int) -> Iterator[Found]:
    objects: list[dict[str, object]] = [cell if isinstance(cell, dict) else {} for cell in cells]
    inner = dict.fromkeys(chain.from_iterable(objects))
    if len(inner) > (limits.FIELDS if known else limits.OPEN_FIELDS):
        yield TooMany(path=path)
        return
    stray = next((row for row, cell in enumerate(cells) if cell is not None and not isinstance(cell, dict)), None)
    if stray is not None:
        yield Stray(path=path, row=stray)
    value = names.find(inner, names.VALUE_NAMES)
    explains = value is not None and names.plain(path[-1]) not in names.WRAPPERS
    for field in inner:
        trusted = known and (field == value or not explains)  # beside a value stands its explanation
        if trusted or not names.is_no_metric(field):
            column = [item.get(field) for item in objects]
            yield from _walk((*path, field), column, known=trusted, depth=depth - 1)


def _by_name(cell: object) -> object:
    """Turn ``[{"name": "recall", "score": 1}, ...]`` into ``{"recall": 1, ...}``; leave anything else as it is."""
    if not isinstance(cell, list):
        return cell
    found: dict[str, object] = {}
    for item in cell:
        if not isinstance(item, dict):
            return cell
        name, value = names.find(item, names.METRIC_NAME_NAMES), names.find(item, names.VALUE_NAMES)
        if name is None or value is None or not isinstance(item[name], str) or item[name] in found:
            return cell
        found[item[name]] = item[value]
    return found


def _is_value(path: tuple[str, ...]) -> bool:
    return len(path) > 1 and path[-1] in names.VALUE_NAMES


def _short(path: tuple[str, ...]) -> str:
    if _is_value(path) and names.plain(path[-2]) not in names.WRAPPERS:
        path = path[:-1]
    kept = [name for name in path[:-1] if names.plain(name) not in names.WRAPPERS]
    return ".".join((*kept, path[-1]))
