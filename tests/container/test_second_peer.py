"""The image against a GitHub that we did not write, every request judged by GitHub's own description on its way."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import pytest
from github.test_second_peer import OURS, REPOSITORY, Scene, scene, second_peer

from clearband.report.marker import marker

from .engine import ROOT, Engine
from .runner import Step, run_step
from .test_image import POLICY, write_results

if TYPE_CHECKING:
    from pathlib import Path

    from github.peer.node import NodePeer

__all__ = ["scene", "second_peer"]
pytestmark = pytest.mark.container


@pytest.fixture
def policy(second_peer: NodePeer) -> None:
    """Commit a policy to the base branch, before the pull request is opened."""
    import requests

    with requests.Session() as session:
        session.trust_env = False
        sent = {"message": "m", "content": base64.b64encode(POLICY).decode(), "branch": "main"}
        Scene(second_peer, session, 0, "").do("PUT", "/contents/.github/clearband.yml", sent)


def test_a_regression_fails_the_step_and_updates_the_comment_of_the_run_before(
    policy: None, scene: Scene, engine: Engine, image: str, workspace: Path, tmp_path: Path
) -> None:
    scene.do("PATCH", f"/pulls/{scene.number}", {"body": "```clearband\nprimary_metric: accuracy\n```\n"})
    live = scene.do("GET", f"/pulls/{scene.number}")
    step = Step(
        action=ROOT,
        event={"number": scene.number, "pull_request": live, "repository": {"full_name": REPOSITORY}},
        inputs={"baseline": "baseline.jsonl", "candidate": "candidate.jsonl"},
        github={
            "api_url": scene.peer.api_url,
            "graphql_url": f"{scene.peer.api_url}/graphql",
            "server_url": "http://127.0.0.1",
            "repository": REPOSITORY,
            "token": OURS,
        },
    )
    comments = []
    for run, newly_failing in enumerate((0, 15)):
        write_results(workspace, newly_failing=newly_failing)
        result = run_step(step, engine, image, workspace=workspace, temp=tmp_path / f"temp-{run}")
        assert (result.exit_status, result.outputs["outcome"]) == ((0, "pass"), (1, "blocked"))[run], result.log
        comments.append([one["body"] for one in scene.comments()])
    assert [[body.partition("\n")[0] for body in bodies] for bodies in comments] == [[marker("default")]] * 2
    assert comments[0] != comments[1]
