"""Files too large to hold: the same run as from memory, without the memory, and whatever happens to the file."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import clearband
from clearband import folder
from clearband.errors import UnusableResults
from clearband.results import ReadOptions, identity, limits, read
from clearband.results.result_file import open_file, take
from clearband.results.snapshot import Snapshot, copied

from .shapes import SHAPES, jsonl
from .tracker_files import SAMPLES

if TYPE_CHECKING:
    from collections.abc import Callable

    from clearband.results.run import Run

PROMPT = 'Say "héllo": NaN \\ and\n{"score": 0} : ' * 100
TABLE = {
    "q1": {"recall": 0.5, "correct": True},
    "q2": {"recall": None, "correct": False},
    "ü": {"recall": 1.0, "correct": True},
}


def snapshot(data: bytes) -> Snapshot:
    """What a file of these bytes would be if it were large."""
    return copied([data[:7], data[7:]])


def outcome(name: str, data: bytes | Snapshot) -> Run | UnusableResults:
    try:
        return read(name, data)
    except UnusableResults as refusal:
        return refusal


def same(one: Run, other: Run) -> bool:
    return (
        one.metrics.keys() == other.metrics.keys()
        and all(np.array_equal(values, other.metrics[name], equal_nan=True) for name, values in one.metrics.items())
        and np.array_equal(one.errored, other.errored)
        and without_arrays(one) == without_arrays(other)
    )


def without_arrays(run: Run) -> Run:
    """Arrays of several values are neither equal nor unequal, and some versions of Python ask each field."""
    return replace(run, metrics={}, errored=np.zeros(1, dtype=bool), trials_of={})


def rows(count: int, **more: object) -> list[dict[str, object]]:
    return [{"id": f"q{n}", "prompt": f"{n} {PROMPT}", "score": n % 7 / 7, **more} for n in range(count)]


@pytest.mark.parametrize("shape", SHAPES)
def test_every_generic_shape_is_the_same_run_from_the_disk(shape: str) -> None:
    data = SHAPES[shape](TABLE)

    assert same(read("run", snapshot(data)), read("run", data))


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*/*.json*")), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_tools_file_is_the_same_run_or_refusal_from_the_disk(path: Path) -> None:
    from_memory, from_disk = (outcome(path.name, data) for data in (path.read_bytes(), snapshot(path.read_bytes())))

    if isinstance(from_memory, UnusableResults) or isinstance(from_disk, UnusableResults):
        assert str(from_disk) == str(from_memory)
    else:
        assert same(from_disk, from_memory)


@pytest.mark.parametrize("more", [{}, {"messages": [{"content": PROMPT}]}, {"trace": {"steps": [PROMPT, 1]}}])
def test_long_texts_are_cut_and_change_no_question_and_no_metric(more: dict[str, object]) -> None:
    whole = rows(5, **more)
    named = read("run", jsonl(whole))
    by_text = read("run", jsonl([{name: cell for name, cell in row.items() if name != "id"} for row in whole]))
    as_list = read("run", json.dumps(whole).encode())

    assert named.ids == as_list.ids == ("q0", "q1", "q2", "q3", "q4")
    assert list(named.metrics) == list(as_list.metrics) == list(by_text.metrics) == ["score"]
    assert by_text.ids == tuple(identity.text_key(str(row["prompt"])) for row in whole)


@pytest.mark.parametrize("wrap", [lambda found: found, lambda found: {"n": 1, "results": {"rows": found}}])
def test_a_large_document_is_read_piece_by_piece(wrap: Callable[[object], object]) -> None:
    data = json.dumps(wrap(rows(600, trace={"steps": [PROMPT]}))).encode()
    assert len(data) > 2**20

    assert same(read("run", snapshot(data)), read("run", data))


def test_a_long_text_that_is_a_label_still_tells_slices_apart() -> None:
    data = jsonl([{"id": n, "score": 1, "topic": f"{PROMPT}{n % 2}"} for n in range(4)])

    labels = read("run", data, ReadOptions(labels=("topic",))).labels["topic"]

    assert labels[0] == labels[2] != labels[1] == labels[3]


def test_an_id_that_is_too_long_is_still_refused() -> None:
    with pytest.raises(UnusableResults, match="longer than 1,000 characters"):
        read("run", jsonl([{"id": f"{PROMPT}{n}", "score": 1} for n in range(2)]))


def test_a_field_twice_is_seen_across_the_pieces_in_which_a_file_is_searched() -> None:
    good = jsonl(rows(300))
    bad = b'{"id": "twice", "score": 0, "score": 1}\n'

    for place in range(2**18 - len(bad), 2**18 + 4, 7):
        start = good[:place].rfind(b"\n") + 1
        filler = b'{"id": "f", "score": 1, "note": "' + b"x" * (place - start) + b'"}\n'
        with pytest.raises(UnusableResults, match="`score` stands twice"):
            read("run", snapshot(good[:start] + filler + bad + good[start:]))


def test_a_small_file_stays_in_memory_and_a_large_one_is_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    data = jsonl(rows(100))
    assert take(io.BytesIO(data), "run.jsonl") == data

    monkeypatch.setattr(limits, "HELD_BYTES", 1_000)
    large = take(io.BytesIO(data), "run.jsonl")

    assert isinstance(large, Snapshot)
    assert bytes(large.view) == data
    assert read("run.jsonl", large).sha256 == read("run.jsonl", data).sha256


def test_a_file_that_is_cut_short_after_it_was_taken_is_read_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    row = json.dumps({"id": "q", "prompt": "x" * 2**20, "score": 1})
    path.write_text("".join(row.replace('"q"', f'"q{n}"') + "\n" for n in range(65)))
    source = folder.read(path)

    path.write_bytes(b"")

    assert isinstance(source.data, Snapshot)
    assert len(source.run(ReadOptions()).ids) == 65


def test_a_byte_order_mark_is_left_out() -> None:
    assert read("run", snapshot(b"\xef\xbb\xbf" + jsonl(rows(3)))).ids == ("q0", "q1", "q2")


def test_what_is_no_json_is_held_and_has_the_smaller_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "FILE_BYTES", 100)

    assert len(read("run", snapshot(jsonl(rows(3)))).ids) == 3
    with pytest.raises(UnusableResults, match=r"run\.csv: .* only JSON lines and the JSON of tools") as problem:
        read("run.csv", snapshot(b"id,score\n" + b"q,1\n" * 100))
    assert problem.value.remedy


@pytest.mark.parametrize(("data", "what"), [
    (json.dumps(rows(9)).encode()[:-30], "it ends in the middle of a value"),
    (json.dumps(rows(9)).encode().replace(b'"q7"', b"q7"), "it is not JSON"),
    (jsonl(rows(9))[:-30], "it ends in the middle of a value"),
])  # fmt: skip
def test_a_fault_in_a_file_too_large_to_hold_is_still_explained(
    data: bytes, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "FILE_BYTES", 1_000)

    with pytest.raises(UnusableResults, match=what) as problem:
        read("run", snapshot(data))
    assert problem.value.where


def test_a_line_that_is_too_long_to_hold_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LINE_BYTES", 5_000)
    data = jsonl([{"id": 1, "score": 1}, {"id": 2, "score": 1, "prompt": "x" * 6_000}])

    with pytest.raises(UnusableResults, match="the line is longer than") as problem:
        list(open_file("run", snapshot(data)).lines())
    assert problem.value.where == "line 2"


def test_more_than_the_limit_is_refused_while_it_is_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "HELD_BYTES", 1_000)
    monkeypatch.setattr(limits, "PLAIN_BYTES", 2**20)

    with pytest.raises(UnusableResults, match=r"run\.jsonl: the file is larger than 1 MiB"):
        take(io.BytesIO(b"x" * (2**20 + 1)), "run.jsonl")


def test_a_disk_without_room_is_an_error_that_names_the_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "missing"))

    with pytest.raises(UnusableResults, match="read from a copy on the disk") as problem:
        snapshot(b"{}")
    assert "TMPDIR" in (problem.value.remedy or "")


_READ = """
import re, sys
from pathlib import Path
import clearband
run = clearband.load(sys.argv[1])
peak = re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())  # getrusage tells the parent's as well
print(len(run.ids), f"{run.metrics['score'].mean():.3f}", peak[1])
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells the peak")
@pytest.mark.parametrize("nested", [False, True])
def test_prompts_are_not_held(tmp_path: Path, *, nested: bool) -> None:
    """A file of 160 MB, most of it prompts, in a process of its own: its memory is that of the scores."""
    path = tmp_path / "run.jsonl"
    prompt = PROMPT * 10
    content = {"messages": [{"content": prompt}]} if nested else {"prompt": prompt, "response": prompt[:9_000]}
    with path.open("w", encoding="utf-8") as file:
        for number in range(160_000_000 // len(json.dumps(content))):
            file.write(json.dumps({"id": f"q{number}", **content, "score": number % 2}) + "\n")
    size = path.stat().st_size >> 20

    ended = subprocess.run([sys.executable, "-c", _READ, str(path)], capture_output=True, text=True, check=True)

    count, mean, peak = ended.stdout.split()
    assert (int(count), float(mean)) == (number + 1, pytest.approx(0.5, abs=0.01))
    assert size > 150
    assert int(peak) >> 10 < 120  # of which 64 MiB are the piece that is read to see whether the file is small


def test_the_python_api_reads_large_files_too(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_bytes(json.dumps([*rows(2), {"id": "x", "prompt": "y" * 2**26, "score": 0}]).encode())

    assert clearband.load(tmp_path / "run.json").ids == ("q0", "q1", "x")
