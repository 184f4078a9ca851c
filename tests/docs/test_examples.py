"""The examples are what is said of them: made by their script, and ending as their stories do."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from .pages import ROOT

if TYPE_CHECKING:
    from pathlib import Path

EXAMPLES = ROOT / "examples"


def record(*arguments: object) -> dict[str, object]:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "clearband", "compare", *map(str, arguments), "--json"],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def told(record: dict[str, object]) -> tuple[str, list[str]]:
    verdict, metrics = record["verdict"], record["metrics"]
    assert isinstance(verdict, dict)
    assert isinstance(metrics, list)
    return verdict["outcome"], [metric["state"] for metric in metrics]


@pytest.mark.slow
def test_the_scripts_files_come_out_the_same_again(tmp_path: Path) -> None:
    shutil.copy(EXAMPLES / "outputs" / "make.py", tmp_path)
    subprocess.run([sys.executable, str(tmp_path / "make.py")], check=True, timeout=120)
    for name in ("baseline.jsonl", "candidate.jsonl"):
        assert (tmp_path / name).read_bytes() == (EXAMPLES / "outputs" / name).read_bytes()


@pytest.mark.slow
def test_each_story_ends_as_it_is_told() -> None:
    cranfield, outputs = EXAMPLES / "cranfield", EXAMPLES / "outputs"
    policy = ("--policy", cranfield / "clearband.yml")
    stemmed = cranfield / "bm25_stem.csv"
    first = record(stemmed, cranfield / "lsa200.csv", *policy, "--pr-body", cranfield / "pull_request.md")
    assert told(first) == ("pass", ["inconclusive", "improved", "inconclusive", "improved", "improved"])
    assert told(record(stemmed, cranfield / "bm25.csv", *policy))[0] == "blocked"
    costly = record(outputs / "baseline.jsonl", outputs / "candidate.jsonl", "--policy", outputs / "clearband.yml")
    assert told(costly) == ("pass", ["improved", "regressed"])
