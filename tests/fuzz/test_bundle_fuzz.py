"""Folders and archives of any names and bytes: a run that keeps its promises, or one `UnusableResults`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st
from unit.results.members import MATHS, QA, rows, values, zipped

from clearband.errors import UnusableResults
from clearband.results import read, read_folder

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clearband.results.run import Run

_NAMES = st.text(alphabet="a/._-0129T:\\\udc80 ", min_size=1, max_size=30).map(lambda name: name + ".jsonl")


def _read(members: Mapping[str, bytes]) -> Run | UnusableResults:
    try:
        return read_folder("out", members)
    except UnusableResults as problem:
        return problem


@given(
    st.dictionaries(_NAMES, st.sampled_from([QA, MATHS, rows({"z": 1}), b"x", b"", zipped({"a": b"x"})]), max_size=5)
)
def test_whatever_the_names_are_there_is_a_run_or_one_problem(members: dict[str, bytes]) -> None:
    run = _read(members)
    if isinstance(run, UnusableResults):
        assert run.remedy
        assert str(run).replace("\n", "").isprintable()
        return
    assert len(set(run.ids)) == len(run.ids)
    assert all(question.encode() for question in run.ids)
    assert all(name.encode() and cells.shape == (len(run.ids),) for name, cells in run.metrics.items())


@given(st.permutations(["qa.jsonl", "b/maths.jsonl", "c/maths.jsonl", "notes.txt"]))
def test_the_order_of_the_files_changes_nothing(names: list[str]) -> None:
    data = {"qa.jsonl": QA, "b/maths.jsonl": MATHS, "c/maths.jsonl": rows({"z": 1}), "notes.txt": b"x"}
    run, plain = read_folder("out", {name: data[name] for name in names}), read_folder("out", data)
    assert (run.ids, run.sha256, run.notes, values(run)) == (plain.ids, plain.sha256, plain.notes, values(plain))


_ARCHIVE = zipped({"a/qa.jsonl": QA, "maths.jsonl": MATHS})


@given(st.integers(0, len(_ARCHIVE) - 1), st.binary(min_size=1, max_size=4), st.booleans())
def test_a_damaged_archive_is_a_run_or_one_problem(place: int, noise: bytes, cut: bool) -> None:
    data = _ARCHIVE[:place] + noise + (b"" if cut else _ARCHIVE[place + len(noise) :])
    try:
        run: Run | UnusableResults = read("out.zip", data)
    except UnusableResults as problem:
        run = problem
    if isinstance(run, UnusableResults):
        assert run.what.startswith("out.zip")
        assert run.remedy
    else:
        assert run.metrics
