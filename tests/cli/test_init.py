"""`clearband init`, as a person runs it in a repository."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from distribution.test_supply_chain import PINNED

from clearband.declaration import Declaration, NotDeclared, parse
from clearband.policy_file import load

from .conftest import Ended, run_clearband

if TYPE_CHECKING:
    from collections.abc import Callable

POLICY, WORKFLOW = ".github/clearband.yml", ".github/workflows/clearband.yml"
TEMPLATE = ".github/pull_request_template.md"


def junit(folder: Path) -> str:
    cases = "".join(
        f'<testcase classname="t" name="q{number}" time="0.{number % 7 + 1}">{"<failure/>" * (number % 3 == 0)}</testcase>'
        for number in range(24)
    )
    (folder / "results.xml").write_text(f"<testsuites><testsuite name='pytest'>{cases}</testsuite></testsuites>")
    (folder / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
    return "results.xml"


def promptfoo(folder: Path) -> str:
    rows = [
        {
            "vars": {"q": f"question {number}"},
            "success": number % 3 > 0,
            "score": number % 3 / 2,
            "failureReason": 0 if number % 3 else 1,
            "latencyMs": 100 + number,
            "namedScores": {"correct": number % 2},
            "provider": {"id": "local:base"},
            "prompt": {"raw": "x", "label": "x"},
            "promptIdx": 0,
            "testIdx": number,
            "gradingResult": {"pass": number % 3 > 0, "score": number % 3 / 2, "reason": "r", "componentResults": []},
            "testCase": {"vars": {"q": f"question {number}"}, "assert": []},
        }
        for number in range(24)
    ]
    document = {"evalId": "eval-x", "results": {"version": 3, "timestamp": "t", "prompts": [], "results": rows}}
    (folder / "results.json").write_text(json.dumps(document))
    (folder / "promptfooconfig.yaml").write_text("prompts: []\n")
    return "results.json"


def generic(folder: Path) -> str:
    lines = [json.dumps({"id": f"q{number}", "recall": number % 2, "latency_ms": number}) for number in range(24)]
    (folder / "mine.jsonl").write_text("\n".join(lines))
    return "mine.jsonl"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    (folder / ".git").mkdir(parents=True)
    return folder


@pytest.fixture
def clearband(repository: Path) -> Callable[..., Ended]:
    """Return a function that runs `clearband` in the repository."""
    return partial(run_clearband, repository)


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def steps(workflow: dict[str, Any]) -> list[dict[str, Any]]:
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


@dataclass(frozen=True)
class Repository:
    """A repository with a result of its evaluation."""

    folder: Path
    results: str
    tool: str
    primary: str

    def clearband(self, *arguments: object) -> Ended:
        return run_clearband(self.folder, *arguments)

    def workflow(self) -> dict[str, Any]:
        return yaml.safe_load((self.folder / WORKFLOW).read_text("utf-8"))  # type: ignore[no-any-return]


class TestSampleRepositories:
    @pytest.fixture(
        params=[(junit, "pytest", "passed"), (promptfoo, "promptfoo", "success"), (generic, "result files", "recall")],
        ids=["pytest", "promptfoo", "generic"],
    )
    def made(self, repository: Path, request: pytest.FixtureRequest) -> Repository:
        make, tool, primary = request.param
        return Repository(repository, make(repository), tool, primary)

    def test_get_a_policy_that_loads_and_compares_their_results(self, made: Repository) -> None:
        ended = made.clearband("init", "--from", made.results)
        assert (ended.status, ended.err) == (0, "")
        assert ended.out.startswith(f"Set up for {made.tool}")
        assert load((made.folder / POLICY).read_bytes(), name=POLICY).primary == made.primary
        compared = made.clearband("compare", made.results, made.results, "--policy", POLICY, "--json")
        assert (compared.status, compared.record["verdict"]["outcome"]) == (0, "pass")

    def test_are_recognised_without_a_result_too(self, made: Repository) -> None:
        assert made.clearband("init").out.startswith(f"Set up for {made.tool}")
        assert load((made.folder / POLICY).read_bytes(), name=POLICY).primary

    def test_get_a_template_that_declares_once_filled_in(self, made: Repository) -> None:
        assert made.clearband("init").status == 0
        text = (made.folder / TEMPLATE).read_text("utf-8")
        assert isinstance(parse(text), NotDeclared)
        read = parse(text.replace("<metric>", made.primary).replace("<number>", "0.05"))
        assert isinstance(read, Declaration)
        assert read.primary_metric == made.primary

    def test_get_a_workflow_of_two_jobs_that_keeps_the_rules_of_our_own(self, made: Repository) -> None:
        made.clearband("init", "--from", made.results)
        text, workflow = (made.folder / WORKFLOW).read_text("utf-8"), made.workflow()
        assert list(workflow["jobs"]) == ["eval", "gate"]
        used = re.findall(r"uses: (.+)", text)
        assert [one for one in used if not one.startswith("clearband/") and not PINNED.fullmatch(one)] == []
        assert workflow["permissions"] == {}
        assert workflow["jobs"]["eval"]["permissions"] == {"contents": "read"}
        checkouts = [step for step in steps(workflow) if step.get("uses", "").startswith("actions/checkout@")]
        assert len(checkouts) == 2
        assert all(step["with"]["persist-credentials"] is False for step in checkouts)
        assert [step["run"] for step in steps(workflow) if "${{" in step.get("run", "")] == []
        assert max(map(len, text.splitlines())) <= 120

    def test_are_told_how_to_put_the_first_baseline_where_the_workflow_looks_for_it(self, made: Repository) -> None:
        said = made.clearband("init", "--from", made.results).out
        for step in ("First baseline", "Required check", "Ruleset"):
            assert step in said
        (line,) = [line.strip() for line in said.splitlines() if line.strip().startswith("mkdir -p")]
        subprocess.run(["sh", "-c", line], cwd=made.folder, check=True)
        gate = next(step for step in steps(made.workflow()) if "id" in step)
        assert made.clearband("inspect", gate["with"]["baseline"].removeprefix("base/")).status == 0

    def test_are_left_as_they_are_the_second_time(self, made: Repository) -> None:
        made.clearband("init", "--from", made.results)
        before = files(made.folder)
        again = made.clearband("init", "--from", made.results)
        assert again.status == 0
        assert [line.split()[0] for line in again.out.splitlines()[2:5]] == ["unchanged"] * 3
        assert files(made.folder) == before


def test_the_step_of_pytest_leaves_results_where_tests_fail_and_fails_where_none_ran(
    clearband: Callable[..., Ended], repository: Path
) -> None:
    (repository / "pytest.ini").write_text("[pytest]\n")
    clearband("init")
    workflow = yaml.safe_load((repository / WORKFLOW).read_text("utf-8"))
    (command,) = [step["run"] for step in steps(workflow) if "run" in step]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"

    def run_step() -> int:
        environment = {**os.environ, "PATH": path, "PYTEST_ADDOPTS": "-p no:cacheprovider"}
        step = ["bash", "-e", "-c", command]
        return subprocess.run(step, cwd=repository, env=environment, capture_output=True, check=False).returncode

    assert run_step() != 0
    (repository / "test_sums.py").write_text(
        "def test_right(): assert 1 + 1 == 2\ndef test_wrong(): assert 1 + 1 == 3\n"
    )
    assert run_step() == 0
    told = json.loads(clearband("inspect", "results.xml", "--json").out)
    assert (told["questions"], told["metrics"]["passed"]["mean"]) == (2, 0.5)


def test_what_is_there_is_left_alone_and_listed_with_the_reason(
    clearband: Callable[..., Ended], repository: Path
) -> None:
    mine = {POLICY: "primary: mine\nmetrics: {mine: {}}\n", WORKFLOW: "on: push\n", TEMPLATE: "## Why\n"}
    for path, text in mine.items():
        (repository / path).parent.mkdir(parents=True, exist_ok=True)
        (repository / path).write_text(text)
    said = clearband("init").out
    assert files(repository) == {path: text.encode() for path, text in mine.items()}
    for path in mine:
        assert f"left alone  {path}: " in said
    assert "    ```clearband\n    primary_metric: <metric>\n" in said


def test_forced_it_replaces_its_own_files_and_only_extends_the_description(
    clearband: Callable[..., Ended], repository: Path
) -> None:
    for path, text in {POLICY: "primary: mine\n", TEMPLATE: "## Why\r\n"}.items():
        (repository / path).parent.mkdir(parents=True, exist_ok=True)
        (repository / path).write_text(text, newline="")
    said = clearband("init", "--force").out
    assert f"replaced    {POLICY}" in said
    assert f"extended    {TEMPLATE}" in said
    assert load((repository / POLICY).read_bytes(), name=POLICY).primary == "accuracy"
    template = (repository / TEMPLATE).read_bytes()
    assert template.startswith(b"## Why\r\n")
    assert template.count(b"\n") == template.count(b"\r\n")


def test_from_a_folder_inside_it_writes_into_the_repository_and_says_the_way_from_there(repository: Path) -> None:
    inner = repository / "evals" / "more"
    inner.mkdir(parents=True)
    ended = run_clearband(inner, "init", "--from", generic(inner))
    assert ended.status == 0
    assert (repository / WORKFLOW).is_file()
    (line,) = [line.strip() for line in ended.out.splitlines() if line.strip().startswith("mkdir -p")]
    assert shlex.split(line)[-1] == "../baseline.jsonl"


def test_without_a_repository_around_it_says_so(tmp_path: Path) -> None:
    ended = run_clearband(tmp_path, "init")
    assert ended.status == 0
    assert "No git repository was found" in ended.out
    assert (tmp_path / POLICY).is_file()


def test_few_questions_are_told_that_they_cannot_block(clearband: Callable[..., Ended], repository: Path) -> None:
    (repository / "few.csv").write_text("id,score\n" + "".join(f"{i},{i % 2}\n" for i in range(6)))
    assert "too few to block anything" in clearband("init", "--from", "few.csv").out


def test_what_the_policy_cannot_take_and_what_was_not_read_is_said(
    clearband: Callable[..., Ended], repository: Path
) -> None:
    lines = [json.dumps({"id": f"q{number}", "recall": number % 2, "empty": None}) for number in range(24)]
    (repository / "mine.jsonl").write_text("\n".join(lines))
    assert "Left out of the policy" in clearband("init", "--from", "mine.jsonl").out
    assert list(load((repository / POLICY).read_bytes(), name=POLICY).metrics) == ["recall"]
    run = {"testCases": [{"name": f"q{n}", "input": f"q{n}", "success": n % 2 > 0, "metricsData": [
        {"name": "Right", "score": n % 2, "success": n % 2 > 0, "threshold": 0.5}]} for n in range(24)]}  # fmt: skip
    (repository / "run.json").write_text(json.dumps(run))
    assert "`--from FOLDER` takes every task" in " ".join(clearband("init", "--from", "run.json").out.split())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--from", "nowhere.jsonl"), "cannot be read"),
        (("--from", "empty.jsonl"), "empty"),
        (("--from", "mine.jsonl", "--primary", "recal"), "Did you mean `recall`"),
        (("--lower-is-better", "x"), "Add --from FILE"),
        (("--from", "mine.jsonl", "--series", "x"), "does not hold several series"),
    ],
)
def test_unusable_input_is_3_and_nothing_is_written(
    clearband: Callable[..., Ended], repository: Path, arguments: tuple[str, ...], said: str
) -> None:
    generic(repository)
    (repository / "empty.jsonl").write_text("")
    ended = clearband("init", *arguments)
    assert (ended.status, ended.out) == (3, "")
    assert said in ended.err
    assert not (repository / ".github").exists()


def test_a_link_out_of_the_repository_is_not_followed(clearband: Callable[..., Ended], repository: Path) -> None:
    outside = repository.parent / "outside"
    outside.mkdir()
    (repository / ".github").symlink_to(outside)
    ended = clearband("init")
    assert (ended.status, ended.out) == (3, "")
    assert list(outside.iterdir()) == []


def test_a_file_in_the_way_is_3_and_says_what_was_written(clearband: Callable[..., Ended], repository: Path) -> None:
    (repository / ".github").mkdir()
    (repository / ".github" / "workflows").write_text("")
    ended = clearband("init")
    assert ended.status == 3
    assert f"{WORKFLOW} cannot be written" in ended.err
    assert f"Written before it: {POLICY}" in ended.err
