"""Rows into tables: medians, ratios and memory as a person reads them. Pure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bench.timing import Row

NOTHING = "–"


def markdown(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table; the first column is text, the others are numbers."""
    marks = [":---", *["---:"] * (len(head) - 1)]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (head, marks, *lines))


def seconds(value: float) -> str:
    """Return a time with three significant digits, in the unit that suits it."""
    if math.isnan(value):
        return NOTHING
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if value >= size:
            return f"{_three(value / size)} {unit}"
    return f"{_three(value / 1e-6)} µs"


def ratio(value: float, base: float) -> str:
    """Return how many times `base` the value is; nothing where either is not known."""
    if math.isnan(value) or math.isnan(base) or base <= 0.0:
        return NOTHING
    return f"{_three(value / base)}×"


def mebibytes(value: float) -> str:
    """Return a size in MiB."""
    return NOTHING if math.isnan(value) else f"{value:,.0f} MiB"


def row_of(rows: Iterable[Row], name: str, size: int | None = None) -> Row | None:
    """Return the row of that name, and of that size where one is given; None where it was not measured."""
    return next((row for row in rows if row.name == name and size in {None, row.size}), None)


def median_of(rows: Iterable[Row], name: str, size: int | None = None) -> float:
    """Return a row's median; not a number where it was not measured."""
    row = row_of(rows, name, size)
    return float("nan") if row is None else row.median


def by_size(rows: Sequence[Row], *, base: str) -> str:
    """Return one table: a line per name, a column per size, each with time and ratio to `base` at that size."""
    sizes = sorted({row.size for row in rows})
    names = list(dict.fromkeys(row.name for row in rows))
    lines = []
    for name in names:
        cells = [name]
        for size in sizes:
            row = row_of(rows, name, size)
            cells.append(NOTHING if row is None else _cell(row, median_of(rows, base, size), is_base=name == base))
        lines.append(cells)
    return markdown(["", *(f"{size:,}" for size in sizes)], lines)


def with_memory(rows: Sequence[Row], *, base: str) -> str:
    """Return one table: time, ratio to `base` and peak memory of each row."""
    lines = [
        [row.name, seconds(row.median), ratio(row.median, median_of(rows, base, row.size)), mebibytes(row.memory)]
        for row in rows
    ]
    return markdown(["", "time", f"× {base}", "peak memory"], lines)


def _cell(row: Row, base: float, *, is_base: bool) -> str:
    if row.failed:
        return row.failed.split(":")[0] if row.failed.startswith(("not ", "exit ")) else row.failed
    return seconds(row.median) if is_base else f"{seconds(row.median)} ({ratio(row.median, base)})"


def _three(value: float) -> str:
    """Return three significant digits, never an exponent."""
    if value >= 1000.0:
        return f"{float(f'{value:.3g}'):,.0f}"
    digits = max(0, 2 - math.floor(math.log10(value))) if value > 0.0 else 2
    return f"{value:.{digits}f}"
