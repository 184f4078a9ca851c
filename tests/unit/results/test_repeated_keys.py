"""A field that stands twice in one row has no value; a name that stands elsewhere too is no such thing."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearband.results import read

from .shapes import jsonl, refused, score

OTHER = b'{"id": "q1", "score": 0.5}\n{"id": "q2", "score": 1, "note": "said \\"score\\": 1"}\n'


@pytest.mark.parametrize(
    ("row", "field"),
    [
        ('{"id": "q3", "score": 0, "score": 1}', "score"),
        ('{"id": "q3", "id": "q4", "score": 1}', "id"),
        ('{"id": "q3" , "score" : 0 , "score" : 1}', "score"),
        ('{"id": "q3", "score": 1, "scores": {"recall": 1, "recall": 0}}', "recall"),
        ('{"id": "q3", "trial": 1, "trial": 2, "score": 1}', "trial"),
    ],
)
def test_a_field_twice_in_a_row_is_refused_with_its_place(row: str, field: str) -> None:
    lines = OTHER + row.encode()
    document = b'{"n": 3,\n"rows": [{"id": "q1", "score": 1},\n' + row.encode() + b"]}"
    by_id = b'{"q1": {"score": 1},\n"q2": ' + row.encode() + b"}"

    for data, where in ((lines, "line 3"), (document, "item 2 of `rows`, line 3"), (by_id, "line 2")):
        error = refused(data)
        assert error.what == f"run.jsonl: the field `{field}` stands twice in one row"
        assert error.where == where


@pytest.mark.parametrize(
    "more",
    [
        {"note": '{"score": 1}, "score": 2'}, {"note": "score"}, {"score ": 2}, {"meta_": {"id": 7, "score": 1}},
        {"deep": {"a": {"score": 1}, "b": {"score": 2}}}, {"list": [{"score": 1}, {"score": 2}]},
    ],
)  # fmt: skip
def test_a_name_that_stands_elsewhere_too_is_none_twice(more: dict[str, object]) -> None:
    rows = [{"id": "q1", "score": 1, **more}, {"id": "q2", "score": 0}, {"id": "q3", "score": 0.5, **more}]

    for data in (jsonl(rows), json.dumps(rows).encode(), json.dumps({"a": {"rows": rows}}).encode()):
        assert score(read("run", data)) == {"q1": 1, "q2": 0, "q3": 0.5}


def test_a_field_that_is_no_metric_may_stand_twice() -> None:
    assert read("run", OTHER + b'{"id": "q3", "score": 1, "answer": "a", "answer": "b"}').ids == ("q1", "q2", "q3")


@given(st.lists(st.dictionaries(st.sampled_from(["score", "f1", "é", 'a"b']), st.floats(0, 1) | st.none()), min_size=2))
def test_honest_rows_are_never_refused(rows: list[dict[str, float | None]]) -> None:
    named = [{"id": f"q{number}", "score": 1, **row} for number, row in enumerate(rows)]

    assert len(read("run", jsonl(named)).ids) == len(named)
