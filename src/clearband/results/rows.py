"""Rows of a result file, column by column, before anyone has said what is an id and what is a metric."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from clearband.results import limits

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence, Sized

    from clearband.results.result_file import ResultFile

    Cells = Sequence[object]
    """One field over all rows: None where the row is silent, says null or leaves the cell empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """The rows of one file, whatever its shape was."""

    file: ResultFile
    format: str
    count: int
    columns: Mapping[str, Cells]
    """Field to cells, in the order in which fields first appear; all of length `count`."""
    place: Callable[[int], str]
    """Where row i lies in the file, for people; only called when something is wrong."""
    keys: list[str] | None = None
    """Ids that stand outside the rows, as in an object by id."""
    text_cells: bool = False
    """Whether every cell is text, as in CSV, so that numbers have to be read from it."""
    decimal_comma: bool = False
    unread: tuple[str, ...] = ()
    """Fields whose cells were not taken into memory: long texts, lists, bytes."""
    notes: tuple[str, ...] = ()
    """What a person should know of how the rows were read."""


def columns_of(file: ResultFile, rows: Sequence[dict[str, object]]) -> dict[str, Cells]:
    """Turn rows into columns."""
    fields = dict.fromkeys(chain.from_iterable(rows))
    refuse_too_wide(file, fields, len(rows))
    return {field: [row.get(field) for row in rows] for field in fields}


def refuse_too_wide(file: ResultFile, fields: Sized, count: int) -> None:
    """Refuse more fields than a table of results has, before anything is made of them."""
    if len(fields) > limits.FIELDS or len(fields) * count > limits.CELLS:
        raise file.problem(
            f"the file has {len(fields):,} fields in {count:,} rows, more than is read",
            remedy="One row per question and one field per metric is what is read; is the table turned on its side?",
        )
