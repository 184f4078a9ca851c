"""`clearband inspect`, as a person runs it, and the options that choose what is read."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from typing import TYPE_CHECKING

import numpy as np
import pytest

from .conftest import EXAMPLES, Ended

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Clearband = Callable[..., Ended]

CRANFIELD = EXAMPLES / "bm25_stem.csv"


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    """A folder of two tasks, sixteen questions each."""
    folder = tmp_path / "out"
    folder.mkdir()
    for task, flip in (("qa", 0), ("maths", 1)):
        lines = [json.dumps({"id": f"q{number}", "acc": (number + flip) % 2}) for number in range(16)]
        (folder / f"{task}.jsonl").write_text("\n".join(lines))
    return folder


def test_it_says_what_was_read(clearband: Clearband) -> None:
    ended = clearband("inspect", CRANFIELD)
    assert (ended.status, ended.err) == (0, "")
    assert ended.out.startswith("bm25_stem.csv was read as generic/csv\n")
    for part in ("225 questions, 5 metrics", "known by: query_id", "nDCG@10", "continuous", "not said"):
        assert part in ended.out
    assert "\x1b" not in ended.out


def test_json_is_one_object_with_these_fields(clearband: Clearband) -> None:
    ended = clearband("inspect", CRANFIELD, "--json")
    told = json.loads(ended.out)
    assert list(told) == ["format", "questions", "key", "series", "metrics", "notes"]
    assert (told["format"], told["questions"], told["key"], told["series"]) == ("generic/csv", 225, "query_id", [])
    assert list(told["metrics"]) == ["nDCG@10", "AP", "RR", "P@10", "R@100"]
    first = told["metrics"]["nDCG@10"]
    assert list(first) == ["n", "mean", "kind", "missing", "direction"]
    assert (first["n"], first["kind"], first["missing"], first["direction"]) == (225, "continuous", 0, None)
    column = np.genfromtxt(CRANFIELD, delimiter=",", names=True, deletechars="")["nDCG@10"]
    assert first["mean"] == pytest.approx(column.mean(), abs=1e-12)


def test_another_field_can_name_the_questions(clearband: Clearband, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("id,code,acc\n1,a,1\n2,b,0\n")
    assert json.loads(clearband("inspect", "x.csv", "--id", "code", "--json").out)["key"] == "code"


@pytest.mark.parametrize(
    ("content", "said"), [(None, "cannot be read"), ("", "the file is empty"), ("acc,f1\n.8,.7\n", "which question")]
)
def test_what_cannot_be_read_is_3_with_the_reason(
    clearband: Clearband, tmp_path: Path, content: str | None, said: str
) -> None:
    if content is not None:
        (tmp_path / "x.csv").write_text(content)
    ended = clearband("inspect", "x.csv", "--json")
    assert (ended.status, ended.out) == (3, "")
    assert said in ended.err


def test_a_reader_that_goes_away_changes_nothing(tmp_path: Path) -> None:
    command = f"{sys.executable} -P -m clearband inspect {CRANFIELD} | true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.usefixtures("tasks")
class TestTasks:
    def test_a_folder_and_its_zip_are_read_alike(self, clearband: Clearband, tmp_path: Path) -> None:
        with zipfile.ZipFile(tmp_path / "out.zip", "w") as archive:
            for file in (tmp_path / "out").iterdir():
                archive.write(file, f"out/{file.name}")
        folder, packed = (json.loads(clearband("inspect", name, "--json").out) for name in ("out", "out.zip"))
        assert folder == packed
        assert list(folder["metrics"]) == ["maths/acc", "qa/acc"]
        assert (folder["questions"], folder["metrics"]["qa/acc"]["missing"]) == (32, 16)

    def test_one_task_is_looked_at(self, clearband: Clearband) -> None:
        told = json.loads(clearband("inspect", "out", "--task", "qa", "--json").out)
        assert list(told["metrics"]) == ["acc"]

    def test_all_tasks_are_compared_each_on_its_own_questions(self, clearband: Clearband) -> None:
        record = clearband("compare", "out", "out", "--json").record
        assert [(metric["name"], metric["n"]) for metric in record["metrics"]] == [("maths/acc", 16), ("qa/acc", 16)]
        assert record["questions"]["paired"] == 32

    def test_one_task_is_compared_and_planned(self, clearband: Clearband) -> None:
        record = clearband("compare", "out", "out", "--task", "maths", "--json").record
        assert [metric["name"] for metric in record["metrics"]] == ["acc"]
        assert "acc" in clearband("plan", "out", "--task", "qa").out

    def test_a_task_that_is_not_there_is_3_and_listed(self, clearband: Clearband) -> None:
        ended = clearband("compare", "out", "out", "--task", "law")
        assert ended.status == 3
        assert "`maths`, `qa`" in ended.err
