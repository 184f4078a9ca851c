"""JSON lines in chunks: what comes out is what one plain decoding of every line would give."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearband.errors import UnusableResults
from clearband.results import ReadOptions, read, row_chunks, strict_json
from clearband.results.gathered import Gathered
from clearband.results.number_cells import NumberCells, packed, types_of
from clearband.results.result_file import ResultFile, open_file

NUMBERS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.just(-0.0)
)
CELLS = (
    NUMBERS | st.text(max_size=3) | st.lists(st.integers(), max_size=2) | st.dictionaries(st.text(max_size=2), NUMBERS)
)
ROWS = st.lists(st.dictionaries(st.sampled_from(["id", "a", 'b"', "c d", "é"]), CELLS, max_size=5), max_size=12)


def plainly(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    fields = dict.fromkeys(field for row in rows for field in row)
    return {field: [row.get(field) for row in rows] for field in fields}


def exactly(cells: Any) -> list[tuple[type, str]]:
    """Return cells so that 1, 1.0 and True, and 0.0 and -0.0, are told apart."""
    return [(type(cell), repr(cell)) for cell in cells]


def gathered_from(rows: list[dict[str, Any]], groups: list[int]) -> Gathered:
    lines = [json.dumps(row).encode() for row in rows]
    cut_at = [0, *sorted(groups), len(lines)]
    pieces = [lines[low:high] for low, high in pairwise(cut_at)]
    gathered = Gathered(ResultFile(name="x.jsonl", sha256="", content=b""))
    for chunk in row_chunks.decoded(pieces, lambda row: None):
        if isinstance(chunk, row_chunks.Alike):
            gathered.add_columns(chunk.fields, chunk.columns, chunk.count)
        else:
            gathered.add(chunk)  # type: ignore[arg-type]
    return gathered


@given(rows=ROWS, data=st.data())
def test_however_lines_are_grouped_the_columns_are_those_of_a_plain_decoding(
    rows: list[dict[str, Any]], data: st.DataObject
) -> None:
    groups = data.draw(st.lists(st.integers(0, len(rows)), max_size=3))
    gathered = gathered_from(rows, groups)
    assert gathered.count == len(rows)
    assert gathered.occurrences.total() == sum(map(len, rows))
    found, expected = gathered.columns(), plainly(rows)
    assert list(found) == list(expected)
    for field, cells in found.items():
        assert exactly(cells) == exactly(expected[field])


@given(cells=st.lists(NUMBERS, max_size=20))
def test_numbers_in_an_array_read_like_the_list_they_stand_for(cells: list[Any]) -> None:
    found = packed(cells)
    if found is None:
        assert any(abs(cell or 0) >= 2**53 for cell in cells)
        return
    assert exactly(found) == exactly(cells)
    assert len(found) == len(cells)
    assert exactly(found[place] for place in range(len(cells))) == exactly(cells)
    assert exactly(found[1:3]) == exactly(cells[1:3])
    assert found.types() == types_of(cells)


@pytest.mark.parametrize("cell", ["1", [1], {"score": 1}, 2**53, 10**400], ids=repr)
def test_what_is_no_number_or_too_large_to_be_exact_stays_a_list(cell: object) -> None:
    assert packed([0.5, cell]) is None


def test_rows_alike_are_decoded_together_and_others_one_by_one() -> None:
    alike = [b'{"id": "a", "score": 1}', b'{"score": 0, "id": "b"}']
    other = [b'{"id": "c", "score": 1, "note": "new"}']
    first, second, third = row_chunks.decoded([alike, other, alike], lambda row: None)
    assert isinstance(first, row_chunks.Alike)
    assert list(first.columns) == [("a", "b"), (1, 0)]
    assert second == [{"id": "c", "score": 1, "note": "new"}]
    assert isinstance(third, row_chunks.Alike)


def test_a_line_that_is_no_json_is_refused_in_whatever_group_it_stands() -> None:
    groups = [[b'{"id": "a"}'], [b'{"id": "b"}', b'{"id": NaN}']]
    with pytest.raises(strict_json.REFUSED):
        list(row_chunks.decoded(groups, lambda row: None))


def test_a_field_that_comes_late_or_goes_early_is_null_elsewhere() -> None:
    gathered = gathered_from([{"a": 1}, {"a": 2, "late": 0.5}, {"late": 1.5}], [1, 2])
    columns = gathered.columns()
    assert list(columns["a"]) == [1, 2, None]
    assert list(columns["late"]) == [None, 0.5, 1.5]
    assert all(isinstance(cells, NumberCells) for cells in columns.values())


def test_lines_are_grouped_without_losing_one_whatever_the_size_of_a_group() -> None:
    data = b"one\n\nthree\r\n" + b"x" * 50 + b"\nlast"
    for size in range(1, 70):
        lines = [line for group in open_file("x", data).line_groups(size) for line in group]
        assert lines == [b"one", b"", b"three\r", b"x" * 50, b"last"]


def test_a_run_read_in_many_chunks_has_every_value_in_its_place() -> None:
    count = 3 * row_chunks.AT_ONCE + 17
    rows = [{"id": f"q{i}", "right": i % 3 == 0, "score": i / count, "none": None, "few": 1 if i == 5 else None}
            for i in range(count)]  # fmt: skip
    run = read("x.jsonl", "".join(json.dumps(row) + "\n" for row in rows).encode())
    assert run.ids == tuple(row["id"] for row in rows)
    assert run.metrics["right"].tolist() == [float(i % 3 == 0) for i in range(count)]
    assert run.metrics["score"].tolist() == [i / count for i in range(count)]
    assert np.flatnonzero(~np.isnan(run.metrics["few"])).tolist() == [5]
    assert all(math.isnan(value) for value in run.metrics["none"])


def test_whole_numbers_as_ids_stay_whole_in_every_chunk() -> None:
    rows = "".join(f'{{"id": {number}, "score": 0.5}}\n' for number in range(9_000))
    run = read("x.jsonl", rows.encode())
    assert run.ids == tuple(map(str, range(9_000)))


def test_long_numbers_as_ids_are_not_rounded() -> None:
    ids = [2**53 + 1, 2**53 + 2, 12]
    run = read("x.jsonl", "".join(f'{{"id": {number}, "score": 0.5}}\n' for number in ids).encode())
    assert run.ids == tuple(map(str, ids))


def test_a_field_that_stands_twice_in_a_late_chunk_is_refused() -> None:
    rows = ['{"id": "q%d", "score": 1}' % number for number in range(20_000)]  # noqa: UP031  braces
    rows[17_000] = '{"id": "q17000", "score": 1, "score": 0}'
    with pytest.raises(UnusableResults, match="stands twice"):
        read("x.jsonl", "\n".join(rows).encode(), ReadOptions())


def test_the_line_that_is_no_object_is_named_in_a_late_chunk() -> None:
    rows = ['{"id": "q%d", "score": 1}' % number for number in range(20_000)]  # noqa: UP031  braces
    rows[17_000] = "[1]"
    with pytest.raises(UnusableResults) as caught:
        read("x.jsonl", "\n".join(rows).encode())
    assert "line 17001" in str(caught.value)
    assert "not an object" in str(caught.value)
