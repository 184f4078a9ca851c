"""What a reader found, row by row, brought from rows to questions: the last step of every reader."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from clearband.results import identity, limits
from clearband.results.result_file import shown
from clearband.results.run import Run, Trials

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from clearband.results.result_file import ResultFile
    from clearband.vocabulary import Direction, MeasurementField


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One metric over some of the rows."""

    name: str
    values: NDArray[np.float64]
    """NaN where a row has no value."""
    rows: NDArray[np.intp] | None = None
    """Which rows; None for all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One row per question and trial, whatever the file looked like."""

    file: ResultFile
    format: str
    ids: Sequence[str]
    """The question of each row; a question with several rows has that many trials."""
    series: Sequence[Series]
    errored: NDArray[np.bool_]
    """Shape (rows,): the tool reported an error; the row's values are NaN."""
    trial: NDArray[np.float64] | None = None
    """Shape (rows,): the number of the trial; None where the file does not number trials."""
    content: Sequence[str | None] | None = None
    """A hash of the question's content, row by row; see `hashed`."""
    labels: Mapping[str, Sequence[str | None]] = field(default_factory=dict)
    directions: Mapping[str, Direction] = field(default_factory=dict)
    measurement: Mapping[MeasurementField, str] = field(default_factory=dict)
    key: str = "id"
    by_position: bool = False
    series_names: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def column(name: str, cells: Iterable[float | None]) -> Series:
    """Return a metric from one value (a bool, a number, None or NaN for none) per row."""
    values = np.fromiter((math.nan if cell is None else float(cell) for cell in cells), dtype=np.float64)
    return Series(name=name, values=values)


def hashed(*parts: str | bytes) -> str:
    """Return a hash of a question's content, 16 hex digits; the parts cannot run into each other."""
    digest = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()[:16]


def to_run(table: Table) -> Run:
    """Bring every metric, label and hash from rows to questions; refuse what no run can hold."""
    ids = tuple(dict.fromkeys(table.ids))
    _check(table, ids)
    count = len(ids)
    alone = count == len(table.ids)
    positions = np.arange(count, dtype=np.int64) if alone else identity.numbered(table.ids)
    metrics: dict[str, NDArray[np.float64]] = {}
    trials_of: dict[str, Trials] = {}
    most = 1
    for one in table.series:
        where = positions if one.rows is None else positions[one.rows]
        if one.rows is None and alone:
            metrics[one.name] = one.values
            continue
        metrics[one.name] = _mean_by_question(where, one.values, count)
        each = int(np.bincount(where, minlength=1).max())
        if each > 1:
            most = max(most, each)
            trials_of[one.name] = _trials(where, one, table.trial)
    scored = np.zeros(count, dtype=np.bool_)
    for values in metrics.values():
        scored |= ~np.isnan(values)
    errored = np.zeros(count, dtype=np.bool_)
    errored[positions[table.errored]] = True
    notes = table.notes
    partly = int(np.count_nonzero(errored & scored))
    if partly:
        notes += (f"{partly} questions have trials with an error; those trials were left out of the mean.",)
    first = list(range(count)) if alone else np.unique(positions, return_index=True)[1].tolist()
    return Run(
        name=table.file.name,
        sha256=table.file.sha256,
        format=table.format,
        ids=ids,
        metrics=metrics,
        errored=errored & ~scored,
        trials=most,
        trials_of=trials_of,
        labels={name: _by_question(table, name, texts, first) for name, texts in table.labels.items()},
        content=None if table.content is None else tuple(table.content[row] for row in first),
        directions=table.directions,
        measurement=table.measurement,
        key=table.key,
        by_position=table.by_position,
        series=table.series_names,
        notes=notes,
    )


def _check(table: Table, distinct: tuple[str, ...]) -> None:
    """Refuse sizes and values that no comparison can use."""
    if not table.ids:
        raise table.file.problem("the file holds no question", remedy="The evaluation scored nothing; see its log.")
    if len(distinct) > limits.QUESTIONS:
        raise table.file.problem(
            f"the file has more than {limits.QUESTIONS:,} questions", remedy="Compare a sample of them."
        )
    if max(map(len, distinct)) > limits.ID_CHARACTERS or not all(map(str.strip, distinct)):
        raise table.file.problem(
            f"a question's id is blank or longer than {limits.ID_CHARACTERS:,} characters",
            remedy="Every question needs an id that can be read; a hash of the text will do.",
        )
    if len(table.series) > limits.METRICS:
        raise table.file.problem(
            f"the file has {len(table.series):,} metrics, more than {limits.METRICS}",
            remedy="Keep the ones you decide by.",
        )
    for one in table.series:
        if not one.name.strip() or len(one.name) > limits.NAME_CHARACTERS:
            raise table.file.problem(
                f"the metric name `{shown(one.name)}` is empty or longer than {limits.NAME_CHARACTERS} characters",
                remedy="Rename the metric.",
            )
        bad = np.flatnonzero(np.abs(np.nan_to_num(one.values, nan=0.0)) > limits.MAGNITUDE)
        if bad.size:
            row = int(bad[0] if one.rows is None else one.rows[bad[0]])
            raise table.file.problem(
                f'`{shown(one.name)}` of question "{shown(table.ids[row])}" is {one.values[bad[0]]:g}, '
                f"beyond {limits.MAGNITUDE:g}",
                remedy="Write null (in CSV: nothing) where there is no value.",
            )


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


def _trials(where: NDArray[np.int64], one: Series, number: NDArray[np.float64] | None) -> Trials:
    filled = ~np.isnan(one.values)
    where, cells = where[filled], one.values[filled]
    if number is None:
        order = np.lexsort((cells, where))
    else:
        own = number if one.rows is None else number[one.rows]
        order = np.lexsort((cells, own[filled], where))
    return Trials(question=where[order], values=cells[order], ordered=number is not None)


def _by_question(table: Table, name: str, texts: Sequence[str | None], first: list[int]) -> tuple[str | None, ...]:
    """Return a label question by question; the trials of a question must agree on it."""
    labels = dict(zip((table.ids[row] for row in first), (texts[row] for row in first), strict=True))
    for question, text in zip(table.ids, texts, strict=True):
        if labels[question] != text:
            raise table.file.problem(
                f'question "{shown(question)}" has two values of `{shown(name)}`: '
                f"{shown(labels[question])} and {shown(text)}",
                remedy="A cluster or slice belongs to the question: write the same value in each of its rows.",
            )
    return tuple(labels.values())
