"""`make demo` and `make test` on a machine that lacks something: one clear sentence, and what to do."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A PATH with nothing on it but what a shell script needs."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for tool in ("sh", "dirname", "cat"):
        (folder / tool).symlink_to(shutil.which(tool) or pytest.fail(f"{tool} is missing"))
    return folder


def old_python(path: Path, name: str) -> Path:
    """An interpreter as a machine of 2019 has it: it says its version, and refuses whatever asks for more."""
    script = path / name
    script.write_text('#!/bin/sh\ncase "$2" in *print*) echo "Python 3.7.3" ;; *) exit 1 ;; esac\n')
    script.chmod(0o755)
    return script


def set_up(path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [str(path / "sh"), str(ROOT / "scripts" / "setup.sh"), "run"]
    return subprocess.run(command, env={"PATH": str(path)} | environment, capture_output=True, text=True, check=False)


def test_no_python_at_all_is_said(path: Path) -> None:
    ended = set_up(path)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert "needs Python 3.11, 3.12 or 3.13; on PATH there is: no Python at all" in ended.stderr
    assert "PYTHON=/path/to" in ended.stderr


def test_a_python_that_is_too_old_is_named_with_its_version(path: Path) -> None:
    found = old_python(path, "python3")
    assert f"{found}: Python 3.7.3" in set_up(path).stderr


def test_the_interpreter_that_was_asked_for_is_never_replaced_by_another(path: Path) -> None:
    (path / "python3").symlink_to(sys.executable)
    ended = set_up(path, PYTHON=str(old_python(path, "old")))
    assert ended.returncode == 1
    assert f"PYTHON={path / 'old'} is: Python 3.7.3" in ended.stderr


def test_an_interpreter_that_does_not_exist_is_said(path: Path) -> None:
    assert "PYTHON=/nowhere/python3 is: does not run" in set_up(path, PYTHON="/nowhere/python3").stderr


def test_make_help_names_every_command() -> None:
    make = shutil.which("make") or pytest.skip("make is not installed")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    shown = subprocess.run([make, "-C", ROOT], env=environment, capture_output=True, text=True, check=True).stdout
    phony = next(line for line in (ROOT / "Makefile").read_text().splitlines() if line.startswith(".PHONY:"))
    assert all(f"make {name} " in shown for name in phony.split()[1:])
