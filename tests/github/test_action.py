"""The whole Action against a GitHub on loopback: event in; record, outputs, summary, comment and exit status out."""

from __future__ import annotations

import html
from collections.abc import Callable
from typing import Any

import pytest

from clearband.report.marker import marker
from github.acting import BETTER, DECLARED, NO_DEFAULT, POLICY, READ_ONLY_TOKEN, WORSE, Done, ours
from github.conftest import Runner, event_of
from github.peer import Fault, Peer, World
from github.peer.faults import RATE_LIMIT, READ_ONLY
from github.peer.world import MALLORY

Act = Callable[..., Done]


class TestTheVerdict:
    def test_an_improvement_passes_and_says_so_everywhere(self, peer: Peer, act: Act) -> None:
        pull = peer.world.open_pull(DECLARED, policy=POLICY)
        done = act(peer, pull)
        assert done.status == 0
        assert done.runner.outputs["outcome"] == "pass"
        assert done.runner.outputs["exit-status"] == "0"
        assert done.runner.outputs["primary-metric"] == "accuracy"
        assert done.runner.outputs["comment-url"].endswith(f"#issuecomment-{pull.comments[0].id}")
        assert float(done.runner.outputs["interval-low"]) > 0
        assert float(done.runner.outputs["delta"]) == pytest.approx(20 / 120)
        assert (done.runner.workspace / done.runner.outputs["record-path"]).is_file()
        assert done.record["verdict"]["outcome"] == "pass"
        assert done.runner.summary
        assert [line.split(" ")[0] for line in done.annotations] == ["::notice"]

    def test_a_regressing_primary_blocks_with_comment_and_record_written(self, peer: Peer, act: Act) -> None:
        pull = peer.world.open_pull(DECLARED, policy=POLICY)
        done = act(peer, pull, candidate=WORSE)
        assert done.status == 1
        assert done.record["verdict"]["exit_status"] == 1
        assert done.runner.outputs["outcome"] == "blocked"
        assert [body.splitlines()[0] for body in ours(pull)] == [marker("default")]
        assert done.annotations[0].startswith("::error title=Clearband%3A blocked::")

    def test_a_second_run_updates_the_same_comment(self, peer: Peer, act: Act) -> None:
        pull = peer.world.open_pull(DECLARED, policy=POLICY)
        first = act(peer, pull, candidate=BETTER)
        before = ours(pull)
        second = act(peer, pull, candidate=WORSE, env={"GITHUB_RUN_ID": "1002"})
        assert (first.status, second.status) == (0, 1)
        assert first.runner.outputs["comment-url"] == second.runner.outputs["comment-url"]
        assert len(ours(pull)) == 1
        assert ours(pull) != before

    def test_250_foreign_comments_and_a_planted_marker_confuse_nobody(self, peer: Peer, act: Act) -> None:
        pull = peer.world.open_pull(DECLARED, policy=POLICY)
        planted = peer.world.say(pull, f"{marker('default')}\nAPPROVED", MALLORY)
        for number in range(250):
            peer.world.say(pull, f"remark {number}")
        act(peer, pull)
        act(peer, pull, candidate=WORSE, env={"GITHUB_RUN_ID": "1002"})
        assert len(ours(pull)) == 1
        assert len(pull.comments) == 252
        assert planted.body == f"{marker('default')}\nAPPROVED"

    def test_the_comment_file_is_the_comment_but_for_the_hidden_line_of_the_run(self, peer: Peer, act: Act) -> None:
        pull = peer.world.open_pull(DECLARED, policy=POLICY)
        done = act(peer, pull)
        first, _, rest = (done.runner.workspace / "clearband-out" / "comment.md").read_text().partition("\n")
        assert ours(pull)[0].split("\n", 2) == [first, "<!-- clearband:run id=1001 attempt=1 -->", rest]


class TestTheDeclaration:
    def test_it_is_the_live_body_that_counts_not_the_events(self, peer: Peer, act: Act) -> None:
        pull = peer.world.open_pull(DECLARED, policy=NO_DEFAULT)
        stale = event_of(pull, peer.world.repository)
        stale["pull_request"]["body"] = DECLARED.replace("accuracy", "latency")
        assert act(peer, pull, event=stale).runner.outputs["primary-metric"] == "accuracy"

    @pytest.mark.parametrize("body", [None, "", "no declaration here\r\n"], ids=["null", "empty", "prose"])
    def test_nothing_declared_and_no_default_is_no_verdict_with_the_block_to_paste(
        self, peer: Peer, act: Act, body: str | None
    ) -> None:
        pull = peer.world.open_pull(body, policy=NO_DEFAULT)
        done = act(peer, pull)
        assert done.status == 3
        assert done.runner.outputs["outcome"] == "invalid"
        assert done.runner.outputs["delta"] == ""
        assert "primary_metric" in ours(pull)[0]
        assert "primary_metric" in done.runner.summary
        assert "primary_metric" in done.annotations[0]

    @pytest.mark.parametrize("body", [None, "no declaration here"])
    def test_nothing_declared_leaves_the_policys_primary(self, peer: Peer, act: Act, body: str | None) -> None:
        pull = peer.world.open_pull(body, policy=POLICY)
        assert act(peer, pull, candidate=WORSE).status == 1

    @pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
    def test_line_ends_do_not_matter(self, peer: Peer, act: Act, ends: str) -> None:
        pull = peer.world.open_pull(DECLARED.replace("\r\n", ends), policy=NO_DEFAULT)
        assert act(peer, pull).runner.outputs["primary-metric"] == "accuracy"

    def test_the_input_cannot_choose_the_primary_of_a_pull_request(self, peer: Peer, act: Act) -> None:
        pull = peer.world.open_pull(DECLARED, policy=POLICY)
        done = act(peer, pull, primary_metric="latency")
        assert done.runner.outputs["primary-metric"] == "accuracy"
        assert "primary-metric" in done.log


class TestThePolicy:
    def test_a_repository_that_is_not_set_up_is_not_gated_and_green(self, peer: Peer, act: Act) -> None:
        pull = peer.world.open_pull(DECLARED)
        done = act(peer, pull, candidate=WORSE)
        assert done.status == 0
        assert done.runner.outputs["outcome"] == "not-gated"
        assert "not set up yet" in ours(pull)[0]
        assert ".github/clearband.yml" in html.unescape(ours(pull)[0])

    def test_the_pull_requests_own_policy_is_not_read(
        self, peer: Peer, act: Act, runner: Callable[..., Runner]
    ) -> None:
        pull = peer.world.open_pull(DECLARED, policy=POLICY)
        peer.world.commits[pull.head_sha][".github/clearband.yml"] = b"mode: report\n"
        workspace = runner(peer, {}).workspace
        (workspace / ".github").mkdir()
        (workspace / ".github" / "clearband.yml").write_text("mode: report\n")
        assert act(peer, pull, candidate=WORSE).status == 1

    def test_an_unusable_policy_is_no_verdict(self, peer: Peer, act: Act) -> None:
        pull = peer.world.open_pull(DECLARED, policy=b"primry: accuracy\n")
        done = act(peer, pull)
        assert done.status == 3
        assert "primry" in done.annotations[0]
        assert len(ours(pull)) == 1

    @pytest.mark.parametrize("call", ["GET .*/pulls/.*", "GET .*/contents/.*"])
    @pytest.mark.parametrize("status", [403, 404, 500])
    def test_a_read_that_the_verdict_needs_and_that_fails_is_never_a_pass(
        self, peer: Peer, act: Act, call: str, status: int
    ) -> None:
        pull = peer.world.open_pull(DECLARED, policy=POLICY)
        peer.faults.append(Fault(on=call, status=status, times=99))
        done = act(peer, pull)
        assert done.status == 3
        assert done.runner.outputs["outcome"] == "invalid"
        assert str(status) in done.annotations[0]
        assert done.record["verdict"]["outcome"] == "invalid"


class TestTheComment:
    @pytest.mark.parametrize(
        "head",
        ["octo/evals", "stranger/evals", None],
        ids=["same repository", "fork", "deleted fork"],
    )
    @pytest.mark.parametrize("candidate", [BETTER, WORSE], ids=["passes", "blocked"])
    def test_a_refused_comment_is_one_clear_warning_and_changes_nothing_else(
        self, serve: Callable[..., Peer], act: Act, head: str | None, candidate: str
    ) -> None:
        peer = serve(World(tokens={"ghs_ours": READ_ONLY_TOKEN}))
        status = 1 if candidate is WORSE else 0
        pull = peer.world.open_pull(DECLARED, policy=POLICY, head=head)
        done = act(peer, pull, candidate=candidate)
        if head is None:  # GitHub's description says that it cannot be null; GitHub does send null
            peer.exchanges.clear()
        assert done.status == status
        assert done.record["verdict"]["exit_status"] == status
        assert "comment-url" not in done.runner.outputs
        warnings = [line for line in done.annotations if line.startswith("::warning")]
        assert len(warnings) == 1
        assert READ_ONLY in warnings[0]
        assert ("pull-requests: write" if head == "octo/evals" else "docs/recipes/forks.md") in warnings[0]

    def test_dependabot_is_told_what_its_token_may_do(self, serve: Callable[..., Peer], act: Act) -> None:
        peer = serve(World(tokens={"ghs_ours": READ_ONLY_TOKEN}))
        done = act(peer, peer.world.open_pull(DECLARED, policy=POLICY), env={"GITHUB_ACTOR": "dependabot[bot]"})
        assert done.status == 0
        assert "Dependabot" in done.annotations[-1]

    @pytest.mark.parametrize(
        "fault", [{"status": 500}, {"status": 422}, {"status": 403, "message": RATE_LIMIT}, {"hang_up": True}]
    )
    @pytest.mark.parametrize("call", ["GET .*/comments", "POST .*/comments"])
    def test_no_bad_day_of_the_comment_moves_the_exit_status(
        self, peer: Peer, act: Act, fault: dict[str, Any], call: str
    ) -> None:
        pull = peer.world.open_pull(DECLARED, policy=POLICY)
        peer.faults.append(Fault(on=call, times=99, **fault))
        done = act(peer, pull)
        assert done.status == 0
        assert any("comment could not be written" in line for line in done.annotations)

    def test_never_means_no_call_about_comments(self, peer: Peer, act: Act) -> None:
        pull = peer.world.open_pull(DECLARED, policy=POLICY)
        assert act(peer, pull, comment="never").status == 0
        assert [call for call in peer.calls if "comments" in call] == []
        assert pull.comments == []

    def test_on_change_leaves_an_equal_comment_alone(self, peer: Peer, act: Act) -> None:
        pull = peer.world.open_pull(DECLARED, policy=POLICY)
        for run in ("1001", "1002"):
            act(peer, pull, comment="on-change", env={"GITHUB_RUN_ID": run})
        assert [call.split()[0] for call in peer.calls if call.split()[0] != "GET" and "issues" in call] == ["POST"]

    def test_record_outputs_and_summary_are_there_before_the_comment_is_tried(self, peer: Peer, act: Act) -> None:
        pull = peer.world.open_pull(DECLARED, policy=POLICY)
        peer.faults.append(Fault(on="GET .*/comments", raw=b'[{"id": 1, "body": [' + b"[" * 200_000))
        done = act(peer, pull)
        assert done.status == 0
        assert done.runner.outputs["outcome"] == "pass"
        assert done.runner.summary
