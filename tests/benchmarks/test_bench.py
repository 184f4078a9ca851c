"""The bench's own arithmetic: the same data every time, and tables that say what was measured."""

from __future__ import annotations

import json
import math
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

from bench import files, formats, page, plot, results, table, targets
from bench.data import METRICS, generate
from bench.parts import PARTS
from bench.parts.large import held_mebibytes
from bench.peers import PEERS
from bench.timing import Command, Row, interleaved, run
from clearband.results import read

ROOT = Path(__file__).parents[2]


def row(name: str, size: int, *seconds: float, **more: object) -> Row:
    return Row(name=name, size=size, seconds=seconds, **more)  # type: ignore[arg-type]


def measured(part: str, *rows: Row) -> results.Measured:
    return results.Measured(part=part, rows=rows, machine="a machine", repeats=3, versions={"clearband": "0"})


class TestData:
    def test_the_same_seed_makes_the_same_numbers(self) -> None:
        first, again, other = generate(50), generate(50), generate(50, seed=1)
        assert first.baseline.ids == again.baseline.ids
        for name, values in first.candidate.metrics.items():
            np.testing.assert_array_equal(values, again.candidate.metrics[name])
        assert any((values != other.candidate.metrics[name]).any() for name, values in first.candidate.metrics.items())

    def test_half_of_the_metrics_are_0_or_1_and_the_candidate_is_better(self) -> None:
        pair = generate(20_000)
        assert len(pair.baseline.metrics) == METRICS
        binary = [name for name, values in pair.baseline.metrics.items() if set(np.unique(values)) == {0.0, 1.0}]
        assert binary == [f"right_{number}" for number in range(METRICS // 2)]
        for name, values in pair.baseline.metrics.items():
            assert 0.0 < (pair.candidate.metrics[name] - values).mean() < 0.1

    def test_every_layout_holds_every_question_of_both_arms(self, tmp_path: Path) -> None:
        for layout in (files.WIDE, files.ONE_METRIC, files.STATGATE, files.ERRORBARS, files.NOISECHECK, files.EVALSIG):
            for path in files.written(tmp_path, 20, layout):
                text = path.read_text("utf-8")
                assert all(question in text for question in generate(20).baseline.ids)
                assert all(json.loads(line) for line in text.splitlines())

    def test_the_grown_files_are_read_with_a_run_for_every_question(self, tmp_path: Path) -> None:
        for name, path in formats.written(ROOT, tmp_path, 60).items():
            assert len(read(path.name, path.read_bytes()).ids) == 60, name


class TestTables:
    @pytest.mark.parametrize(
        ("value", "text"),
        [(12.3456, "12.3 s"), (1.0, "1.00 s"), (0.0456, "45.6 ms"), (0.00000123, "1.23 µs"), (1234.5, "1,230 s")],
    )
    def test_times_have_three_digits_and_a_unit(self, value: float, text: str) -> None:
        assert table.seconds(value) == text

    def test_ratios_are_of_medians_within_one_size(self) -> None:
        rows = [row("Clearband", 10, 1.0, 9.0, 2.0), row("other", 10, 6.0), row("Clearband", 20, 4.0), row("other", 20)]
        lines = table.by_size(rows, base="Clearband").splitlines()
        assert lines[0] == "|  | 10 | 20 |"
        assert lines[2:] == ["| Clearband | 2.00 s | 4.00 s |", "| other | 6.00 s (3.00×) | – (–) |"]

    def test_what_failed_says_so_in_the_table(self) -> None:
        rows = [row("Clearband", 10, 1.0), row("slow", 10, failed="stopped after 100 s")]
        assert "| slow | stopped after 100 s |" in table.by_size(rows, base="Clearband")

    def test_nothing_is_divided_by_what_was_not_measured(self) -> None:
        assert table.ratio(1.0, math.nan) == table.ratio(math.nan, 1.0) == table.ratio(1.0, 0.0) == table.NOTHING


class TestTargets:
    def test_each_target_is_met_missed_or_not_measured(self) -> None:
        start = (row("Clearband", 1_000, 0.3), row("import floor", 1_000, 0.2))
        process = (row("Clearband", 10_000, 1.0), row("noisecheck", 10_000, 29.0), row("statgate", 10_000, 2.0))
        found = {one.what: one.is_met for one in targets.targets({"startup": start, "process": process})}
        assert [
            met for what, met in found.items() if "imports" in what or "noisecheck" in what or "statgate" in what
        ] == [
            True,
            False,
            True,
        ]
        assert found["10,000 × 10, computing: scipy BCa beside Clearband"] is None

    def test_memory_is_held_against_values_and_ids(self) -> None:
        values_alone = 2 * 1_000_000 * METRICS * 8 / 2**20
        assert values_alone < held_mebibytes(1_000_000) < 2.5 * values_alone


class TestPage:
    def test_the_page_is_written_from_any_parts_that_there_are(self) -> None:
        empty = page.page({})
        assert "<!--" not in empty
        assert "Not measured in this run." in empty
        parts = {"startup": measured("startup", row("import floor", 1_000, 0.1), row("Clearband", 1_000, 0.15))}
        assert "| Clearband | 150 ms | 1.50× | – |" in page.page(parts)

    def test_every_peer_is_on_the_page_with_what_it_computes(self) -> None:
        text = page.page({})
        for peer in PEERS:
            assert peer.name in text
            assert peer.does in text

    def test_results_come_back_as_they_were_kept(self, tmp_path: Path) -> None:
        one = measured("large", row("Clearband", 10, 1.0, 2.0, note="n"), row("gone", 10, failed="why"))
        results.keep(one, tmp_path)
        assert results.kept(tmp_path, "large") == one
        assert results.kept(tmp_path, "startup") is None

    def test_the_picture_is_an_svg_with_every_tool_that_has_a_point(self) -> None:
        lines = [
            plot.Line(name="Clearband", points=[(100, 0.2), (1_000, 0.3)], is_ours=True),
            plot.Line(name="<other>", points=[(100, 2.0)]),
            plot.Line(name="nothing", points=[]),
        ]
        root = ET.fromstring(plot.picture(lines, title="a & b"))  # noqa: S314  our own
        texts = [element.text for element in root.iter() if element.tag.endswith("text")]
        assert {"Clearband", "<other>", "a & b"} <= set(texts)
        assert "nothing" not in texts

    def test_every_part_of_the_page_can_be_measured_alone(self) -> None:
        assert list(PARTS) == ["startup", "process", "computing", "growth", "large", "readers", "container"]


class TestCommands:
    def test_rounds_are_interleaved_after_one_unmeasured_run(self, tmp_path: Path) -> None:
        seen = tmp_path / "seen"
        commands = [Command(name=name, argv=("sh", "-c", f"echo {name} >> {seen}")) for name in ("a", "b")]
        rows = interleaved(commands, size=1, repeats=2, say=lambda _: None, cwd=tmp_path)
        assert seen.read_text().split() == ["a", "b", "a", "b", "a", "b"]
        assert [len(one.seconds) for one in rows] == [2, 2]

    def test_a_command_that_fails_is_reported_and_not_timed(self, tmp_path: Path) -> None:
        commands = [Command(name="bad", argv=("sh", "-c", "echo no such file >&2; exit 3"))]
        (found,) = interleaved(commands, size=1, repeats=2, say=lambda _: None, cwd=tmp_path)
        assert found.failed == "exit status 3: no such file"
        assert found.seconds == ()

    def test_peak_memory_is_that_of_the_command_alone(self, tmp_path: Path) -> None:
        ballast = np.ones(30_000_000)
        small = Command(name="small", argv=(sys.executable, "-I", "-S", "-c", "pass"))
        large = Command(name="large", argv=(sys.executable, "-I", "-S", "-c", "b'x' * 100_000_000"))
        _, low, _ = run(small, cwd=tmp_path)
        _, high, _ = run(large, cwd=tmp_path)
        assert low < 90.0 < ballast.nbytes / 2**20, "the parent holds more than its child may show"
        assert high > low + 80
