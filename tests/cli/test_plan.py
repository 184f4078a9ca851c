"""`clearband plan`, as a person runs it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from .conftest import EXAMPLES, Ended

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Clearband = Callable[..., Ended]

BASELINE, CANDIDATE = EXAMPLES / "bm25_stem.csv", EXAMPLES / "lsa200.csv"


def test_a_pair_says_what_is_needed_and_that_it_was_measured(clearband: Clearband) -> None:
    ended = clearband("plan", BASELINE, CANDIDATE, "--policy", EXAMPLES / "clearband.yml")
    assert ended.status == 0
    assert "measured on the pair" in ended.out
    assert "316" in ended.out


def test_one_run_names_the_correlation_it_assumes(clearband: Clearband) -> None:
    ended = clearband("plan", BASELINE, "--effect", "0.03", "--correlation", "0.6")
    assert ended.status == 0
    assert "correlate 0.6" in ended.out


def test_json_holds_every_metric(clearband: Clearband) -> None:
    ended = clearband("plan", BASELINE, CANDIDATE, "--effect", "0.03", "--ladder", "--json")
    plans = json.loads(ended.out)
    assert [planned["name"] for planned in plans] == ["nDCG@10", "AP", "RR", "P@10", "R@100"]
    assert all(len(planned["ladder"]) == 4 for planned in plans)


def test_a_small_suite_is_told_that_it_cannot_block(clearband: Clearband, tmp_path: Path) -> None:
    (tmp_path / "few.csv").write_text("id,score\n" + "".join(f"{i},{i % 2}\n" for i in range(6)))
    ended = clearband("plan", "few.csv")
    assert "cannot block anything below 10 questions" in ended.out


def test_a_policy_without_a_primary_is_enough_and_a_bad_file_is_3(clearband: Clearband, tmp_path: Path) -> None:
    (tmp_path / "policy.yml").write_text("metrics:\n  AP: {direction: higher}\n")
    assert clearband("plan", BASELINE, "--policy", "policy.yml").status == 0
    assert clearband("plan", "nowhere.csv").status == 3
    assert clearband("plan", BASELINE, "--power", "2").status == 3
