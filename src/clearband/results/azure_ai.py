"""azure-ai-evaluation: what ``evaluate(output_path=...)`` writes, rows with flat names and means beside them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from clearband.results import experiments, lenient_json, limits, picked
from clearband.results.about import About
from clearband.results.experiments import Experiment
from clearband.results.outline import Shape
from clearband.vocabulary import Direction, MeasurementField

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clearband.results.options import ReadOptions
    from clearband.results.outline import Outline
    from clearband.results.result_file import ResultFile
    from clearband.results.rows import Cells
    from clearband.results.run import Run

_PRODUCE = '`evaluate(data=..., evaluators={...}, output_path="results.json")`'

ABOUT = About(
    name="azure-ai-evaluation",
    versions="files of 1.14.0 and 1.18.10 (both run for this project)",
    produce=_PRODUCE,
    key="an id among `inputs.*`, else the query (`inputs.query`, `inputs.question` ...), else all inputs that are no "
    "answer; conversations pair by place",
    metrics="every number that an evaluator gives, as the tool's own means are called (`f1.f1_score`), and its "
    "`_result`: pass is 1, fail is 0",
    direction="an evaluator that says pass and fail beside its score and threshold shows which way is better; "
    "`_result`: higher is better",
    errors="an evaluator that failed leaves NaN, which is no value; the file does not say that a target failed",
    measurement="thresholds, judging model",
    traps=(
        "`_threshold` is no metric, `_passed` repeats `_result` and `_score` repeats the metric.",
        "`outputs.NAME` without a second point is the answer of the system, even if it is a number.",
        "Token counts of the judge are left out.",
    ),
)

_TOOL = "azure-ai-evaluation"
_IN, _OUT = "inputs.", "outputs."
_RESULT, _PASSED, _THRESHOLD, _MODEL = "_result", "_passed", "_threshold", "_model"
_NO_METRIC = (
    _THRESHOLD, _MODEL, "_reason", "_status", "_properties", "_details", "_finish_reason", "_sample_input",
    "_sample_output", "_prompt_tokens", "_completion_tokens", "_total_tokens",
)  # fmt: skip
_PASS = {"pass": True, "fail": False, True: True, False: False}


class _File(msgspec.Struct):
    rows: list[dict[str, msgspec.Raw]] | None = None


@dataclass(frozen=True, slots=True)
class _Verdicts:
    """Pass or fail of one evaluator's metric, beside the score and the threshold that made it so."""

    result: str
    score: str
    direction: Direction | None


def sniff(file: ResultFile, outline: Outline) -> bool:  # noqa: ARG001  the formats' common signature
    """Whether the file is an object with rows of ``inputs.`` and ``outputs.``, or only the means of such rows."""
    if outline.shape is not Shape.OBJECT or not outline.has("metrics"):
        return False
    row = outline.inside("rows")
    return any(name.startswith((_IN, _OUT)) for name in row) or outline.has("rows", "studio_url")


def read(file: ResultFile, options: ReadOptions) -> Run:
    """Read `file` into a run."""
    raw = lenient_json.document(file, _File, tool=_TOOL).rows
    if not raw:
        raise file.problem("the file holds no rows, only means", remedy=f"Write all of the results: {_PRODUCE}.")
    asked_for = picked.needed_by(options)
    rows = picked.pick(file, f"{_TOOL}/json", raw, lambda name: name in asked_for or _is_needed(name))
    inputs = experiments.under(rows.columns, _IN, rows.count)
    questions = [experiments.question_of(row) for row in inputs]
    columns = {
        name.removeprefix(_OUT): cells
        for name, cells in rows.columns.items()
        if name.startswith(_OUT) and _is_own(name)
    }
    verdicts = [*_verdicts(columns)]
    metrics = {name: columns[name] for name in columns if _is_metric(name, columns)}
    ways = {one.score: one.direction for one in verdicts if one.direction is not None}
    return experiments.to_run(
        Experiment(
            rows=rows,
            scores=[{name: cells[row] for name, cells in metrics.items()} for row in range(rows.count)],
            lost=[False] * rows.count,
            asked=[asked for asked, _ in questions],
            expected=[expected for _, expected in questions],
            told=inputs,
            directions=ways | {one.result: Direction.HIGHER for one in verdicts},
            measurement={
                MeasurementField.SCORER: experiments.agreed(_thresholds(columns)),
                MeasurementField.JUDGE: experiments.agreed(_models(columns)),
            },
            unscored=f"Give `evaluate` an evaluator that returns numbers: {_PRODUCE}.",
        ),
        options,
    )


def _is_needed(name: str) -> bool:
    return name.startswith(_IN) or (_is_own(name) and not name.endswith(("_sample_input", "_sample_output", "_reason")))


def _is_own(name: str) -> bool:
    """Whether a field is an evaluator's: ``outputs.EVALUATOR.METRIC``."""
    return name.startswith(_OUT) and name.count(".") > 1


def _is_metric(name: str, columns: Mapping[str, Cells]) -> bool:
    """Whether a field is a metric and does not repeat one."""
    if name.endswith(_NO_METRIC):
        return False
    evaluator, _, metric = name.partition(".")
    repeats = {
        name.removesuffix(_PASSED) + _RESULT if name.endswith(_PASSED) else "",
        name.removesuffix("_score") if name.endswith("_score") else "",
        f"{evaluator}.{metric.removeprefix('gpt_')}" if metric.startswith("gpt_") else "",
    }
    return not any(_has_values(columns.get(other, ())) for other in repeats)


def _has_values(cells: Iterable[object]) -> bool:
    """Whether a field holds scores, numbers or verdicts, and not only words such as ``Very low``."""
    return any(isinstance(cell, (int, float)) or cell in ("pass", "fail") for cell in cells)


def _verdicts(columns: Mapping[str, Cells]) -> Iterable[_Verdicts]:
    for name in columns:
        ending = _RESULT if name.endswith(_RESULT) else _PASSED if name.endswith(_PASSED) else None
        if ending is not None:
            stem = name.removesuffix(ending)
            score = next((one for one in (stem, f"{stem}_score") if _is_numeric(columns.get(one, ()))), stem)
            yield _Verdicts(name, score, _direction(columns, name, score, f"{stem}{_THRESHOLD}"))


def _direction(columns: Mapping[str, Cells], result: str, score: str, threshold: str) -> Direction | None:
    """Return which side of the threshold passes, where all rows agree; a score on the threshold says nothing."""
    ways = {
        (value > limit) == _PASS[verdict]
        for value, limit, verdict in zip(
            columns.get(score, ()), columns.get(threshold, ()), columns[result], strict=False
        )
        if isinstance(value, (int, float)) and isinstance(limit, (int, float)) and value != limit
        if isinstance(verdict, (str, bool)) and verdict in _PASS
    }
    return None if len(ways) != 1 else Direction.HIGHER if True in ways else Direction.LOWER


def _is_numeric(cells: Iterable[object]) -> bool:
    return any(isinstance(cell, (int, float)) for cell in cells)


def _thresholds(columns: Mapping[str, Cells]) -> Iterable[str]:
    for name, cells in columns.items():
        if name.endswith(_THRESHOLD):
            for limit in {cell for cell in cells if isinstance(cell, (int, float)) and abs(cell) <= limits.MAGNITUDE}:
                yield f"{name.removesuffix(_THRESHOLD)} threshold {limit:g}"


def _models(columns: Mapping[str, Cells]) -> Iterable[str]:
    for name, cells in columns.items():
        if name.endswith(_MODEL):
            for model in {cell for cell in cells if isinstance(cell, str)}:
                yield f"{name.removesuffix(_MODEL)}: {model}"
