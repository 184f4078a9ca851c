"""Which question a row belongs to, and its trials."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearband.results import ReadOptions, read

from .shapes import delimited, jsonl, read_jsonl, refused, refused_rows, score, seen


class TestIds:
    @pytest.mark.parametrize(
        "field",
        ["id", "ID", "qid", "query_id", "queryId", "Question-ID", "example_id", "instance_id", "sample_id", "doc_id",
         "task_id", "item_id", "case_id", "test_id", "uid", "key", "name"],
    )  # fmt: skip
    def test_known_fields_name_the_question(self, field: str) -> None:
        assert read_jsonl({"score": 1, field: "a"}, {"score": 0, field: "b"}).ids == ("a", "b")

    def test_the_most_trusted_field_wins(self) -> None:
        assert read_jsonl({"name": "n", "question": "t", "query_id": "a", "score": 1}).ids == ("a",)

    @pytest.mark.parametrize("field", ["question", "query", "input", "user_input", "prompt", "inputs", "text"])
    def test_the_questions_text_does_where_nothing_names_it(self, field: str) -> None:
        run = read_jsonl({field: "Who?", "score": 1})

        assert run.ids == ("Who?",)
        assert run.notes == (f"Questions are told apart by their text, the field `{field}`.",)

    def test_a_long_text_is_told_apart_by_its_digest(self) -> None:
        first, second = read_jsonl(*({"prompt": "x" * 5_000 + end, "score": 1} for end in "ab")).ids

        assert first != second
        assert len(first) < 150
        assert read_jsonl({"prompt": "x" * 5_000 + "a", "score": 0}).ids == (first,)

    def test_a_field_can_be_named(self) -> None:
        rows = [{"id": "x", "slug": "a", "score": 1}, {"id": "x", "slug": "b", "score": 0}]

        assert read_jsonl(*rows, id_field="slug").ids == ("a", "b")
        assert read(
            "run.json", json.dumps({"x": rows[0], "y": rows[1]}).encode(), ReadOptions(id_field="slug")
        ).ids == ("a", "b")

    def test_a_field_inside_an_object_can_be_named(self) -> None:
        rows = [{"case": {"slug": "a"}, "score": 1}, {"case": {"slug": "b"}, "score": 0}]

        assert read_jsonl(*rows, id_field="case.slug").ids == ("a", "b")

    @pytest.mark.parametrize("named", ["slugg", "Slug", "case.none.x"])
    def test_a_name_that_is_no_field_is_refused_with_the_fields_there_are(self, named: str) -> None:
        error = refused_rows({"id": "x", "slug": "a", "score": 1}, {"id": "y", "slug": "b", "score": 1}, id_field=named)

        assert error.what == f"run.jsonl: no field is called `{named}`"
        assert error.remedy is not None
        assert "`id`, `slug`, `score`" in error.remedy

    def test_numbers_and_their_text_are_the_same_id_across_files(self) -> None:
        expected = ("1", "2")

        assert read_jsonl({"id": 1, "score": 1}, {"id": 2, "score": 1}).ids == expected
        assert read_jsonl({"id": 1.0, "score": 1}, {"id": 2.0, "score": 1}).ids == expected
        assert read("run.csv", b"id,score\n1,1\n2,1\n").ids == expected
        assert read("run.csv", b"id,score\n1.0,1\n2.0,1\n").ids == expected

    def test_text_that_looks_like_a_number_is_left_alone(self) -> None:
        assert read("run.csv", b"id,score\n1.0,1\n1.10,1\n").ids == ("1.0", "1.10")
        assert read_jsonl({"id": "01", "score": 1}, {"id": "1", "score": 1}, {"id": " 1", "score": 1}).ids == (
            "01",
            "1",
            " 1",
        )

    @pytest.mark.parametrize("bad", [None, "", "  ", True, 1.5, 1e300, [1], {"a": 1}])
    def test_one_row_without_a_usable_id_refuses_the_file(self, bad: object) -> None:
        error = refused_rows({"id": "q1", "score": 1}, {"id": bad, "score": 1}, {"id": "q3", "score": 1})

        assert "`id` is" in error.what
        assert error.where == "line 2"

    def test_an_absent_id_refuses_the_file_even_if_the_questions_text_is_there(self) -> None:
        error = refused_rows({"id": "q1", "question": "A?", "score": 1}, {"question": "B?", "score": 1})

        assert error.what == "run.jsonl: `id` is missing"
        assert error.where == "line 2"

    def test_an_empty_cell_is_a_missing_id(self) -> None:
        assert refused(b"id,score\nq1,1\n,0\n").where == "line 3"

    def test_an_empty_key_is_a_missing_id(self) -> None:
        assert "is missing" in refused(b'{"q1": 1,\n"": 0, "q3": 1}').what

    def test_a_file_without_ids_lists_its_fields(self) -> None:
        error = refused_rows({"category": "a", "score": 1}, {"category": "b", "score": 0})

        assert error.what == "run.jsonl: no field says which question a row belongs to"
        assert error.remedy is not None
        assert error.remedy.startswith("The fields are `category`, `score`.")


class TestRepeats:
    def test_duplicate_ids_are_refused_with_the_id_and_both_lines(self) -> None:
        rows = [{"id": question, "score": 1} for question in ("q1", "q2", "q3", "q2")]

        for error, lines in ((refused_rows(*rows), (2, 4)), (refused(delimited(rows)), (3, 5))):
            assert error.what == 'run.jsonl: question "q2" has two rows'
            assert error.where == f"line {lines[0]} and line {lines[1]}"
            assert error.remedy is not None
            assert "`trial`" in error.remedy

    def test_the_number_1_and_the_text_1_are_one_question_twice(self) -> None:
        error = refused_rows({"id": 1, "score": 1}, {"id": "q2", "score": 1}, {"id": "1", "score": 0})

        assert error.what == 'run.jsonl: the ids 1 and "1" (number and text) name one question twice'
        assert error.where == "line 1 and line 3"

    def test_numbers_and_texts_may_stand_in_one_file(self) -> None:
        assert read_jsonl({"id": 1, "score": 1}, {"id": "two", "score": 1}).ids == ("1", "two")

    def test_a_duplicate_key_of_an_object_by_id_is_refused_with_both_lines(self) -> None:
        error = refused(b'{"q1": {"score": 1},\n"q2": {"score": 1},\n"q\\u0031": {"score": 0}}')

        assert error.what == 'run.jsonl: question "q1" stands twice in the object'
        assert error.where == "line 1 and line 3"

    @pytest.mark.parametrize("trials", [(1, 1), (1, "1"), (1, 1.0), (None, None)])
    def test_a_trial_twice_is_refused(self, trials: tuple[object, object]) -> None:
        error = refused_rows(*({"id": "q1", "trial": trial, "score": 1} for trial in trials))

        assert error.what == 'run.jsonl: question "q1" has two rows for the same trial'

    def test_a_metric_twice_in_a_long_file_is_refused(self) -> None:
        error = refused(b"id,metric,value\nq1,f1,1\nq1,em,1\nq1,f1,0\n")

        assert error.where == "line 2 and line 4"

    def test_a_metric_without_a_name_is_refused(self) -> None:
        error = refused(b"id,metric,value\nq1,f1,1\nq1,,1\n")

        assert error.where == "line 3"


class TestTrials:
    @pytest.mark.parametrize("field", ["repeat", "epoch", "trial", "run", "repetition_number"])
    def test_trials_are_averaged_within_the_question(self, field: str) -> None:
        rows = [{"id": q, field: t, "score": v} for q, t, v in (("a", 0, 1), ("b", 0, 1), ("a", 1, 0), ("a", 2, 0))]

        run = read_jsonl(*rows)

        assert score(run) == pytest.approx({"a": 1 / 3, "b": 1})
        assert run.trials == 3
        assert list(run.metrics) == ["score"]
        assert run.notes == (f"The trials of a question are told apart by `{field}` (0, 1, 2 …).",)

    def test_only_trials_with_a_value_count(self) -> None:
        rows = [{"id": "a", "trial": trial, "score": value} for trial, value in enumerate((1, None, 0, 1))]

        assert score(read_jsonl(*rows)) == pytest.approx({"a": 2 / 3})

    def test_a_question_without_any_value_has_none(self) -> None:
        rows = [{"id": q, "trial": t, "score": 1 if q == "b" else None} for q in "ab" for t in (1, 2)]

        assert score(read_jsonl(*rows)) == {"a": None, "b": 1}

    def test_failed_trials_are_left_out_and_mentioned(self) -> None:
        run = read_jsonl(
            {"id": "a", "trial": 1, "score": 1, "error": None},
            {"id": "a", "trial": 2, "score": 0, "error": "timeout"},
            {"id": "b", "trial": 1, "score": 0, "error": "timeout"},
        )

        assert score(run) == {"a": 1, "b": None}
        assert run.errored.tolist() == [False, True]
        assert "1 questions have trials with an error; those trials were left out of the mean." in run.notes

    def test_two_fields_may_number_trials_together(self) -> None:
        rows = [{"id": "a", "run": r, "epoch": e, "score": r} for r in (0, 1) for e in (0, 1)]

        run = read_jsonl(*rows)

        assert score(run) == {"a": 0.5}
        assert run.trials == 4

    def test_a_trial_field_alone_makes_no_trials(self) -> None:
        assert read_jsonl({"id": "a", "run": "x", "score": 1}, {"id": "b", "run": "x", "score": 0}).trials == 1

    @given(
        values=st.lists(st.tuples(st.sampled_from("abc"), st.floats(-1e9, 1e9) | st.none()), min_size=1, max_size=30),
        seed=st.integers(0, 99),
    )
    def test_the_order_of_rows_changes_no_digit(self, values: list[tuple[str, float | None]], seed: int) -> None:
        rows = [{"id": question, "trial": trial, "score": value} for trial, (question, value) in enumerate(values)]
        shuffled = random.Random(seed).sample(rows, len(rows))

        assert seen(read("run", jsonl(rows))) == seen(read("run", jsonl(shuffled)))
