"""pydantic-evals' reports: cases, failures, repeats, evaluators."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from clearband.results import ReadOptions, read
from clearband.vocabulary import Direction, MeasurementField

from .shapes import refused, score
from .tracker_files import lost, sample, unscored

if TYPE_CHECKING:
    from clearband.results.run import Run


def value(
    one: object, *, source: str = "Some", arguments: object = None, version: str | None = None
) -> dict[str, object]:
    return {
        "name": "any",
        "value": one,
        "source": {"name": source, "arguments": arguments},
        "evaluator_version": version,
    }


def case(name: str, inputs: object = None, **fields: object) -> dict[str, object]:
    return {
        "name": name, "inputs": inputs or f"inputs of {name}", "expected_output": "5", "output": "5", "metadata": None,
        "metrics": {}, "scores": {}, "assertions": {}, "labels": {}, "task_duration": 0.5,
    } | fields  # fmt: skip


def failure(name: str, **fields: object) -> dict[str, object]:
    return {
        "name": name, "inputs": f"inputs of {name}", "expected_output": "5", "metadata": None,
        "error_message": "RuntimeError: x", "error_stacktrace": "...",
    } | fields  # fmt: skip


def report(*cases: dict[str, object], failures: list[dict[str, object]] | None = None, **fields: object) -> bytes:
    return json.dumps({"name": "task", "cases": cases, "failures": failures or [], **fields}).encode()


def read_report(*cases: dict[str, object], **fields: object) -> Run:
    return read("report.json", report(*cases, **fields))  # type: ignore[arg-type]


RIGHT = {"assertions": {"Right": value(one=True)}}
WRONG = {"assertions": {"Right": value(one=False)}}


def test_a_case_in_failures_is_lost_and_not_forgotten() -> None:
    run = read_report(case("a", **RIGHT), case("b", **WRONG), failures=[failure("c")])

    assert run.ids == ("a", "b", "c")
    assert lost(run) == ["c"]
    assert score(run, "Right") == {"a": 1.0, "b": 0.0, "c": None}


def test_an_evaluator_that_failed_leaves_its_value_out() -> None:
    run = sample("pydantic-evals/report.json")

    assert unscored(run, "Close") == ["add-2-4", "add-3-3", "add-3-5"]
    assert lost(run) == ["add-3-5"]


def test_repeats_are_numbered_trials_of_their_case() -> None:
    run = sample("pydantic-evals/repeated.json")

    assert "add-2-3" in run.ids
    assert (len(run.ids), run.trials) == (8, 2)
    assert run.trials_of["Right"].ordered
    assert run.measurement[MeasurementField.TRIALS] == "repetitions, mean"


def test_a_name_that_only_looks_like_a_repeat_is_a_name() -> None:
    run = read_report(case("page [1/2]", **RIGHT), case("page [2/2]", **WRONG))

    assert run.ids == ("page [1/2]", "page [2/2]")


def test_cases_that_nobody_named_are_told_apart_by_their_inputs() -> None:
    run = read_report(case("Case 1", "why?", **RIGHT), case("Case 2", {"q": "how?", "n": 2}, **WRONG))

    assert run.ids == ("why?", '{"n":2,"q":"how?"}')
    assert any("no names" in note for note in run.notes)


def test_assertions_say_which_way_is_better_and_scores_do_not() -> None:
    run = read_report(case("a", scores={"Close": value(0.5)}, **RIGHT), case("b", scores={"Close": value(1)}, **WRONG))

    assert run.directions == {"Right": Direction.HIGHER, "task_duration": Direction.LOWER}


def test_numbers_that_the_task_counts_are_metrics_and_labels_are_where_they_pass_and_fail() -> None:
    counted = [
        case(name, metrics={"requests": number}, labels={"tone": value("dry"), "gate": value(word)})
        for name, number, word in (("a", 3, "pass"), ("b", 4, "fail"))
    ]
    run = read_report(*counted)

    assert score(run, "requests") == {"a": 3.0, "b": 4.0}
    assert score(run, "gate") == {"a": 1.0, "b": 0.0}
    assert "tone" not in run.metrics


def test_equal_names_are_kept_apart() -> None:
    run = read_report(case("a", scores={"x": value(0.5)}, assertions={"x": value(one=True)}, metrics={"x": 7}))

    assert {name: values.tolist() for name, values in run.metrics.items() if "x" in name} == {
        "x": [0.5],
        "assertions.x": [1.0],
        "metrics.x": [7.0],
    }
    assert run.directions["assertions.x"] is Direction.HIGHER


def test_judge_rubric_arguments_version_and_dataset_belong_to_the_measurement() -> None:
    def measured(arguments: object) -> dict[MeasurementField, str]:
        scores = {
            "judge": value(0.5, source="LLMJudge", arguments=arguments),
            "close": value(1, source="Close", arguments={"slack": 0.5}, version="2"),
        }
        return dict(read_report(case("a", scores=scores), dataset_name="sums").measurement)

    whole = measured({"rubric": "Is it right?", "model": "m-1"})
    short = measured(["Is it right?"])

    assert whole[MeasurementField.JUDGE] == "LLMJudge: m-1"
    assert short[MeasurementField.JUDGE] == "LLMJudge: default model"
    assert whole[MeasurementField.JUDGE_PROMPT] == short[MeasurementField.JUDGE_PROMPT]
    assert whole[MeasurementField.JUDGE_PROMPT] != measured(["Is it good?"])[MeasurementField.JUDGE_PROMPT]
    assert whole[MeasurementField.SCORER] == 'Close {"slack":0.5} version 2'
    assert whole[MeasurementField.DATASET] == "sums"


def test_reworded_inputs_change_the_content_of_a_case() -> None:
    run, edited = read_report(case("a", **RIGHT)), read_report(case("a", "other inputs", **RIGHT))

    assert run.ids == edited.ids
    assert run.content != edited.content


def test_labels_come_from_metadata_of_cases_and_failures() -> None:
    data = report(case("a", metadata={"topic": "x"}, **RIGHT), failures=[failure("b", metadata={"topic": "y"})])
    run = read("report.json", data, ReadOptions(labels=("metadata.topic",)))

    assert run.labels == {"metadata.topic": ("x", "y")}


def test_a_score_that_only_lost_cases_could_have_is_all_empty() -> None:
    run = read_report(case("a", scores={"Close": value(None)}, **RIGHT))

    assert np.isnan(run.metrics["Close"]).all()


def test_reports_without_scores_or_without_cases_are_refused() -> None:
    bare = [case("a", task_duration=None), case("b", task_duration=None)]

    assert "evaluators" in (refused(report(*bare), name="r.json").remedy or "")
    assert "all 1 rows report an error" in refused(report(failures=[failure("a")]), name="r.json").what
