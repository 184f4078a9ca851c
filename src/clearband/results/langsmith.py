"""LangSmith: the table of an experiment, as ``ExperimentResults.to_pandas`` makes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clearband.results import experiments, picked
from clearband.results.about import About
from clearband.results.experiments import Experiment

if TYPE_CHECKING:
    from clearband.results.options import ReadOptions
    from clearband.results.outline import Outline
    from clearband.results.result_file import ResultFile
    from clearband.results.rows import Cells
    from clearband.results.run import Run

_PRODUCE = (
    "`evaluate(...).to_pandas().to_csv('results.csv', index=False)`, or `.to_json(..., orient='records', lines=True)`"
)

ABOUT = About(
    name="LangSmith",
    versions="tables of SDK 0.4.0 and 0.15.1 (both run for this project); the website's own CSV was not seen",
    produce=_PRODUCE,
    key="an id among `inputs.*`, else `example_id`, else the inputs; `--id inputs.question` for copies of a dataset, "
    "whose `example_id` differ",
    metrics="every `feedback.*`, named without `feedback.`, and `execution_time` in seconds",
    direction="`execution_time`: lower is better; nothing for feedback",
    errors="a row whose `error` is filled is lost, whatever evaluators scored beside it; an evaluator that failed "
    "leaves its value empty",
    measurement="nothing",
    traps=(
        "`id` is the run's and changes every time; `example_id` is kept as long as the dataset is.",
        "Repetitions repeat `example_id` without a number; they are averaged.",
        "`inputs.*`, `outputs.*` and `reference.*` are no metrics, whatever numbers they hold.",
    ),
)

_TOOL = "langsmith"
_FEEDBACK = "feedback."
_TIME = "execution_time"
_STRAY = "wrapper"
"""How SDK 0.4 calls an evaluator that failed; the column is empty."""


def sniff(file: ResultFile, outline: Outline) -> bool:
    """Whether the file is such a table: the run's own columns, and inputs, outputs or feedback."""
    fields = picked.fields_of(file, outline)
    return {_TIME, "example_id", "id"} <= fields and any(
        name.startswith((_FEEDBACK, "inputs.", "outputs.")) for name in fields
    )


def read(file: ResultFile, options: ReadOptions) -> Run:
    """Read `file` into a run."""
    rows = picked.rows_of(file, _TOOL, _is_needed, options)
    count = rows.count
    inputs = experiments.under(rows.columns, "inputs.", count)
    scores = experiments.under(rows.columns, _FEEDBACK, count, hollow=True)
    nothing: Cells = [None] * count
    if all(row.get(_STRAY) is None for row in scores):
        for row in scores:
            row.pop(_STRAY, None)
    return experiments.to_run(
        Experiment(
            rows=rows,
            scores=scores,
            lost=[experiments.has_error(cell) for cell in rows.columns.get("error", nothing)],
            asked=[*inputs],
            expected=[*experiments.under(rows.columns, "reference.", count)],
            told=inputs,
            stable=("example_id", rows.columns.get("example_id", nothing)),
            times={_TIME: rows.columns.get(_TIME, nothing)},
            wrapper="feedback",
            unscored=f"Run the experiment with evaluators: {_PRODUCE}.",
        ),
        options,
    )


def _is_needed(name: str) -> bool:
    return name in {"error", _TIME, "example_id"} or name.startswith((_FEEDBACK, "inputs.", "reference."))
