"""Two systems in one file, compared with each other; and one of them with another tool's file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clearband.results import ReadOptions, read

from .conftest import ROOT, Ended

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Clearband = Callable[..., Ended]

MATRIX = ROOT / "tests" / "unit" / "results" / "samples" / "promptfoo" / "matrix.json"
BASE, CAND = "local:base / What is", "local:cand / What is"


def mean(series: str) -> float:
    run = read(MATRIX.name, MATRIX.read_bytes(), ReadOptions(series=series))
    return float(run.metrics["score"].mean())


def test_a_file_of_several_says_how_to_choose(clearband: Clearband) -> None:
    ended = clearband("compare", MATRIX, MATRIX)
    assert ended.status == 3
    assert "--baseline-series and --candidate-series" in ended.err
    assert BASE in ended.err


def test_two_series_of_one_file_are_compared(clearband: Clearband) -> None:
    ended = clearband("compare", MATRIX, MATRIX, "--baseline-series", BASE, "--candidate-series", CAND, "--json")
    score = next(metric for metric in ended.record["metrics"] if metric["name"] == "score")
    assert abs(score["delta"] - (mean(CAND) - mean(BASE))) < 1e-9


def test_one_choice_is_for_both_and_a_side_of_its_own_goes_before_it(clearband: Clearband) -> None:
    same = clearband("compare", MATRIX, MATRIX, "--series", BASE, "--json").record
    assert {metric["delta"] for metric in same["metrics"]} == {0}
    other = clearband("compare", MATRIX, MATRIX, "--series", BASE, "--candidate-series", CAND, "--json").record
    assert next(metric for metric in other["metrics"] if metric["name"] == "score")["delta"] != 0


def test_a_series_of_a_table_is_refused(clearband: Clearband, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("id,score\n1,1\n2,0\n")
    ended = clearband("compare", "x.csv", "x.csv", "--candidate-series", "gpt")
    assert ended.status == 3
    assert "does not hold several series, so none is called `gpt`" in ended.err


def test_a_plan_and_a_look_choose_alike(clearband: Clearband) -> None:
    assert "score" in clearband("plan", MATRIX, "--series", BASE).out
    assert "was read in front" in clearband("inspect", MATRIX, "--series", BASE).out
