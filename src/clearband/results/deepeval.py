"""DeepEval: a test run with its cases and their metrics, bare, or as DeepEval keeps its latest one."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from clearband.results import experiments, lenient_json, member_names
from clearband.results.about import About
from clearband.results.experiments import Experiment
from clearband.results.outline import Shape, keys_of
from clearband.results.rows import Rows, columns_of
from clearband.vocabulary import Direction, MeasurementField

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clearband.results.options import ReadOptions
    from clearband.results.outline import Outline
    from clearband.results.result_file import ResultFile
    from clearband.results.run import Run

_PRODUCE = (
    "`DEEPEVAL_RESULTS_FOLDER=results deepeval test run ...` (or `evaluate()`), or `.deepeval/.latest_run_full.json`"
)

ABOUT = About(
    name="DeepEval",
    versions="runs of 4.3.1 (run for this project); `metricsMetadata` of older releases from their documentation",
    produce=_PRODUCE,
    key="the case's name where a person gave one and it stands once; else the input (with the expected output where "
    "inputs repeat). `test_case_0` and so on are places, not names",
    metrics="every metric by its name, and `success` (all metrics of the case passed)",
    direction="read off the file where it shows: a metric whose passes lie at or below its threshold is better lower",
    errors="a metric that raised has no score there and is lost for that case; `success` counts as DeepEval wrote it",
    measurement="evaluation model, threshold and strictness of each metric, model of the hyperparameters",
    traps=(
        "`.latest_test_run.json` of somebody logged in to Confident AI holds a link and no data.",
        "`metricsScores` leaves failed metrics out without a trace: it is not read.",
        "A judge model's scores differ between two runs of the same system: see `clearband compare --aa`.",
    ),
)

_TOOL = "DeepEval"
_AUTOMATIC = re.compile(r"(?:conversational_)?test_case_\d{1,9}")


class _Metric(msgspec.Struct):
    name: object = None
    metric: object = None
    score: object = None
    threshold: object = None
    success: object = None
    strict: object = msgspec.field(default=None, name="strictMode")
    error: object = None
    model: object = msgspec.field(default=None, name="evaluationModel")


class _Case(msgspec.Struct):
    name: object = None
    input: object = None
    scenario: object = None
    turns: object = None
    expected: object = msgspec.field(default=None, name="expectedOutput")
    outcome: object = msgspec.field(default=None, name="expectedOutcome")
    success: object = None
    data: list[_Metric] | None = msgspec.field(default=None, name="metricsData")
    older: list[_Metric] | None = msgspec.field(default=None, name="metricsMetadata")
    tags: object = None
    metadata: object = msgspec.field(default=None, name="additionalMetadata")
    own: object = msgspec.field(default=None, name="metadata")

    @property
    def metrics(self) -> list[_Metric]:
        """The metrics, under whichever name."""
        return self.data or self.older or []


class _TestRun(msgspec.Struct):
    cases: list[_Case] | None = msgspec.field(default=None, name="testCases")
    conversations: list[_Case] | None = msgspec.field(default=None, name="conversationalTestCases")
    hyperparameters: object = None


class _Latest(msgspec.Struct):
    run: _TestRun | None = msgspec.field(default=None, name="testRunData")


def sniff(file: ResultFile, outline: Outline) -> bool:  # noqa: ARG001  the formats' common signature
    """Whether the file is a test run, or what DeepEval keeps of the latest one."""
    if outline.shape is not Shape.OBJECT:
        return False
    if outline.has("testRunData") or outline.has("testRunLink"):
        return True
    if not outline.has("testCases"):
        return False
    first = outline.inside("testCases") or outline.inside("conversationalTestCases")
    return outline.has("metricsScores") or bool({"metricsData", "metricsMetadata"} & first.keys())


def task_of(path: str) -> str | None:
    """Return the task; None for the copy of the latest run, of which ``.latest_run_full.json`` holds the whole."""
    return None if member_names.basename(path) == ".latest_test_run.json" else member_names.untimed(path)


def read(file: ResultFile, options: ReadOptions) -> Run:
    """Read `file` into a run."""
    found = _test_run(file)
    cases = [*(found.cases or ()), *(found.conversations or ())]
    if not any(case.metrics for case in cases):
        raise file.problem(
            "the test run holds no case with metrics", remedy=f"Run it with metrics and take the file of {_PRODUCE}."
        )
    named = Counter(case.name for case in cases if isinstance(case.name, str))
    directions, notes = _directions(cases)
    return experiments.to_run(
        Experiment(
            rows=_table(file, cases),
            scores=[_scores(case) for case in cases],
            lost=[False] * len(cases),
            asked=[_asked(case) for case in cases],
            expected=[case.expected if case.expected is not None else case.outcome for case in cases],
            stable=("name, else input", [_key(case, named) for case in cases]),
            directions=directions,
            measurement=_measurement(cases, found.hyperparameters),
            notes=(*_errors(cases), *notes),
            unscored="Every metric raised an error. See the reasons in the file, such as a missing key for the judge.",
        ),
        options,
    )


def _test_run(file: ResultFile) -> _TestRun:
    keys = keys_of(file.data)
    if "testRunData" not in keys and "testRunLink" in keys:
        raise file.problem(
            "the file holds a link to Confident AI and no data",
            remedy=f"Take the file of {_PRODUCE}; it is written whether or not you are logged in.",
        )
    if "testRunData" in keys:
        return lenient_json.document(file, _Latest, tool=_TOOL).run or _TestRun()
    return lenient_json.document(file, _TestRun, tool=_TOOL)


def _asked(case: _Case) -> object:
    return next((part for part in (case.input, case.scenario, case.turns) if part is not None), None)


def _key(case: _Case, named: Counter[str]) -> str:
    """Return the name that a person gave, else the question itself; the expected output only tells equals apart."""
    if (
        isinstance(case.name, str)
        and case.name.strip()
        and not _AUTOMATIC.fullmatch(case.name)
        and named[case.name] == 1
    ):
        return case.name
    return experiments.spoken(_asked(case))


def _scores(case: _Case) -> dict[str, object]:
    scores: dict[str, object] = {"success": case.success}
    for metric in case.metrics:
        name = _name(metric)
        if name is not None:
            scores[name] = None if experiments.has_error(metric.error) else metric.score
    return scores


def _name(metric: _Metric) -> str | None:
    name = metric.name if metric.name is not None else metric.metric
    return name if isinstance(name, str) and name.strip() else None


def _graded(cases: Sequence[_Case]) -> Iterator[tuple[str, _Metric, float, float]]:
    """Yield each metric with a score and a threshold."""
    for case in cases:
        for metric in case.metrics:
            name, score, threshold = _name(metric), metric.score, metric.threshold
            if name is not None and isinstance(score, (int, float)) and isinstance(threshold, (int, float)):
                yield name, metric, float(score), float(threshold)


def _directions(cases: Sequence[_Case]) -> tuple[dict[str, Direction], tuple[str, ...]]:
    """Return the directions that the tool's own passes show; a metric whose passes fit both ways shows none."""
    fits: dict[str, set[Direction]] = {}
    for name, metric, score, threshold in _graded(cases):
        if score != threshold and isinstance(metric.success, bool):
            above = (score > threshold) is metric.success
            fits.setdefault(name, set()).add(Direction.HIGHER if above else Direction.LOWER)
    found = {name: ways.copy().pop() for name, ways in fits.items() if len(ways) == 1}
    lower = [name for name, way in found.items() if way is Direction.LOWER]
    note = f"Lower is better for {', '.join(sorted(lower)[:5])}, as the passes in the file show."
    return found, (note,) if lower else ()


def _errors(cases: Sequence[_Case]) -> tuple[str, ...]:
    broken = sum(any(experiments.has_error(metric.error) for metric in case.metrics) for case in cases)
    return (f"{broken} cases have a metric with an error; it has no score there.",) if broken else ()


def _measurement(cases: Sequence[_Case], hyperparameters: object) -> dict[MeasurementField, str]:
    judges, scorers = set(), set()
    for case in cases:
        for metric in case.metrics:
            if isinstance(metric.model, str):
                judges.add(metric.model)
    for name, metric, _, threshold in _graded(cases):
        scorers.add(f"{name}: threshold {threshold:g}{', strict' if metric.strict is True else ''}")
    told = hyperparameters if isinstance(hyperparameters, dict) else {}
    model = told.get("model")
    return {
        MeasurementField.MODEL: model if isinstance(model, str) else "",
        MeasurementField.JUDGE: "; ".join(sorted(judges)),
        MeasurementField.SCORER: "; ".join(sorted(scorers)),
    }


def _table(file: ResultFile, cases: Sequence[_Case]) -> Rows:
    """Return the fields that a label or an id may be asked for."""
    cells = [
        {
            "name": case.name,
            "input": case.input,
            "tags": case.tags,
            "metadata": case.own if case.own is not None else case.metadata,
        }
        for case in cases
    ]
    return Rows(
        file=file,
        format="deepeval/json",
        count=len(cases),
        columns=columns_of(file, cells),
        place=lambda row: f"case {row + 1}",
    )
