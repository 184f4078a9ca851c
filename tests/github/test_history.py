"""The description's history and the first result, read from the peer with all that GitHub leaves out or hides."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clearband.errors import GitHubError
from clearband.github import first_result, history, pull_request
from clearband.registration import Evidence, Revision
from github.peer import Fault, Peer
from github.peer.past import OPENED

if TYPE_CHECKING:
    from collections.abc import Callable

    from clearband.github.client import Client
    from clearband.registration import FirstResult, History
    from github.peer.world import Pull


def at(day: int, second: int = 0) -> str:
    return f"2026-01-{day:02}T00:00:{second:02}Z"


@pytest.fixture
def pull(peer: Peer) -> Pull:
    return peer.world.open_pull("first")


class TestHistory:
    @pytest.fixture
    def told(self, peer: Peer, pull: Pull, connect: Callable[..., Client]) -> Callable[[], History]:
        def read() -> History:
            client = connect(peer)
            live = pull_request.read(client, peer.world.repository, pull.number)
            return history.read(client, peer.world.repository, live)

        return read

    def test_a_description_that_was_never_edited_is_its_own_history(self, told: Callable[[], History]) -> None:
        one = told()
        assert one.revisions == (Revision(at=OPENED, body="first"),)
        assert one.complete
        assert one.last_edited_at is None

    def test_every_version_is_there_whole_and_oldest_first(
        self, peer: Peer, pull: Pull, told: Callable[[], History]
    ) -> None:
        peer.world.past.edit(pull, "second\r\nline", at(3))
        peer.world.past.edit(pull, "third", at(4))
        one = told()
        assert one.revisions == (
            Revision(at=OPENED, body="first"),
            Revision(at=at(3), body="second\r\nline"),
            Revision(at=at(4), body="third"),
        )
        assert one.complete
        assert one.last_edited_at == at(4)

    def test_edits_of_one_second_keep_their_order(self, peer: Peer, pull: Pull, told: Callable[[], History]) -> None:
        for body in ("second", "third", "fourth"):
            peer.world.past.edit(pull, body, at(3))
        assert [revision.body for revision in told().revisions] == ["first", "second", "third", "fourth"]

    def test_hundreds_of_edits_are_read_page_by_page(self, peer: Peer, pull: Pull, told: Callable[[], History]) -> None:
        for number in range(130):
            peer.world.past.edit(pull, f"version {number}", at(3 + number // 60, number % 60))
        one = told()
        assert [revision.body for revision in one.revisions] == ["first", *(f"version {n}" for n in range(130))]
        assert one.complete

    def test_a_deleted_version_keeps_its_time_and_cannot_be_read(
        self, peer: Peer, pull: Pull, told: Callable[[], History]
    ) -> None:
        peer.world.past.edit(pull, "second", at(3))
        peer.world.past.edit(pull, "third", at(4))
        peer.world.past.forget(pull, 1)
        assert told().revisions[1] == Revision(at=at(3), body=None)

    def test_an_original_that_is_not_named_cannot_be_read(
        self, peer: Peer, pull: Pull, told: Callable[[], History]
    ) -> None:
        peer.world.past.edit(pull, "second", at(3))
        del peer.world.past.of(pull).edits[0]
        peer.world.past.of(pull).names_original = False
        assert told().revisions == (Revision(at=OPENED, body=None), Revision(at=at(3), body="second"))

    def test_edits_that_are_counted_but_not_shown_leave_it_incomplete(
        self, peer: Peer, pull: Pull, told: Callable[[], History]
    ) -> None:
        peer.world.past.edit(pull, "second", at(3))
        peer.world.past.edit(pull, "third", at(4))
        peer.world.past.of(pull).hidden_edits = 1
        one = told()
        assert not one.complete
        assert one.last_edited_at == at(4)

    def test_a_history_that_lags_behind_the_description_is_incomplete(
        self, peer: Peer, pull: Pull, told: Callable[[], History]
    ) -> None:
        peer.world.past.edit(pull, "second", at(3))
        pull.body = "already the third"
        assert not told().complete

    @pytest.mark.parametrize(
        "answer", [b'{"data": {"repository": null}}', b'{"data": {"repository": {"pullRequest": null}}}']
    )
    def test_one_that_may_not_be_read_is_incomplete_and_says_nothing(
        self, peer: Peer, told: Callable[[], History], answer: bytes
    ) -> None:
        peer.faults.append(Fault(on="POST .*/graphql", raw=answer))
        one = told()
        assert not one.complete
        assert one.revisions == (Revision(at=OPENED, body=None),)

    def test_an_outage_is_no_answer(self, peer: Peer, told: Callable[[], History]) -> None:
        peer.faults.append(Fault(on="POST .*/graphql", times=99, status=502, html=True))
        with pytest.raises(GitHubError):
            told()


class TestFirstResult:
    @pytest.fixture
    def told(self, peer: Peer, pull: Pull, connect: Callable[..., Client]) -> Callable[..., FirstResult]:
        def read(workflow: str | None = "clearband.yml", run: int | None = None) -> FirstResult:
            client = connect(peer)
            live = pull_request.read(client, peer.world.repository, pull.number)
            return first_result.read(client, peer.world.repository, live, workflow=workflow, run=run)

        return read

    def test_the_earliest_run_counts_whatever_became_of_its_commit(
        self, peer: Peer, pull: Pull, told: Callable[..., FirstResult]
    ) -> None:
        peer.world.past.start(pull.head_sha, at(5))
        first = peer.world.past.start("f" * 40, at(3))
        peer.world.past.start("e" * 40, at(4))
        assert told().evidence == Evidence(at=at(3), what="the first evaluation began", source=f"run {first.id}")

    def test_runs_before_the_pull_request_and_for_other_events_are_others(
        self, peer: Peer, pull: Pull, told: Callable[..., FirstResult]
    ) -> None:
        peer.world.past.start("f" * 40, at(1))
        peer.world.past.start("f" * 40, at(3), event="push")
        peer.world.past.start("f" * 40, at(3), branch="another")
        own = peer.world.past.start(pull.head_sha, at(5))
        one = told()
        assert one.evidence is not None
        assert one.evidence.source == f"run {own.id}"

    def test_the_runs_are_read_page_by_page(self, peer: Peer, pull: Pull, told: Callable[..., FirstResult]) -> None:
        for number in range(120):
            peer.world.past.start(pull.head_sha, at(3 + number // 60, number % 60))
        one = told()
        assert one.evidence is not None
        assert one.evidence.at == at(3)

    def test_more_runs_than_github_lists_are_not_guessed_about(
        self, peer: Peer, pull: Pull, told: Callable[..., FirstResult]
    ) -> None:
        for _ in range(1001):
            peer.world.past.start(pull.head_sha, at(3))
        one = told()
        assert one.evidence is None
        assert one.why_not == "GitHub lists only the last 1000 runs on this branch."
        peer.exchanges.clear()  # the judge has seen such pages; ten of the largest take seconds

    @pytest.mark.parametrize("status", [403, 404])
    def test_a_missing_permission_is_named(self, peer: Peer, told: Callable[..., FirstResult], status: int) -> None:
        peer.faults.append(Fault(on="GET .*/runs", status=status, message="Resource not accessible by integration"))
        one = told()
        assert one.evidence is None
        assert one.why_not is not None
        assert "`actions: read`" in one.why_not

    def test_an_outage_is_no_answer(self, peer: Peer, told: Callable[..., FirstResult]) -> None:
        peer.faults.append(Fault(on="GET .*/runs", times=99, status=500))
        with pytest.raises(GitHubError):
            told()

    @pytest.mark.parametrize("workflow", [None, "clearband.yml"])
    def test_what_is_not_listed_or_not_known_is_said(
        self, told: Callable[..., FirstResult], workflow: str | None
    ) -> None:
        one = told(workflow)
        assert one.evidence is None
        assert one.why_not

    def test_a_list_that_lags_behind_is_helped_by_the_present_run(
        self, peer: Peer, pull: Pull, told: Callable[..., FirstResult]
    ) -> None:
        present = peer.world.past.start(pull.head_sha, at(5), branch="not listed yet")
        assert told(run=present.id).evidence == Evidence(
            at=at(5), what="the first evaluation began", source=f"run {present.id}"
        )
        assert told(run=123).evidence is None
