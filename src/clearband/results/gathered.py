"""Columns that grow while rows are read: of a large file only a few rows at a time are held as Python objects."""

from __future__ import annotations

from array import array
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from clearband.results.number_cells import NumberCells, packed
from clearband.results.rows import refuse_too_wide

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clearband.results.result_file import ResultFile
    from clearband.results.rows import Cells


class Gathered:
    """The columns of the rows so far."""

    def __init__(self, file: ResultFile) -> None:
        self._file = file
        self._columns: dict[str, _Column] = {}
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

    def columns(self) -> dict[str, Cells]:
        """Return field to cells."""
        return {field: column.cells() for field, column in self._columns.items()}

    def _append(self, fields: Sequence[str], columns: Iterable[Sequence[object]], count: int) -> None:
        refuse_too_wide(self._file, self._columns.keys() | set(fields), self.count + count)
        for field, cells in zip(fields, columns, strict=True):
            if field not in self._columns:
                self._columns[field] = _Column()
                self._columns[field].add([None] * self.count)
            self._columns[field].add(cells)
        for field in self._columns.keys() - set(fields):
            self._columns[field].add([None] * count)
        self.count += count


class _Column:
    """One field: numbers in arrays that grow in place, until something comes that is none; then a list."""

    def __init__(self) -> None:
        self._values = array("d")
        self._kinds = bytearray()
        self._others: list[object] | None = None

    def add(self, cells: Sequence[object]) -> None:
        """Add the cells of further rows."""
        numbers = packed(cells) if self._others is None else None
        if numbers is not None:
            self._values.frombytes(numbers.values.tobytes())
            self._kinds += numbers.kinds.tobytes()
            return
        if self._others is None:
            self._others = list(self._numbers())
            self._values, self._kinds = array("d"), bytearray()
        self._others.extend(cells)

    def cells(self) -> Cells:
        """Return all of them."""
        return self._numbers() if self._others is None else self._others

    def _numbers(self) -> NumberCells:
        return NumberCells(
            values=np.frombuffer(self._values, dtype=np.float64), kinds=np.frombuffer(self._kinds, dtype=np.uint8)
        )
