"""Columns that grow while rows are read: of a large file only a few rows at a time are held as Python objects."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from clearband.results.number_cells import NumberCells, joined, packed
from clearband.results.rows import refuse_too_wide

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clearband.results.result_file import ResultFile
    from clearband.results.rows import Cells


class Gathered:
    """The columns of the rows so far."""

    def __init__(self, file: ResultFile) -> None:
        self._file = file
        self._parts: dict[str, list[Cells]] = {}
        self.count = 0
        """Rows so far."""
        self.occurrences: Counter[str] = Counter()
        """How many rows have each field."""

    def add(self, rows: Sequence[dict[str, object]]) -> None:
        """Add rows, each with its own fields."""
        shapes = Counter(map(tuple, rows))
        if len(shapes) == 1:
            self.add_columns(next(iter(shapes)), zip(*map(dict.values, rows), strict=True), len(rows))
            return
        fields = tuple(dict.fromkeys(chain.from_iterable(shapes)))
        self._append(fields, ([row.get(field) for row in rows] for field in fields), len(rows))
        for shape, often in shapes.items():
            self.occurrences.update(dict.fromkeys(shape, often))

    def add_columns(self, fields: Sequence[str], columns: Iterable[Sequence[object]], count: int) -> None:
        """Add rows that all have the same fields, as columns."""
        self._append(fields, columns, count)
        self.occurrences.update(dict.fromkeys(fields, count))

    def _append(self, fields: Sequence[str], columns: Iterable[Sequence[object]], count: int) -> None:
        refuse_too_wide(self._file, self._parts.keys() | set(fields), self.count + count)
        for field, cells in zip(fields, columns, strict=True):
            if field not in self._parts:
                self._parts[field] = [_nothing(self.count)]
            self._parts[field].append(packed(cells) or list(cells))
        for field in self._parts.keys() - set(fields):
            self._parts[field].append(_nothing(count))
        self.count += count

    def columns(self) -> dict[str, Cells]:
        """Return field to cells, and let go of them."""
        parts, self._parts = self._parts, {}
        return {field: _whole(parts.pop(field)) for field in list(parts)}


def _whole(parts: list[Cells]) -> Cells:
    numbers = [part for part in parts if isinstance(part, NumberCells)]
    if len(numbers) == len(parts):
        return joined(numbers)
    return list(chain.from_iterable(parts))


def _nothing(count: int) -> NumberCells:
    return NumberCells(values=np.full(count, np.nan), kinds=np.zeros(count, dtype=np.uint8))
