"""What a file's name tells about its task and its time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearband.results import member_names
from clearband.results.member_names import Stamp


@pytest.mark.parametrize(
    ("path", "task", "time"),
    [
        ("samples_gsm8k_2026-11-30T19-39-06.320994.jsonl", "samples_gsm8k", "20261130193906320994"),
        ("logs/2025-02-11T15-17-00-05-00_popularity_dPiJ.eval", "popularity_dPiJ", "20250211151700"),
        ("details_arith|0_2026-11-30T19-50-42.776040.parquet", "details_arith|0", "20261130195042776040"),
        ("test_run_20260412_101112.json", "test_run", "20260412101112"),
        ("20260412101112.json", "", "20260412101112"),
        ("out-2026-11-30.csv", "out", "20261130"),
        ("qa.csv.gz", "qa", None),
        (".latest_run_full.json", ".latest_run_full", None),
        ("llama-3.8b.jsonl", "llama-3.8b", None),
        ("mmlu_2024.jsonl", "mmlu_2024", None),
        ("run-20261399.jsonl", "run-20261399", None),
        ("id-120260412101112.json", "id-120260412101112", None),
    ],
)
def test_task_and_time(path: str, task: str, time: str | None) -> None:
    stamp = member_names.stamp(path)
    assert member_names.untimed(path) == task
    assert (stamp.digits if stamp else None) == time


def test_the_newest_is_found_only_where_times_compare() -> None:
    def stamps(*digits: str, zone: str = "") -> list[Stamp]:
        return [Stamp(digits=one, zone=zone) for one in digits]

    morning, noon = stamps("20260412081112", "20260412120000")
    assert member_names.newest([morning, noon, morning]) == noon
    assert member_names.newest([*stamps("20260412081112", zone="+02-00"), noon]) is None
    assert member_names.newest([*stamps("20260412"), noon]) is None
    assert member_names.newest([*stamps("20260411"), noon]) == noon


def test_folders_of_two_runs_are_one_home_and_folders_of_two_systems_are_two() -> None:
    assert member_names.home("details/m/2026-11-30T19-50-42/x.csv") == member_names.home(
        "details/m/2026-12-01T01-02-03/x"
    )
    assert member_names.home("llama-3.1b/x.csv") != member_names.home("llama-3.8b/x.csv")


@pytest.mark.parametrize(
    ("path", "ignored"),
    [
        (".DS_Store", True), ("a/._x.csv", True), ("__MACOSX/a/x.csv", True), ("a/.git/x.csv", True), ("THUMBS.DB", True),
        ("x.csv", False), (".deepeval/.latest_run_full.json", False), ("git/x.csv", False),
    ],
)  # fmt: skip
def test_what_is_there_for_nobody(path: str, ignored: bool) -> None:
    assert member_names.is_ignored(path) is ignored


@pytest.mark.parametrize(
    "name", ["config.json", "results_2026-11-30T19-39-06.json", "run_spec.json", "stats.json", "Summary.json"]
)
def test_totals_and_settings_are_known_by_their_names(name: str) -> None:
    assert member_names.is_companion(f"a/{name}")
    assert not member_names.is_companion(f"a/my_{name}")


def test_a_reader_may_see_the_totals_beside_its_samples() -> None:
    assert member_names.wanted_beside("a/samples_gsm8k_x.jsonl") == ("results_*.json",)
    assert member_names.wanted_beside("a/results.jsonl") == ()


@given(st.text(max_size=60))
def test_any_name_is_told_apart_in_some_way(path: str) -> None:
    stamp = member_names.stamp(path)
    assert stamp is None or stamp.digits.isdigit()
    assert isinstance(member_names.untimed(path), str)
    assert isinstance(member_names.is_ignored(path), bool)
