"""A merge queue: passed is what the ledger says passed on the pull request's head, or what is compared anew."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from github.acting import BETTER, DECLARED, POLICY, WORSE, Done, ours
from github.peer import Identity, Peer

if TYPE_CHECKING:
    from collections.abc import Callable

    from github.peer.world import Pull

    Act = Callable[..., Done]

RULES = POLICY + b"ledger: branch\n"


@pytest.fixture
def pull(peer: Peer) -> Pull:
    return peer.world.open_pull(DECLARED, policy=RULES)


@pytest.fixture
def queue(peer: Peer, pull: Pull, act: Act) -> Callable[..., Done]:
    """The gate in the queue; without results of its own unless some are given."""

    def once(candidate: str | None = None, **more: Any) -> Done:
        ref = f"refs/heads/gh-readonly-queue/main/pr-{pull.number}-{pull.head_sha}"
        event = {"merge_group": {"base_sha": pull.base_sha, "head_sha": "e" * 40, "head_ref": ref}}
        given = {"baseline": None} if candidate is None else {}
        env = {"GITHUB_RUN_ID": "3003"}
        return act(peer, pull, candidate=candidate, event=event, name="merge_group", env=env, **given, **more)

    return once


def forget(done: Done) -> None:
    for file in ("baseline.jsonl", "candidate.jsonl"):
        (done.runner.workspace / file).unlink()


def test_what_passed_on_this_head_passes(peer: Peer, pull: Pull, act: Act, queue: Callable[..., Done]) -> None:
    forget(act(peer, pull, candidate=BETTER))
    before = ours(pull)
    done = queue()
    assert done.status == 0
    assert "passed on this head already: entry 1" in done.runner.summary
    assert done.record["verdict"]["reasons"][0]["code"] == "queued"
    assert ours(pull) == before


def test_what_was_blocked_is_not_passed_without_a_new_comparison(
    peer: Peer, pull: Pull, act: Act, queue: Callable[..., Done]
) -> None:
    forget(act(peer, pull, candidate=WORSE))
    assert queue().status == 3
    assert queue(WORSE).status == 1


def test_an_older_pass_does_not_stand_against_a_newer_block(
    peer: Peer, pull: Pull, act: Act, queue: Callable[..., Done]
) -> None:
    act(peer, pull, candidate=BETTER)
    forget(act(peer, pull, candidate=WORSE, env={"GITHUB_RUN_ID": "1002"}))
    assert queue().status == 3


def test_another_head_or_another_policy_is_compared_anew(
    peer: Peer, pull: Pull, act: Act, queue: Callable[..., Done]
) -> None:
    forget(act(peer, pull, candidate=BETTER))
    peer.world.commits[pull.base_sha][".github/clearband.yml"] = RULES + b"min_questions: 20\n"
    assert queue().status == 3
    peer.world.commits[pull.base_sha][".github/clearband.yml"] = RULES
    pull.head_sha = peer.world.commit()
    assert queue().status == 3
    assert queue(BETTER).status == 0


def test_what_somebody_let_through_is_let_through_here(
    peer: Peer, pull: Pull, act: Act, queue: Callable[..., Done]
) -> None:
    peer.world.permissions["maia"] = (501, "write")
    peer.world.say(pull, f"/clearband override {pull.head_sha} known", Identity("maia", 501, installation=False))
    first = act(peer, pull, candidate=WORSE)
    assert first.status == 0
    forget(first)
    assert queue().status == 0


def test_without_a_ledger_nothing_passes_unseen(peer: Peer, pull: Pull, act: Act, queue: Callable[..., Done]) -> None:
    peer.world.commits[pull.base_sha][".github/clearband.yml"] = POLICY
    forget(act(peer, pull, candidate=BETTER))
    assert queue().status == 3


def test_a_comparison_in_the_queue_is_held_to_the_pull_requests_own_declaration(
    peer: Peer, pull: Pull, queue: Callable[..., Done]
) -> None:
    pull.body = DECLARED.replace("accuracy", "latency")
    done = queue(WORSE)
    primary = next(metric for metric in done.record["metrics"] if metric["role"] == "primary")
    assert primary["name"] == "latency"
    there = peer.world.commits[peer.world.branches["clearband-ledger"]]
    (entry,) = [json.loads(data) for path, data in there.items() if path.endswith(".json")]
    assert (entry["pr"]["number"], entry["run"]["event"]) == (pull.number, "merge_group")
