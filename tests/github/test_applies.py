"""Pull requests that the policy's `paths` do not mean are green without an evaluation; in doubt they are meant."""

from __future__ import annotations

import html
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from github.acting import DECLARED, POLICY, WORSE, Done, ours
from github.peer import Fault, Peer

if TYPE_CHECKING:
    from github.peer.world import Pull

Act = Callable[..., Done]
WITH_PATHS = POLICY + b"paths: [src/**, prompts/]\n"


def opened(peer: Peer, *files: str) -> Pull:
    pull = peer.world.open_pull(DECLARED, policy=WITH_PATHS)
    pull.files = list(files)
    return pull


def test_documentation_alone_needs_no_result_and_gets_no_comment(peer: Peer, act: Act) -> None:
    pull = opened(peer, "docs/a.md", "README.md")
    done = act(peer, pull, baseline=None, candidate=None)
    assert done.status == 0
    assert done.runner.outputs["outcome"] == "not-gated"
    assert ours(pull) == []
    assert "Not applicable" in done.runner.summary
    assert done.record["verdict"]["reasons"][0]["code"] == "not-applicable"


@pytest.mark.parametrize("file", ["src/deep/app.py", "prompts/system.txt"])
def test_one_file_that_is_meant_is_enough(peer: Peer, act: Act, file: str) -> None:
    assert act(peer, opened(peer, "docs/a.md", file), candidate=WORSE).status == 1


def test_an_older_comment_is_brought_up_to_date(peer: Peer, act: Act) -> None:
    pull = opened(peer, "src/app.py")
    act(peer, pull, candidate=WORSE)
    pull.files = ["docs/a.md"]
    assert act(peer, pull, env={"GITHUB_RUN_ID": "1002"}).status == 0
    assert "Not applicable" in ours(pull)[0]


def test_every_page_of_files_is_read(peer: Peer, act: Act) -> None:
    pull = opened(peer, *(f"docs/{number}.md" for number in range(250)), "src/app.py")
    assert act(peer, pull, candidate=WORSE).status == 1


def test_as_many_files_as_github_lists_may_not_be_all(peer: Peer, act: Act) -> None:
    pull = opened(peer, *(f"docs/{number}.md" for number in range(3_000)))
    assert act(peer, pull, candidate=WORSE).status == 1


def test_a_list_that_cannot_be_read_concerns_everybody(peer: Peer, act: Act) -> None:
    peer.faults.append(Fault(on="GET .*/files", times=99, status=500))
    assert act(peer, opened(peer, "docs/a.md"), candidate=WORSE).status == 1


class TestFirstContact:
    def test_the_pull_request_that_brings_everything_has_nothing_to_be_held_to(self, peer: Peer, act: Act) -> None:
        pull = peer.world.open_pull(DECLARED)
        done = act(peer, pull, baseline=None)
        assert done.status == 0
        assert done.runner.outputs["outcome"] == "not-gated"
        assert "not set up yet" in ours(pull)[0]
        assert "baseline" in ours(pull)[0]

    def test_the_policy_that_it_brings_is_read_to_say_whether_it_can_be_used(self, peer: Peer, act: Act) -> None:
        pull = peer.world.open_pull(DECLARED)
        peer.world.commits[pull.head_sha][".github/clearband.yml"] = POLICY
        assert act(peer, pull, candidate=WORSE).status == 0
        assert "can be used, and it holds for the pull requests after it" in ours(pull)[0]
        peer.world.commits[pull.head_sha][".github/clearband.yml"] = b"primary: recal\nmetrics: {recall: }\n"
        done = act(peer, pull, candidate=WORSE, env={"GITHUB_RUN_ID": "1002"})
        assert done.status == 0
        said = html.unescape(ours(pull)[0])
        assert "mend the policy that this pull request brings" in said
        assert "line 1" in said
        assert "recall" in said

    def test_each_suite_of_the_policy_that_it_brings_is_read(self, peer: Peer, act: Act) -> None:
        pull = peer.world.open_pull(DECLARED)
        broken = b"suites:\n  good: {primary: accuracy}\n  bad: {confidence: 95}\n"
        peer.world.commits[pull.head_sha][".github/clearband.yml"] = broken
        act(peer, pull)
        assert "suites.bad.confidence" in html.unescape(ours(pull)[0])

    def test_a_branch_that_cannot_be_read_changes_nothing(self, peer: Peer, act: Act) -> None:
        pull = peer.world.open_pull(DECLARED)
        peer.faults.append(Fault(on="GET .*/contents/.*", times=99, status=403, skip=1))
        assert act(peer, pull).status == 0
        assert "add the policy to the base branch" in ours(pull)[0]

    def test_a_baseline_that_is_missing_later_is_a_failure(self, peer: Peer, act: Act) -> None:
        assert act(peer, peer.world.open_pull(DECLARED, policy=POLICY), baseline=None).status == 3

    def test_a_policy_that_cannot_be_read_is_not_taken_for_none(self, peer: Peer, act: Act) -> None:
        peer.faults.append(Fault(on="GET .*/contents/.*", times=99, status=500))
        assert act(peer, peer.world.open_pull(DECLARED), baseline=None).status == 3
