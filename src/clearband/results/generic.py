"""Rows of any generic file into a run: ids, trials, errors, metrics."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from clearband.results import identity, limits, long_form, names, values
from clearband.results.result_file import shown
from clearband.results.run import Run
from clearband.results.series import Reader

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clearband.results.identity import Identity
    from clearband.results.rows import Cells, Rows
    from clearband.results.series import Series

_ERROR = "error"


def to_run(rows: Rows, *, id_field: str | None) -> Run:
    """Make a run of `rows`, or say which row, field and question cannot be used."""
    if not rows.count:
        raise rows.file.problem("the file has no rows", remedy=names.PER_QUESTION_HINT)
    known = identity.identify(rows, id_field)
    notes = [*known.notes]
    form = long_form.find(rows, known)
    if form is not None:
        rows, known, note = _without_means(rows, known)
        notes += note
    had_error, error_fields = _errors(rows)
    if had_error.any():
        rows = replace(rows, columns=_blanked(rows, known, had_error))
    reader = Reader(rows, known)
    if form is None:
        identity.refuse_repeats(rows, known)
        series, hints = reader.wide(known.fields | error_fields)
    else:
        rows = replace(rows, format=f"{rows.format}-long")
        series, hints = reader.long(form)
    if not series:
        listed = ", ".join(f"`{shown(field)}`" for field in list(rows.columns)[:20])
        raise rows.file.problem(
            "no field holds a number for each question", remedy=" ".join([*hints, f"The fields are {listed}."])
        )
    return _assembled(rows, known, series, had_error, notes=(*notes, *hints))


def _assembled(
    rows: Rows, known: Identity, series: list[Series], had_error: NDArray[np.bool_], *, notes: tuple[str, ...]
) -> Run:
    """Bring every metric from rows to questions."""
    ids = tuple(dict.fromkeys(known.ids))
    count = len(ids)
    if count > limits.QUESTIONS:
        raise rows.file.problem(
            f"the file has more than {limits.QUESTIONS:,} questions", remedy="Compare a sample of them."
        )
    positions = identity.numbered(known.ids)
    alone = count == rows.count
    metrics: dict[str, NDArray[np.float64]] = {}
    trials = 1
    for one in series:
        where = positions if one.rows is None else positions[one.rows]
        if one.rows is None and alone:
            metrics[one.name] = one.values
        else:
            metrics[one.name] = _mean_by_question(where, one.values, count)
            trials = max(trials, int(np.bincount(where).max()))
    scored = np.zeros(count, dtype=np.bool_)
    for column in metrics.values():
        scored |= ~np.isnan(column)
    errored = np.zeros(count, dtype=np.bool_)
    errored[positions[had_error]] = True
    if trials > 1:
        notes += (_averaged(known, trials),)
    partly = int(np.count_nonzero(errored & scored))
    if partly:
        notes += (f"{partly} questions have trials with an error; those trials were left out of the mean.",)
    return Run(
        name=rows.file.name,
        sha256=rows.file.sha256,
        format=rows.format,
        ids=ids,
        metrics=metrics,
        errored=errored & ~scored,
        trials=trials,
        notes=notes,
    )


def _averaged(known: Identity, trials: int) -> str:
    """Say what was taken for trials, so that nobody's two systems are averaged unseen."""
    by = ", ".join(
        f"`{shown(field)}` ({', '.join(shown(cell, width=20) for cell in list(dict.fromkeys(map(str, cells)))[:3])} …)"
        for field, cells in known.trials.items()
    )
    return f"Up to {trials} trials of a question, told apart by {by}, were averaged."


def _mean_by_question(where: NDArray[np.int64], cells: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """Average the trials that have a value; NaN where none has.

    Values are summed in ascending order, so that the order of rows in the file changes no digit.
    """
    filled = ~np.isnan(cells)
    where, cells = where[filled], cells[filled]
    order = np.lexsort((cells, where))
    sums = np.bincount(where[order], weights=cells[order], minlength=count)
    trials = np.bincount(where, minlength=count)
    means = np.full(count, np.nan)
    np.divide(sums, trials, out=means, where=trials > 0)
    return means


def _errors(rows: Rows) -> tuple[NDArray[np.bool_], frozenset[str]]:
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
