"""Ragas: the table of an evaluation, as people save `result.to_pandas()`: CSV, JSON lines, JSON or Parquet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clearband.results import experiments, names, picked
from clearband.results.about import About
from clearband.results.experiments import Experiment

if TYPE_CHECKING:
    from clearband.results.options import ReadOptions
    from clearband.results.outline import Outline
    from clearband.results.result_file import ResultFile
    from clearband.results.rows import Rows
    from clearband.results.run import Run

_PRODUCE = '`result.to_pandas().to_csv("results.csv", index=False)`, or `.to_json(..., orient="records", lines=True)`'

ABOUT = About(
    name="Ragas",
    versions="files of 0.4.3 (run for this project); the columns of 0.1 from its documentation",
    produce=_PRODUCE,
    key="`user_input` (0.1: `question`), with `reference` where inputs repeat",
    metrics="every column beside the sample's own; discrete metrics with words such as pass and fail",
    direction="none",
    errors="a metric that failed is NaN (an empty cell, or null) and lost for that sample, never 0",
    measurement="nothing: the table does not tell which judge model was used",
    traps=(
        "The judge model is not in the file: what another judge would have said is not noticed.",
        "`evaluate()` itself writes no file, and its printed result is a table of means.",
    ),
)

_TOOL = "ragas"
_SAMPLE = frozenset({
    "user_input", "retrieved_contexts", "reference_contexts", "retrieved_context_ids", "reference_context_ids",
    "response", "multi_responses", "reference", "rubrics", "rubric", "reference_tool_calls", "reference_topics",
    "persona_name", "query_style", "query_length", "synthesizer_name",
    "question", "answer", "contexts", "ground_truth", "ground_truths", "evolution_type", "episode_done",
})  # fmt: skip
"""The columns that hold the sample, of any version."""
_NEEDED = frozenset({"user_input", "question", "reference", "ground_truth"})
_QUESTIONS = ("user_input", "question")
_REFERENCES = ("reference", "ground_truth")


def sniff(file: ResultFile, outline: Outline) -> bool:
    """Whether the table has the columns of a sample with retrieved contexts, of today's Ragas or of 0.1."""
    fields = picked.fields_of(file, outline)
    today = (
        "user_input" in fields and bool({"retrieved_contexts", "reference_contexts"} & fields) and "response" in fields
    )
    return today or fields >= {"question", "answer", "contexts", "ground_truth"}


def read(file: ResultFile, options: ReadOptions) -> Run:
    """Read `file` into a run."""
    return from_rows(picked.rows_of(file, _TOOL, _is_needed, options), options)


def from_rows(rows: Rows, options: ReadOptions) -> Run:
    """Make a run of a table, whichever kind of file it came from."""
    metrics = {name: cells for name, cells in rows.columns.items() if _is_metric(name, options)}
    asked = next(cells for name in _QUESTIONS if (cells := rows.columns.get(name)) is not None)
    expected = next((cells for name in _REFERENCES if (cells := rows.columns.get(name)) is not None), None)
    return experiments.to_run(
        Experiment(
            rows=rows,
            scores=[{name: cells[row] for name, cells in metrics.items()} for row in range(rows.count)],
            lost=[False] * rows.count,
            asked=[*map(experiments.readable, asked)],
            expected=expected,
            unscored=f"Save the result with its metrics: {_PRODUCE}.",
        ),
        options,
    )


def _is_needed(name: str) -> bool:
    return name in _NEEDED or name not in _SAMPLE


def _is_metric(name: str, options: ReadOptions) -> bool:
    asked_for = name == options.id_field or name in options.labels
    return name not in _SAMPLE and bool(name) and not names.is_no_metric(name) and not asked_for
