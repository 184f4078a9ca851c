"""Experiments as trackers write them: a row per question and repetition, scores by name, an error where there was one.

Shared by the readers of MLflow, LangSmith, Braintrust, Phoenix, azure-ai-evaluation and pydantic-evals.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from clearband.results import identity, lookup, names, question_keys, strict_json, table
from clearband.results.identity import Identity, cells_of, text_key
from clearband.results.rows import Rows
from clearband.results.series import Reader
from clearband.results.table import Table, hashed
from clearband.vocabulary import Direction, MeasurementField

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clearband.results.options import ReadOptions
    from clearband.results.run import Run

REPETITIONS = "repetitions, mean"
"""The attempt rule of every tool here: a question's repetitions are averaged."""

_REFERENCES = (
    "ground_truth", "ground_truths", "ground_truth_answer", "expected_response", "expected_output", "expected_answer",
    "expected", "reference", "reference_answer", "target", "targets", "gold", "truth",
)  # fmt: skip
"""What people call the right answer, most trusted first."""
_ANSWERS = frozenset({
    "response", "responses", "answer", "answers", "output", "outputs", "prediction", "predictions", "completion",
    "generated_answer", "context", "contexts", "retrieved_contexts", "conversation", "messages", "tool_calls",
})  # fmt: skip
"""What the evaluated system may have written, which names no question: it differs from run to run."""
_NO_ERROR = (None, "", False)
_PYTHON_DICT = re.compile(r"""\{'[^'\\]*': (?:'([^'\\]*)'|"([^"\\]*)")\}""")


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """One run of an experiment, as a reader found it; every list has an entry per row."""

    rows: Rows
    """The file's own fields, for labels and for an id that a person names."""
    scores: list[dict[str, object]]
    """Name to value; values of lost rows are not used."""
    lost: list[bool]
    """The tool reports an error of the evaluated system or around it."""
    asked: Sequence[object]
    """What the system was asked."""
    expected: Sequence[object] | None = None
    """What it should have answered; None where the file does not say."""
    told: list[dict[str, object]] = field(default_factory=list)
    """What a person wrote down about each question, in which an id of theirs may lie."""
    stable: tuple[str, Sequence[object]] | None = None
    """What the tool's own ids are called, and the ids; they serve where every row has one."""
    times: Mapping[str, Sequence[object]] = field(default_factory=dict)
    """Run times that the tool itself measures, by name: metrics of which less is better, and no scores."""
    trial: list[float] | None = None
    """The number of each repetition, where the tool numbers them."""
    directions: Mapping[str, Direction] = field(default_factory=dict)
    measurement: Mapping[MeasurementField, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    wrapper: str = "scores"
    """What messages call the place of the scores."""
    unscored: str
    """What makes the tool write scores, for a file without any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Keys:
    ids: list[str]
    key: str
    by_position: bool = False
    notes: tuple[str, ...] = ()


def to_run(found: Experiment, options: ReadOptions) -> Run:
    """Make a run of an experiment; refuse one without scores."""
    rows = found.rows
    content = [_content(one, other) for one, other in zip(found.asked, found.expected or found.asked, strict=True)]
    keys = _keys(found, content, options)
    timed = [dict(zip(found.times, cells, strict=True)) for cells in zip(*found.times.values(), strict=True)]
    rows_of = zip(timed or [{}] * rows.count, found.scores, found.lost, strict=True)
    scores = [dict.fromkeys(row | time) if bad else row | time | row for time, row, bad in rows_of]
    known = Identity(ids=keys.ids, fields=frozenset(), trials={}, notes=(), key=keys.key)
    scored = Rows(
        file=rows.file,
        format=rows.format,
        count=rows.count,
        columns={found.wrapper: list(scores)},
        place=rows.place,
        text_cells=rows.text_cells,
        decimal_comma=rows.decimal_comma,
    )
    series, hints = Reader(scored, known).wide(frozenset())
    if all(one.name in found.times for one in series):
        lost = sum(found.lost)
        what = f"all {lost} rows report an error" if lost == rows.count else "no row holds a score that is a number"
        raise rows.file.problem(what, where=" ".join(hints) or None, remedy=found.unscored)
    repeated = len(set(keys.ids)) < len(keys.ids)
    rule = {MeasurementField.TRIALS: REPETITIONS} if repeated else {}
    directions = dict.fromkeys(found.times, Direction.LOWER) | dict(found.directions)
    named = {one.name for one in series}
    return table.to_run(
        Table(
            file=rows.file,
            format=rows.format,
            ids=keys.ids,
            series=series,
            errored=np.array(found.lost, dtype=np.bool_),
            trial=None if found.trial is None else np.array(found.trial, dtype=np.float64),
            content=content if any(content) else None,
            labels=_labels(rows, options.labels),
            directions={name: way for name, way in directions.items() if name in named},
            measurement={name: text_key(text) for name, text in found.measurement.items() if text} | rule,
            key=keys.key,
            by_position=keys.by_position,
            notes=(*keys.notes, *found.notes, *hints),
        )
    )


def question_of(row: Mapping[str, object]) -> tuple[object, object]:
    """Return what was asked and what was expected, from fields that people named as they liked.

    Where no field is called like a question, everything is one that is no answer, neither the right nor the system's.
    """
    expected = names.find(row, _REFERENCES)
    asked = names.find(row, names.TEXT_NAMES)
    if asked is not None:
        return row[asked], row[expected] if expected else None
    rest = {name: cell for name, cell in row.items() if names.plain(name) not in _ANSWERS and name != expected}
    return rest, row[expected] if expected else None


def spoken(question: object) -> str:
    """Return a question as text: itself, the only text of an object with one field, else its JSON."""
    if isinstance(question, dict) and len(question) == 1:
        (question,) = question.values()
    text = question.strip() if isinstance(question, str) else ""
    return text or question_keys.canonical(question)


def readable(cell: object) -> object:
    """Return what a text cell spells: an object or list in JSON, a Python dict of one text, or the text itself."""
    if not isinstance(cell, str) or cell[:1] not in {"{", "["}:
        return cell
    single = _PYTHON_DICT.fullmatch(cell)
    if single:
        return {"": single[1] if single[1] is not None else single[2]}
    value = strict_json.attempt(cell.encode())
    return cell if isinstance(value, strict_json.Fault) else value


def has_error(cell: object) -> bool:
    """Whether a tool's ``error`` field reports one."""
    return (cell.strip() if isinstance(cell, str) else cell) not in _NO_ERROR


def agreed(values: Iterable[object]) -> str:
    """Return what all rows say, in order and once each; empty where none says anything in text."""
    return "; ".join(sorted({value.strip() for value in values if isinstance(value, str) and value.strip()}))


def under(
    columns: Mapping[str, Sequence[object]], prefix: str, count: int, *, hollow: bool = False
) -> list[dict[str, object]]:
    """Return the fields ``prefix.name`` of a flat table, row by row; empty cells are left out unless `hollow`."""
    fields = {name.removeprefix(prefix): cells for name, cells in columns.items() if name.startswith(prefix)}
    return [
        {name: cell for name, cells in fields.items() if (cell := readable(cells[row])) is not None or hollow}
        for row in range(count)
    ]


def _keys(found: Experiment, content: list[str | None], options: ReadOptions) -> _Keys:
    if options.id_field is not None:
        known = identity.identify(found.rows, options.id_field)
        return _Keys(ids=known.ids, key=known.key, notes=known.notes)
    own = _own(found)
    if own is not None:
        return _Keys(ids=[*map(text_key, own[1])], key=own[0])
    if found.stable is not None:
        name, cells = found.stable
        texts = [text for cell in cells if (text := lookup.id_text(cell)) is not None]
        if len(texts) == found.rows.count:
            return _Keys(ids=[*map(text_key, texts)], key=name)
    if all(one in (None, "", {}) for one in found.asked):
        note = "The file does not say what was asked, so the place in the file tells questions apart."
        return _Keys(
            ids=[str(row + 1) for row in range(found.rows.count)], key="place", by_position=True, notes=(note,)
        )
    plain = [text_key(spoken(one)) for one in found.asked]
    ids = question_keys.refined(plain, [text or "" for text in content])
    finer = len(set(ids)) > len(set(plain))
    note = "Questions that are asked in the same words are told apart by a hash of what else belongs to them."
    return _Keys(ids=ids, key="question text", notes=(note,) if finer else ())


def _own(found: Experiment) -> tuple[str, list[str]] | None:
    """Return ids of a person's own: one for each question, or one for each row where questions are worded alike."""
    if not found.told:
        return None
    rows = [str(row) for row in range(found.rows.count)]
    questions = [spoken(one) for one in found.asked]
    return question_keys.own_ids(found.told, questions) or question_keys.own_ids(found.told, rows)


def _content(asked: object, expected: object) -> str | None:
    """Hash what was asked and expected; None where it cannot be spelled the same way in every kind of file."""
    question, answer = _plain(asked), _plain(expected)
    return None if question is None or answer is None else hashed(question, answer)


def _plain(value: object) -> str | None:
    """Return a value in one spelling, whether a JSON or a CSV file holds it."""
    match value:
        case None:
            return ""
        case str():
            return None if value[:1] in {"{", "["} else value.strip()
        case dict():
            inner = {str(name): _plain(one) for name, one in value.items()}
            filled = {name: text for name, text in inner.items() if text != ""}
            if len(value) == 1:
                return next(iter(inner.values()))
            return None if None in filled.values() else question_keys.canonical(filled)
        case list():
            return question_keys.canonical(value)
        case _:
            return lookup.text(value)


def _labels(rows: Rows, wanted: Sequence[str]) -> dict[str, list[str | None]]:
    """Return the text of each wanted field, row by row; fields that no row has are left out."""
    found: dict[str, list[str | None]] = {}
    for name in wanted:
        texts = [*map(lookup.text, cells_of(rows, name) or [])]
        if any(text is not None for text in texts):
            found[name] = texts
    return found
