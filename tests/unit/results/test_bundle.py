"""Several files of one tool, as a folder or a zip archive: tasks, runs, parts, and what stands beside them."""

from __future__ import annotations

import hashlib
import json
import subprocess
from typing import TYPE_CHECKING

import pytest

from clearband.errors import UnusableResults
from clearband.results import ReadOptions, delimited, json_document, jsonl, read, read_folder, result_file
from clearband.results import bundle as bundles
from clearband.results.about import About

from .members import MATHS, QA, rows, values, zipped
from .shapes import jsonl as as_lines

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from clearband.results.options import ReadOptions as Options
    from clearband.results.outline import Outline
    from clearband.results.result_file import ResultFile
    from clearband.results.run import Run

OLD, NEW = "2026-11-30T19-39-06.320994", "2026-12-01T08-00-00.000001"


def refused(members: Mapping[str, bytes], options: ReadOptions | None = None) -> UnusableResults:
    with pytest.raises(UnusableResults) as caught:
        read_folder("out", members, options or ReadOptions())
    assert caught.value.what.startswith("out")
    assert caught.value.remedy
    return caught.value


class TestTasks:
    def test_several_become_metrics_over_the_union_of_their_questions(self) -> None:
        run = read_folder("out", {"qa.jsonl": QA, "sub/maths.jsonl": MATHS})

        assert values(run) == {
            "qa/acc": {"qa/q1": 1, "qa/q2": 0},
            "maths/acc": {"maths/q1": 0.5, "maths/q7": 1, "maths/q8": 0},
        }
        assert (run.name, run.format, len(run.ids)) == ("out", "generic/jsonl", 5)

    def test_one_keeps_its_plain_names(self) -> None:
        run = read_folder("out", {"qa.jsonl": QA, "README.md": b"# Results", "run.log": b"done"})
        assert values(run) == {"acc": {"q1": 1, "q2": 0}}

    @pytest.mark.parametrize("wanted", ["maths", "ma"])
    def test_one_is_chosen_by_its_name_or_a_beginning(self, wanted: str) -> None:
        run = read_folder("out", {"qa.jsonl": QA, "maths.jsonl": MATHS}, ReadOptions(task=wanted))
        assert values(run) == {"acc": {"q1": 0.5, "q7": 1, "q8": 0}}

    def test_a_whole_name_is_not_the_beginning_of_another(self) -> None:
        run = read_folder("out", {"qa.jsonl": QA, "qa_hard.jsonl": MATHS}, ReadOptions(task="qa"))
        assert len(run.ids) == 2

    @pytest.mark.parametrize(
        ("wanted", "said"), [("m", "2 tasks begin"), ("x", "no task is called"), ("", "2 tasks begin")]
    )
    def test_a_choice_that_is_none_lists_what_there_is(self, wanted: str, said: str) -> None:
        problem = refused({"maths.jsonl": QA, "music.jsonl": MATHS}, ReadOptions(task=wanted))
        assert said in problem.what
        assert "`maths`, `music`" in (problem.remedy or "")

    def test_too_many_metrics_say_how_to_choose(self) -> None:
        problem = refused({f"task{number}.csv": b"id,a,b,c\n1,1,1,1\n" for number in range(70)})
        assert "210 metrics together, more than 200" in problem.what
        assert "--task" in (problem.remedy or "")

    def test_a_name_that_no_metric_can_have_says_how_to_leave_it_out(self) -> None:
        assert "200 characters" in refused({f"{'x' * 199}.jsonl": QA, "b.jsonl": QA}).what

    def test_errors_and_nulls_stay_with_their_questions(self) -> None:
        failed = as_lines([{"id": "q1", "acc": 1, "error": None}, {"id": "q2", "acc": 0, "error": "timeout"}])
        run = read_folder("out", {"a.jsonl": failed, "b.jsonl": rows({"q1": None, "q2": 1})})
        assert run.errored.tolist() == [False, True, False, False]
        assert values(run) == {"a/acc": {"a/q1": 1}, "b/acc": {"b/q2": 1}}


class TestRuns:
    def test_the_newest_counts_and_that_is_said(self) -> None:
        run = read_folder("out", {f"qa_{OLD}.jsonl": MATHS, f"qa_{NEW}.jsonl": QA})
        assert values(run) == {"acc": {"q1": 1, "q2": 0}}
        assert run.notes == (f"`qa` was run 2 times; the newest was read: `qa_{NEW}.jsonl`.",)

    def test_each_task_has_its_own_newest(self) -> None:
        run = read_folder("out", {f"a_{OLD}.jsonl": QA, f"a_{NEW}.jsonl": MATHS, f"b_{OLD}.jsonl": QA})
        assert {name: len(cells) for name, cells in values(run).items()} == {"a/acc": 3, "b/acc": 2}

    @pytest.mark.parametrize(
        "names",
        [
            (f"qa_{OLD}.jsonl", "qa.jsonl"),
            (f"qa_{OLD}.jsonl", "qa_2026-12-01T08-00-00+02-00.jsonl"),
            (f"llama/qa_{OLD}.jsonl", f"qwen/qa_{NEW}.jsonl"),
        ],
        ids=["one without a time", "two zones", "two systems"],
    )
    def test_where_the_newest_cannot_be_told_nothing_is_guessed(self, names: tuple[str, str]) -> None:
        problem = refused(dict.fromkeys(names, QA))
        assert "run several times" in problem.what
        assert all(name in (problem.where or "") for name in names)


class TestParts:
    def test_files_without_a_common_question_are_one_run(self) -> None:
        parts = {"0/results.jsonl": rows({"q1": 1, "q2": 0}), "1/results.jsonl": rows({"q3": 1}), "1/x.log": b"x"}
        run = read_folder("out", parts)
        assert values(run) == {"acc": {"q1": 1, "q2": 0, "q3": 1}}
        assert run.notes == ("`results` was written in 2 parts, read as one.",)

    def test_a_question_in_two_files_is_refused(self) -> None:
        problem = refused({"a/results.jsonl": rows({"q1": 1}), "b/results.jsonl": rows({"q1": 0})})
        assert 'question "q1" of task `results` is in two files' in problem.what
        assert problem.where == "`a/results.jsonl` and `b/results.jsonl`"

    def test_the_same_results_twice_count_once(self) -> None:
        run = read_folder("out", {"a/results.jsonl": QA, "b/results.jsonl": QA + b"\n"})
        assert values(run) == {"acc": {"q1": 1, "q2": 0}}
        assert run.notes == ("`b/results.jsonl` holds the same results as `a/results.jsonl` and was left out.",)

    def test_trials_stay_apart_and_a_part_measured_once_has_one(self) -> None:
        twice = as_lines([{"id": "q1", "trial": trial, "acc": trial} for trial in (0, 1)])
        run = read_folder("out", {"0/r.jsonl": twice, "1/r.jsonl": rows({"q2": 1, "q3": None})})
        assert values(run) == {"acc": {"q1": 0.5, "q2": 1}}
        assert run.trials == 2
        assert (run.trials_of["acc"].question.tolist(), run.trials_of["acc"].values.tolist()) == ([0, 0, 1], [0, 1, 1])


class TestOtherFiles:
    def test_settings_and_totals_of_a_script_are_no_results(self) -> None:
        others = {
            "config.json": b'{"seed": 1}',
            "summary.json": b'{"acc": 0.5}',
            "empty.csv": b"",
            "plot.png": b"\x89PNG",
        }
        assert values(read_folder("out", {"qa.jsonl": QA, **others})) == {"acc": {"q1": 1, "q2": 0}}

    def test_two_formats_are_refused_and_named(self) -> None:
        problem = refused({"qa.jsonl": QA, "maths.csv": b"id,acc\n1,1\n"})
        assert "results in 2 formats" in problem.what
        assert "`qa.jsonl`" in (problem.where or "")
        assert "`maths.csv`" in (problem.where or "")

    @pytest.mark.parametrize("members", [{}, {"README.md": b"x", "a/model.bin": b"\0"}, {".DS_Store": b"x"}])
    def test_nothing_to_read_is_said_with_what_there_is(self, members: dict[str, bytes]) -> None:
        problem = refused(members)
        assert "no file in it holds results" in problem.what
        assert ("`README.md`" in problem.what) is ("README.md" in members)

    def test_a_fault_in_a_file_names_its_place(self) -> None:
        problem = refused({"qa.jsonl": QA, "b/maths.jsonl": b'{"id": "q1", "acc": 1}\n{"id": "q2", "acc": "x"}\n'})
        assert problem.what.startswith("out/b/maths.jsonl: ")
        assert refused({"qa.jsonl": QA, "b/cut.jsonl.gz": b"\x1f\x8bxx"}).what.startswith("out/b/cut.jsonl.gz: ")

    def test_the_hash_is_that_of_the_list_of_hashes(self, tmp_path: Path) -> None:
        members = {"qa.jsonl": QA, "b/maths.jsonl": MATHS, "notes.txt": b"x"}
        for name, data in members.items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_bytes(data)
        listed = subprocess.run(["sha256sum", *sorted(members)], cwd=tmp_path, capture_output=True, check=True).stdout
        assert read_folder("out", {**members, ".DS_Store": b"x"}).sha256 == hashlib.sha256(listed).hexdigest()

    def test_one_file_alone_is_that_file(self) -> None:
        alone, plain = read_folder("out", {"a/qa.jsonl": QA, ".DS_Store": b"x"}), read("qa.jsonl", QA)
        assert (alone.name, alone.sha256, values(alone)) == (plain.name, plain.sha256, values(plain))


class TestZip:
    def test_an_archive_is_read_like_its_folder(self) -> None:
        members = {"out/qa.jsonl": QA, "out/maths.jsonl": MATHS, "__MACOSX/out/._qa.jsonl": b"\0\x05"}
        data = zipped(members)
        run = read("out.zip", data)
        assert values(run) == values(read_folder("out", members))
        assert (run.name, run.sha256) == ("out.zip", hashlib.sha256(data).hexdigest())

    def test_one_file_in_an_archive_keeps_its_plain_names(self) -> None:
        assert values(read("out.zip", zipped({"qa.jsonl": QA}))) == {"acc": {"q1": 1, "q2": 0}}

    @pytest.mark.parametrize(
        ("members", "said"),
        [
            ({}, "no file in it holds results"),
            ({"a.zip": zipped({"qa.jsonl": QA})}, "no file in it holds results"),
            ({"[Content_Types].xml": b"<x/>", "xl/workbook.xml": b"<x/>"}, "an Excel file"),
            ({"../../etc/qa.jsonl": QA, "..\\..\\etc\\qa.jsonl": QA}, "two files are called"),
        ],
        ids=["empty", "archive in archive", "Excel", "one path twice"],
    )
    def test_what_is_no_folder_of_results_is_refused(self, members: dict[str, bytes], said: str) -> None:
        with pytest.raises(UnusableResults, match=said) as caught:
            read("out.zip", zipped(members))
        assert caught.value.remedy


class Samples:
    """A format that knows its tasks by name, as a tool's own reader does."""

    ABOUT = About(
        name="samples", versions="", produce="", key="", metrics="", direction="", errors="", measurement=""
    )  # fmt: skip

    def sniff(self, file: ResultFile, outline: Outline) -> bool:
        return outline.has("hit")

    def task_of(self, path: str) -> str | None:
        return None if path.endswith("totals.jsonl") else path.split("_")[1]

    def read(self, file: ResultFile, options: Options) -> Run:
        told = json.loads(file.beside["results_1.json"])
        lines = [json.loads(line) | {"told": told} for line in file.data.splitlines()]
        return jsonl.read(result_file.open_file(file.name, as_lines(lines)), options)


class TestAFormatOfItsOwn:
    SAMPLE = b'{"id": "q1", "hit": 1}\n{"id": "q2", "hit": 0}\n'

    def read(self, members: Mapping[str, bytes]) -> Run:
        formats = bundles.Formats(
            all=[Samples(), jsonl, json_document, delimited],
            generic=[jsonl, json_document, delimited],
            read=lambda reader, file, options: reader.read(file, options),
        )
        return bundles.read(*bundles.folder("out", members), ReadOptions(), formats)

    def test_it_names_tasks_leaves_files_out_and_sees_what_stands_beside(self) -> None:
        members = {"m/a_x_1.jsonl": self.SAMPLE, "m/a_y_1.jsonl": self.SAMPLE, "m/totals.jsonl": self.SAMPLE}
        run = self.read({**members, "m/results_1.json": b"0.25"})
        assert list(run.metrics) == ["x/hit", "x/told", "y/hit", "y/told"]
        assert values(run)["x/told"] == {"x/q1": 0.25, "x/q2": 0.25}
        assert run.notes == ()

    def test_a_name_that_is_no_results_name_is_read_where_there_is_nothing_else(self) -> None:
        run = self.read({"m/totals.jsonl": self.SAMPLE, "m/results_1.json": b"0.25"})
        assert values(run)["told"] == {"q1": 0.25, "q2": 0.25}

    def test_other_data_beside_it_are_not_read_and_that_is_said(self) -> None:
        run = self.read({"a_x_1.jsonl": self.SAMPLE, "results_1.json": b"0", "mine.jsonl": QA, "run.log": b"x"})
        assert list(run.metrics) == ["hit", "told"]
        assert run.notes == ("Not read as results: `mine.jsonl`.",)


def test_a_series_asked_of_files_that_hold_none_is_refused() -> None:
    options = ReadOptions(series="gpt")
    with pytest.raises(UnusableResults, match="does not hold several series, so none is called `gpt`"):
        read("qa.jsonl", QA, options)
    assert "maths.jsonl" in refused({"qa.jsonl": QA, "b/maths.jsonl": MATHS}, options).what
