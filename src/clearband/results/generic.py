"""Rows of any generic file into a run: ids, trials, errors, metrics."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from clearband.results import identity, long_form, lookup, names, table, values, verdicts
from clearband.results.result_file import shown
from clearband.results.series import Reader
from clearband.results.table import Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clearband.results.identity import Identity
    from clearband.results.options import ReadOptions
    from clearband.results.rows import Cells, Rows
    from clearband.results.run import Run
    from clearband.results.table import Series

_ERROR = "error"


def to_run(rows: Rows, options: ReadOptions) -> Run:
    """Make a run of `rows`, or say which row, field and question cannot be used."""
    if not rows.count:
        raise rows.file.problem("the file has no rows", remedy=names.PER_QUESTION_HINT)
    known = identity.identify(rows, options.id_field)
    notes = [*rows.notes, *known.notes]
    form = long_form.find(rows, known)
    if form is not None:
        rows, known, note = _without_means(rows, known)
        notes += note
    had_error, error_fields = errors(rows)
    if had_error.any():
        rows = replace(rows, columns=_blanked(rows, known, had_error))
    labels = _labels(rows, options.labels)
    reader = Reader(rows, known)
    if form is None:
        identity.refuse_repeats(rows, known)
        series, hints = reader.wide(known.fields | error_fields | labels.keys())
    else:
        rows = replace(rows, format=f"{rows.format}-long")
        series, hints = reader.long(form)
    if not series:
        raise rows.file.problem(
            "no field holds a number for each question",
            remedy=" ".join([*hints, f"The fields are {identity.listed(rows)}.", *_pairwise_hint(rows)]),
        )
    return table.to_run(_table(rows, known, series, had_error, labels, notes=(*notes, *hints)))


def _table(
    rows: Rows,
    known: Identity,
    series: list[Series],
    had_error: NDArray[np.bool_],
    labels: dict[str, list[str | None]],
    *,
    notes: tuple[str, ...],
) -> Table:
    if known.trials and len(set(known.ids)) < len(known.ids):
        notes += (_told_apart(known),)
    return Table(
        file=rows.file,
        format=rows.format,
        ids=known.ids,
        series=series,
        errored=had_error,
        trial=_trial_numbers(known),
        labels=labels,
        key=known.key,
        notes=notes,
    )


def _told_apart(known: Identity) -> str:
    """Say what was taken for trials, so that nobody's two systems are merged unseen."""
    by = ", ".join(
        f"`{shown(field)}` ({', '.join(shown(cell, width=20) for cell in list(dict.fromkeys(map(str, cells)))[:3])} …)"
        for field, cells in known.trials.items()
    )
    return f"The trials of a question are told apart by {by}."


def _trial_numbers(known: Identity) -> NDArray[np.float64] | None:
    """Return the number of each row's trial, where one field numbers them."""
    if len(known.trials) != 1:
        return None
    (cells,) = known.trials.values()
    outcome = values.read(cells, text_cells=any(isinstance(cell, str) for cell in cells))
    return outcome.values if isinstance(outcome, values.Numbers) and not outcome.empty else None


def _pairwise_hint(rows: Rows) -> list[str]:
    fields = verdicts.find(rows)
    return [f"If `{shown(fields[0])}` says which of two systems was preferred, use --pairwise."] if fields else []


def _labels(rows: Rows, wanted: tuple[str, ...]) -> dict[str, list[str | None]]:
    """Return the text of the fields that clusters and slices are made of; a dot leads into an object."""
    found: dict[str, list[str | None]] = {}
    for field in wanted:
        cells = identity.cells_of(rows, field)
        if cells is not None:
            found[field] = [lookup.text(cell) for cell in cells]
    return found


def errors(rows: Rows) -> tuple[NDArray[np.bool_], frozenset[str]]:
    """Return which rows report an error, and the field that says so.

    A numeric or boolean `error` is a metric and reports none.
    """
    none = np.zeros(rows.count, dtype=np.bool_)
    field = names.find(rows.columns, (_ERROR,))
    if field is None:
        return none, frozenset()
    cells = rows.columns[field]
    outcome = values.read(cells, text_cells=rows.text_cells)
    if isinstance(outcome, values.Numbers):
        return none, frozenset([field] if outcome.empty else [])
    return np.array([_reports_error(cell) for cell in cells], dtype=np.bool_), frozenset([field])


def _reports_error(cell: object) -> bool:
    if isinstance(cell, str):
        return cell.strip().casefold() not in names.NO_ERROR_WORDS
    return bool(cell)


def _blanked(rows: Rows, known: Identity, had_error: NDArray[np.bool_]) -> dict[str, Cells]:
    """Take the values out of rows with an error: a 0 beside "timeout" was never measured."""
    flags = had_error.tolist()
    return {
        field: cells
        if field in known.fields or names.plain(field) in names.METRIC_NAME_NAMES
        else [None if flag else cell for cell, flag in zip(cells, flags, strict=True)]
        for field, cells in rows.columns.items()
    }


def _without_means(rows: Rows, known: Identity) -> tuple[Rows, Identity, list[str]]:
    """Leave out the means that retrieval tools append to a long file."""
    count = long_form.question_rows(known.ids)
    if count == rows.count:
        return rows, known, []
    if not count:
        raise rows.file.problem(
            f"the file holds only means (question `{long_form.ALL}`)", remedy=names.PER_QUESTION_HINT
        )
    note = f"The last {rows.count - count} rows hold the means (question `{long_form.ALL}`) and were left out."
    columns = {field: cells[:count] for field, cells in rows.columns.items()}
    known = replace(
        known, ids=known.ids[:count], trials={field: cells[:count] for field, cells in known.trials.items()}
    )
    return replace(rows, columns=columns, count=count), known, [note]
