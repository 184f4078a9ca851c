"""Cells into numbers, or a reason why not, by one rule for every format.

- numbers and booleans (and in text cells also ``True``/``False``) are values, missing cells are NaN;
- words are values only where every filled cell keeps to one binary vocabulary (``pass``/``fail``, ``yes``/``no`` ...);
- a field of text is no metric, even if one cell happens to be ``800``;
- a field of numbers with a text among them (``N/A``, ``timeout``) is refused: neither dropped nor made a number.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clearband.results import limits, names
from clearband.results.number_cells import NumberCells
from clearband.results.result_file import shown

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clearband.results.rows import Cells

_NUMBER_SIGNS = frozenset("0123456789+-.eE")
MIXED = "holds numbers and other things"
"""The hint for a field that is neither one of numbers nor one of text."""

_PLAIN_TYPES: frozenset[type] = frozenset({int, float, bool})


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """The field is a metric."""

    values: NDArray[np.float64]
    empty: bool
    """No cell has a value: a metric that was never scored, or a field that only looks like one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotNumbers:
    """The field is no metric."""

    hint: str | None = None
    """What a person who expected a metric should know."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """The field is a metric with something in it that is no value."""

    row: int
    too_large: bool
    """A number beyond every limit, rather than a text."""


def read(cells: Cells, *, text_cells: bool, decimal_comma: bool = False) -> Numbers | NotNumbers | Refused:
    """Read one field."""
    if isinstance(cells, NumberCells):
        return _array(cells)
    types = set(map(type, cells))
    types.discard(type(None))
    if not types:
        return Numbers(values=np.full(len(cells), np.nan), empty=True)
    if types <= _PLAIN_TYPES:
        return _checked(cells)
    if types != {str}:
        return _mixed(cells, text_cells=False)
    return _words(cells) or (
        _texts(cells, decimal_comma=decimal_comma) if text_cells else _no_metric(cells, text_cells=False)
    )


def number(text: str) -> float | None:
    """Return the number that `text` spells in plain ASCII, infinity where it is too large; None for anything else."""
    if not _NUMBER_SIGNS.issuperset(text):
        return None
    try:
        return float(text)
    except ValueError:
        return None


def _array(cells: NumberCells) -> Numbers | Refused:
    if not cells.kinds.any():
        return Numbers(values=cells.values, empty=True)
    return _within_limits(cells.values)


def _checked(cells: Cells) -> Numbers | Refused:
    """Convert numbers, booleans and nulls, which numpy does at once."""
    try:
        values = np.array(cells, dtype=np.float64)
    except OverflowError:  # an integer beyond the largest float
        row = next(row for row, cell in enumerate(cells) if isinstance(cell, int) and abs(cell) > limits.MAGNITUDE)
        return Refused(row=row, too_large=True)
    return _within_limits(values)


def _within_limits(values: NDArray[np.float64]) -> Numbers | Refused:
    large = np.flatnonzero(np.abs(values) > limits.MAGNITUDE)
    if large.size:
        return Refused(row=int(large[0]), too_large=True)
    return Numbers(values=values, empty=False)


def _words(cells: Cells) -> Numbers | None:
    """Read a field that keeps to one binary vocabulary."""
    distinct = set()
    for cell in cells:
        if isinstance(cell, str):
            distinct.add(cell)
            if len(distinct) > 8:  # two words in a few spellings; more is no vocabulary
                return None
    folded = {word.casefold() for word in distinct}
    for vocabulary in names.BINARY_WORDS:
        if folded <= vocabulary.keys():
            values = [vocabulary[cell.casefold()] if isinstance(cell, str) else None for cell in cells]
            return Numbers(values=np.array(values, dtype=np.float64), empty=False)
    return None


def _texts(cells: Cells, *, decimal_comma: bool) -> Numbers | NotNumbers | Refused:
    """Read a field of text cells: the quick way for clean numbers, else cell by cell."""
    if decimal_comma:
        cells = [cell.replace(",", ".", 1) if isinstance(cell, str) else None for cell in cells]
    try:
        if all(isinstance(cell, str) and _NUMBER_SIGNS.issuperset(cell) for cell in cells if cell):
            return _checked([float(cell) if isinstance(cell, str) else None for cell in cells])
    except ValueError:
        pass  # such as a date
    return _mixed([_truth(cell) for cell in cells], text_cells=True)


def _truth(cell: object) -> object:
    """Return the boolean or the number that a text cell spells, or the cell itself."""
    if not isinstance(cell, str):
        return cell
    truth = names.BINARY_WORDS[0].get(cell.casefold())
    value = number(cell) if truth is None else truth
    return cell if value is None else value


def _mixed(cells: Cells, *, text_cells: bool) -> Numbers | NotNumbers | Refused:
    """Decide about a field in which not every cell is a number."""
    odd = [row for row, cell in enumerate(cells) if cell is not None and type(cell) not in _PLAIN_TYPES]
    if not odd:
        return _checked(cells)
    count = sum(type(cell) in _PLAIN_TYPES for cell in cells)
    only_markers = all(isinstance(cells[row], str) and _is_marker(cells[row]) for row in odd)
    if count > len(odd) or (count and only_markers):
        return Refused(row=odd[0], too_large=False)
    return _no_metric(cells, text_cells=text_cells)


def _no_metric(cells: Cells, *, text_cells: bool) -> NotNumbers:
    """Say why a field of text is no metric, where a person may think that it is one."""
    if not text_cells and any(type(cell) in _PLAIN_TYPES for cell in cells):
        return NotNumbers(hint=MIXED)
    texts = [cell for cell in cells if isinstance(cell, str)]
    if texts and not text_cells and all(number(text) is not None for text in texts):
        return NotNumbers(hint="holds numbers written as text")
    words = Counter(text.casefold() for text in texts)
    for vocabulary in names.BINARY_WORDS:
        known = sum(words[word] for word in vocabulary)
        if known * 2 > len(texts):
            others = (cell for cell in cells if cell is not None and not _is_word(cell, vocabulary))
            return NotNumbers(hint=f'holds "{shown(next(others))}" beside {"/".join(vocabulary)}')
    return NotNumbers()


def _is_word(cell: object, vocabulary: dict[str, float]) -> bool:
    return isinstance(cell, str) and cell.casefold() in vocabulary


def _is_marker(cell: object) -> bool:
    return isinstance(cell, str) and cell.strip().casefold() in names.NO_VALUE_WORDS
