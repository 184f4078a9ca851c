"""pytest-json-report: outcomes, stages and what tests record about themselves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from clearband.results import ReadOptions, read
from clearband.vocabulary import Direction, MeasurementField

from .shapes import refused, score

if TYPE_CHECKING:
    from clearband.results.run import Run

SAMPLE = Path(__file__).parent / "samples" / "pytest-json-report" / "report.json"


def one(nodeid: str = "t.py::t", outcome: str = "passed", **fields: object) -> dict[str, object]:
    """A test of a report."""
    return {"nodeid": nodeid, "lineno": 1, "outcome": outcome, "keywords": ["t"]} | fields


def report(*tests: object, **fields: object) -> bytes:
    base = {"created": 1.0, "duration": 1.0, "exitcode": 0, "root": "/r", "environment": {}, "summary": {"total": 1}}
    return json.dumps(base | {"tests": list(tests)} | fields).encode()


def run_of(*tests: object, **fields: object) -> Run:
    return read("report.json", report(*tests, **fields))


def test_the_same_tests_as_in_the_junit_file() -> None:
    run = read("report.json", SAMPLE.read_bytes())
    junit = read("pytest.xml", (SAMPLE.parents[1] / "junit" / "pytest.xml").read_bytes())

    by_name = {name.rpartition("::")[2]: value for name, value in score(junit, "passed").items()}
    assert {name.rpartition("::")[2]: value for name, value in score(run, "passed").items()} == {
        name: value for name, value in by_name.items() if name != "test_broken"
    }
    assert len(run.ids) == 15
    assert set(run.metrics) == {"passed", "duration", "score", "grade"}
    assert run.directions == {"duration": Direction.LOWER}
    assert run.measurement == {MeasurementField.TRIALS: "attempts until one passes"}
    assert run.notes == (
        "Tests that passed after a failure, when they were run again: 1.",
        "Files that could not be collected, whose tests are missing: 1.",
    )
    assert not run.errored.any()


@pytest.mark.parametrize(
    ("outcome", "value"),
    [("passed", 1), ("xpassed", 1), ("failed", 0), ("error", 0), ("skipped", None), ("xfailed", None)],
)
def test_outcomes(outcome: str, value: float | None) -> None:
    assert score(run_of(one(outcome=outcome)), "passed") == {"t.py::t": value}


def test_an_outcome_of_another_plugin_has_no_value_and_is_named() -> None:
    run = run_of(one(outcome="quarantined"), one("t.py::u"))

    assert score(run, "passed") == {"t.py::t": None, "t.py::u": 1}
    assert run.notes == ("Tests with the outcome quarantined have no value.",)


@pytest.mark.parametrize(("call", "value"), [({"outcome": "passed"}, 1), ({"outcome": "failed"}, 0), (None, 0)])
def test_a_rerun_counts_as_its_last_attempt(call: object, value: float) -> None:
    assert score(run_of(one(outcome="rerun", call=call)), "passed") == {"t.py::t": value}


def test_the_duration_is_that_of_all_stages_and_a_skipped_test_has_none() -> None:
    stages = {stage: {"duration": 0.25, "outcome": "passed"} for stage in ("setup", "call", "teardown")}
    run = run_of(one(**stages), one("t.py::u", "skipped", **stages))

    assert score(run, "duration") == {"t.py::t": 0.75, "t.py::u": None}


def test_what_tests_record() -> None:
    run = run_of(
        one(user_properties=[{"recall": 0.5}, {"recall": 0.75}, ["cited", True]], metadata={"grade": 1, "note": "x"}),
        one("t.py::u", user_properties="odd", metadata=["odd"]),
    )

    assert score(run, "recall") == {"t.py::t": 0.75, "t.py::u": None}
    assert score(run, "cited") == {"t.py::t": 1, "t.py::u": None}
    assert score(run, "grade") == {"t.py::t": 1, "t.py::u": None}
    assert "note" not in run.metrics


def test_labels_and_ids_from_what_tests_record() -> None:
    tests = [one(f"t.py::{n}", user_properties=[{"qid": n}], metadata={"about": {"topic": "a"}}) for n in range(2)]
    run = read("report.json", report(*tests), ReadOptions(labels=("about.topic", "nodeid"), id_field="qid"))

    assert run.ids == ("0", "1")
    assert run.labels == {"about.topic": ("a", "a"), "nodeid": ("t.py::0", "t.py::1")}
    assert "no test has a `question`" in refused(report(*tests), name="report.json", id_field="question").what


def test_what_the_environment_tells() -> None:
    run = run_of(one(), environment={"Packages": {"pytest": "8.1.0"}, "GITHUB_SHA": "abc"})

    assert run.measurement == {MeasurementField.TOOL: "pytest 8.1.0", MeasurementField.COMMIT: "abc"}


def test_one_nodeid_twice_is_two_trials() -> None:
    run = run_of(one(), one(outcome="failed"))

    assert score(run, "passed") == {"t.py::t": 0.5}
    assert run.notes == ("Tests with several results, which are read as trials: 1.",)


@pytest.mark.parametrize("tests", [None, []])
def test_a_summary_alone_is_refused_with_the_option(tests: object) -> None:
    error = refused(report(tests=tests), name="report.json")

    assert error.what == "report.json: the report holds no tests, only their number"
    assert "--json-report-summary" in str(error.remedy)


def test_a_test_without_a_nodeid_is_refused() -> None:
    assert "looks like one of pytest-json-report" in refused(report(one(), {"outcome": "passed"}), name="r.json").what
