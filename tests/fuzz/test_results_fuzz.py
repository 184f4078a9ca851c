"""Whatever the bytes are: a run that keeps its promises, or one `UnusableResults`. Nothing else, ever."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from unit.results.shapes import SHAPES, delimited, jsonl

from clearband.errors import UnusableResults
from clearband.results import ReadOptions, limits, names, read

if TYPE_CHECKING:
    from clearband.results.run import Run

_SETTINGS = settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.too_slow])

_TABLE = {
    "q1": {"recall": 0.5, "correct": True},
    "q2": {"recall": None, "correct": False},
    "ü😀": {"recall": -1e-9, "correct": None},
}
_SEEDS = [
    *(write(_TABLE) for write in SHAPES.values()),
    jsonl(
        [
            {"id": 1, "epoch": 0, "scores": {"a": {"score": 1, "reason": "x"}}, "error": None},
            {"id": 1, "epoch": 1, "scores": {"a": {"score": 0, "reason": "y"}}, "error": "timeout"},
        ]
    ),
    json.dumps({"q1": True, "q2": False, "q3": None}).encode(),
    delimited([{"question": 'a "quoted"\ntext', "run": 1, "verdict": "pass"}], delimiter=";"),
]
_TOKENS = [
    b"NaN", b"-Infinity", b"1e999", b"9" * 500, b"\\ud800", b"\\udc00", b"\0", b"\xff", b"\xef\xbb\xbf", b'"', b"'", b"{",
    b"}", b"[", b"]", b",", b";", b"\t", b":", b"\n", b"\r", b"null", b"true", b"1", b'"id"', b'"score"', b"id", b"N/A",
    b"\x1f\x8b", b"[" * 5_000, b'{"a":' * 5_000, b"all", b"-", b".",
]  # fmt: skip


def _read(data: bytes, id_field: str | None) -> Run | UnusableResults:
    try:
        return read("dir/run\x1b.jsonl", data, ReadOptions(id_field=id_field))
    except UnusableResults as error:
        return error


def _check(data: bytes, *, id_field: str | None = None) -> None:
    run = _read(data, id_field)
    if isinstance(run, UnusableResults):
        assert run.what.startswith("run\\u001b.jsonl: ")
        assert run.remedy
        assert str(run).replace("\n", "").isprintable()
        return
    count = len(run.ids)
    assert count
    assert len(set(run.ids)) == count
    assert all(question and not question.isspace() and question.encode() for question in run.ids)
    assert run.metrics
    assert run.errored.shape == (count,)
    assert run.trials >= 1
    for name, values in run.metrics.items():
        assert name.strip()
        assert name.encode()
        assert values.shape == (count,)
        assert values.dtype == np.float64
        assert not np.isinf(values).any()
        assert np.isnan(values[run.errored]).all()
        assert np.nanmax(np.abs(values), initial=0.0) <= limits.MAGNITUDE


@given(data=st.binary(max_size=200))
@_SETTINGS
def test_arbitrary_bytes(data: bytes) -> None:
    _check(data)
    _check(b"\x1f\x8b" + data)
    _check(gzip.compress(data))


@given(text=st.text(st.sampled_from('id,;\t"\n\r score1.0e-:{}[]truefalsn'), max_size=120))
@_SETTINGS
def test_arbitrary_text_that_looks_like_a_table(text: str) -> None:
    _check(text.encode())
    _check(b"id,score\n" + text.encode())


@given(data=st.data(), seed=st.sampled_from(_SEEDS), zipped=st.booleans())
@_SETTINGS
def test_good_files_after_damage(data: st.DataObject, seed: bytes, *, zipped: bool) -> None:
    damaged = bytearray(gzip.compress(seed) if zipped else seed)
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(damaged)))
        end = min(len(damaged), start + data.draw(st.integers(0, 12)))
        match data.draw(st.sampled_from(["flip", "drop", "insert", "cut", "repeat", "splice"])):
            case "flip" if start < len(damaged):
                damaged[start] ^= 1 << data.draw(st.integers(0, 7))
            case "drop":
                del damaged[start:end]
            case "insert":
                damaged[start:start] = data.draw(st.sampled_from(_TOKENS) | st.binary(max_size=4))
            case "cut":
                del damaged[start:]
            case "repeat":
                damaged[end:end] = damaged[start:end] * data.draw(st.integers(1, 3))
            case "splice":
                damaged[start:end] = data.draw(st.sampled_from(_SEEDS))
            case _:
                pass
    _check(bytes(damaged))


_KEYS = st.sampled_from([
    "id", "question", "name", "key", "trial", "run", "metric", "value", "score", "scores", "error", "results", "columns",
    "data", "level", "recall", "0", "1", "q1", "q2", "", " ", "a.b", "a", "all", "accuracy",
]) | st.text(max_size=4)  # fmt: skip
_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["", "q1", "q2", "N/A", "pass", "fail", "True", "0.5", "800", "recall", "all", "\ud800", "\0"])
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_KEYS, inner, max_size=5),
    max_leaves=30,
)
_FIELDS = st.none() | _KEYS


@given(document=_VALUES, id_field=_FIELDS)
@_SETTINGS
def test_arbitrary_json_documents(document: object, id_field: str | None) -> None:
    _check(json.dumps(document).encode(), id_field=id_field)


@given(rows=st.lists(st.dictionaries(_KEYS, _VALUES, max_size=6), min_size=1, max_size=6), id_field=_FIELDS)
@_SETTINGS
def test_arbitrary_rows(rows: list[dict[str, object]], id_field: str | None) -> None:
    _check(jsonl(rows), id_field=id_field)
    _check(json.dumps(rows).encode(), id_field=id_field)
    _check(json.dumps({"results": rows, "n": 1}).encode(), id_field=id_field)


@given(
    cells=st.lists(
        st.sampled_from(
            ["id", "score", "q1", "1", "0.5", "N/A", "", " ", "True", "no", '"', 'a"b', "x\ny", "1,5", "é"]
        ),
        min_size=4,
        max_size=24,
    ),
    width=st.integers(1, 4),
    delimiter=st.sampled_from([",", ";", "\t"]),
)
@_SETTINGS
def test_arbitrary_tables(cells: list[str], width: int, delimiter: str) -> None:
    lines = [delimiter.join(cells[start : start + width]) for start in range(0, len(cells), width)]

    _check("\n".join(lines).encode())


_CELLS = _VALUES.filter(lambda value: not isinstance(value, dict))


@given(rows=st.lists(st.fixed_dictionaries({"id": st.sampled_from("abc"), "m": _CELLS}), min_size=1, max_size=9))
@_SETTINGS
def test_no_value_is_made_up(rows: list[dict[str, object]]) -> None:
    """Every value of a run without trials is a number, a boolean or a word of one vocabulary in the file."""
    words = {word for vocabulary in names.BINARY_WORDS for word in vocabulary}
    run = _read(json.dumps(rows).encode(), None)
    if isinstance(run, UnusableResults):
        return
    for question, value in zip(run.ids, run.metrics["m"].tolist(), strict=True):
        (found,) = [row["m"] for row in rows if row["id"] == question]
        if isinstance(found, str):
            assert found.casefold() in words
        elif isinstance(found, (int, float)):
            assert value == float(found)
        else:
            assert found is None
            assert np.isnan(value)
