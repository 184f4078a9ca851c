"""The image of the Action, run as GitHub's runner runs it, against an HTTP peer on loopback."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from github.conftest import OURS, event_of

import clearband

from .engine import ROOT, Engine
from .runner import Step, StepResult, run_step

if TYPE_CHECKING:
    from pathlib import Path

    from github.peer import Peer
    from github.peer.world import Pull

pytestmark = pytest.mark.container

MEGABYTE = 1_000_000
POLICY = b"primary: accuracy\nmetrics:\n  accuracy: {direction: higher, range: [0, 1]}\n"
DECLARED = "```clearband\nprimary_metric: accuracy\n```\n"
HOSTILE = "open('/github/workspace/imported', 'a').write(__name__)\n"

Run = Callable[..., StepResult]


@pytest.fixture
def pull(peer: Peer) -> Pull:
    return peer.world.open_pull(DECLARED, policy=POLICY)


@pytest.fixture
def run(engine: Engine, image: str, peer: Peer, pull: Pull, tmp_path: Path) -> Run:
    """Run the Action on the pull request; every call is a new step of the same job."""

    def run(**options: Any) -> StepResult:
        temp = options.pop("temp", tmp_path / f"temp-{len(list(tmp_path.iterdir()))}")
        using = step(peer, pull, options.pop("env", {}))
        return run_step(using, engine, image, workspace=tmp_path / "workspace", temp=temp, **options)

    return run


def step(peer: Peer, pull: Pull, env: dict[str, str]) -> Step:
    return Step(
        action=ROOT,
        event=event_of(pull, peer.world.repository),
        inputs={"baseline": "baseline.jsonl", "candidate": "candidate.jsonl"},
        env=env,
        github={
            "api_url": peer.api_url,
            "graphql_url": peer.graphql_url,
            "server_url": peer.origin,
            "repository": peer.world.repository,
            "token": OURS,
        },
    )


def write_results(folder: Path, *, newly_failing: int = 0, questions: int = 60) -> None:
    """Write two result files; the candidate fails on `newly_failing` questions that the baseline answered."""
    for arm, failing in (("baseline", 0), ("candidate", newly_failing)):
        rows = [{"id": f"q{n}", "accuracy": int(n % 3 > 0 and n >= failing * 2)} for n in range(questions)]
        (folder / f"{arm}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


class TestStart:
    def test_needs_no_network_no_path_and_no_home(self, engine: Engine, image: str) -> None:
        nonsense = {"PATH": "/nonsense", "HOME": "/nonsense"}
        ended = engine.run(image, "--version", environment=nonsense, options=("--network", "none"))
        assert (ended.status, ended.output.strip()) == (0, f"clearband {clearband.__version__}")

    def test_is_the_command_line_too(self, engine: Engine, image: str, workspace: Path) -> None:
        write_results(workspace)
        mount = ("--network", "none", "-v", f"{workspace}:/data:ro", "--workdir", "/data")
        ended = engine.run(image, "compare", "baseline.jsonl", "candidate.jsonl", "--json", options=mount)
        assert (ended.status, json.loads(ended.output)["verdict"]["outcome"]) == (0, "not-gated")

    def test_reads_parquet_even_where_nothing_can_be_written(self, engine: Engine, image: str, workspace: Path) -> None:
        import duckdb

        for arm in ("baseline", "candidate"):
            rows = "SELECT 'q' || i AS id, i % 2 AS accuracy FROM range(40) AS r(i)"
            duckdb.sql(f"COPY ({rows}) TO '{workspace / arm}.parquet' (FORMAT parquet)")
        sealed = ("--read-only", "--read-only-tmpfs=false", "--network", "none")
        mount = (*sealed, "-v", f"{workspace}:/data:ro", "--workdir", "/data")
        ended = engine.run(image, "compare", "baseline.parquet", "candidate.parquet", "--json", options=mount)
        assert ended.status == 0, ended.output
        assert json.loads(ended.output)["metrics"][0]["state"] == "identical"


class TestWhatIsInIt:
    def test_stays_small(self, engine: Engine, image: str) -> None:
        added = engine.size(image) - engine.size(engine.base)
        print(f"the image adds {added / MEGABYTE:.0f} MB to its base of {engine.size(engine.base) / MEGABYTE:.0f} MB")
        assert added < 200 * MEGABYTE

    def test_lies_on_top_of_the_base_with_two_layers(self, engine: Engine, image: str) -> None:
        below = engine.layers(engine.base)
        above = engine.layers(image)
        assert above[: len(below)] == below
        assert len(above) == len(below) + 2

    def test_has_no_tools_and_nothing_of_the_build(self, engine: Engine, image: str) -> None:
        look = """
import importlib.util, os, shutil
print([tool for tool in ("git", "gcc", "cc", "make", "curl", "wget") if shutil.which(tool)])
print([name for name in ("pip", "hatchling", "pytest") if importlib.util.find_spec(name)])
print(os.path.exists("/build"), sorted(name for name in os.environ if name.startswith("PIP_")))
"""
        ended = engine.run(image, "-I", "-c", look, options=("--entrypoint", "/opt/venv/bin/python"))
        assert ended.output.splitlines() == ["[]", "[]", "False []"]

    def test_starts_on_bytecode_that_is_never_checked_against_the_source(self, engine: Engine, image: str) -> None:
        look = "import sys, clearband.cli; print(sum(1 for m in sys.modules.values() if uncached(m)))"
        helper = """
import importlib.util, os
def uncached(module):
    origin = getattr(getattr(module, "__spec__", None), "origin", None) or ""
    if not origin.endswith(".py"):
        return False
    try:
        with open(importlib.util.cache_from_source(origin), "rb") as file:
            return file.read(8)[4:] != b"\\x01\\0\\0\\0"
    except FileNotFoundError:
        return True
"""
        ended = engine.run(image, "-I", "-c", helper + look, options=("--entrypoint", "/opt/venv/bin/python"))
        assert (ended.status, ended.output.strip()) == (0, "0")


class TestTheWorkspaceIsNeverImported:
    @pytest.fixture
    def trap(self, workspace: Path) -> Path:
        """A workspace whose files have the names of every module that the program imports."""
        for name in (
            "json",
            "yaml",
            "jinja2",
            "requests",
            "urllib3",
            "re",
            "argparse",
            "sitecustomize",
            "usercustomize",
        ):
            (workspace / f"{name}.py").write_text(HOSTILE)
        for name in ("numpy", "clearband", "msgspec", "encodings"):
            (workspace / name).mkdir()
            (workspace / name / "__init__.py").write_text(HOSTILE)
        write_results(workspace)
        return workspace

    def test_whatever_it_holds(self, run: Run, trap: Path) -> None:
        result = run()
        assert (result.exit_status, result.outputs["outcome"]) == (0, "pass"), result.log
        assert not (trap / "imported").exists()

    def test_even_where_the_job_points_python_at_it(self, run: Run, trap: Path) -> None:
        env = {
            "PYTHONPATH": "/github/workspace",
            "PYTHONHOME": "/github/workspace",
            "PYTHONSTARTUP": "/github/workspace/json.py",
            "PYTHONSAFEPATH": "",
            "PYTHONINSPECT": "1",
        }
        result = run(env=env)
        assert (result.exit_status, result.outputs["outcome"]) == (0, "pass"), result.log
        assert not (trap / "imported").exists()

    def test_nor_is_the_home_that_steps_share(self, run: Run, trap: Path, tmp_path: Path) -> None:
        packages = tmp_path / "job/_github_home/.local/lib/python3.13/site-packages"
        packages.mkdir(parents=True)
        (packages / "usercustomize.py").write_text(HOSTILE)
        (packages / "hostile.pth").write_text(f"import sys; {HOSTILE}")
        result = run(temp=tmp_path / "job")
        assert (result.exit_status, result.outputs["outcome"]) == (0, "pass"), result.log
        assert not (trap / "imported").exists()

    def test_though_the_trap_would_catch_a_plain_interpreter(self, engine: Engine, image: str, trap: Path) -> None:
        options = ("-v", f"{trap}:/github/workspace", "--workdir", "/github/workspace", "-e", "PYTHONSAFEPATH=")
        engine.run(image, "-c", "import yaml", options=(*options, "--entrypoint", "/opt/venv/bin/python"))
        assert (trap / "imported").exists()


class TestARegression:
    def test_fails_the_step_and_still_leaves_comment_and_record(self, run: Run, pull: Pull, workspace: Path) -> None:
        write_results(workspace, newly_failing=15)
        result = run()
        assert (result.exit_status, result.conclusion) == (1, "failure"), result.log
        assert result.outputs["outcome"] == "blocked"
        assert [annotation.level for annotation in result.annotations] == ["error"]
        assert "accuracy" in result.summary
        assert len(pull.comments) == 1
        record = workspace / result.outputs["record-path"]
        assert json.loads(record.read_bytes())["verdict"]["outcome"] == "blocked"

    def test_leaves_files_that_later_steps_can_read(self, run: Run, workspace: Path) -> None:
        write_results(workspace, newly_failing=15)
        result = run()
        written = (workspace / result.outputs["record-path"]).parent
        assert {path.name: oct(path.stat().st_mode & 0o777) for path in written.iterdir()} == dict.fromkeys(
            ("record.json", "comment.md", "summary.md", "subjects.txt"), "0o644"
        )
        assert written.stat().st_mode & 0o005 == 0o005


class TestTheStep:
    def test_passes_where_nothing_got_worse(self, run: Run, workspace: Path) -> None:
        write_results(workspace)
        result = run()
        assert (result.exit_status, result.conclusion, result.outputs["outcome"]) == (0, "success", "pass"), result.log
        assert not result.warnings

    def test_updates_its_one_comment_when_it_runs_again(self, run: Run, pull: Pull, workspace: Path) -> None:
        write_results(workspace)
        first = run()
        before = pull.comments[0].body
        write_results(workspace, newly_failing=15)
        second = run()
        assert len(pull.comments) == 1
        assert pull.comments[0].body != before
        assert first.outputs["comment-url"] == second.outputs["comment-url"] != ""

    def test_writes_nothing_but_the_files_that_were_asked_for(self, run: Run, workspace: Path) -> None:
        write_results(workspace)
        before = files(workspace)
        result = run(options=("--read-only", "--read-only-tmpfs=false"))
        assert result.exit_status == 0, result.log
        wanted = {f"clearband-out/{name}" for name in ("record.json", "comment.md", "summary.md", "subjects.txt")}
        assert files(workspace) == before | wanted

    def test_without_a_network_ends_unusable_and_never_passes(self, run: Run, workspace: Path) -> None:
        write_results(workspace)
        result = run(network="none")
        assert (result.exit_status, result.conclusion, result.outputs["outcome"]) == (3, "failure", "invalid")
        assert "Traceback" not in result.raw_log

    def test_never_shows_its_token(self, run: Run, workspace: Path) -> None:
        write_results(workspace, newly_failing=15)
        result = run()
        assert OURS not in result.raw_log + result.summary + json.dumps(dict(result.outputs))
