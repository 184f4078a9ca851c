"""What a read-only run cannot do is done from the default branch: who may be commented on, and by what."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING, Any

import pytest

from github.acting import ARTIFACTS, AT, BASELINE, BETTER, DECLARED, POLICY, READ_ONLY_TOKEN, WORSE, Done, ours, zipped
from github.peer import Fault, Identity, Peer

if TYPE_CHECKING:
    from collections.abc import Callable

    from github.peer.past import Run
    from github.peer.storage import Storage
    from github.peer.world import Pull

MAIA = Identity("maia", 501, installation=False)


@pytest.fixture
def pull(peer: Peer) -> Pull:
    """A fork's pull request, with a baseline on the commit where it left."""
    opened = peer.world.open_pull(DECLARED, policy=POLICY + b"ledger: branch\n", head="fork/evals")
    past = peer.world.past
    past.leave(past.start(opened.base_sha, AT, event="push", branch="main"), "results", zipped(BASELINE))
    return opened


@pytest.fixture
def evaluated(peer: Peer, pull: Pull) -> Callable[..., Run]:
    """The fork's own run, which has uploaded its results and ended."""

    def make(results: str = WORSE, **more: object) -> Run:
        past = peer.world.past
        run = past.start(pull.head_sha, AT, head_repository_id=2, **more)
        past.leave(run, "results", zipped(results), head_repository_id=2)
        return run

    return make


def event_of(run: Run, **changes: Any) -> dict[str, Any]:
    told = {
        "id": run.id,
        "event": "pull_request",
        "path": ".github/workflows/clearband.yml",
        "head_sha": run.head_sha,
        "head_branch": "topic",
        "head_repository": {"full_name": "fork/evals"},
        "pull_requests": [],
        "conclusion": "failure",
    }
    return {"action": "completed", "workflow_run": told | changes}


@pytest.fixture
def stage(peer: Peer, pull: Pull, storage: Storage, act: Callable[..., Done]) -> Callable[..., Done]:
    """The second workflow, on the default branch, about a finished run."""
    del storage
    env = {
        "INPUT_BASELINE": "",
        "INPUT_CANDIDATE": "",
        "GITHUB_WORKFLOW_REF": "octo/evals/.github/workflows/stage.yml@refs/heads/main",
        "GITHUB_RUN_ID": "5005",
    }

    def once(run: Run, **changes: Any) -> Done:
        event = event_of(run, **changes)
        return act(peer, pull, baseline=None, candidate=None, event=event, name="workflow_run", env=env, **ARTIFACTS)

    return once


@pytest.mark.parametrize(("results", "status", "state"), [(WORSE, 1, "failure"), (BETTER, 0, "success")])
def test_a_forks_results_are_judged_again_and_said_on_its_pull_request_and_its_commit(
    peer: Peer,
    pull: Pull,
    evaluated: Callable[..., Run],
    stage: Callable[..., Done],
    results: str,
    status: int,
    state: str,
) -> None:
    done = stage(evaluated(results))
    assert done.status == status
    (comment,) = ours(pull)
    assert "accuracy" in comment
    (set_,) = peer.world.statuses[pull.head_sha]
    assert (set_["context"], set_["state"]) == ("clearband/default", state)
    assert "accuracy" in set_["description"]
    assert set_["target_url"] == done.runner.outputs["comment-url"]
    assert "clearband-ledger" in peer.world.branches


def test_the_forks_own_run_leaves_only_its_exit_status(peer: Peer, pull: Pull, act: Callable[..., Done]) -> None:
    peer.world.tokens["ghs_ours"] = READ_ONLY_TOKEN
    assert act(peer, pull, candidate=WORSE).status == 1
    assert ours(pull) == []
    assert peer.world.statuses == {}


class TestWhichPullRequest:
    def test_a_head_that_has_moved_on_is_left_to_its_own_run(
        self, peer: Peer, pull: Pull, evaluated: Callable[..., Run], stage: Callable[..., Done]
    ) -> None:
        run = evaluated()
        pull.head_sha = peer.world.commit()
        done = stage(run)
        assert done.status == 3
        assert "has newer commits" in done.annotations[0]
        assert ours(pull) == []
        assert peer.world.statuses == {}

    def test_a_closed_one_is_not_commented_on(
        self, pull: Pull, evaluated: Callable[..., Run], stage: Callable[..., Done]
    ) -> None:
        run = evaluated()
        pull.state = "closed"
        assert stage(run).status == 3
        assert ours(pull) == []

    def test_two_of_one_head_are_not_chosen_from(
        self, peer: Peer, pull: Pull, evaluated: Callable[..., Run], stage: Callable[..., Done]
    ) -> None:
        run = evaluated()
        other = peer.world.open_pull(DECLARED, policy=POLICY, head="fork/evals")
        other.head_sha = pull.head_sha
        done = stage(run)
        assert done.status == 3
        assert "2 open pull requests (8, 7)" in done.annotations[0]
        assert ours(pull) == ours(other) == []

    def test_another_repositorys_branch_of_the_same_name_is_not_taken(
        self, peer: Peer, pull: Pull, evaluated: Callable[..., Run], stage: Callable[..., Done]
    ) -> None:
        run = evaluated()
        other = peer.world.open_pull(DECLARED, policy=POLICY, head="fork/other")
        other.head_sha = pull.head_sha
        assert stage(run).status == 1
        assert ours(other) == []

    def test_what_an_artifact_claims_changes_nothing(
        self, peer: Peer, pull: Pull, evaluated: Callable[..., Run], stage: Callable[..., Done], storage: Storage
    ) -> None:
        del storage
        other = peer.world.open_pull(DECLARED, policy=POLICY)
        run = evaluated()
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            archive.writestr("results.jsonl", WORSE)
            archive.writestr("pr.txt", str(other.number))
            archive.writestr("comment.md", "### All is well")
        peer.world.past.leave(run, "results", buffer.getvalue(), head_repository_id=2)
        done = stage(run)
        assert done.status == 1
        assert ours(other) == []
        assert "All is well" not in ours(pull)[0]

    def test_a_deleted_fork_and_another_event_stop(
        self, pull: Pull, evaluated: Callable[..., Run], stage: Callable[..., Done]
    ) -> None:
        run = evaluated()
        assert stage(run, head_repository=None).status == 3
        assert stage(run, event="push").status == 3
        assert ours(pull) == []


def test_an_evaluation_that_left_nothing_is_an_error_on_the_commit_and_never_a_pass(
    peer: Peer, pull: Pull, stage: Callable[..., Done]
) -> None:
    run = peer.world.past.start(pull.head_sha, AT, head_repository_id=2, jobs=["failure"])
    assert stage(run).status == 3
    (set_,) = peer.world.statuses[pull.head_sha]
    assert set_["state"] == "error"


def test_a_policy_that_became_unusable_takes_an_older_green_status_back(
    peer: Peer, pull: Pull, evaluated: Callable[..., Run], stage: Callable[..., Done]
) -> None:
    run = evaluated(BETTER)
    assert stage(run).status == 0
    peer.world.commits[pull.base_sha][".github/clearband.yml"] = b"suites: [a, b]\n"
    assert stage(run).status == 3
    assert [one["state"] for one in peer.world.statuses[pull.head_sha]] == ["success", "error"]


def test_a_status_that_is_refused_is_said_and_changes_no_verdict(
    peer: Peer, evaluated: Callable[..., Run], stage: Callable[..., Done]
) -> None:
    peer.faults.append(Fault(on="POST .*/statuses/.*", status=403, times=9, message="Resource not accessible"))
    done = stage(evaluated())
    assert done.status == 1
    warnings = [line for line in done.annotations if line.startswith("::warning")]
    assert any("statuses: write" in line for line in warnings)


class TestAnOverrideByComment:
    @pytest.fixture
    def said(self, peer: Peer, pull: Pull, storage: Storage, act: Callable[..., Done]) -> Callable[..., Done]:
        """The workflow on `issue_comment`, about a comment that was just written."""
        del storage
        env = {
            "INPUT_BASELINE": "",
            "INPUT_CANDIDATE": "",
            "INPUT_BASELINE-WORKFLOW": "clearband.yml",
            "GITHUB_WORKFLOW_REF": "octo/evals/.github/workflows/override.yml@refs/heads/main",
            "GITHUB_RUN_ID": "6006",
        }

        def once(body: str, who: Identity) -> Done:
            peer.world.say(pull, body, who)
            issue = {"number": pull.number, "pull_request": {"url": "x"}}
            event = {"action": "created", "issue": issue, "comment": {"body": body}}
            given = {"baseline": None, "candidate": None, "event": event, "name": "issue_comment"}
            return act(peer, pull, env=env, **given, **ARTIFACTS)

        return once

    def test_who_may_write_turns_the_status_green_and_it_is_recorded(
        self,
        peer: Peer,
        pull: Pull,
        evaluated: Callable[..., Run],
        stage: Callable[..., Done],
        said: Callable[..., Done],
    ) -> None:
        assert stage(evaluated()).status == 1
        peer.world.permissions["maia"] = (501, "write")
        done = said(f"/clearband override {pull.head_sha} the judge was down", MAIA)
        assert done.status == 0
        assert done.runner.outputs["overridden-by"] == "maia"
        assert [one["state"] for one in peer.world.statuses[pull.head_sha]] == ["failure", "success"]
        assert "Overridden" in ours(pull)[0]

    def test_who_may_not_changes_nothing(
        self,
        peer: Peer,
        pull: Pull,
        evaluated: Callable[..., Run],
        stage: Callable[..., Done],
        said: Callable[..., Done],
    ) -> None:
        assert stage(evaluated()).status == 1
        assert said(f"/clearband override {pull.head_sha} please", MAIA).status == 1
        assert {one["state"] for one in peer.world.statuses[pull.head_sha]} == {"failure"}

    def test_talk_is_left_alone(self, peer: Peer, pull: Pull, said: Callable[..., Done]) -> None:
        done = said("Looks good to me", MAIA)
        assert done.status == 0
        assert peer.exchanges == []
        assert peer.world.statuses == {}
