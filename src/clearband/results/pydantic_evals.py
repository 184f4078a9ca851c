"""pydantic-evals: an ``EvaluationReport`` as pydantic dumps it, cases and failures apart."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from clearband.results import experiments, lenient_json, picked, question_keys
from clearband.results.about import About
from clearband.results.experiments import Experiment
from clearband.results.outline import Shape
from clearband.results.table import hashed
from clearband.vocabulary import Direction, MeasurementField

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clearband.results.options import ReadOptions
    from clearband.results.outline import Outline
    from clearband.results.result_file import ResultFile
    from clearband.results.rows import Cells, Rows
    from clearband.results.run import Run

_PRODUCE = "`TypeAdapter(EvaluationReport).dump_json(report)`"

ABOUT = About(
    name="pydantic-evals",
    versions="reports of 1.0.0, 2.40.0 and 2.62.0 (all run for this project)",
    produce=_PRODUCE,
    key="the case's name; where cases have no names (`Case 1` and so on), the inputs",
    metrics="scores, assertions (true is 1), the numbers under `metrics`, and `task_duration` in seconds; labels only "
    "where they are words such as pass and fail",
    direction="assertions: higher is better, as true is a pass; `task_duration`: lower; nothing for scores",
    errors="a case in `failures` (the task raised) is lost; an evaluator that raised leaves its value out",
    measurement="judge model and rubric of the built-in judges, arguments and versions of evaluators, dataset name",
    traps=(
        "`failures` is a list of its own: a mean over `cases` leaves these questions out.",
        "With `repeat`, a case stands there as `name [1/3]`, `name [2/3]` ...; its repeats are averaged.",
        "Where a score has the name of an assertion or metric, those are called `assertions.NAME`, `metrics.NAME`.",
    ),
)

_TOOL = "pydantic-evals"
_DURATION = "task_duration"
_GROUPS = ("scores", "assertions", "labels", "metrics")
_NEEDED = {"name", "source_case_name", "inputs", "expected_output", "error_message", _DURATION, *_GROUPS}
_UNNAMED = re.compile(r"Case \d{1,9}")
_REPEAT = re.compile(r"(.*) \[(\d{1,9})/\d{1,9}\]", re.DOTALL)
_JUDGES = {"LLMJudge": "rubric", "GEval": "criteria"}


class _Report(msgspec.Struct):
    cases: list[dict[str, msgspec.Raw]] = []
    failures: list[dict[str, msgspec.Raw]] | None = None
    dataset_name: object = None


def sniff(file: ResultFile, outline: Outline) -> bool:  # noqa: ARG001  the formats' common signature
    """Whether the file is a report: an object with cases that have scores and assertions, or with failures alone."""
    if outline.shape is not Shape.OBJECT or not outline.has("name", "cases"):
        return False
    if outline.inside("cases"):
        return {"name", "inputs", "scores", "assertions"} <= outline.inside("cases").keys()
    return {"name", "inputs", "error_message"} <= outline.inside("failures").keys()


def read(file: ResultFile, options: ReadOptions) -> Run:
    """Read `file` into a run."""
    report = lenient_json.document(file, _Report, tool=_TOOL)
    cases = len(report.cases)
    asked_for = picked.needed_by(options)
    rows = picked.pick(
        file,
        f"{_TOOL}/json",
        [*report.cases, *(report.failures or [])],
        lambda name: name in _NEEDED or name in asked_for,
        place=lambda row: f"case {row + 1}" if row < cases else f"failure {row - cases + 1}",
    )
    nothing: Cells = [None] * rows.count
    names, trial, unnamed = _names(rows.columns.get("name", nothing), rows.columns.get("source_case_name", nothing))
    note = "The cases have no names, so questions are told apart by their inputs."
    return experiments.to_run(
        Experiment(
            rows=rows,
            scores=_scores(rows),
            lost=[row >= cases for row in range(rows.count)],
            asked=rows.columns.get("inputs", nothing),
            expected=rows.columns.get("expected_output"),
            stable=None if unnamed else ("case name", names),
            trial=trial,
            times={_DURATION: rows.columns.get(_DURATION, nothing)},
            directions=dict.fromkeys(_assertions(rows), Direction.HIGHER),
            measurement=_measurement(rows, report.dataset_name),
            notes=(note,) if unnamed else (),
            unscored="Give the dataset evaluators, and dump the whole report: " + _PRODUCE + ".",
        ),
        options,
    )


def _names(names: Cells, sources: Cells) -> tuple[Cells, list[float] | None, bool]:
    """Return the cases' own names, the number of each repeat, and whether nobody named the cases."""
    own: list[object] = []
    trial: list[float] = []
    for name, source in zip(names, sources, strict=True):
        repeat = _REPEAT.fullmatch(name) if isinstance(name, str) and isinstance(source, str) else None
        own.append(source if repeat else name)
        if repeat:
            trial.append(float(repeat[2]))
    unnamed = all(isinstance(name, str) and _UNNAMED.fullmatch(name) for name in own)
    return own, trial if len(trial) == len(own) else None, unnamed


def _scores(rows: Rows) -> list[dict[str, object]]:
    """Bring scores, assertions, labels and metrics together under names of their own."""
    called = _called(rows)
    found: list[dict[str, object]] = [{} for _ in range(rows.count)]
    for group in _GROUPS:
        for row, cell in zip(found, rows.columns.get(group, ()), strict=False):
            if isinstance(cell, dict):
                row |= {called[group, name]: _value(one) for name, one in cell.items()}
    return found


def _called(rows: Rows) -> dict[tuple[str, str], str]:
    """Return what each value is called: its own name, with the group in front where an earlier group has that name."""
    called: dict[tuple[str, str], str] = {}
    taken: set[str] = set()
    for group in _GROUPS:
        own = {name for cell in rows.columns.get(group, ()) if isinstance(cell, dict) for name in cell}
        called |= {(group, name): f"{group}.{name}" if name in taken else name for name in own}
        taken |= own
    return called


def _assertions(rows: Rows) -> list[str]:
    return [name for (group, _), name in _called(rows).items() if group == "assertions"]


def _value(one: object) -> object:
    return one.get("value") if isinstance(one, dict) else one


def _measurement(rows: Rows, dataset: object) -> dict[MeasurementField, str]:
    """Return what evaluators say of themselves: arguments, versions, judging models and rubrics."""
    judges: set[str] = set()
    rubrics: set[str] = set()
    scorers: set[str] = set()
    for name, version, arguments in _evaluators(rows):
        options = _options(name, arguments)
        if name in _JUDGES and isinstance(options, dict):
            rubric, model = options.pop(_JUDGES[name], None), options.pop("model", None)
            rubrics.add(f"{name} sha256:{hashed(question_keys.canonical(rubric))}")
            judges.add(f"{name}: {model or 'default model'}")
        if options or version:
            told = f" {question_keys.canonical(options)}" if options else ""
            scorers.add(f"{name}{told}" + (f" version {version}" if version else ""))
    return {
        MeasurementField.JUDGE: experiments.agreed(judges),
        MeasurementField.JUDGE_PROMPT: experiments.agreed(rubrics),
        MeasurementField.SCORER: experiments.agreed(scorers),
        MeasurementField.DATASET: experiments.agreed([dataset]),
    }


def _options(name: str, arguments: object) -> object:
    """Return an evaluator's arguments; those of a judge by name, as a single one stands there without."""
    if name in _JUDGES and isinstance(arguments, list) and arguments:
        return {_JUDGES[name]: arguments[0]}
    return dict(arguments) if isinstance(arguments, dict) else arguments


def _evaluators(rows: Rows) -> Iterator[tuple[str, object, object]]:
    """Yield name, version and arguments of the evaluator behind each value."""
    for group in _GROUPS[:3]:
        for one in _values(rows.columns.get(group, ())):
            source = one.get("source")
            if isinstance(source, dict) and isinstance(source.get("name"), str):
                yield source["name"], one.get("evaluator_version"), source.get("arguments")


def _values(cells: Iterable[object]) -> Iterator[dict[str, object]]:
    for cell in cells:
        for one in cell.values() if isinstance(cell, dict) else ():
            if isinstance(one, dict):
                yield one
