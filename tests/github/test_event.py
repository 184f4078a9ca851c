"""Which pull request an event is about."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearband.errors import UsageError
from clearband.github import event
from clearband.github.event import NoPullRequest, PullRequest

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


def test_a_merge_group_is_judged_by_its_base_and_says_so() -> None:
    read = event.read("merge_group", {"merge_group": {"base_sha": BASE, "head_sha": HEAD}})
    assert isinstance(read, NoPullRequest)
    assert read.policy_ref == BASE
    assert "own declaration is not read" in read.reason
    with pytest.raises(UsageError):
        event.read("merge_group", {})


@pytest.mark.parametrize("name", ["workflow_run", "issue_comment", "workflow_call", "release", "", "x" * 500])
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


@given(st.sampled_from(["pull_request", "push", "merge_group", "schedule"]), JSON)
def test_no_payload_gives_anything_but_an_answer_or_a_usage_error(name: str, payload: object) -> None:
    try:
        read = event.read(name, payload)
    except UsageError:
        return
    assert isinstance(read, PullRequest | NoPullRequest)
