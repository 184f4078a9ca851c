"""Arize Phoenix: the runs of an experiment with their annotations, as the server writes them in JSON and CSV."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from clearband.results import experiments, names, picked
from clearband.results.about import About
from clearband.results.experiments import Experiment
from clearband.results.outline import Shape
from clearband.vocabulary import MeasurementField

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clearband.results.options import ReadOptions
    from clearband.results.outline import Outline
    from clearband.results.result_file import ResultFile
    from clearband.results.rows import Cells, Rows
    from clearband.results.run import Run

_PRODUCE = "`GET /v1/experiments/ID/json` (or `/csv`), or the download button of the experiments page"

ABOUT = About(
    name="Arize Phoenix",
    versions="files of server 17.0.0 and 20.26.1 (both run for this project)",
    produce=_PRODUCE,
    key="`example_id`, which names an example of one dataset on one server; `--id input.question` (CSV too) elsewhere",
    metrics="the score of every annotation; where an annotation has labels and never a score, its labels, if they are "
    "words such as correct and incorrect; `latency_ms`",
    direction="`latency_ms`: lower is better; nothing for annotations",
    errors="a run whose `error` is filled is lost with all its scores: evaluators still run on the missing output and "
    "store 0; an evaluator's own error leaves its score empty",
    measurement="kind of annotator (code, model, person) for each annotation",
    traps=(
        "A server set up anew for each run numbers the examples anew; the content shows where the order changed.",
        "Servers of before March 2025 write no annotations into the JSON.",
        "Repetitions of an example are averaged.",
    ),
)

_TOOL = "phoenix"
_LATENCY = "latency_ms"
_REPETITION = "repetition_number"
_NEEDED = {"example_id", _REPETITION, "input", "reference_output", "error", _LATENCY, "annotations"}
_ANNOTATION = re.compile(r"annotation_(.+)_(score|label|annotator_kind)")
_RUN = {"example_id", "reference_output", "output", "trace_id"}


def sniff(file: ResultFile, outline: Outline) -> bool:
    """Whether the file holds experiment runs: their own fields, annotated or not."""
    if outline.shape is Shape.OBJECT:
        return False
    return picked.fields_of(file, outline) >= _RUN


def read(file: ResultFile, options: ReadOptions) -> Run:
    """Read `file` into a run."""
    rows = _with_objects(picked.rows_of(file, _TOOL, lambda name: name in _NEEDED, options))
    annotations = _from_columns(rows) if rows.text_cells else _from_lists(rows.columns.get("annotations"), rows.count)
    scores = _scores(annotations)
    nothing: Cells = [None] * rows.count
    if not any(annotations):
        raise file.problem(
            "the experiment's runs have no annotations, so no scores",
            remedy=f"Run it with evaluators, and export it with {_PRODUCE}; older servers leave them out.",
        )
    return experiments.to_run(
        Experiment(
            rows=rows,
            scores=scores,
            lost=[experiments.has_error(cell) for cell in rows.columns.get("error", nothing)],
            asked=rows.columns.get("input", nothing),
            expected=rows.columns.get("reference_output"),
            stable=("example_id", rows.columns["example_id"]),
            trial=_numbers(rows.columns.get(_REPETITION, nothing)),
            times={_LATENCY: rows.columns.get(_LATENCY, nothing)},
            measurement={MeasurementField.SCORER: _annotators(annotations)},
            unscored=f"Run the experiment with evaluators that return scores, and export it with {_PRODUCE}.",
        ),
        options,
    )


Annotations = list[dict[str, dict[str, object]]]
"""Row by row: an annotation's name to its ``score``, ``label`` and ``annotator_kind``."""


def _with_objects(rows: Rows) -> Rows:
    """Turn the JSON that lies in the cells of a CSV file into objects, so that paths lead into them."""
    if not rows.text_cells:
        return rows
    objects = ("input", "reference_output", "metadata")
    read = {name: [*map(experiments.readable, rows.columns[name])] for name in objects if name in rows.columns}
    return replace(rows, columns={**rows.columns, **read})


def _from_columns(rows: Rows) -> Annotations:
    found: Annotations = [{} for _ in range(rows.count)]
    for column, cells in rows.columns.items():
        parts = _ANNOTATION.fullmatch(column)
        if parts:
            for row, cell in zip(found, cells, strict=True):
                row.setdefault(parts[1], {})[parts[2]] = cell
    return found


def _from_lists(cells: Iterable[object] | None, count: int) -> Annotations:
    found: Annotations = [{} for _ in range(count)]
    for row, cell in zip(found, cells or (), strict=False):
        for one in cell if isinstance(cell, list) else ():
            if isinstance(one, dict) and isinstance(one.get("name"), str):
                row[one["name"]] = one
    return found


def _scores(annotations: Annotations) -> list[dict[str, object]]:
    """Return scores; for an annotation that never has one its labels, where they are words for right and wrong."""
    labels: dict[str, set[str]] = {}
    scored: set[str] = set()
    for row in annotations:
        for name, one in row.items():
            labels.setdefault(name, set())
            if one.get("score") is not None:
                scored.add(name)
            elif isinstance(label := one.get("label"), str) and len(labels[name]) < 4:
                labels[name].add(label.casefold())
    spoken = {name: words for name, words in labels.items() if words and name not in scored}
    worded = {name for name, words in spoken.items() if any(words <= known.keys() for known in names.BINARY_WORDS)}
    only_labels = spoken.keys() - worded
    return [
        {
            name: one.get("label") if name in worded else one.get("score")
            for name, one in row.items()
            if name not in only_labels
        }
        for row in annotations
    ]


def _annotators(annotations: Annotations) -> str:
    """Name the kind of annotator of each annotation."""
    kinds = {
        f"{name}: {one['annotator_kind']}"
        for row in annotations
        for name, one in row.items()
        if isinstance(one.get("annotator_kind"), str)
    }
    return "; ".join(sorted(kinds))


def _numbers(cells: Iterable[object]) -> list[float] | None:
    """Return the numbers of the repetitions; None unless every row has one."""
    found = [_number(cell) for cell in cells]
    return [number for number in found if number is not None] if None not in found else None


def _number(cell: object) -> float | None:
    text = str(cell)
    return float(text) if text.isdecimal() and text.isascii() and len(text) < 10 else None
