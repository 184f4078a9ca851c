"""LangSmith's tables: which columns are metrics, what names a question, what an error costs."""

from __future__ import annotations

import json

import pytest

from clearband.results import ReadOptions, read
from clearband.vocabulary import Direction, MeasurementField

from .shapes import delimited, refused_rows, score
from .tracker_files import lost, read_rows, sample, unscored


def row(example: str, **fields: object) -> dict[str, object]:
    return {
        "inputs.question": f"What is {example}?", "outputs.answer": "5", "error": None, "reference.answer": "5",
        "feedback.exact": True, "execution_time": 0.25, "example_id": f"uuid-{example}", "id": f"run-{example}",
    } | fields  # fmt: skip


def test_feedback_is_what_is_measured_and_time_is_better_low() -> None:
    run = read_rows(row("a"), row("b", **{"feedback.exact": False, "feedback.judge": 0.5}))

    assert score(run, "exact") == {"uuid-a": 1.0, "uuid-b": 0.0}
    assert score(run, "judge") == {"uuid-a": None, "uuid-b": 0.5}
    assert score(run, "execution_time") == {"uuid-a": 0.25, "uuid-b": 0.25}
    assert run.directions == {"execution_time": Direction.LOWER}


def test_numbers_in_inputs_outputs_and_references_are_no_metrics() -> None:
    run = read_rows(*(row(name, **{"inputs.left": 2, "outputs.total": 5, "reference.total": 5}) for name in "ab"))

    assert set(run.metrics) == {"exact", "execution_time"}


def test_a_row_with_an_error_is_lost_whatever_evaluators_scored_beside_it() -> None:
    run = read_rows(row("a"), row("b", error="RateLimitError(...)", **{"feedback.exact": False}))

    assert lost(run) == ["uuid-b"]
    assert unscored(run, "exact") == ["uuid-b"]


def test_repetitions_repeat_the_example_and_are_averaged() -> None:
    run = read_rows(row("a"), row("b"), row("a", **{"feedback.exact": False}), row("b"))

    assert (run.trials, score(run, "exact")) == (2, {"uuid-a": 0.5, "uuid-b": 1.0})
    assert run.measurement[MeasurementField.TRIALS] == "repetitions, mean"
    assert not run.trials_of["exact"].ordered


def test_an_id_of_ones_own_among_the_inputs_is_trusted_most() -> None:
    run = read_rows(row("a", **{"inputs.qid": "q1"}), row("b", **{"inputs.qid": "q2"}))

    assert (run.ids, run.key) == (("q1", "q2"), "qid")


def test_the_text_names_questions_of_another_copy_of_the_dataset() -> None:
    run = read_rows(row("a"), row("b"), id_field="inputs.question")

    assert run.ids == ("What is a?", "What is b?")


def test_without_example_ids_the_inputs_name_the_questions() -> None:
    run = read_rows(row("a", example_id=None), row("b", example_id=None))

    assert (run.ids, run.key) == (("What is a?", "What is b?"), "question text")


def test_several_inputs_make_a_key_in_which_their_order_does_not_matter() -> None:
    first = {"inputs.a": 1, "inputs.b": "x"} | row("a", example_id=None)
    second = row("a", example_id=None) | {"inputs.b": "x", "inputs.a": 1}

    assert read_rows(first, row("z")).ids[0] == read_rows(second, row("z")).ids[0]


def test_an_edited_reference_changes_the_content_and_an_answer_does_not() -> None:
    run = read_rows(row("a"), row("b"))

    assert read_rows(row("a", **{"outputs.answer": "6"}), row("b")).content == run.content
    assert read_rows(row("a", **{"reference.answer": "6"}), row("b")).content != run.content


def test_labels_are_text_of_inputs() -> None:
    run = read_rows(row("a", **{"inputs.language": "de"}), row("b"), labels=("inputs.language", "inputs.nowhere"))

    assert run.labels == {"inputs.language": ("de", None)}


def test_feedback_in_words_is_left_out_and_said() -> None:
    run = read_rows(row("a", **{"feedback.tone": "dry"}), row("b", **{"feedback.tone": 0.5}))

    assert "tone" not in run.metrics
    assert any("`feedback.tone`" in note for note in run.notes)


def test_the_empty_column_of_a_failed_evaluator_is_no_metric_and_its_own_is_incomplete() -> None:
    run = sample("langsmith/experiment.csv")

    assert set(run.metrics) == {"exact", "closeness", "execution_time"}


@pytest.mark.parametrize("orient", ["columns", "split", "records", "one row"])
def test_every_way_in_which_a_dataframe_writes_json(orient: str) -> None:
    rows = [row("a"), row("b")]
    fields = list(rows[0])
    match orient:
        case "columns":
            document: object = {name: {str(place): one[name] for place, one in enumerate(rows)} for name in fields}
        case "split":
            document = {"columns": fields, "index": [0, 1], "data": [list(one.values()) for one in rows]}
        case "records":
            document = rows
        case _:
            document = rows[0]

    run = read("frame.json", json.dumps(document).encode())

    assert run.format.startswith("langsmith/")
    assert run.ids == (("uuid-a",) if orient == "one row" else ("uuid-a", "uuid-b"))


def test_a_row_number_in_front_does_not_matter() -> None:
    data = delimited([{"": place, **row(name)} for place, name in enumerate("ab")])

    assert read("frame.csv", data).format == "langsmith/csv"


def test_an_experiment_without_evaluators_is_refused_with_what_to_do() -> None:
    bare = {name: cell for name, cell in row("a").items() if name not in {"feedback.exact", "execution_time"}}
    error = refused_rows(bare | {"execution_time": None}, bare | {"execution_time": None, "example_id": "b"})

    assert error.remedy is not None
    assert "evaluators" in error.remedy or "Run" in error.remedy


def test_an_unknown_id_field_is_refused_with_the_fields_there_are() -> None:
    error = refused_rows(row("a"), row("b"), id_field="inputs.nowhere")

    assert "`inputs.question`" in (error.remedy or "")


def test_an_error_in_several_lines_of_a_csv_cell_is_one_row() -> None:
    data = delimited([row("a"), row("b", error="Error('x')\n\nTraceback\n  here")])

    assert lost(read("t.csv", data, ReadOptions())) == ["uuid-b"]
