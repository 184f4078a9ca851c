"""DeepEval's test runs: names, errors of metrics, directions that the passes show."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from clearband.results import ReadOptions, read
from clearband.vocabulary import Direction, MeasurementField

from .shapes import refused
from .tracker_files import means, sample

if TYPE_CHECKING:
    from clearband.results.run import Run


def metric(name: str = "Closeness", score: float | None = 0.8, **fields: Any) -> dict[str, Any]:
    known = {"name": name, "threshold": 0.5, "success": True, "evaluationModel": "judge-1"}
    return known | ({} if score is None else {"score": score}) | fields


def case(name: str, question: str, *metrics: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {
        "name": name, "input": question, "actualOutput": "x", "expectedOutput": f"answer to {question}", "success": True,
        "metricsData": list(metrics) or [metric()],
    } | fields  # fmt: skip


def run_file(*cases: dict[str, Any], **fields: Any) -> bytes:
    return json.dumps({"testCases": cases, "conversationalTestCases": [], "metricsScores": [], **fields}).encode()


def read_run(*cases: dict[str, Any], **options: Any) -> Run:
    return read("run.json", run_file(*cases), ReadOptions(**options))


def values(run: Run, name: str) -> list[float | None]:
    return [None if np.isnan(value) else float(value) for value in run.metrics[name]]


def test_files_that_deepeval_wrote() -> None:
    base, candidate = sample("deepeval/base_test_run.json"), sample("deepeval/cand_test_run.json")
    assert means(base) == {"success": 0.666667, "Closeness": 0.891667, "Verbosity": 1.566667, "Exact Match": 0.666667}
    assert means(candidate) == {
        "success": 0.866667,
        "Closeness": 0.956897,
        "Verbosity": 1.566667,
        "Exact Match": 0.866667,
    }
    assert int(np.isnan(candidate.metrics["Closeness"]).sum()) == 1
    assert len(base.ids) == 30
    assert set(base.ids) == set(candidate.ids)
    assert base.ids[0] == "add_2_3"
    assert not any(name.startswith("test_case_") for name in base.ids)
    assert base.directions["Verbosity"] is Direction.LOWER
    assert base.directions["Closeness"] is Direction.HIGHER


QUESTIONS = ["add-2-3", "add-2-4", "add-2-5", "add-2-6", *(f"What is 3 + {right}?" for right in (3, 4, 5, 6))]


@pytest.mark.parametrize(
    "path", ["questions_2.9.7.json", "questions_3.9.9.json", "latest_3.9.9.json", "returned_3.9.9.json"]
)
def test_every_version_and_shape_of_one_run_says_the_same(path: str) -> None:
    """A judge breaks on the two sums that make 6, and a metric is skipped where a question has no context."""
    run = sample(f"deepeval/{path}")
    assert list(run.ids) == QUESTIONS
    assert {name: values(run, name) for name in run.metrics} == {
        "success": [1, None, 0, 1, None, 1, 1, 0],
        "Exact": [1, 1, 0, 1, 1, 1, 1, 0],
        "Closeness": [1, None, 0.75, 1, None, 1, 1, 0.75],
        "Off": [0, 0, 1, 0, 0, 0, 0, 1],
        "Grounded": [1, 1, 0, 1, None, None, None, None],
    }
    assert not run.errored.any()
    assert run.directions["Off"] is Direction.LOWER
    assert run.notes[0] == "2 cases have a metric with an error; it has no score there."
    assert run.content == sample("deepeval/questions_3.9.9.json").content


def test_model_commit_and_thresholds_of_a_real_run() -> None:
    told = sample("deepeval/latest_3.9.9.json").measurement
    assert (told[MeasurementField.MODEL], told[MeasurementField.COMMIT]) == ("sums", "abc1234")
    assert told[MeasurementField.SCORER].startswith("Closeness: threshold 0.8; Exact: threshold 0.5; ")


def test_conversations_that_deepeval_ran() -> None:
    run = sample("deepeval/conversations_3.9.9.json")
    assert run.ids[:2] == ("asks for 2 + 3", "asks for 2 + 4")
    assert values(run, "Right") == [1, 1, 0, 1, 1, 1, 1, 0]


def test_repeats_of_pytest_are_trials() -> None:
    run = sample("deepeval/tests_3.9.9.json")
    assert (run.ids, run.trials) == (("test_sums", "test_differences"), 2)
    assert values(run, "Exact") == [1, 0]


def test_a_parameter_that_only_looks_like_a_repeat_is_a_name() -> None:
    cases = [case("test_sum[1-2]", "one"), case("test_sum[2-2]", "two")]
    assert read("run.json", run_file(*cases, testFile="test_sum.py")).ids == ("test_sum[1-2]", "test_sum[2-2]")


def test_a_metric_that_failed_by_its_score_decides_whatever_another_raised() -> None:
    broken = metric("Judge", None, error="rate limit", success=False)
    failed = metric(score=0.1, success=False)
    run = read_run(
        case("a", "1", broken, metric(), success=False), case("b", "2", broken, failed, success=False), case("c", "3")
    )
    assert values(run, "success") == [None, 0, 1]


def test_a_threshold_of_hundreds_of_digits_shows_no_direction() -> None:
    run = read_run(case("a", "1", metric(threshold=10**400)), case("b", "2", metric(threshold=-(10**400))))
    assert "Closeness" not in run.directions
    assert values(run, "Closeness") == [0.8, 0.8]


def test_a_case_without_metrics_is_no_success() -> None:
    bare = {**case("b", "2"), "metricsData": []}
    assert values(read_run(case("a", "1"), bare), "success") == [1, None]


def test_metrics_of_steps_carry_the_name_of_their_step() -> None:
    trace = {"toolSpans": [{"name": "search", "metricsData": [metric("Relevancy", 0.25)]}], "llmSpans": []}
    assert values(read_run(case("a", "1", trace=trace)), "search/Relevancy") == [0.25]


def test_the_cache_of_metrics_is_refused_with_the_file_that_helps() -> None:
    error = refused(b'{"test_cases_lookup_map": {"k": {"cached_metrics_data": []}}}', name=".deepeval-cache.json")
    assert "cache of single metrics" in error.what
    assert ".latest_run_full.json" in (error.remedy or "")


def test_the_latest_run_is_the_same_run_in_a_wrapping() -> None:
    inner = json.loads(run_file(case("a", "1"), case("b", "2")))
    assert read("latest.json", json.dumps({"testRunData": inner}).encode()).ids == ("a", "b")


def test_a_link_to_the_cloud_is_refused_with_the_file_that_helps() -> None:
    error = refused(b'{"testRunLink": "https://app.example/run"}', name=".latest_test_run.json")
    assert "holds a link" in error.what
    assert "DEEPEVAL_RESULTS_FOLDER" in (error.remedy or "")


def test_automatic_and_repeated_names_are_no_names() -> None:
    run = read_run(case("test_case_0", "one"), case("test_sum", "two"), case("test_sum", "three"), case("mine", "four"))
    assert run.ids == ("one", "two", "three", "mine")


def test_equal_inputs_of_automatic_names_are_trials() -> None:
    run = read_run(case("test_case_0", "one"), case("test_case_1", "one", metric(score=0.4)))
    assert (run.ids, run.trials) == (("one",), 2)
    assert run.metrics["Closeness"].tolist() == pytest.approx([0.6])


def test_a_metric_that_raised_has_no_score_there() -> None:
    run = read_run(case("a", "1"), case("b", "2", metric(score=None, error="rate limit", success=False), success=False))
    assert np.isnan(run.metrics["Closeness"]).tolist() == [False, True]
    assert "1 cases have a metric with an error; it has no score there." in run.notes


@pytest.mark.parametrize(
    ("score", "success", "direction"),
    [
        (0.8, True, Direction.HIGHER),
        (0.2, False, Direction.HIGHER),
        (0.2, True, Direction.LOWER),
        (0.8, False, Direction.LOWER),
    ],
)
def test_the_passes_show_the_direction(score: float, success: bool, direction: Direction) -> None:
    assert read_run(case("a", "1", metric(score=score, success=success))).directions == {
        "success": Direction.HIGHER,
        "Closeness": direction,
    }


def test_passes_that_fit_neither_way_show_none() -> None:
    both = case("a", "1", metric(score=0.8, success=True)), case("b", "2", metric(score=0.9, success=False))
    assert "Closeness" not in read_run(*both).directions


def test_conversations_are_named_by_their_scenario() -> None:
    talk = {
        "name": "conversational_test_case_0",
        "scenario": "refund",
        "turns": [],
        "success": True,
        "metricsData": [metric()],
    }
    data = json.dumps(
        {"testCases": [], "conversationalTestCases": [talk, {**talk, "scenario": "return"}], "metricsScores": []}
    )
    assert read("run.json", data.encode()).ids == ("refund", "return")


def test_older_releases_call_the_metrics_otherwise() -> None:
    old = [
        {**case(name, name), "metricsMetadata": [{"metric": "Bias", "score": 0.1, "threshold": 0.5, "success": True}]}
        for name in "ab"
    ]
    for one in old:
        del one["metricsData"]
    assert read("run.json", run_file(*old)).metrics["Bias"].tolist() == [0.1, 0.1]


def test_judge_thresholds_and_model_belong_to_the_measurement() -> None:
    data = run_file(
        case("a", "1", metric(strictMode=True)), case("b", "2"), hyperparameters={"model": "m-1", "temperature": "0"}
    )
    told = read("run.json", data).measurement
    assert told[MeasurementField.JUDGE] == "judge-1"
    assert told[MeasurementField.MODEL] == "m-1"
    assert told[MeasurementField.SCORER] == "Closeness: threshold 0.5; Closeness: threshold 0.5, strict"


def test_a_run_without_metrics_is_refused() -> None:
    assert "no case with metrics" in refused(run_file({"name": "a", "input": "1"}), name="run.json").what
