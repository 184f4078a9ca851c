"""DeepEval: a test run with its cases and their metrics, bare, or as DeepEval keeps its latest one."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, TypeGuard

from clearband.results import deepeval_run, experiments, limits, member_names, question_keys
from clearband.results.about import About
from clearband.results.deepeval_run import PRODUCE, TOOL
from clearband.results.experiments import Experiment
from clearband.results.rows import Rows, columns_of
from clearband.results.table import hashed
from clearband.vocabulary import Direction, MeasurementField

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clearband.results.deepeval_run import Case, Metric, Prompt, TestRun
    from clearband.results.options import ReadOptions
    from clearband.results.outline import Outline
    from clearband.results.result_file import ResultFile
    from clearband.results.run import Run

ABOUT = About(
    name=TOOL,
    versions="runs of 2.9.7, 3.9.9 and 4.3.1, and what `evaluate` returns in 3.9.9 (run for this project); "
    "`metricsMetadata` of older releases from their documentation, metrics of steps from the source of 3.9.9",
    produce=PRODUCE,
    key="the case's name where a person gave one and it means one question; else the input (with the expected output "
    "where inputs repeat). `test_case_0` and so on are places, not names; repeats of a test (`-r`) are trials",
    metrics="every metric by its name, those of a step of the system as `step/metric`, and `success` (all metrics of "
    "the case passed)",
    direction="read off the file where it shows: a metric whose passes lie at or below its threshold is better lower",
    errors="a metric that raised has no score there and is lost for that case; so is `success`, which DeepEval calls "
    "false then, unless another metric failed by its score",
    measurement="evaluation models, threshold and strictness of each metric, name of the dataset, prompts, and `model` "
    "and `commit` of the hyperparameters",
    traps=(
        "`.latest_test_run.json` of somebody logged in to Confident AI holds a link and no data.",
        "`metricsScores` leaves failed metrics out without a trace: it is not read.",
        "A judge model's scores differ between two runs of the same system: see `clearband compare --aa`.",
        "`success` is the verdict on all metrics that ran: it moves with thresholds, and where one was skipped.",
        "A metric that is skipped where a case lacks what it needs is absent there: no value, and no lost question.",
        "What `evaluate()` returns is read as well, as JSON (`result.model_dump_json()`).",
    ),
)

_AUTOMATIC = re.compile(r"(?:conversational_)?test_case_\d{1,9}")
_REPEAT = re.compile(r"(?:\[|-)(\d{1,4})-(\d{1,4})\]")
_COMMITS = ("commit", "git_commit", "git_sha", "commit_sha", "sha")


def sniff(file: ResultFile, outline: Outline) -> bool:  # noqa: ARG001  the formats' common signature
    """Whether the file is a test run, or what DeepEval keeps of the latest one."""
    return deepeval_run.is_test_run(outline)


def task_of(path: str) -> str | None:
    """Return the task; None for the copy of the latest run, of which ``.latest_run_full.json`` holds the whole."""
    return None if member_names.basename(path) == ".latest_test_run.json" else member_names.untimed(path)


def read(file: ResultFile, options: ReadOptions) -> Run:
    """Read `file` into a run."""
    found = deepeval_run.load(file)
    cases = [*(found.cases or ()), *(found.conversations or ())]
    scores = [_scores(case) for case in cases]
    if not any(scores):
        raise file.problem(
            "the test run holds no case with metrics", remedy=f"Run it with metrics and take the file of {PRODUCE}."
        )
    directions, notes = _directions(cases)
    return experiments.to_run(
        Experiment(
            rows=_table(file, cases),
            scores=scores,
            lost=[False] * len(cases),
            asked=[case.asked for case in cases],
            expected=[case.answer for case in cases],
            stable=("name, else input", _keys(cases, by_pytest=isinstance(found.test_file, str))),
            directions=directions,
            measurement=_measurement(cases, found),
            notes=(*_errors(cases), *notes),
            unscored="Every metric raised an error. See the reasons in the file, such as a missing key for the judge.",
        ),
        options,
    )


def _keys(cases: Sequence[Case], *, by_pytest: bool) -> list[object]:
    """Return the name that a person gave where it means one question, else the question itself."""
    questions = [experiments.spoken(case.asked) for case in cases]
    given = [_given(case.name) for case in cases]
    if by_pytest:
        given = _unrepeated(given, questions)
    meant: dict[str | None, set[str]] = {}
    for name, question in zip(given, questions, strict=True):
        meant.setdefault(name, set()).add(question)
    return [
        question if name is None or len(meant[name]) > 1 else name
        for name, question in zip(given, questions, strict=True)
    ]


def _given(name: object) -> str | None:
    """Return a case's name; None where DeepEval made it up from the case's place."""
    return name if isinstance(name, str) and name.strip() and not _AUTOMATIC.fullmatch(name) else None


def _unrepeated(given: Sequence[str | None], questions: Sequence[str]) -> list[str | None]:
    """Take the number of the repeat out of names such as ``test_sum[q1-2-3]``, which pytest-repeat puts there.

    Only where all repeats are there and ask the same, for a person may call a parameter ``2-3`` as well.
    """
    groups: dict[tuple[str, int, str], list[int]] = {}
    for place, (name, question) in enumerate(zip(given, questions, strict=True)):
        found = name and _REPEAT.search(name, max(name.rfind("["), 0))
        if name and found and found.end() == len(name):
            stem = name[: found.start()] + ("]" if found[0].startswith("-") else "")
            groups.setdefault((stem, int(found[2]), question), []).append(place)
    names = list(given)
    for (stem, count, _), places in groups.items():
        if count > 1 and len(places) == count:
            for place in places:
                names[place] = stem
    return names


def _scores(case: Case) -> dict[str, object]:
    """Return the case's metrics and those of the system's steps; nothing for a case without any."""
    scores: dict[str, object] = {}
    for metric in case.metrics:
        _add(scores, metric.called, metric)
    for span in case.trace.spans if case.trace else ():
        for metric in span.data or ():
            step = span.name if isinstance(span.name, str) and span.name.strip() else "unnamed step"
            _add(scores, metric.called and f"{step}/{metric.called}", metric)
    return {"success": _verdict(case), **scores} if scores else {}


def _add(scores: dict[str, object], name: str | None, metric: Metric) -> None:
    """Add a score; a second metric, or step, of one name is another one."""
    if name is None:
        return
    number = 1
    called = name
    while called in scores or called == "success":
        number += 1
        called = f"{name} ({number})"
    scores[called] = None if experiments.has_error(metric.error) else metric.score


def _verdict(case: Case) -> object:
    """Return whether the case passed; nothing where only an error kept it from passing."""
    deciding = [metric for metric in case.metrics if metric.flaky is not True]
    broken = [metric for metric in deciding if experiments.has_error(metric.error)]
    failed = any(metric.success is False and not experiments.has_error(metric.error) for metric in deciding)
    return None if case.success is False and broken and not failed else case.success


def _graded(cases: Sequence[Case]) -> Iterator[tuple[str, Metric, float, float]]:
    """Yield each metric with a score and a threshold; numbers beyond what a metric may be are refused later."""
    for case in cases:
        for metric in case.metrics:
            name, score, threshold = metric.called, metric.score, metric.limit
            if name is not None and _is_sane(score) and _is_sane(threshold):
                yield name, metric, float(score), float(threshold)


def _is_sane(value: object) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and abs(value) <= limits.MAGNITUDE


def _directions(cases: Sequence[Case]) -> tuple[dict[str, Direction], tuple[str, ...]]:
    """Return the directions that the tool's own passes show; a metric whose passes fit both ways shows none."""
    fits: dict[str, set[Direction]] = {}
    for name, metric, score, threshold in _graded(cases):
        if score != threshold and isinstance(metric.success, bool) and not experiments.has_error(metric.error):
            above = (score > threshold) is metric.success
            fits.setdefault(name, set()).add(Direction.HIGHER if above else Direction.LOWER)
    found = {name: ways.copy().pop() for name, ways in fits.items() if len(ways) == 1}
    lower = [name for name, way in found.items() if way is Direction.LOWER]
    note = f"Lower is better for {', '.join(sorted(lower)[:5])}, as the passes in the file show."
    return {"success": Direction.HIGHER, **found}, (note,) if lower else ()


def _errors(cases: Sequence[Case]) -> tuple[str, ...]:
    broken = sum(any(experiments.has_error(metric.error) for metric in case.metrics) for case in cases)
    return (f"{broken} cases have a metric with an error; it has no score there.",) if broken else ()


def _measurement(cases: Sequence[Case], found: TestRun) -> dict[MeasurementField, str]:
    judges: Counter[str] = Counter(
        metric.judge for case in cases for metric in case.metrics if isinstance(metric.judge, str)
    )
    scorers = {
        f"{name}: threshold {threshold:g}{', strict' if metric.is_strict else ''}"
        for name, metric, _, threshold in _graded(cases)
    }
    given = found.hyperparameters if isinstance(found.hyperparameters, dict) else {}
    told = {name.casefold(): text for name, text in given.items() if isinstance(name, str) and isinstance(text, str)}
    return {
        MeasurementField.MODEL: told.get("model", ""),
        MeasurementField.PROMPT: "; ".join(sorted(filter(None, map(_spelled, found.prompts or ())))),
        MeasurementField.COMMIT: next((told[name] for name in _COMMITS if name in told), ""),
        MeasurementField.JUDGE: "; ".join(sorted(judges)),
        MeasurementField.SCORER: "; ".join(sorted(scorers)),
        MeasurementField.DATASET: found.dataset if isinstance(found.dataset, str) else "",
    }


def _spelled(prompt: Prompt) -> str:
    """Return a prompt by its name and version, or a hash of its text."""
    text = hashed(question_keys.canonical(prompt.template)) if prompt.template else None
    return " ".join(str(part) for part in (prompt.alias, prompt.version, prompt.hash or text) if part)


def _table(file: ResultFile, cases: Sequence[Case]) -> Rows:
    """Return the fields that a label or an id may be asked for."""
    cells = [
        {
            "name": case.name,
            "input": case.input if case.input is not None else case.scenario,
            "tags": case.tags,
            "metadata": case.metadata if case.metadata is not None else case.further,
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
