"""MLflow: the table of ``mlflow.evaluate`` and the table of ``mlflow.genai.evaluate``, in every kind of file."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from clearband.results import experiments, lookup, picked
from clearband.results.about import About
from clearband.results.experiments import Experiment
from clearband.vocabulary import MeasurementField

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clearband.results.options import ReadOptions
    from clearband.results.outline import Outline
    from clearband.results.result_file import ResultFile
    from clearband.results.rows import Cells, Rows
    from clearband.results.run import Run

_PRODUCE = (
    "the artifact `eval_results_table.json` of `mlflow.models.evaluate`, or "
    "`mlflow.genai.evaluate(...).result_df.to_json('results.jsonl', orient='records', lines=True)`"
)

ABOUT = About(
    name="MLflow",
    versions="tables of 3.5.0 and 3.17.2 (both run for this project), those of 2.x by their documentation alone",
    produce=_PRODUCE,
    key="an id among the inputs, else the inputs (`inputs`, `request`, a column such as `question`)",
    metrics="every `NAME/score`, `NAME/v1/score` or `NAME/value`, called NAME; `latency`, `execution_duration` in ms",
    direction="times: lower is better; nothing for scorers",
    errors="a row whose trace failed (`state` ERROR, `error_message`) is lost, whatever scorers made of the missing "
    "output; a scorer that failed leaves its value empty",
    measurement="judge of each scorer, digest of each scorer's code, metric version, commit of the evaluated code",
    traps=(
        "Expectations stand beside the scores as `expected_response/value`, even as numbers: they are no metrics.",
        "Built-in metrics such as exact_match are written as means only.",
        "Rows come in another order each time, and `trace_id` is new each time.",
        "`DataFrame.to_csv` writes inputs of several fields as Python text; JSON lines keep them readable.",
    ),
)

_TOOL = "mlflow"
_SCORE = re.compile(r"(.+?)(?:/(v\d{1,9}))?/score")
_VALUE = re.compile(r"(.+)/value")
_TIMES = ("latency", "execution_duration")
_TRACED = ("trace_id", "request_id")
_NEEDED = {
    "inputs", "request", "expectations", "trace_metadata", "assessments", "state", "error_message", *_TIMES,
}  # fmt: skip
_NAMED = re.compile(r"'assessment_name': '([^']*)'")


def sniff(file: ResultFile, outline: Outline) -> bool:
    """Whether the file is one of the tables: scores with a version or a justification, or values beside a trace."""
    fields = picked.fields_of(file, outline)
    if any(map(_VALUE.fullmatch, fields)) and any(name in fields for name in _TRACED):
        return True
    scores = [found for name in fields if (found := _SCORE.fullmatch(name))]
    return bool(scores) and (
        outline.has("columns", "data")
        or any(found[2] or found[0].replace("/score", "/justification") in fields for found in scores)
    )


def read(file: ResultFile, options: ReadOptions) -> Run:
    """Read `file` into a run."""
    rows = picked.rows_of(file, _TOOL, _is_needed, options)
    traced = any(map(_VALUE.fullmatch, rows.columns)) and any(name in rows.columns for name in _TRACED)
    return experiments.to_run(_traced(rows) if traced else _plain(rows), options)


def _is_needed(name: str) -> bool:
    """Whether a field is read: scores, what was asked, the data of a plain table; no answers, no traces."""
    if name in _NEEDED or _VALUE.fullmatch(name):
        return True
    return name not in {"trace", "spans", "tags", "response", "outputs"} and not name.endswith("/justification")


def _plain(rows: Rows) -> Experiment:
    """Read the table of ``mlflow.evaluate``: the data's own columns, then scores."""
    count = rows.count
    found = {name: match for name in rows.columns if (match := _SCORE.fullmatch(name))}
    often = Counter(match[1] for match in found.values())
    called = {name: match[1] if often[match[1]] == 1 else name.removesuffix("/score") for name, match in found.items()}
    data = [
        {
            name: cell
            for name, cells in rows.columns.items()
            if _is_data(name) and (cell := _cell(cells[row])) is not None
        }
        for row in range(count)
    ]
    questions = [experiments.question_of(row) for row in data]
    versions = [f"{match[1]} {match[2]}" for match in found.values() if match[2]]
    return Experiment(
        rows=rows,
        scores=[{name: rows.columns[column][row] for column, name in called.items()} for row in range(count)],
        lost=[False] * count,
        asked=[asked for asked, _ in questions],
        expected=[expected for _, expected in questions],
        told=data,
        times=_times(rows),
        measurement={MeasurementField.SCORER: experiments.agreed(versions)},
        unscored=f"Give per-row metrics (`extra_metrics=[make_metric(...)]`); what is read is {_PRODUCE}.",
    )


def _traced(rows: Rows) -> Experiment:
    """Read the table of ``mlflow.genai.evaluate``: a row for each trace."""
    count = rows.count
    nothing: Cells = [None] * count
    expectations = _expectations(rows)
    values = {name: match[1] for name in rows.columns if (match := _VALUE.fullmatch(name))}
    metrics = {column: name for column, name in values.items() if name not in expectations}
    asked = _requests(rows)
    failed = [str(cell).rpartition(".")[2] == "ERROR" for cell in rows.columns.get("state", nothing)]
    errors = rows.columns.get("error_message", nothing)
    return Experiment(
        rows=rows,
        scores=[{name: rows.columns[column][row] for column, name in metrics.items()} for row in range(count)],
        lost=[bad or experiments.has_error(cell) for bad, cell in zip(failed, errors, strict=True)],
        asked=asked,
        expected=_expected(rows, {column: name for column, name in values.items() if name in expectations}),
        told=[one if isinstance(one, dict) else {} for one in asked],
        times=_times(rows),
        measurement=_measurement(rows),
        unscored=f"Give the evaluation scorers (`scorers=[...]`); what is read is {_PRODUCE}.",
    )


def _times(rows: Rows) -> dict[str, Cells]:
    return {name: rows.columns[name] for name in _TIMES if name in rows.columns}


def _is_data(name: str) -> bool:
    return "/" not in name and name not in _TIMES and name not in {"outputs", "predictions", "token_count"}


def _cell(cell: object) -> object:
    return experiments.readable(cell)


def _requests(rows: Rows) -> Cells:
    """Return what each trace was asked; as JSON in its metadata where the table does not say."""
    nothing: Cells = [None] * rows.count
    told = [rows.columns.get(name, nothing) for name in ("request", "inputs", "trace_metadata")]
    found: list[object] = []
    for request, inputs, metadata in zip(*told, strict=True):
        direct = request if request is not None else inputs
        text = lookup.inside(experiments.readable(metadata), "mlflow.traceInputs") if direct is None else direct
        found.append(experiments.readable(text))
    return found


def _expected(rows: Rows, columns: dict[str, str]) -> Cells:
    """Return what was expected of each trace: one object, or the columns of its expectations."""
    whole = rows.columns.get("expectations")
    if whole is not None:
        return [*map(experiments.readable, whole)]
    return [{name: rows.columns[column][row] for column, name in columns.items()} for row in range(rows.count)]


def _expectations(rows: Rows) -> set[str]:
    """Return the names of values that are expectations: assessments say so, and names do where there are none."""
    found = {
        name
        for one in _assessments(rows)
        if "expectation" in one and isinstance(name := one.get("assessment_name"), str)
    }
    for cell in rows.columns.get("assessments", ()):
        if isinstance(cell, str):
            found |= _expectations_in(cell)
    return found | {
        match[1] for name in rows.columns if (match := _VALUE.fullmatch(name)) and match[1].startswith("expected_")
    }


def _expectations_in(text: str) -> set[str]:
    """Find the expectations among assessments that a CSV file holds as Python text."""
    parts = _NAMED.split(text)
    return {name for name, rest in zip(parts[1::2], parts[2::2], strict=True) if "'expectation': {" in rest}


def _assessments(rows: Rows) -> Iterator[dict[str, object]]:
    for cell in rows.columns.get("assessments", ()):
        for one in cell if isinstance(cell, list) else ():
            if isinstance(one, dict):
                yield one


def _measurement(rows: Rows) -> dict[MeasurementField, str]:
    """Return judges, digests of scorers and the commit, from assessments and the trace's metadata."""
    judges: set[str] = set()
    digests: set[str] = set()
    for one in _assessments(rows):
        if lookup.inside(one, "source.source_type") == "LLM_JUDGE":
            judges.add(f"{one.get('assessment_name')}: {lookup.inside(one, 'source.source_id')}")
        digest = _metadata(one.get("metadata"), "mlflow.assessment.scorerDigest")
        if isinstance(digest, str):
            digests.add(f"{one.get('assessment_name')} {digest[:23]}")
    commits = (_metadata(cell, "mlflow.source.git.commit") for cell in rows.columns.get("trace_metadata", ()))
    return {
        MeasurementField.JUDGE: experiments.agreed(judges),
        MeasurementField.SCORER: experiments.agreed(digests),
        MeasurementField.COMMIT: experiments.agreed(commits),
    }


def _metadata(cell: object, name: str) -> object:
    return cell.get(name) if isinstance(cell, dict) else None
