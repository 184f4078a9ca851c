"""No misspelt word in what people read: pages, templates, messages and the comments of the code."""

from __future__ import annotations

import subprocess
import sys

from .pages import PAGES, ROOT, name

READ = ("src", "templates", "examples", "action.yml", "pyproject.toml", "scripts")
NAMES = "rouge"
"""Words that are names: ROUGE is a metric."""


def test_no_word_is_misspelt() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "codespell_lib", "-L", NAMES, "-S", "*.pyc,*.jsonl,*.csv", *map(name, PAGES), *READ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.stdout + done.stderr == ""
    assert done.returncode == 0


def test_a_misspelt_word_would_be_found() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "codespell_lib", "-"],
        input="the langauge of the comment\n",
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert "langauge ==> language" in done.stdout
