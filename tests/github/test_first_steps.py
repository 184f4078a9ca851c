"""A repository's first steps: from nothing, over the pull request that brings everything, to the second green run."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
import yaml
from cli.conftest import run_clearband

from github.acting import ARTIFACTS, AT, BASELINE, BETTER, NO_PATHS, WORSE, Done, ours, zipped
from github.peer.storage import Storage

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from github.peer import Peer


@pytest.fixture
def written(tmp_path: Path) -> dict[str, bytes]:
    """What `clearband init` writes into an empty repository that holds one result file."""
    folder = tmp_path / "project"
    folder.mkdir()
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    (folder / "results.jsonl").write_text(BASELINE)
    done = run_clearband(folder, "init", "--from", "results.jsonl")
    assert done.status == 0, done.err
    files = [path for path in folder.rglob("*") if path.is_file() and ".git/" not in f"{path.relative_to(folder)}/"]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_from_an_empty_repository_to_the_second_green_run(
    peer: Peer, act: Callable[..., Done], written: dict[str, bytes]
) -> None:
    policy = written[".github/clearband.yml"]
    primary = yaml.safe_load(policy)["primary"]
    world, past = peer.world, peer.world.past
    with Storage(past):
        # The pull request that brings workflow and policy: nothing to hold it to, and nothing to compare it with.
        first = world.open_pull(f"Set up\n\n```clearband\nprimary_metric: {primary}\n```\n")
        world.commits[first.head_sha].update(written)
        run = past.start(first.head_sha, AT, jobs=["success", None])
        past.leave(run, "results", zipped(BASELINE))
        env = NO_PATHS | {"GITHUB_RUN_ID": str(run.id)}
        done = act(peer, first, baseline=None, candidate=None, env=env, candidate_ref="head", **ARTIFACTS)
        assert done.status == 0
        assert "Not set up yet" in ours(first)[0]
        assert "can be used, and it holds for the pull requests after it" in ours(first)[0]

        # It is merged, and the push evaluates the base branch.
        first.state = "closed"
        merged = world.commit({**written}, branch="main")
        pushed = past.start(merged, AT, event="push", branch="main")
        past.leave(pushed, "results", zipped(BASELINE))

        # The next two are judged: one is better, one is worse.
        for number, (results, status) in enumerate(((BETTER, 0), (WORSE, 1))):
            pull = world.open_pull(f"```clearband\nprimary_metric: {primary}\n```\n")
            pull.base_sha = merged
            run = past.start(pull.head_sha, AT, jobs=["success", None])
            past.leave(run, "results", zipped(results))
            env = NO_PATHS | {"GITHUB_RUN_ID": str(run.id)}
            done = act(peer, pull, baseline=None, candidate=None, env=env, candidate_ref="head", **ARTIFACTS)
            assert done.status == status, (number, done.log)
            assert merged[:12] in ours(pull)[0]
