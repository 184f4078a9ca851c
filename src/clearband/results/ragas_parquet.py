"""A table of Ragas as Parquet: the same columns as in text, with contexts and answers left on the disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clearband.results import parquet, parquet_file
from clearband.results.parquet_schema import Kind
from clearband.results.picked import needed_by
from clearband.results.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from clearband.results.options import ReadOptions
    from clearband.results.parquet_file import ParquetFile
    from clearband.results.parquet_schema import Leaf
    from clearband.results.result_file import ResultFile
    from clearband.results.rows import Cells

_WORD_BYTES = 256
"""A metric with a longer text holds no words that are scores."""
_TEXT = 2**20
"""Characters of a question or a reference; what is taken into memory is bounded for the file as a whole."""


def is_parquet(file: ResultFile) -> bool:
    """Whether the bytes begin as Parquet does."""
    return file.head(len(parquet_file.MAGIC)) == parquet_file.MAGIC


def has_fields(file: ResultFile, groups: Iterable[Collection[str]]) -> bool:
    """Whether the columns that the file lists at its end are at least those of one of the groups."""
    data = file.data
    footer = data[-8 - int.from_bytes(data[-8:-4], "little") :]
    # Each name stands behind its length, so that no other text can be taken for one.
    return any(all(bytes([len(name)]) + name.encode() in footer for name in names) for names in groups)


def rows(file: ResultFile, needed: Callable[[str], bool], texts: Collection[str], options: ReadOptions) -> Rows:
    """Read the columns that are needed.

    Parameters
    ----------
    file
        The table.
    needed
        Whether a column may hold a metric.
    texts
        The columns that hold the question and what was expected, which are needed as a whole.
    options
        Names further columns that are needed.

    """
    asked = needed_by(options)
    columns: dict[tuple[str, ...], Cells] = {}
    with parquet_file.opened(file) as opened:
        for leaf in opened.leaves:
            whole = ".".join(leaf.path) in asked or leaf.path[0] in texts
            cells = _cells(opened, leaf, whole=whole) if whole or needed(leaf.path[0]) else None
            if cells is not None:
                columns[leaf.path] = cells
        count = opened.count
    return Rows(
        file=file,
        format="ragas/parquet",
        count=count,
        columns=parquet.nested(columns, count),
        place=lambda row: f"row {row + 1}",
    )


def _cells(opened: ParquetFile, leaf: Leaf, *, whole: bool) -> Cells | None:
    """Return the cells of a column of numbers, of words, or of texts that are needed as a whole."""
    if leaf.kind is Kind.OTHER:
        return None
    if leaf.kind is Kind.NUMBER:
        return opened.numbers(leaf)
    if whole:
        return opened.texts(leaf, characters=_TEXT)
    return opened.texts(leaf, characters=_WORD_BYTES) if opened.is_short(leaf, _WORD_BYTES) else None
