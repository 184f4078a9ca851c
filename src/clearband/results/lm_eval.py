"""lm-evaluation-harness: the samples file of one task, written with ``--log_samples``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clearband.results import lm_eval_results, lm_eval_rows, lm_eval_values, member_names, table
from clearband.results.about import About
from clearband.results.outline import Shape
from clearband.results.result_file import shown
from clearband.results.table import Table
from clearband.vocabulary import Direction, MeasurementField

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clearband.errors import UnusableResults
    from clearband.results.lm_eval_results import Totals
    from clearband.results.lm_eval_rows import Samples
    from clearband.results.options import ReadOptions
    from clearband.results.outline import Outline
    from clearband.results.result_file import ResultFile
    from clearband.results.run import Run
    from clearband.results.table import Series

ABOUT = About(
    name="lm-evaluation-harness",
    versions="0.4.10 and 0.4.13 (run for this project); the rows of 0.4.1 to 0.4.8 from their source",
    produce="`lm_eval ... --log_samples --output_path DIR` writes `samples_<task>_<time>.jsonl` and, beside it, "
    "`results_<time>.json`; hand in the folder and both are read",
    key="`doc_hash`, with the beginning of the question in front (worked out for versions before 0.4.3); "
    "`--id doc_id` or `--id doc.id` names another",
    metrics="every metric with a number for each question; `metric,filter` where a task has several filters; "
    "`nats_per_word`, `nats_per_byte` and `bits_per_byte` of a perplexity; the share of true where a metric is a list "
    "of true and false",
    direction="`higher_is_better` of the results file beside it; the negative log-likelihoods are better when lower",
    errors="none: the tool stops at an error",
    measurement="from the results file beside it: model, prompt and few-shot settings (hash), metrics and filters "
    "(hash), task version, version of the tool, commit; from the samples: how many answers make one score",
    traps=(
        "F1, MCC, BLEU, chrF and TER are computed over the whole corpus and are no metrics here.",
        "The mean of `bits_per_byte` over questions is not weighted by length, as the tool's own is.",
        "Versions up to 0.4.5 do not name filters; the first row of a doc is then `filter-1`, the second `filter-2`.",
        "Some tasks (such as gpqa) shuffle their choices by a global seed: docs and keys change from run to run.",
        "`--limit N` takes the first N docs.",
        "Values of `--predict_only` (`bypass`: 999) are no scores.",
    ),
)


def sniff(file: ResultFile, outline: Outline) -> bool:  # noqa: ARG001  the formats' common signature
    """Whether the rows are samples."""
    return outline.shape is not Shape.OTHER and outline.has("doc_id", "resps", "filtered_resps")


def task_of(path: str) -> str:
    """Return the task that the name of a samples file tells."""
    return member_names.untimed(path).removeprefix("samples_")


def read(file: ResultFile, options: ReadOptions) -> Run:
    """Read `file` into a run: a row for each question and trial, a metric for each metric and filter."""
    samples = lm_eval_rows.read(file, options)
    only = f",{samples.filters[0]}" if len(samples.filters) == 1 else ""
    ids = samples.ids()
    series = samples.columns.series(len(ids), named=lambda name: name.removesuffix(only))
    if not series:
        raise _unscored(file, samples)
    metrics = {name.partition(",")[0] for name in (*samples.columns.cells, *samples.columns.faults)}
    totals = lm_eval_results.beside(file, metrics, len(set(ids)))
    return table.to_run(
        Table(
            file=file,
            format="lm-evaluation-harness",
            ids=ids,
            series=series,
            errored=np.zeros(len(ids), dtype=np.bool_),
            content=samples.content,
            labels={name: cells for name, cells in samples.labels.items() if any(cell is not None for cell in cells)},
            directions=_directions(series, totals),
            measurement=_measurement(samples, totals),
            key=options.id_field or ("doc_id" if samples.by_position else "doc_hash"),
            by_position=samples.by_position,
            notes=tuple(_notes(samples, ids, totals, only)),
        )
    )


def _unscored(file: ResultFile, samples: Samples) -> UnusableResults:
    if samples.predicted_only:
        return file.problem(
            "the file was written with `--predict_only`: it holds answers and no scores",
            remedy="Run lm_eval without --predict_only.",
        )
    return file.problem(
        "no metric of the task has a number for each question",
        where=" ".join(samples.columns.left_out()) or None,
        remedy="Corpus metrics such as F1 or BLEU cannot be paired. Add one that is a number for each question, such "
        "as acc or exact_match, to the task's metric_list.",
    )


def _directions(series: Sequence[Series], totals: Totals | None) -> dict[str, Direction]:
    """Return what the tool says; what this reader derives, it knows itself."""
    derived = {name for name, _ in lm_eval_values.DERIVED.values()}
    own = {one.name: Direction.LOWER for one in series if one.name.partition(",")[0] in derived}
    return own if totals is None else own | totals.directions(one.name for one in series)


def _measurement(samples: Samples, totals: Totals | None) -> dict[MeasurementField, str]:
    rule = "one answer" if samples.answers == 1 else f"{samples.answers} answers, one score"
    return {MeasurementField.TRIALS: rule} | ({} if totals is None else totals.measurement())


def _notes(samples: Samples, ids: Sequence[str], totals: Totals | None, only: str) -> list[str]:
    notes = []
    count = len(set(ids))
    if len(samples.filters) > 1 and not samples.named:
        listed = ", ".join(f"`{shown(name, width=30)}`" for name in samples.filters[:10])
        notes.append(f"The file does not name its filters: a doc's rows were read as those of {listed}, in order.")
    if samples.by_position:
        notes.append("The rows have no `doc`: questions are told apart by `doc_id`, their place in the split.")
    if len(ids) > count:
        notes.append(f"{len(ids) - count} rows repeat a question; they were read as further trials of it.")
    twins = len(set(samples.questions)) - len({one.key for one in samples.questions})
    if twins:
        notes.append(f"{twins} docs equal another one; they are told apart by the order of their `doc_id`.")
    derived = [metric for metric, (name, _) in lm_eval_values.DERIVED.items() if f"{name}" in _names(samples)]
    if derived:
        listed = ", ".join(f"`{name}`" for name in derived)
        notes.append(f"{listed} became a negative log-likelihood per unit of length, question by question.")
    if totals is not None and totals.expected not in {None, count}:
        notes.append(f"The results file beside it speaks of {totals.expected} questions; here are {count}.")
    notes += samples.columns.left_out(named=lambda name: name.removesuffix(only))
    return notes


def _names(samples: Samples) -> set[str]:
    return {name.partition(",")[0] for name in samples.columns.cells}
