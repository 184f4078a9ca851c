"""Which pull request an event is about."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearband.errors import UsageError
from clearband.github import event
from clearband.github.event import NoPullRequest, NothingToDo, OverrideAsked, PullRequest, RunOfPullRequest

HEAD, BASE = "a" * 40, "b" * 40


def payload(**changes: Any) -> dict[str, Any]:
    pull = {
        "number": 7,
        "body": None,
        "head": {"sha": HEAD, "repo": {"full_name": "octo/evals"}},
        "base": {"sha": BASE, "ref": "main"},
        "user": {"login": "octocat"},
    } | changes
    return {"action": "edited", "pull_request": pull}


def test_a_pull_request_is_read_with_its_own_head_not_the_test_merge() -> None:
    assert event.read("pull_request", payload()) == PullRequest(
        number=7, head_sha=HEAD, base_sha=BASE, base_ref="main", head_repository="octo/evals", author="octocat"
    )


@pytest.mark.parametrize("repo", [None, {}, {"full_name": None}], ids=["null", "empty", "nameless"])
def test_a_deleted_head_repository_is_nobodys(repo: object) -> None:
    read = event.read("pull_request", payload(head={"sha": HEAD, "repo": repo}, user=None))
    assert isinstance(read, PullRequest)
    assert (read.head_repository, read.author) == (None, "")


@pytest.mark.parametrize(
    "change",
    [
        {"number": None},
        {"number": "7"},
        {"number": True},
        {"number": 0},
        {"head": None},
        {"head": {"sha": "HEAD"}},
        {"base": {"sha": BASE}},
        {"base": {"sha": BASE.upper(), "ref": "main"}},
    ],
)
def test_a_payload_that_github_does_not_send_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="not what GitHub sends"):
        event.read("pull_request", payload(**change))


def test_pull_request_target_is_refused_with_the_reason() -> None:
    with pytest.raises(UsageError, match="write token"):
        event.read("pull_request_target", payload())


@pytest.mark.parametrize("name", ["push", "schedule", "workflow_dispatch", "repository_dispatch"])
def test_without_a_pull_request_the_default_branchs_policy_holds(name: str) -> None:
    pushed = {"ref": "refs/heads/topic", "after": HEAD, "repository": {"default_branch": "trunk"}}
    read = event.read(name, pushed)
    assert isinstance(read, NoPullRequest)
    assert read.policy_ref == "trunk"
    assert name in read.reason


@pytest.mark.parametrize("repository", [None, {}, {"default_branch": None}, {"default_branch": ""}])
def test_a_payload_without_a_default_branch_leaves_it_to_github(repository: object) -> None:
    read = event.read("schedule", {"repository": repository})
    assert isinstance(read, NoPullRequest)
    assert read.policy_ref == "HEAD"


@pytest.mark.parametrize("base", ["main", "release/1.x", "pr-9-x"])
def test_a_merge_group_names_its_pull_request_and_the_base_it_builds_on(base: str) -> None:
    ref = f"refs/heads/gh-readonly-queue/{base}/pr-104-{HEAD}"
    read = event.read("merge_group", {"merge_group": {"base_sha": BASE, "head_sha": HEAD, "head_ref": ref}})
    assert isinstance(read, NoPullRequest)
    assert (read.policy_ref, read.queued) == (BASE, 104)


@pytest.mark.parametrize(
    "ref",
    [
        "refs/heads/main",
        "refs/heads/gh-readonly-queue/main/pr-x-" + HEAD,
        f"refs/heads/gh-readonly-queue/main/pr-0-{HEAD}",
        f"refs/heads/gh-readonly-queue/main/pr-1-{HEAD}/x",
        None,
    ],
)
def test_a_queue_that_does_not_say_which_pull_request_passes_nothing(ref: str | None) -> None:
    with pytest.raises(UsageError):
        event.read("merge_group", {"merge_group": {"base_sha": BASE, "head_sha": HEAD, "head_ref": ref}})


def finished(**changes: Any) -> dict[str, Any]:
    run = {
        "id": 77,
        "event": "pull_request",
        "path": ".github/workflows/eval.yml@refs/heads/topic",
        "head_sha": HEAD,
        "head_branch": "topic",
        "head_repository": {"full_name": "fork/evals"},
        "pull_requests": [{"number": 1}],
    }
    return {"workflow_run": run | changes}


def test_a_finished_run_says_whose_it_was_and_not_which_pull_request() -> None:
    assert event.read("workflow_run", finished()) == RunOfPullRequest(
        run_id=77, workflow="eval.yml", head_sha=HEAD, head_branch="topic", head_repository="fork/evals"
    )


@pytest.mark.parametrize(
    "change",
    [
        {"event": "push"},
        {"event": "pull_request_target"},
        {"head_repository": None},
        {"head_sha": "HEAD"},
        {"head_branch": None},
        {"path": "eval.yml"},
        {"id": None},
    ],
)
def test_a_finished_run_that_is_no_pull_requests_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        event.read("workflow_run", finished(**change))


def commented(**changes: Any) -> dict[str, Any]:
    return {
        "action": "created",
        "issue": {"number": 7, "pull_request": {"url": "x"}},
        "comment": {"body": f"/clearband override {HEAD} the judge was down"},
    } | changes


def test_a_comment_that_asks_for_an_override_is_about_its_pull_request() -> None:
    assert event.read("issue_comment", commented()) == OverrideAsked(number=7)


@pytest.mark.parametrize(
    "change",
    [
        {"action": "edited"},
        {"action": "deleted"},
        {"issue": {"number": 7}},
        {"comment": {"body": "Looks good to me"}},
        {"comment": {"body": None}},
    ],
)
def test_any_other_comment_is_nothing_to_do(change: dict[str, Any]) -> None:
    assert isinstance(event.read("issue_comment", commented(**change)), NothingToDo)


@pytest.mark.parametrize("name", ["workflow_call", "release", "", "x" * 500])
def test_other_events_are_named_as_not_supported(name: str) -> None:
    with pytest.raises(UsageError, match="not supported yet") as caught:
        event.read(name, {})
    assert caught.value.exit_status == 3


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["pull_request", "head", "base", "sha", "number", "repo", "ref"]), inner)
    ),
    max_leaves=12,
)


@given(st.sampled_from(["pull_request", "push", "merge_group", "schedule", "workflow_run", "issue_comment"]), JSON)
def test_no_payload_gives_anything_but_an_answer_or_a_usage_error(name: str, payload: object) -> None:
    try:
        read = event.read(name, payload)
    except UsageError:
        return
    assert isinstance(read, PullRequest | NoPullRequest | RunOfPullRequest | OverrideAsked | NothingToDo)
