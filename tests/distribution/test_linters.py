"""Workflows, action.yml and Dockerfile through the linters that others will hold them to; ours and those we ship."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from cli.conftest import run_clearband
from cli.test_init import generic, junit, promptfoo

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent
SHIPPED = sorted((ROOT / "templates" / "workflows").glob("*.yml"))
WORKFLOWS = [*SHIPPED, *sorted((ROOT / ".github" / "workflows").glob("*.yml"))]
pytestmark = pytest.mark.slow


def lint(*command: str | Path) -> str:
    """Return what a linter has to say; nothing where it is content."""
    done = subprocess.run(
        [str(BIN / str(command[0])), *map(str, command[1:])],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    return "" if done.returncode == 0 else f"{done.returncode}: {done.stdout}{done.stderr}"


def test_there_is_something_to_lint() -> None:
    assert {"clearband.yml", "artifacts.yml", "forks.yml", "merge-queue.yml", "override.yml"} == {
        path.name for path in SHIPPED
    }


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: str(path.relative_to(ROOT)))
def test_workflows_are_such_as_github_takes(workflow: Path) -> None:
    assert lint("actionlint", "-no-color", workflow) == ""
    assert lint("check-jsonschema", "--builtin-schema", "vendor.github-workflows", workflow) == ""


def test_workflows_give_a_stranger_nothing() -> None:
    assert lint("zizmor", "--offline", "--pedantic", "--no-progress", *WORKFLOWS, ROOT / "action.yml") == ""


def test_the_action_is_described_as_github_wants_it() -> None:
    assert lint("check-jsonschema", "--builtin-schema", "vendor.github-actions", ROOT / "action.yml") == ""


def test_dependabots_settings_are_such_as_it_takes() -> None:
    assert lint("check-jsonschema", "--builtin-schema", "vendor.dependabot", ROOT / ".github" / "dependabot.yml") == ""


def test_the_images_recipe_is_clean() -> None:
    assert lint("hadolint", "--no-color", ROOT / "Dockerfile") == ""


@pytest.mark.parametrize("repository", [junit, promptfoo, generic])
def test_what_init_writes_is_clean_too(tmp_path: Path, repository: Callable[[Path], str]) -> None:
    (tmp_path / ".git").mkdir()
    results = repository(tmp_path)
    assert run_clearband(tmp_path, "init", "--from", results).status == 0
    workflow = tmp_path / ".github" / "workflows" / "clearband.yml"
    assert lint("actionlint", "-no-color", workflow) == ""
    assert lint("check-jsonschema", "--builtin-schema", "vendor.github-workflows", workflow) == ""
    assert lint("zizmor", "--offline", "--pedantic", "--no-progress", workflow) == ""


def test_the_linters_do_find_something(tmp_path: Path) -> None:
    bad = tmp_path / "bad.yml"
    bad.write_text(
        "on: pull_request_target\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n"
        "      - run: echo ${{ github.event.pull_request.title }}\n      - uses: actions/checkout@v4\n"
    )
    assert "template-injection" in lint("zizmor", "--offline", "--no-progress", bad)
    assert "untrusted" in lint("actionlint", "-no-color", bad)
