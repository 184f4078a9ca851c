"""A field of numbers, held as an array: it reads like the list of Python numbers it stands for, in less memory.

Nothing is lost: whether a cell was true, 1, 1.0 or null is kept beside its value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, overload

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Number = float | int | bool | None

TYPES: Final[tuple[type, ...]] = (type(None), float, int, bool)
_CODES: Final = {kind: code for code, kind in enumerate(TYPES)}
_EXACT: Final = 2.0**53
"""Whole numbers up to here are exact as float64."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NumberCells(Sequence[object]):
    """One field over all rows, where every cell is a number, true, false or null."""

    values: NDArray[np.float64]
    """NaN where the cell is null."""
    kinds: NDArray[np.uint8]
    """Of each cell the place of its type in `TYPES`."""

    def __len__(self) -> int:
        return self.values.size

    def __iter__(self) -> Iterator[Number]:
        return map(_restored, self.values.tolist(), self.kinds.tolist())

    @overload
    def __getitem__(self, place: int) -> Number: ...
    @overload
    def __getitem__(self, place: slice) -> NumberCells: ...
    def __getitem__(self, place: int | slice) -> Number | NumberCells:
        if isinstance(place, slice):
            return NumberCells(values=self.values[place], kinds=self.kinds[place])
        return _restored(float(self.values[place]), int(self.kinds[place]))

    def types(self) -> Counter[type]:
        """Count the types of the cells."""
        counts = np.bincount(self.kinds, minlength=len(TYPES)).tolist()
        return Counter({kind: count for kind, count in zip(TYPES, counts, strict=True) if count})


def packed(cells: Sequence[object]) -> NumberCells | None:
    """Return the cells as an array; None where one of them is no number, or too large to be held exactly."""
    types = set(map(type, cells))
    if not types <= _CODES.keys():
        return None
    try:
        values = np.array(cells, dtype=np.float64)
    except OverflowError:
        return None
    if int in types and np.abs(values).max(initial=0.0, where=~np.isnan(values)) >= _EXACT:
        return None
    if len(types) == 1:
        kinds = np.full(len(cells), _CODES[types.pop()], dtype=np.uint8)
    else:
        kinds = np.fromiter(map(_CODES.__getitem__, map(type, cells)), dtype=np.uint8, count=len(cells))
    return NumberCells(values=values, kinds=kinds)


def types_of(cells: Sequence[object]) -> Counter[type]:
    """Count the types of any cells."""
    return cells.types() if isinstance(cells, NumberCells) else Counter(map(type, cells))


def _restored(value: float, kind: int) -> Number:
    own = TYPES[kind]
    return value if own is float else None if own is type(None) else own(value)
