"""The metrics of a file, each a name and its values over some of the rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clearband.results import fields, limits, long_form, names, values
from clearband.results.result_file import shown
from clearband.results.rows import refuse_too_wide
from clearband.results.table import Series

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clearband.results.identity import Identity
    from clearband.results.rows import Cells, Rows

_MENTIONED = 5


@dataclass(frozen=True, slots=True)
class Hint:
    """What a person should know of a field that is no metric."""

    text: str


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads the metrics of `rows`, whose questions are `known`."""

    rows: Rows
    known: Identity

    def wide(self, skip: frozenset[str]) -> tuple[list[Series], list[str]]:
        """Read every field but `skip` that may be a metric; return the metrics and the hints."""
        columns: dict[tuple[str, ...], NDArray[np.float64]] = {}
        hints = _left_out(self.rows, skip)
        strays: list[fields.Stray] = []
        for number, found in enumerate(fields.walk(self.rows.columns, skip=skip), 1):
            refuse_too_wide(self.rows.file, range(number), self.rows.count)
            match found:
                case fields.TooMany(path=path):
                    hints.append(f"`{_dotted(path)}` has too many different fields to be metrics and was left out.")
                case fields.Stray():
                    strays.append(found)
                case fields.Leaf(path=path, cells=cells, trusted=trusted):
                    column = self._column(_dotted(path), cells, range(self.rows.count), trusted=trusted)
                    if isinstance(column, Hint):
                        hints.append(column.text)
                    elif column is not None:
                        columns[path] = column
        self._refuse_strays(strays, list(columns))
        called = fields.call(list(columns))
        self._refuse_odd_names(called)
        series = [Series(name=name, values=v, rows=None) for name, v in zip(called, columns.values(), strict=True)]
        return series, hints

    def long(self, form: long_form.LongForm) -> tuple[list[Series], list[str]]:
        """Read every metric of a long file from its own rows; return the metrics and the hints."""
        series: list[Series] = []
        hints: list[str] = []
        cells = list(self.rows.columns[form.value])
        groups = long_form.groups(self.rows, self.known, form)
        self._refuse_odd_names(list(groups))
        for name, where in groups.items():
            column = self._column(name, [cells[row] for row in where], where, trusted=True)
            if isinstance(column, Hint):
                hints.append(column.text)
            elif column is not None:
                series.append(Series(name=name, values=column, rows=np.array(where, dtype=np.intp)))
        return series, hints

    def _column(
        self, name: str, cells: Cells, where: Sequence[int], *, trusted: bool
    ) -> NDArray[np.float64] | Hint | None:
        """Return the values if this is a metric, else why it is none if that may surprise.

        Something that is no value in a metric is refused; in an object that may hold anything the field is passed over.
        """
        outcome = values.read(cells, text_cells=self.rows.text_cells, decimal_comma=self.rows.decimal_comma)
        match outcome:
            case values.Numbers(values=found, empty=empty):
                # A metric that an arm could not score at all must be seen as lost there, not as unknown.
                return found if trusted or not empty else None
            case values.NotNumbers(hint=hint):
                return Hint(f"`{shown(name)}` {hint} and was not read as a metric.") if hint else None
            case values.Refused(too_large=False) if not trusted:
                return Hint(f"`{shown(name)}` {values.MIXED} and was not read as a metric.")
            case values.Refused(row=row, too_large=too_large):
                cell, question = shown(cells[row]), shown(self.known.ids[where[row]])
                why = f"beyond {limits.MAGNITUDE:g}" if too_large else "where the other questions have numbers"
                raise self.rows.file.problem(
                    f'`{shown(name)}` of question "{question}" is {cell}, {why}',
                    where=self.rows.place(where[row]),
                    remedy="Write null (in CSV: nothing) where there is no value.",
                )

    def _refuse_strays(self, strays: list[fields.Stray], paths: list[tuple[str, ...]]) -> None:
        """Refuse a row that has a text or a number where the others have an object with metrics in it."""
        for stray in strays:
            if any(path[: len(stray.path)] == stray.path for path in paths):
                question = shown(self.known.ids[stray.row])
                raise self.rows.file.problem(
                    f'`{_dotted(stray.path)}` of question "{question}" is no object, although it is one elsewhere',
                    where=self.rows.place(stray.row),
                    remedy="Write null, or leave it out, where a question was not scored.",
                )

    def _refuse_odd_names(self, called: list[str]) -> None:
        file = self.rows.file
        if len(called) > limits.METRICS:
            raise file.problem(
                f"the file has {len(called):,} metrics, more than {limits.METRICS}",
                remedy="Keep the ones you decide by; put everything else into an object called `metadata`.",
            )
        for position, name in enumerate(called):
            if name in called[:position]:
                raise file.problem(f"two metrics are called `{shown(name)}`", remedy="Rename one of the two fields.")
            if not name.strip():
                raise file.problem("a metric has no name", remedy="Give the field a name.")
            if len(name) > limits.NAME_CHARACTERS:
                raise file.problem(
                    f"the metric name `{shown(name)}` is longer than {limits.NAME_CHARACTERS} characters",
                    remedy="Shorten the name.",
                )


def _left_out(rows: Rows, skip: frozenset[str]) -> list[str]:
    """Mention numbers that are passed over for their names alone."""
    left = [
        f"`{shown(field)}`"
        for field, cells in rows.columns.items()
        if field not in skip and names.is_ambiguous(field) and _is_number(cells)
    ]
    return [f"By their names no metrics: {', '.join(left[:_MENTIONED])}."] if left else []


def _is_number(cells: Cells) -> bool:
    first = next((cell for cell in cells if cell is not None), None)
    return isinstance(first, (int, float)) or (isinstance(first, str) and values.number(first) is not None)


def _dotted(path: tuple[str, ...]) -> str:
    return shown(".".join(path))
