"""Every command and every line of Python that the pages show runs, on files like those they speak of."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

from clearband.arguments import parser

from .pages import PAGES, ROOT, blocks, name

if TYPE_CHECKING:
    from pathlib import Path

POLICY = """\
primary: recall
metrics:
  recall: {range: [0, 1], effect: 0.03}
  faithfulness: {range: [0, 1], role: guardrail, margin: 0.02}
  latency_ms: {direction: lower, unit: ms}
"""
_SCENES = {"audit.md", "formats.md"}
"""Pages whose commands are shown with their output on files of their own, and are checked by tests of their own."""


def commands(page: Path) -> list[str]:
    """Return the clearband commands of a page's console blocks, continued lines joined."""
    found = []
    for block in blocks(page, "console", "sh"):
        for line in block.replace("\\\n", " ").splitlines():
            command = line.strip().removeprefix("$ ").split(" #")[0].strip()
            if command.startswith("clearband "):
                found.append(command)
    return found


EVERY = [(page, command) for page in PAGES for command in commands(page)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that the pages name."""
    folder = tmp_path_factory.mktemp("project")
    random = np.random.default_rng(7)
    difficulty = random.random(200)

    def write(file: str, gain: float) -> None:
        rows = [
            {
                "id": f"q{number}",
                "recall": int(random.random() < hard + gain),
                "faithfulness": round(float(np.clip(hard + random.normal(0, 0.1), 0, 1)), 3),
                "latency_ms": round(float(700 * random.lognormal(0, 0.3)), 1),
            }
            for number, hard in enumerate(difficulty)
        ]
        (folder / file).write_text("".join(json.dumps(row) + "\n" for row in rows))

    for file, gain in (("baseline.jsonl", 0.0), ("candidate.jsonl", 0.02), ("run.jsonl", 0.0), ("rerun.jsonl", 0.0)):
        write(file, gain)
    write("results.jsonl", 0.0)
    rows = (folder / "run.jsonl").read_text().splitlines()
    (folder / "results.json").write_text(json.dumps([json.loads(row) for row in rows]))
    judged = [{"id": f"q{number}", "winner": str(random.choice(["A", "B", "tie"]))} for number in range(60)]
    (folder / "judged.jsonl").write_text("".join(json.dumps(row) + "\n" for row in judged))
    (folder / "examples").symlink_to(ROOT / "examples")
    (folder / ".github").mkdir()
    (folder / ".github" / "clearband.yml").write_text(POLICY)
    (folder / ".github" / "clearband.md.j2").write_text("{% extends base %}")
    (folder / "pull_request.md").write_text("```clearband\nprimary_metric: recall\n```\n")
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    return folder


@pytest.mark.parametrize(("page", "command"), EVERY, ids=[f"{name(page)}: {command}" for page, command in EVERY])
def test_every_command_is_one(page: Path, command: str) -> None:
    """Its options exist and its values are such as they take."""
    words = [word for word in shlex.split(command)[1:] if word != ">"]
    if words[-1] in {"--help", "--version"}:
        return
    parser().parse_args(words)


RUNNABLE = [
    (page, command) for page, command in EVERY if page.name not in _SCENES and not re.search("[A-Z]{4,}", command)
]


@pytest.mark.slow
@pytest.mark.parametrize(("page", "command"), RUNNABLE, ids=[f"{name(page)}: {command}" for page, command in RUNNABLE])
def test_every_command_runs(page: Path, command: str, folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-m", *shlex.split(command)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode in {0, 1, 2}, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")], ids=name)
def test_every_piece_of_python_runs(page: Path, folder: Path) -> None:
    for block in blocks(page, "python"):
        done = subprocess.run(
            [sys.executable, "-c", block], cwd=folder, capture_output=True, text=True, check=False, timeout=120
        )
        assert done.returncode == 0, done.stderr


def test_the_pages_show_commands_at_all() -> None:
    assert len(RUNNABLE) >= 10
    assert {"README.md", "docs/getting-started.md"} <= {name(page) for page, _ in RUNNABLE}
    assert ROOT.joinpath("docs").is_dir()
