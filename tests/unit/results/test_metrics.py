"""Which fields are metrics, what they are called and what their values are."""

from __future__ import annotations

import math

import pytest

from clearband.results import read

from .shapes import delimited, read_jsonl, refused, refused_rows, score, seen


def _metrics(*rows: dict[str, object]) -> list[str]:
    return list(read_jsonl(*({"id": f"q{index}", **row} for index, row in enumerate(rows))).metrics)


class TestNames:
    @pytest.mark.parametrize("wrapper", ["scores", "metrics", "feedback", "evaluation", "results", "grades", "usage"])
    def test_metrics_in_known_objects_are_called_by_their_own_name(self, wrapper: str) -> None:
        assert _metrics({wrapper: {"recall": 0.5, "level": 1}}) == ["recall", "level"]

    def test_other_objects_stay_in_the_name(self) -> None:
        assert _metrics({"retrieval": {"recall": 0.5, "at": {"k10": 1}}}) == ["retrieval.recall", "retrieval.at.k10"]

    def test_an_object_inside_a_known_one_stays_in_the_name(self) -> None:
        assert _metrics({"scores": {"retrieval": {"recall": 0.5}}}) == ["retrieval.recall"]

    def test_equal_names_are_told_apart_by_their_full_path(self) -> None:
        names = _metrics({"recall": 1, "scores": {"recall": 0.5, "f1": 1}, "usage": {"recall": 3}})

        assert names == ["recall", "scores.recall", "f1", "usage.recall"]

    def test_two_fields_with_one_full_path_are_refused(self) -> None:
        error = refused_rows({"id": "q1", "a.b": 1, "a": {"b": 2}})

        assert error.what == "run.jsonl: two metrics are called `a.b`"

    @pytest.mark.parametrize("value", ["score", "value"])
    def test_an_object_with_a_value_and_its_explanation_is_one_metric(self, value: str) -> None:
        judged = {value: 0.5, "reason": "close", "label": 1, "comment": None}

        assert _metrics({"scores": {"faithful": judged}, "judge": judged}) == ["faithful", "judge"]

    def test_named_values_in_a_list_are_metrics(self) -> None:
        run = read_jsonl(
            {"id": "q1", "scores": [{"name": "recall", "score": 0.5}, {"name": "f1", "score": None}]},
            {"id": "q2", "scores": []},
        )

        assert seen(run) == {"q1": {"recall": 0.5, "f1": None}, "q2": {"recall": None, "f1": None}}

    def test_flattened_names_are_kept(self) -> None:
        data = delimited([{"id": "q1", "feedback.exact": 1, "inputs.number": 2, "outputs.answer": 3}])

        assert list(read("run.csv", data).metrics) == ["feedback.exact"]

    @pytest.mark.parametrize(
        "field",
        ["index", "testIdx", "epoch", "seed", "created_at", "timestamp", "score_threshold", "parent_id", "gold_index",
         "level", "Difficulty", "answer", "expected_answer", "target", "Label", "prediction", "category", "model",
         "metadata", "run", "Unnamed: 0"],
    )  # fmt: skip
    def test_content_descriptions_and_bookkeeping_are_no_metrics(self, field: str) -> None:
        assert _metrics({field: 1, "recall": 0.5}) == ["recall"]

    def test_numbers_passed_over_for_their_name_are_mentioned(self) -> None:
        assert read_jsonl({"id": "q1", "level": 3, "score": 1}).notes == ("By their names no metrics: `level`.",)

    def test_unnamed_columns_are_no_metrics(self) -> None:
        assert list(read("run.csv", b",id,score\n0,q1,1\n1,q2,0\n").metrics) == ["score"]

    def test_tokens_latency_and_cost_are_metrics(self) -> None:
        assert _metrics({"latency_sec": 1.5, "cost_usd": 0.1, "tokens": 12}) == ["latency_sec", "cost_usd", "tokens"]

    def test_lists_of_numbers_are_no_metrics(self) -> None:
        assert _metrics({"samples": [0, 1, 1], "score": 1}) == ["score"]

    def test_an_object_keyed_by_document_is_left_out_and_mentioned(self) -> None:
        run = read_jsonl({"id": "q1", "score": 1, "retrieved": {f"d{number}": 0.5 for number in range(150)}})

        assert list(run.metrics) == ["score"]
        assert run.notes == ("`retrieved` has too many different fields to be metrics and was left out.",)

    def test_odd_characters_in_names_are_kept(self) -> None:
        name = "a\u202eb\0\x1b|`<b>"

        assert _metrics({name: 1}) == [name]


class TestNull:
    def test_null_absent_and_empty_are_no_value(self) -> None:
        run = read_jsonl({"id": "q1", "score": None}, {"id": "q2"}, {"id": "q3", "score": 1})

        assert score(run) == {"q1": None, "q2": None, "q3": 1}
        assert score(read("run.csv", b"id,score\nq1,\nq2, \nq3,1\n")) == {"q1": None, "q2": None, "q3": 1}

    @pytest.mark.parametrize("row", [{"score": None}, {"scores": {"score": None}}, {"judge": {"score": None}}])
    def test_a_metric_that_was_never_scored_stays_a_metric(self, row: dict[str, object]) -> None:
        run = read_jsonl({"id": "q1", **row}, {"id": "q2", **row})

        assert [math.isnan(value) for values in run.metrics.values() for value in values] == [True, True]

    def test_an_empty_column_stays_a_metric(self) -> None:
        assert score(read("run.csv", b"id,score\nq1,\nq2,\n")) == {"q1": None, "q2": None}

    @pytest.mark.parametrize("field", ["error", "comment", "reason", "category", "annotation_label"])
    def test_an_empty_field_for_text_is_no_metric(self, field: str) -> None:
        assert _metrics({field: None, "score": 1}) == ["score"]


class TestWords:
    @pytest.mark.parametrize(
        ("yes", "no"),
        [("True", "False"), ("true", "FALSE"), ("pass", "fail"), ("PASSED", "failed"), ("Yes", "no"),
         ("correct", "incorrect"), ("correct", "wrong")],
    )  # fmt: skip
    def test_a_binary_vocabulary_is_one_and_zero(self, yes: str, no: str) -> None:
        rows = [{"id": "q1", "verdict": yes}, {"id": "q2", "verdict": no}, {"id": "q3", "verdict": None}]

        for run in (read_jsonl(*rows), read("run.csv", delimited(rows))):
            assert score(run, "verdict") == {"q1": 1, "q2": 0, "q3": None}

    def test_a_field_half_numbers_half_something_else_is_mentioned(self) -> None:
        run = read_jsonl({"id": "q1", "a": 1, "score": 1}, {"id": "q2", "a": [1], "score": 1})

        assert list(run.metrics) == ["score"]
        assert run.notes == ("`a` holds numbers and other things and was not read as a metric.",)

    def test_booleans_count_among_numbers(self) -> None:
        assert score(read_jsonl({"id": "q1", "score": True}, {"id": "q2", "score": 0.5})) == {"q1": 1, "q2": 0.5}
        assert score(read("run.csv", b"id,score\nq1,True\nq2,0.5\n")) == {"q1": 1, "q2": 0.5}

    def test_two_vocabularies_in_one_field_are_none(self) -> None:
        assert _metrics({"a": "yes", "score": 1}, {"a": "pass", "score": 1}) == ["score"]

    def test_a_word_beside_a_vocabulary_makes_text_of_it_and_is_mentioned(self) -> None:
        rows = [{"id": f"q{index}", "a": word, "score": 1} for index, word in enumerate(("PASS", "PASS", "ERROR"))]

        run = read_jsonl(*rows)

        assert list(run.metrics) == ["score"]
        assert run.notes == ('`a` holds "ERROR" beside pass/fail and was not read as a metric.',)

    def test_a_list_beside_a_vocabulary_makes_text_of_it_too(self) -> None:
        run = read_jsonl({"id": "q1", "a": "fail", "score": 1}, {"id": "q2", "a": [], "score": 1})

        assert run.notes == ('`a` holds "[]" beside pass/fail and was not read as a metric.',)

    def test_numbers_written_as_text_in_json_are_no_metric_and_mentioned(self) -> None:
        run = read_jsonl({"id": "q1", "a": "0.5", "score": 1})

        assert list(run.metrics) == ["score"]
        assert run.notes == ("`a` holds numbers written as text and was not read as a metric.",)


class TestNumbersInText:
    @pytest.mark.parametrize(
        ("cell", "value"),
        [("1", 1), ("-0.5", -0.5), ("+1", 1), (".5", 0.5), ("5.", 5), ("1e-3", 0.001), ("2E2", 200), ("007", 7)],
    )
    def test_plain_numbers_are_read(self, cell: str, value: float) -> None:
        assert score(read("run.csv", f"id,score\nq1,{cell}\n".encode())) == {"q1": value}

    @pytest.mark.parametrize(
        "cell", ["1_000", "0x10", "1 000", "٣", "５", "½", "1e", "85%", "1,5", "2024-01-31", "--5"]
    )
    def test_anything_else_is_text(self, cell: str) -> None:
        data = delimited([{"id": "q1", "a": cell, "score": 1}])

        assert list(read("run.csv", data).metrics) == ["score"]


class TestMixedFields:
    def test_a_field_of_text_may_hold_a_number(self) -> None:
        rows = [{"id": f"q{n}", "found": text, "score": 1} for n, text in enumerate(("a", "800", "b"))]

        assert list(read("run.csv", delimited(rows)).metrics) == ["score"]

    @pytest.mark.parametrize("cell", ["N/A", "timeout", "0.5x", "NaN", "nan", "inf", "-Infinity", "None"])
    def test_a_text_among_numbers_is_refused_with_line_field_and_question(self, cell: str) -> None:
        rows: list[dict[str, object]] = [{"id": f"q{n}", "score": n} for n in range(1, 4)]
        rows[1]["score"] = cell

        for error, line in ((refused_rows(*rows), 2), (refused(delimited(rows)), 3)):
            assert (
                error.what == f'run.jsonl: `score` of question "q2" is {cell}, where the other questions have numbers'
            )
            assert error.where == f"line {line}"

    @pytest.mark.parametrize("cell", ["0.5", [1], [], {}, {"a": 1}, "true"])
    def test_json_text_and_lists_are_not_made_numbers(self, cell: object) -> None:
        error = refused_rows({"id": "q1", "score": 1}, {"id": "q2", "score": 0}, {"id": "q3", "score": cell})

        assert error.where == "line 3"

    def test_markers_of_missing_values_are_refused_however_many_there_are(self) -> None:
        rows = [{"id": f"q{n}", "score": "N/A" if n else 1} for n in range(10)]

        assert refused_rows(*rows).where == "line 2"

    def test_a_metric_in_an_object_must_be_a_number_too(self) -> None:
        error = refused_rows({"id": "q1", "scores": {"f1": 1}}, {"id": "q2", "scores": {"f1": "error"}})

        assert "`scores.f1` of question" in error.what
        assert error.where == "line 2"

    @pytest.mark.parametrize("scores", ["failed", 0, [1]])
    def test_an_object_of_metrics_must_be_one_everywhere(self, scores: object) -> None:
        error = refused_rows({"id": "q1", "scores": {"f1": 1}}, {"id": "q2", "scores": scores})

        assert error.what == 'run.jsonl: `scores` of question "q2" is no object, although it is one elsewhere'

    def test_null_instead_of_an_object_is_no_value(self) -> None:
        run = read_jsonl({"id": "q1", "scores": {"f1": 1}}, {"id": "q2", "scores": None}, {"id": "q3"})

        assert score(run, "f1") == {"q1": 1, "q2": None, "q3": None}

    def test_an_object_that_may_hold_anything_is_no_reason_to_refuse(self) -> None:
        run = read_jsonl(
            {"id": "q1", "score": 1, "source": {"year": 1999, "kind": "book"}},
            {"id": "q2", "score": 1, "source": {"year": 2001}},
            {"id": "q3", "score": 1, "source": {"year": "unknown"}},
        )

        assert list(run.metrics) == ["score"]
        assert run.notes == ("`source.year` holds numbers and other things and was not read as a metric.",)


class TestErrors:
    @pytest.mark.parametrize("error", ["timeout", {"message": "rate limit"}, ["a"]])
    def test_a_question_with_an_error_has_no_values(self, error: object) -> None:
        run = read_jsonl({"id": "q1", "score": 0, "error": error}, {"id": "q2", "score": 1, "error": None})

        assert score(run) == {"q1": None, "q2": 1}
        assert run.errored.tolist() == [True, False]

    @pytest.mark.parametrize("error", [None, "", "  ", "None", "null", {}, []])
    def test_an_empty_error_is_none(self, error: object) -> None:
        run = read_jsonl({"id": "q1", "score": 0, "error": error}, {"id": "q2", "score": 1, "error": "timeout"})

        assert score(run) == {"q1": 0, "q2": None}

    def test_an_error_column_of_a_table_counts_too(self) -> None:
        run = read("run.csv", b"id,score,error\nq1,0,timeout\nq2,1,\n")

        assert score(run) == {"q1": None, "q2": 1}
        assert run.errored.tolist() == [True, False]

    @pytest.mark.parametrize("error", [0.25, False])
    def test_a_numeric_or_boolean_error_is_a_metric(self, error: float) -> None:
        run = read_jsonl({"id": "q1", "score": 1, "error": error})

        assert seen(run) == {"q1": {"score": 1, "error": error}}
        assert not run.errored.any()

    def test_what_stands_in_a_metric_beside_an_error_does_not_matter(self) -> None:
        run = read_jsonl({"id": "q1", "score": "N/A", "error": "timeout"}, {"id": "q2", "score": 1})

        assert score(run) == {"q1": None, "q2": 1}

    def test_a_run_in_which_every_question_failed_is_all_lost_not_unknown(self) -> None:
        run = read_jsonl({"id": "q1", "score": 0, "error": "x"}, {"id": "q2", "score": 0, "error": "y"})

        assert score(run) == {"q1": None, "q2": None}
        assert run.errored.all()
