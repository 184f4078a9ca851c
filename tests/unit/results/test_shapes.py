"""The same table is the same run, whatever shape it is written in."""

from __future__ import annotations

import gzip
import hashlib
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearband.results import read

from .shapes import SHAPES, WRAPPED, Table, delimited, jsonl, long_rows, read_jsonl, refused, rows_of, score, seen

TABLE: Table = {
    "q1": {"recall": 0.5, "correct": True},
    "q2": {"recall": None, "correct": False},
    "q3": {"recall": 1.25, "correct": None},
}
READ = {
    "q1": {"recall": 0.5, "correct": 1.0},
    "q2": {"recall": None, "correct": 0.0},
    "q3": {"recall": 1.25, "correct": None},
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("wrapping", WRAPPED)
def test_every_shape_gives_the_same_run(shape: str, wrapping: str) -> None:
    data = WRAPPED[wrapping](SHAPES[shape](TABLE))

    run = read("results/run.txt", data)

    assert seen(run) == READ
    assert run.format == shape
    assert run.name == "run.txt"
    assert run.sha256 == hashlib.sha256(data).hexdigest()
    assert run.trials == 1
    assert not run.errored.any()
    assert run.notes == ()


def _tables(ids: st.SearchStrategy[str]) -> st.SearchStrategy[Table]:
    values = st.none() | st.floats(min_value=-1e99, max_value=1e99) | st.integers(-(10**18), 10**18).map(float)
    metrics = st.lists(
        st.sampled_from(["recall", "nDCG@10", "answer relevancy", "latency_ms", "ρ|`x`", "_"]), min_size=1, unique=True
    )

    def table(parts: tuple[list[str], list[str]]) -> st.SearchStrategy[Table]:
        questions, names = parts
        scores = st.fixed_dictionaries(dict.fromkeys(names, values))
        return st.fixed_dictionaries(dict.fromkeys(questions, scores))

    return st.tuples(st.lists(ids, min_size=2, max_size=8, unique=True), metrics).flatmap(table)


_ODD_IDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20).map(
    # A letter at both ends: white space around a CSV cell is no part of it, and ids such as "mean" are no questions.
    lambda text: f"q{text}."
)


@given(table=_tables(_ODD_IDS), shape=st.sampled_from(sorted(SHAPES.keys() - {"generic/semicolon"})))
def test_any_table_survives_any_shape(table: Table, shape: str) -> None:
    run = read("run", SHAPES[shape](table))

    assert seen(run) == table
    assert run.format == shape


@given(table=_tables(st.integers(0, 10**30).map(str)))
def test_a_decimal_comma_is_read_between_semicolons(table: Table) -> None:
    assert seen(read("run.csv", SHAPES["generic/semicolon"](table))) == table


def test_a_comma_is_no_decimal_sign_where_numbers_have_points() -> None:
    data = b"id;score;tokens\nq1;0.5;1,234\nq2;0.25;2,345\n"

    assert list(read("run.csv", data).metrics) == ["score"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("final", [True, False])
def test_line_ends_do_not_matter(end: str, *, final: bool) -> None:
    for lines in (["id,score", "q1,1", "", "q2,0"], ['{"id":"q1","score":1}', "", '{"id":"q2","score":0}']):
        data = (end.join(lines) + (end if final else "")).encode()

        assert score(read("run", data)) == {"q1": 1, "q2": 0}


def test_metrics_and_questions_keep_the_order_of_the_file() -> None:
    run = read_jsonl({"id": "z", "b": 1}, {"id": "a", "b": 1, "a": 1})

    assert run.ids == ("z", "a")
    assert list(run.metrics) == ["b", "a"]


@pytest.mark.parametrize("scalar", [[0.5, 1, None], [True, False, None]])
def test_an_object_of_numbers_by_id_has_one_metric_called_score(scalar: list[float | bool | None]) -> None:
    run = read("run.json", json.dumps(dict(zip(("a", "b", "c"), scalar, strict=True))).encode())

    assert list(score(run).values()) == scalar


def test_the_longest_list_of_rows_with_ids_is_the_wrapped_one() -> None:
    document = {
        "config": {"seeds": [{"seed": 1}, {"seed": 2}, {"seed": 3}]},
        "failed": [{"id": "q9", "score": 0}],
        "out": {"detailed_results": [{"id": "q1", "score": 1}, {"id": "q2", "score": 0}]},
    }

    run = read("run.json", json.dumps(document).encode())

    assert score(run) == {"q1": 1, "q2": 0}
    assert run.format == "generic/json-wrapped"


def test_rows_of_a_data_frame_by_number_are_told_apart_by_their_own_ids() -> None:
    document = {"0": {"id": "a", "score": 1}, "1": {"id": "b", "score": 0}}

    assert score(read("run.json", json.dumps(document).encode())) == {"a": 1, "b": 0}


def test_quoted_cells_may_hold_delimiters_and_line_breaks() -> None:
    rows = [{"id": "q1", "answer": 'two\nlines, "quoted"', "score": 1}, {"id": "q2", "answer": "800", "score": 0}]

    assert seen(read("run.csv", delimited(rows))) == {"q1": {"score": 1}, "q2": {"score": 0}}


def test_a_cell_may_be_larger_than_the_csv_modules_limit() -> None:
    rows = [{"id": "q1", "context": "x" * 200_000, "score": 1}, {"id": "q2", "context": "", "score": 0}]

    assert score(read("run.csv", delimited(rows))) == {"q1": 1, "q2": 0}


def test_white_space_around_cells_and_empty_rows_at_the_end_are_ignored() -> None:
    assert score(read("run.csv", b"id , score\n q1 , 1\n q2,0 \n,\n , \n")) == {"q1": 1, "q2": 0}


def test_gzip_parts_are_read_as_one() -> None:
    first, second = jsonl([{"id": "q1", "score": 1}]), jsonl([{"id": "q2", "score": 0}])

    run = read("run.jsonl.gz", gzip.compress(first) + gzip.compress(second) + b"\0" * 100)

    assert score(run) == {"q1": 1, "q2": 0}


class TestLongForm:
    @pytest.mark.parametrize(("metric", "value"), [("metric", "value"), ("measure", "score"), ("Metric Name", "Value")])
    def test_known_names_make_a_file_long(self, metric: str, value: str) -> None:
        rows = [{"query_id": row["id"], metric: row["metric"], value: row["value"]} for row in long_rows(TABLE)]

        assert seen(read("run.csv", delimited(rows))) == READ

    def test_name_makes_a_file_long_only_where_questions_repeat(self) -> None:
        wide = [{"id": "q1", "name": "First", "score": 1}, {"id": "q2", "name": "Second", "score": 0}]
        long = [{"id": "q1", "name": "recall", "score": 1}, {"id": "q1", "name": "bleu", "score": 0}]

        assert seen(read_jsonl(*wide)) == {"q1": {"score": 1}, "q2": {"score": 0}}
        assert seen(read_jsonl(*long)) == {"q1": {"recall": 1, "bleu": 0}}

    def test_a_question_that_lacks_a_metric_has_no_value(self) -> None:
        rows = long_rows(TABLE)[:-1]

        assert seen(read_jsonl(*rows))["q3"] == {"recall": 1.25, "correct": None}

    def test_a_metric_of_words_is_left_out(self) -> None:
        rows = [*long_rows(TABLE), *({"id": q, "metric": "grade", "value": g} for q, g in (("q1", "A"), ("q2", "B")))]

        assert seen(read_jsonl(*rows)) == READ

    def test_a_metric_of_words_that_looks_like_numbers_is_mentioned(self) -> None:
        rows = [*long_rows(TABLE), *({"id": q, "metric": "grade", "value": "1"} for q in ("q1", "q2"))]

        assert read_jsonl(*rows).notes == ("`grade` holds numbers written as text and was not read as a metric.",)

    def test_trials_are_averaged(self) -> None:
        rows = [
            {"id": "q1", "trial": trial, "metric": metric, "value": value}
            for metric, values in {"a": (0, 1, 1, 0), "b": (1, None, None, 0)}.items()
            for trial, value in enumerate(values)
        ]

        run = read_jsonl(*rows)

        assert seen(run) == {"q1": {"a": 0.5, "b": 0.5}}
        assert run.trials == 4

    def test_means_appended_as_question_all_are_left_out_and_mentioned(self) -> None:
        rows = [*long_rows(TABLE), {"id": "all", "metric": "recall", "value": 0.875}]

        run = read_jsonl(*rows)

        assert seen(run) == READ
        assert run.notes == ("The last 1 rows hold the means (question `all`) and were left out.",)

    def test_a_question_among_others_may_be_called_all(self) -> None:
        rows = [{"id": question, "metric": "m", "value": 1} for question in ("all", "q1")]

        assert read_jsonl(*rows).ids == ("all", "q1")


def test_rows_may_lack_fields() -> None:
    assert seen(read_jsonl({"id": "q1", "a": 1}, {"id": "q2", "b": 0})) == {
        "q1": {"a": 1, "b": None},
        "q2": {"a": None, "b": 0},
    }


def test_the_name_of_the_file_decides_nothing() -> None:
    assert score(read("run.csv", jsonl(rows_of({"q1": {"score": 1}, "q2": {"score": 0}})))) == {"q1": 1, "q2": 0}


class TestNaN:
    NOTE = "NaN was read as no value, which pandas means by it."

    @pytest.mark.parametrize("shape", ["generic/json-split", "generic/json-columns"])
    def test_is_no_value_in_what_only_pandas_writes(self, shape: str) -> None:
        data = SHAPES[shape]({"q1": {"score": math.nan}, "q2": {"score": 1}})
        assert b"NaN" in data

        run = read("run.json", data)

        assert (score(run), run.notes) == ({"q1": None, "q2": 1}, (self.NOTE,))

    @pytest.mark.parametrize("shape", ["generic/jsonl", "generic/json-list", "generic/json-by-id", "generic/csv"])
    def test_is_refused_where_anybody_may_have_written_it(self, shape: str) -> None:
        refused(SHAPES[shape]({"q1": {"score": math.nan}, "q2": {"score": 1}}))

    @pytest.mark.parametrize("shape", ["generic/json-split", "generic/json-columns"])
    def test_is_not_infinity(self, shape: str) -> None:
        refused(SHAPES[shape]({"q1": {"score": math.inf}, "q2": {"score": 1}}))
