"""Langfuse, TruLens, Weave and Opik, whose exports were not seen: the generic readers take what is described of them."""

from __future__ import annotations

from clearband.results import ReadOptions, read

from .shapes import delimited, jsonl, seen


def test_langfuse_items_with_their_scores() -> None:
    rows = [
        {
            "id": f"run-item-{number}", "traceId": f"t{number}", "datasetItemId": f"item-{number}",
            "input": {"question": "?"}, "expectedOutput": "5", "output": "5",
            "scores": [{"id": "s1", "name": "exact", "value": number, "stringValue": None, "dataType": "BOOLEAN"},
                       {"id": "s2", "name": "judge", "value": 0.5, "stringValue": None, "dataType": "NUMERIC"}],
        }
        for number in (0, 1)
    ]  # fmt: skip
    run = read("items.jsonl", jsonl(rows), ReadOptions(id_field="datasetItemId"))

    assert seen(run) == {"item-0": {"exact": 0.0, "judge": 0.5}, "item-1": {"exact": 1.0, "judge": 0.5}}


def test_langfuse_scores_joined_to_dataset_items() -> None:
    rows = [
        {"datasetItemId": item, "traceId": f"t{item}", "name": name, "value": value, "stringValue": None, "dataType": "NUMERIC"}
        for item, name, value in (("a", "exact", 1), ("a", "judge", 0.5), ("b", "exact", 0), ("b", "judge", 0.25))
    ]  # fmt: skip
    expected = {"a": {"exact": 1.0, "judge": 0.5}, "b": {"exact": 0.0, "judge": 0.25}}
    options = ReadOptions(id_field="datasetItemId")

    assert seen(read("scores.csv", delimited(rows), options)) == expected
    assert seen(read("scores.jsonl", jsonl(rows), options)) == expected


def test_trulens_records_and_feedback() -> None:
    rows = [
        {"app_id": "app", "record_id": f"record_{place}", "input": question, "output": "5", "tags": "-",
         "Answer Relevance": value, "Answer Relevance_calls": "[{'args': {}, 'ret': 1.0}]", "latency": 1, "total_cost": 0.5}
        for place, (question, value) in enumerate((("a", 1.0), ("b", None)))
    ]  # fmt: skip
    run = read("records.csv", delimited(rows))

    assert seen(run) == {
        "a": {"Answer Relevance": 1.0, "latency": 1.0, "total_cost": 0.5},
        "b": {"Answer Relevance": None, "latency": 1.0, "total_cost": 0.5},
    }


def test_weave_rows_with_scores_by_scorer() -> None:
    rows = [
        {"inputs": {"question": question}, "output": "5",
         "scores": {"exact": {"match": right}, "judge": {"score": 0.5, "reason": "so"}}, "model_latency": 0.5}
        for question, right in (("a", True), ("b", False))
    ]  # fmt: skip
    run = read("calls.jsonl", jsonl(rows), ReadOptions(id_field="inputs.question"))

    assert seen(run) == {
        "a": {"exact.match": 1.0, "judge": 0.5, "model_latency": 0.5},
        "b": {"exact.match": 0.0, "judge": 0.5, "model_latency": 0.5},
    }


def test_opik_comparison_table() -> None:
    rows = [
        {"dataset.question": question, "dataset.left": 2, "output": "5", "feedback_scores.exact": value}
        for question, value in (("a", 1.0), ("b", 0.0))
    ]
    run = read("experiment.csv", delimited(rows), ReadOptions(id_field="dataset.question"))

    assert seen(run) == {"a": {"feedback_scores.exact": 1.0}, "b": {"feedback_scores.exact": 0.0}}
