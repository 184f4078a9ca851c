"""MLflow's tables: plain scores and traces, in every version's shape."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from clearband.results import read
from clearband.vocabulary import Direction, MeasurementField

from .shapes import delimited, refused_rows, score
from .tracker_files import SAMPLES, lost, read_rows, sample, unscored

if TYPE_CHECKING:
    from clearband.results.run import Run


def table(*rows: dict[str, object]) -> Run:
    document = {"columns": list(rows[0]), "data": [list(row.values()) for row in rows]}
    return read("eval_results_table.json", json.dumps(document).encode())


def plain(question: object, **fields: object) -> dict[str, object]:
    return {"inputs": question, "ground_truth": "5", "outputs": "5", "token_count": 9} | fields


def trace(question: object, **fields: object) -> dict[str, object]:
    """A row of 3.17."""
    return {
        "trace_id": f"tr-{question}", "exact/value": True, "expected_response/value": "5", "state": "OK",
        "execution_duration": 20, "request": {"question": question}, "response": "5", "trace_metadata": {},
        "assessments": [],
    } | fields  # fmt: skip


def assessment(name: str, kind: str = "CODE", source: str = "x", **fields: object) -> dict[str, object]:
    return {
        "assessment_name": name, "source": {"source_type": kind, "source_id": source}, "feedback": {"value": 1},
        "metadata": {"mlflow.assessment.scorerDigest": f"sha256:{name * 40}"},
    } | fields  # fmt: skip


@pytest.mark.parametrize("column", ["close/score", "close/v1/score"])
def test_a_score_with_or_without_a_version_is_called_by_its_name(column: str) -> None:
    run = table(plain("a", **{column: 0.5}), plain("b", **{column: None}))

    assert score(run, "close") == {"a": 0.5, "b": None}
    assert set(run.metrics) == {"close"}
    assert run.measurement == ({MeasurementField.SCORER: "close v1"} if "v1" in column else {})


def test_two_versions_of_a_metric_are_kept_apart() -> None:
    run = table(plain("a", **{"close/v1/score": 0.5, "close/v2/score": 0.25}))

    assert set(run.metrics) == {"close/v1", "close/v2"}


def test_latency_is_a_metric_and_better_low() -> None:
    run = table(plain("a", **{"close/v1/score": 0.5, "latency": 1.5}))

    assert score(run, "latency") == {"a": 1.5}
    assert run.directions == {"latency": Direction.LOWER}


@pytest.mark.parametrize("field", ["question", "query", "prompt", "inputs"])
def test_the_question_lies_in_a_column_that_people_named(field: str) -> None:
    rows = [{field: name, "truth": "5", "answer": "5", "close/v1/score": 1.0} for name in ("a", "b")]

    assert table(*rows).ids == ("a", "b")
    assert table({"id": 7, **rows[0]}, {"id": 8, **rows[1]}).ids == ("7", "8")


def test_the_table_is_known_in_csv_by_version_or_justification() -> None:
    versioned = delimited([plain("a", **{"close/v1/score": 0.5}), plain("b", **{"close/v1/score": 0.5})])
    explained = delimited([plain("a", **{"close/score": 0.5, "close/justification": "so"}), plain("b")])

    assert read("t.csv", versioned).format == read("t.csv", explained).format == "mlflow/csv"


@pytest.mark.parametrize("path", ["mlflow/genai.jsonl", "mlflow/eval_results_table.json"])
def test_columns_over_row_numbers_as_a_dataframe_writes_them_by_default(path: str) -> None:
    whole = sample(path)
    data = (SAMPLES / path).read_bytes()
    document = json.loads(data) if path.endswith(".json") else None
    rows = (
        [dict(zip(document["columns"], row, strict=True)) for row in document["data"]]
        if document
        else [json.loads(line) for line in data.splitlines()]
    )
    columns = {name: {str(place): row[name] for place, row in enumerate(rows)} for name in rows[0]}

    run = read("frame.json", json.dumps(columns).encode())

    assert (run.format, run.ids, lost(run)) == ("mlflow/json-columns", whole.ids, lost(whole))


def test_expectations_are_no_metrics_even_as_numbers() -> None:
    expected = {"assessment_name": "total", "source": {"source_type": "HUMAN"}, "expectation": {"value": 5}}
    run = read_rows(*(
        trace(name, **{"total/value": 5, "expected_facts/value": 2, "assessments": [assessment("exact"), expected]})
        for name in "ab"
    ))  # fmt: skip

    assert set(run.metrics) == {"exact", "execution_duration"}


def test_expectations_are_found_in_assessments_that_csv_holds_as_python_text() -> None:
    text = str([
        {"assessment_name": "exact", "feedback": {"value": True}},
        {"assessment_name": "total", "source": {"source_type": "HUMAN"}, "expectation": {"value": 5}},
    ])  # fmt: skip
    rows = [trace(name, **{"total/value": 5, "assessments": text, "request": str({"q": name})}) for name in "ab"]
    run = read("t.csv", delimited(rows))

    assert run.ids == ("a", "b")
    assert set(run.metrics) == {"exact", "execution_duration"}


def test_a_trace_that_failed_is_lost_with_what_scorers_made_of_it() -> None:
    run = read_rows(trace("a"), trace("b", **{"state": "ERROR", "exact/value": False}))

    assert lost(run) == ["b"]
    assert score(run, "exact") == {"a": 1.0, "b": None}


def test_a_failure_of_an_earlier_release_stands_in_the_rows_error_message() -> None:
    run = sample("mlflow/genai.jsonl")

    assert lost(run) == ["What is 3 + 5?"]
    assert (
        unscored(run, "closeness") == ["What is 2 + 4?", "What is 3 + 3?", "What is 3 + 5?"]
        or len(unscored(run, "closeness")) == 3
    )


def test_inputs_in_the_traces_metadata_serve_where_the_request_is_gone() -> None:
    told = {"mlflow.traceInputs": '{"question": "b"}'}
    run = read_rows(trace("a"), trace("b", request=None, trace_metadata=told))

    assert run.ids == ("a", "b")


def test_yes_and_no_are_scores_and_other_words_are_not() -> None:
    run = read_rows(
        trace("a", **{"judge/value": "yes", "tone/value": "dry"}),
        trace("b", **{"judge/value": "no", "tone/value": "warm"}),
    )

    assert score(run, "judge") == {"a": 1.0, "b": 0.0}
    assert "tone" not in run.metrics


def test_judge_digest_and_commit_belong_to_the_measurement() -> None:
    told = {"assessments": [assessment("a"), assessment("j", "LLM_JUDGE", "openai:/m-1")],
            "trace_metadata": {"mlflow.source.git.commit": "abc123"}}  # fmt: skip
    run = read_rows(trace("a", **told), trace("b", **told))

    assert run.measurement == {
        MeasurementField.JUDGE: "j: openai:/m-1",
        MeasurementField.SCORER: "a sha256:aaaaaaaaaaaaaaaa; j sha256:jjjjjjjjjjjjjjjj",
        MeasurementField.COMMIT: "abc123",
    }


def test_one_request_asked_twice_is_two_trials() -> None:
    run = read_rows(trace("a"), trace("a", **{"exact/value": False}), trace("b"))

    assert (run.trials, score(run, "exact")) == (2, {"a": 0.5, "b": 1.0})


def test_an_edited_expectation_changes_the_content_and_a_response_does_not() -> None:
    run = read_rows(trace("a"), trace("b"))

    assert read_rows(trace("a", response="6"), trace("b")).content == run.content
    assert read_rows(trace("a", **{"expected_response/value": "6"}), trace("b")).content != run.content


def test_an_id_of_ones_own_or_a_named_field_tells_questions_apart() -> None:
    own = [trace("a", request={"id": "q1", "question": "x"}), trace("b", request={"id": "q2", "question": "y"})]

    assert read_rows(*own).ids == ("q1", "q2")
    assert read_rows(*own, id_field="request.question").ids == ("x", "y")
    assert read_rows(*own, labels=("request.question",)).labels == {"request.question": ("x", "y")}


def test_tables_without_scores_per_row_are_refused_with_what_to_do() -> None:
    empty = trace("a", **{"exact/value": None})
    del empty["exact/value"], empty["execution_duration"]
    error = refused_rows(empty, empty | {"trace_id": "b"})

    assert "scorers" in (error.remedy or "")
