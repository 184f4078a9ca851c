"""Braintrust's results and exported events: spans, pages, records, errors."""

from __future__ import annotations

import json

import pytest

from clearband.results import read
from clearband.vocabulary import MeasurementField

from .shapes import jsonl, refused_rows, score
from .tracker_files import lost, read_rows, sample, unscored


def result(question: object, **fields: object) -> dict[str, object]:
    return {
        "input": question, "output": "5", "expected": "5", "metadata": {"topic": "sums"}, "tags": None,
        "scores": {"exact": 1}, "error": None,
    } | fields  # fmt: skip


def event(span: str, **fields: object) -> dict[str, object]:
    root = {
        "id": f"row-{span}", "span_id": span, "root_span_id": span, "input": f"What is {span}?", "expected": "5",
        "output": "5", "scores": {"exact": 1}, "metadata": None, "_xact_id": "1000", "error": None,
    }  # fmt: skip
    return root | fields


def test_a_task_that_failed_is_lost() -> None:
    run = read_rows(result("a"), result("b", scores={}, error="TimeoutError()"))

    assert lost(run) == ["b"]
    assert score(run, "exact") == {"a": 1.0, "b": None}


def test_a_scorer_that_failed_leaves_its_score_out() -> None:
    run = sample("braintrust/results.jsonl")

    assert unscored(run, "closeness") == ["What is 2 + 4?", "What is 3 + 3?", "What is 3 + 5?"]
    assert lost(run) == ["What is 3 + 5?"]


def test_a_null_score_is_no_value() -> None:
    run = read_rows(result("a", scores={"exact": None}), result("b"))

    assert score(run, "exact") == {"a": None, "b": 1.0}
    assert lost(run) == []


def test_spans_inside_a_trace_are_no_questions() -> None:
    inner = event("x", span_id="inner", root_span_id="x", id="row-inner", scores={"exact": 0}, input="a prompt")
    scorer = event("x", span_id="scorer", root_span_id="x", id="row-scorer", scores=None, is_root=False)

    run = read_rows(scorer, event("x"), inner, event("y"))

    assert score(run, "exact") == {"What is x?": 1.0, "What is y?": 1.0}


def test_of_a_row_in_several_states_the_newest_counts() -> None:
    run = read_rows(event("x", scores={"exact": 0}, _xact_id="999"), event("x", _xact_id="1001"), event("y"))

    assert (score(run, "exact"), run.trials) == ({"What is x?": 1.0, "What is y?": 1.0}, 1)


@pytest.mark.parametrize("wrapper", ["events", "data", "results"])
def test_an_answer_of_the_service_holds_rows_inside(wrapper: str) -> None:
    document = {"cursor": None, wrapper: [event("x"), event("y", scores={"exact": 0})]}

    run = read("answer.json", json.dumps(document).encode())

    assert (run.format, score(run, "exact")) == ("braintrust/json", {"What is x?": 1.0, "What is y?": 0.0})


def test_events_without_root_spans_are_refused() -> None:
    error = refused_rows(event("x", root_span_id="gone"), event("y", is_root=False))

    assert "root span" in (error.remedy or "")


@pytest.mark.parametrize(
    ("fields", "key", "ids"),
    [
        ([{"metadata": {"id": "q1"}}, {"metadata": {"id": "q2"}}], "id", ("q1", "q2")),
        ([{"origin": {"id": "r1"}}, {"origin": {"id": "r2"}}], "dataset record", ("r1", "r2")),
        ([{"dataset_record_id": "r1"}, {"dataset_record_id": "r2"}], "dataset record", ("r1", "r2")),
        ([{"dataset_record_id": "r1"}, {}], "question text", ("a", "b")),
    ],
)
def test_what_names_a_question(fields: list[dict[str, object]], key: str, ids: tuple[str, ...]) -> None:
    run = read_rows(result("a", **fields[0]), result("b", **fields[1]))

    assert (run.key, run.ids) == (key, ids)


def test_one_input_with_two_expectations_is_two_questions_and_that_is_said() -> None:
    run = read_rows(result("a"), result("a", expected="6"), result("b"))

    assert len(run.ids) == 3
    assert run.ids[2] == "b"
    assert all(question.startswith("a | ") for question in run.ids[:2])
    assert run.notes


def test_long_inputs_become_keys_that_can_be_read() -> None:
    run = read_rows(result({"question": "why? " * 100}), result([{"role": "user", "content": "hi"}]))

    assert run.ids[0].startswith("why? why?")
    assert "sha256:" in run.ids[0]
    assert run.ids[1] == '[{"content":"hi","role":"user"}]'


def test_model_and_dataset_belong_to_the_measurement_and_topics_are_labels() -> None:
    rows = [result(name, metadata={"model": "m-1", "topic": name}, origin={"object_id": "d-1"}) for name in "ab"]
    run = read_rows(*rows, labels=("metadata.topic",))

    assert run.measurement == {MeasurementField.MODEL: "m-1", MeasurementField.DATASET: "d-1"}
    assert run.labels == {"metadata.topic": ("a", "b")}


def test_nan_from_pythons_own_json_is_no_value() -> None:
    data = jsonl([result("a"), result("b")]).replace(b'{"exact": 1}', b'{"exact": NaN}', 1)

    assert score(read("r.jsonl", data), "exact") == {"a": None, "b": 1.0}


def test_inputs_that_say_nothing_pair_by_place() -> None:
    run = read_rows(result(None, expected=None), result(None, expected=None))

    assert run.by_position
    assert run.ids == ("1", "2")


def test_rows_without_scores_are_refused_with_what_to_do() -> None:
    error = refused_rows(result("a", scores={}), result("b", scores={}))

    assert "scorers" in (error.remedy or "")


def test_a_run_that_failed_throughout_is_refused() -> None:
    error = refused_rows(*(result(name, scores={}, error="down") for name in "ab"))

    assert "all 2 rows report an error" in error.what
