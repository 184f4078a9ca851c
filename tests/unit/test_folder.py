"""What is read of a path: a file with its neighbours, or the files of a folder, and nothing that only looks like them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import clearband
from clearband import folder
from clearband.errors import UnusableResults
from clearband.results import ReadOptions

ROWS = b'{"id": "q1", "acc": 1}\n{"id": "q2", "acc": 0}\n'


def write(root: Path, *names: str) -> Path:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(ROWS)
    return root


def members(path: Path) -> list[str]:
    return sorted(folder.read(path).members or {})


def test_a_folder_is_all_its_files_by_their_path_in_it(tmp_path: Path) -> None:
    write(tmp_path, "a.jsonl", "sub/b.jsonl", "sub/deep/c.jsonl", ".hidden/d.jsonl")
    source = folder.read(tmp_path)
    assert members(tmp_path) == [".hidden/d.jsonl", "a.jsonl", "sub/b.jsonl", "sub/deep/c.jsonl"]
    assert (source.name, source.data) == (tmp_path.name, b"")


def test_what_is_there_for_nobody_is_not_even_opened(tmp_path: Path) -> None:
    write(tmp_path, "a.jsonl", ".DS_Store", ".git/objects/x", "node_modules/y/z.json")
    (tmp_path / ".DS_Store").chmod(0)
    assert members(tmp_path) == ["a.jsonl"]


def test_links_show_nothing_twice_and_pipes_are_passed_over(tmp_path: Path) -> None:
    elsewhere = write(tmp_path / "elsewhere", "b.jsonl", "folder/c.jsonl")
    inside = write(tmp_path / "out", "a.jsonl", "sub/x.jsonl")
    (inside / "latest.jsonl").symlink_to("a.jsonl")
    (inside / "loop").symlink_to(inside)
    (inside / "other").symlink_to(elsewhere / "folder")
    (inside / "gone.jsonl").symlink_to("nowhere")
    (inside / "b.jsonl").symlink_to(elsewhere / "b.jsonl")
    os.mkfifo(inside / "pipe.jsonl")
    assert members(inside) == ["a.jsonl", "b.jsonl", "sub/x.jsonl"]


def test_folders_inside_each_other_have_an_end(tmp_path: Path) -> None:
    write(tmp_path, "/".join(["d"] * folder.DEPTH_CAP) + "/a.jsonl")
    assert len(members(tmp_path)) == 1
    write(tmp_path, "/".join(["d"] * (folder.DEPTH_CAP + 1)) + "/a.jsonl")
    with pytest.raises(UnusableResults, match="more than 20 folders inside each other"):
        folder.read(tmp_path)


def test_more_than_an_archive_may_hold_is_not_read(tmp_path: Path) -> None:
    for number in range(3):
        with (tmp_path / f"{number}.jsonl").open("wb") as sparse:
            sparse.truncate(folder.BYTES_CAP // 2)  # holes: nothing lies on the disk
    with pytest.raises(UnusableResults, match=r"The run .* holds more than 4,096 MiB"):
        folder.read(tmp_path, what="run", read_file=lambda file: pytest.fail(f"{file} was read"))


def test_a_file_brings_the_totals_that_stand_beside_it(tmp_path: Path) -> None:
    write(tmp_path, "samples_x.jsonl", "samples_y.jsonl", "results_1.json", "results_2.json", "other.json")
    (tmp_path / "results_3.json").mkdir()
    with (tmp_path / "results_4.json").open("wb") as sparse:
        sparse.truncate(folder.BESIDE_BYTES_CAP + 1)
    source = folder.read(tmp_path / "samples_x.jsonl")
    assert source.beside == {"results_2.json": ROWS, "results_1.json": ROWS}
    assert (source.name, source.data, source.members) == ("samples_x.jsonl", ROWS, None)
    assert folder.read(tmp_path / "other.json").beside == {}


def test_of_many_totals_the_newest_are_taken(tmp_path: Path) -> None:
    write(tmp_path, "samples_x.jsonl", *(f"results_{number:03}.json" for number in range(50)))
    beside = folder.read(tmp_path / "samples_x.jsonl").beside
    assert sorted(beside) == [f"results_{number:03}.json" for number in range(30, 50)]


def test_a_pipe_that_a_person_names_is_read(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.write(writing, ROWS)
    os.close(writing)
    assert folder.read(Path(f"/dev/fd/{reading}")).data == ROWS
    os.close(reading)


def test_python_reads_files_folders_and_archives_alike(tmp_path: Path) -> None:
    write(tmp_path / "out", "qa.jsonl", "maths.jsonl")
    assert clearband.load(tmp_path / "out" / "qa.jsonl").ids == ("q1", "q2")
    assert list(clearband.load(tmp_path / "out").metrics) == ["maths/acc", "qa/acc"]
    assert list(clearband.load(tmp_path / "out", task="qa").metrics) == ["acc"]
    assert folder.read(tmp_path / "out").run(ReadOptions(task="maths")).name == "out"
