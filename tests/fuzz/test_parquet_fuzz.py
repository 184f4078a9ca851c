"""Damaged Parquet files and odd judgements: a run, or one `UnusableResults`; never a crash, never anything else."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from unit.results.parquet_bytes import BYTE_ARRAY, DOUBLE, element, file, one_value
from unit.results.shapes import delimited, jsonl

from clearband.errors import UnusableResults
from clearband.results import pairwise, read
from clearband.results.options import PairOptions

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

SAMPLES = Path(__file__).parents[1] / "unit" / "results" / "samples" / "lighteval"
REAL = [path.read_bytes() for path in sorted(SAMPLES.rglob("*.parquet"))]
SMALL = [
    one_value(0.5, 30),
    one_value(b"q", 1),
    file([element(b"root", children=2), element(b"id", kind=BYTE_ARRAY, text=True), element(b"score", kind=DOUBLE)]),
]
# What a length, a count or an offset looks worst as.
TOKENS = [
    b"\xff\xff\xff\xff\x0f",
    b"\xfe\xff\xff\xff\x0f",
    b"\x80\x80\x80\x80\x08",
    b"\xff" * 9 + b"\x01",
    b"\0",
    b"\x01",
]
_SETTINGS = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def _outcome(reading: Callable[[], T]) -> T | UnusableResults:
    try:
        return reading()
    except UnusableResults as problem:
        return problem


def _check(data: bytes) -> None:
    run = _outcome(lambda: read("run.parquet", data))
    if isinstance(run, UnusableResults):
        assert run.what.startswith("run.parquet: ")
        assert run.remedy
        assert str(run).replace("\n", "").isprintable()
        return
    assert len(set(run.ids)) == len(run.ids) > 0
    assert all(not np.isinf(values).any() and values.shape == (len(run.ids),) for values in run.metrics.values())


@given(
    st.sampled_from(REAL), st.floats(0, 1), st.sampled_from(TOKENS) | st.binary(min_size=1, max_size=3), st.booleans()
)
@_SETTINGS
def test_a_damaged_file(whole: bytes, where: float, token: bytes, contents: bool) -> None:
    length = int.from_bytes(whole[-8:-4], "little") if contents else len(whole)
    start = len(whole) - 8 - length if contents else 0
    place = start + int(where * (length - 1))
    _check(whole[:place] + token + whole[place + len(token) :])


@given(st.sampled_from(SMALL), st.data())
@_SETTINGS
def test_a_file_with_one_byte_wrong_or_missing(whole: bytes, data: st.DataObject) -> None:
    place = data.draw(st.integers(4, len(whole) - 1))
    _check(whole[:place] + data.draw(st.binary(max_size=1)) + whole[place + 1 :])


_FIELDS = st.sampled_from(
    ["id", "winner", "preference", "model_a", "model_b", "swapped", "g1_winner", "g2_winner", "x"]
)
_CELLS = st.none() | st.booleans() | st.sampled_from(["A", "B", "tie", "candidate", "gpt", "", "model_a", "error", "ü"]) | (
    st.floats(-2, 2, allow_nan=False) | st.integers(-(10**400), 10**400) | st.lists(st.integers(), max_size=1)
)  # fmt: skip


@given(st.lists(st.dictionaries(_FIELDS, _CELLS, min_size=1), min_size=1, max_size=6), st.booleans())
@settings(max_examples=200, deadline=None)
def test_odd_judgements(rows: list[dict[str, object]], lines: bool) -> None:
    data = jsonl(rows) if lines else delimited(rows)
    pair = _outcome(lambda: pairwise.read("judged", data, PairOptions()))
    if isinstance(pair, UnusableResults):
        assert pair.what.startswith("judged: ")
        assert pair.remedy
        return
    baseline, candidate = pair
    assert baseline.ids == candidate.ids
    assert set(baseline.metrics) == set(candidate.metrics) == {"preference"}
    assert not np.isnan(baseline.metrics["preference"]).any()
