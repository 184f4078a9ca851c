"""Reports of pytest-json-report: one question a test, passed or not."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from clearband.results import junit_properties, lenient_json, limits, lookup, table
from clearband.results.about import About
from clearband.results.identity import text_key
from clearband.results.outline import Shape
from clearband.results.result_file import shown
from clearband.results.table import Table, column
from clearband.vocabulary import Direction, MeasurementField

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clearband.results.options import ReadOptions
    from clearband.results.outline import Outline
    from clearband.results.result_file import ResultFile
    from clearband.results.run import Run
    from clearband.results.table import Series

ABOUT = About(
    name="pytest-json-report",
    versions="1.5.0, the last one, under pytest 7.4.4 (run for this project)",
    produce="`pytest --json-report --json-report-file=report.json`",
    key="nodeid; `--id` names a property or a metadata field",
    metrics="`passed` (1 or 0), `duration` in seconds, and every number in `user_properties` and `metadata` of a test",
    direction="`duration` is one: lower",
    errors="failed and error score 0, skipped and xfailed have no value, xpassed has passed",
    measurement="version of pytest and commit, where `environment` holds them (pytest-metadata, on a CI machine)",
    traps=(
        "The outcome `rerun` (pytest-rerunfailures) is a test that failed and passed later; it counts as passed.",
        "A file that could not be collected has no tests in the report; they are lost.",
        "pytest-repeat gives every repeat a nodeid of its own, which makes them different questions.",
    ),
)

_TOOL = "pytest-json-report"
_PASSED, _DURATION = "passed", "duration"
_SCORES = {"passed": 1.0, "xpassed": 1.0, "failed": 0.0, "error": 0.0, "skipped": None, "xfailed": None}
_RERUN = "rerun"
_COMMITS = ("GITHUB_SHA", "CI_COMMIT_SHA", "GIT_COMMIT")


class _Stage(msgspec.Struct):
    duration: float | None = None
    outcome: str | None = None


class _Test(msgspec.Struct):
    nodeid: str
    outcome: str
    setup: _Stage | None = None
    call: _Stage | None = None
    teardown: _Stage | None = None
    user_properties: object = None
    metadata: object = None


class _Collector(msgspec.Struct):
    outcome: str | None = None


class _Report(msgspec.Struct):
    tests: list[_Test] | None = None
    collectors: list[_Collector] | None = None
    environment: object = None


def sniff(file: ResultFile, outline: Outline) -> bool:  # noqa: ARG001  the formats' common signature
    """Whether the file is a report, with its tests or without."""
    if outline.shape is not Shape.OBJECT or not outline.has("exitcode", "summary", "root"):
        return False
    return "nodeid" in outline.inside("tests") or "environment" in outline.keys


def read(file: ResultFile, options: ReadOptions) -> Run:
    """Read `file` into a run: a row for each test."""
    report = lenient_json.document(file, _Report, tool=_TOOL)
    tests = report.tests
    if not tests:
        raise file.problem(
            "the report holds no tests, only their number",
            remedy="Run pytest without --json-report-summary and without `tests` in --json-report-omit.",
        )
    rows = [_recorded(test) for test in tests]
    scores = [_score(test) for test in tests]
    series, notes = _series(file, tests, scores, rows)
    ids = [text_key(test.nodeid) for test in tests]
    fields = [{"nodeid": test.nodeid, **row} for test, row in zip(tests, rows, strict=True)]
    if options.id_field is not None:
        ids = junit_properties.chosen_ids(file, ids, fields, options.id_field)
    return table.to_run(
        Table(
            file=file,
            format="pytest-json-report/json",
            ids=ids,
            series=series,
            errored=np.zeros(len(ids), dtype=np.bool_),
            labels=lookup.labels(fields, options.labels),
            directions={one.name: Direction.LOWER for one in series if one.name == _DURATION},
            measurement=_measurement(report),
            key="nodeid" if options.id_field is None else shown(options.id_field),
            notes=(*_notes(report, tests, ids), *notes),
        )
    )


def _series(
    file: ResultFile, tests: Sequence[_Test], scores: Sequence[float | None], rows: Sequence[Mapping[str, object]]
) -> tuple[list[Series], list[str]]:
    series = [column(_PASSED, scores)]
    durations = [None if score is None else _duration(test) for test, score in zip(tests, scores, strict=True)]
    if any(duration is not None for duration in durations):
        series.append(column(_DURATION, durations))
    ran = [{} if score is None else row for row, score in zip(rows, scores, strict=True)]
    found, notes = junit_properties.metrics(file, ran, text_cells=False, taken=(_PASSED, _DURATION))
    return [*series, *found], notes


def _score(test: _Test) -> float | None:
    """Return 1 or 0; None for a test that was not run, and for an outcome that some other plugin made up."""
    if test.outcome == _RERUN:
        return float(test.call is not None and test.call.outcome == "passed")
    return _SCORES.get(test.outcome)


def _duration(test: _Test) -> float | None:
    """Return the seconds of all stages together, as pytest's JUnit report has them."""
    stages = [stage.duration for stage in (test.setup, test.call, test.teardown) if stage is not None]
    known = [seconds for seconds in stages if seconds is not None and abs(seconds) <= limits.MAGNITUDE]
    return sum(known) if known else None


def _recorded(test: _Test) -> dict[str, object]:
    """Return what the test recorded about itself; of a name that was recorded twice, the last value."""
    found: dict[str, object] = {}
    for one in test.user_properties if isinstance(test.user_properties, list) else []:
        if isinstance(one, dict):
            found |= one
        elif isinstance(one, list) and len(one) == 2 and isinstance(one[0], str):
            found[one[0]] = one[1]
    return found | test.metadata if isinstance(test.metadata, dict) else found


def _notes(report: _Report, tests: Sequence[_Test], ids: Sequence[str]) -> list[str]:
    outcomes = Counter(test.outcome for test in tests)
    notes: list[str] = []
    if outcomes[_RERUN]:
        notes.append(f"Tests that passed after a failure, when they were run again: {outcomes[_RERUN]}.")
    odd = [outcome for outcome in outcomes if outcome not in _SCORES and outcome != _RERUN]
    if odd:
        notes.append(f"Tests with the outcome {', '.join(map(shown, odd[:5]))} have no value.")
    failed = sum(one.outcome == "failed" for one in report.collectors or [])
    if failed:
        notes.append(f"Files that could not be collected, whose tests are missing: {failed}.")
    many = sum(count > 1 for count in Counter(ids).values())
    if many:
        notes.append(f"Tests with several results, which are read as trials: {many}.")
    return notes


def _measurement(report: _Report) -> dict[MeasurementField, str]:
    found: dict[MeasurementField, str] = {}
    version = lookup.inside(report.environment, "Packages.pytest")
    if isinstance(version, str):
        found[MeasurementField.TOOL] = f"pytest {version}"
    commits = (lookup.inside(report.environment, name) for name in _COMMITS)
    commit = next((text for text in commits if isinstance(text, str) and text), None)
    if commit is not None:
        found[MeasurementField.COMMIT] = commit
    if any(test.outcome == _RERUN for test in report.tests or []):
        found[MeasurementField.TRIALS] = "attempts until one passes"
    return found
