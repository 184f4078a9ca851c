"""One comment per suite: found whoever else writes, updated, never anybody else's."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from clearband.github import comment
from clearband.github.client import Client
from clearband.github.comment import CannotComment, LeftAlone, Place, Posted
from clearband.input_values import CommentMode
from clearband.report.marker import marker
from github.peer import Fault, Identity, Peer, World
from github.peer.faults import RATE_LIMIT, READ_ONLY
from github.peer.world import BOT, MALLORY, Pull

if TYPE_CHECKING:
    from github.conftest import Time

Connect = Callable[..., Client]
Serve = Callable[..., Peer]

RUN_LINE = "<!-- clearband:run id={} attempt={} -->"


def text(verdict: str = "Not blocked", suite: str = "default") -> str:
    return f"{marker(suite)}\n\n**{verdict}**, nDCG@10 +0.0219\n"


def place(pull: Pull, *, run: tuple[int, int] | None = (1001, 1), suite: str = "default", **more: bool) -> Place:
    return Place(repository="octo/evals", number=pull.number, suite=suite, run=run, **more)


def publish(
    client: Client, pull: Pull, said: str | None = None, mode: CommentMode = CommentMode.ALWAYS, **where: object
) -> Posted | LeftAlone | CannotComment:
    return comment.publish(client, place(pull, **where), said or text(), mode)  # type: ignore[arg-type]


def bodies(pull: Pull, author: Identity = BOT) -> list[str]:
    return [one.body for one in pull.comments if one.author == author]


def shown(body: str) -> str:
    """A comment without its two hidden lines."""
    return "\n".join(line for line in body.splitlines() if not line.startswith("<!--")).strip()


class TestTheFirstRun:
    def test_creates_the_comment_with_the_marker_on_its_first_line(self, peer: Peer, connect: Connect) -> None:
        pull = peer.world.open_pull()
        done = publish(connect(peer), pull)
        assert isinstance(done, Posted)
        assert done.url.endswith(f"#issuecomment-{pull.comments[0].id}")
        assert pull.comments[0].body.splitlines()[:2] == [marker("default"), RUN_LINE.format(1001, 1)]

    def test_writes_nothing_where_comments_are_switched_off(self, peer: Peer, connect: Connect) -> None:
        pull = peer.world.open_pull()
        assert isinstance(publish(connect(peer), pull, mode=CommentMode.NEVER), LeftAlone)
        assert peer.calls == []

    def test_a_text_without_its_marker_is_refused_before_anything_is_sent(self, peer: Peer, connect: Connect) -> None:
        with pytest.raises(ValueError, match="marker"):
            publish(connect(peer), peer.world.open_pull(), said="no marker")
        assert peer.calls == []


class TestTheSecondRun:
    def test_updates_the_same_comment(self, peer: Peer, connect: Connect) -> None:
        pull = peer.world.open_pull()
        first = publish(connect(peer), pull)
        second = publish(connect(peer), pull, text("Blocked"), run=(1002, 1))
        assert first == second
        assert [shown(body) for body in bodies(pull)] == ["**Blocked**, nDCG@10 +0.0219"]

    @pytest.mark.parametrize("others", [0, 35, 101, 250])
    def test_finds_it_behind_any_number_of_other_comments(self, peer: Peer, connect: Connect, others: int) -> None:
        pull = peer.world.open_pull()
        for number in range(others):
            peer.world.say(pull, f"remark {number}")
        publish(connect(peer), pull)
        for number in range(others):
            peer.world.say(pull, f"late remark {number}")
        publish(connect(peer), pull, text("Blocked"), run=(1002, 1))
        assert len(bodies(pull)) == 1
        assert len(bodies(pull, MALLORY)) == 2 * others
        assert all(body.startswith(("remark", "late")) for body in bodies(pull, MALLORY))

    def test_a_planted_marker_of_somebody_else_is_neither_changed_nor_believed(
        self, peer: Peer, connect: Connect
    ) -> None:
        pull = peer.world.open_pull()
        planted = [peer.world.say(pull, f"{marker('default')}\nAPPROVED by the team") for _ in range(150)]
        for run in (1001, 1002):
            assert isinstance(publish(connect(peer), pull, text(f"Run {run}"), run=(run, 1)), Posted)
        assert {one.body for one in planted} == {f"{marker('default')}\nAPPROVED by the team"}
        assert [shown(body) for body in bodies(pull)] == ["**Run 1002**, nDCG@10 +0.0219"]

    def test_our_own_comment_that_quotes_the_marker_further_down_is_left_alone(
        self, peer: Peer, connect: Connect
    ) -> None:
        pull = peer.world.open_pull()
        quoting = peer.world.say(pull, f"another workflow says\n{marker('default')}", BOT)
        publish(connect(peer), pull)
        assert quoting.body == f"another workflow says\n{marker('default')}"
        assert len(pull.comments) == 2

    def test_suites_never_touch_each_other(self, peer: Peer, connect: Connect) -> None:
        pull = peer.world.open_pull()
        for suite in ("default", "default2", "judge"):
            publish(connect(peer), pull, text(suite, suite), suite=suite)
        publish(connect(peer), pull, text("again", "default2"), suite="default2", run=(1002, 1))
        assert [body.split("**")[1] for body in bodies(pull)] == ["default", "again", "judge"]

    def test_a_comment_saved_with_windows_line_ends_is_still_ours(self, peer: Peer, connect: Connect) -> None:
        pull = peer.world.open_pull()
        peer.world.say(pull, f"{marker('default')}\r\nold\r\n", BOT)
        publish(connect(peer), pull)
        assert len(pull.comments) == 1

    def test_a_comment_deleted_between_finding_and_writing_is_made_anew(self, peer: Peer, connect: Connect) -> None:
        pull = peer.world.open_pull()
        publish(connect(peer), pull)
        peer.faults.append(Fault(on="PATCH .*", status=404, message="Not Found"))
        done = publish(connect(peer), pull, text("Blocked"), run=(1002, 1))
        assert isinstance(done, Posted)
        assert shown(bodies(pull)[0]) == "**Blocked**, nDCG@10 +0.0219"

    def test_comments_of_deleted_accounts_and_without_a_body_are_read_past(self, peer: Peer, connect: Connect) -> None:
        pull = peer.world.open_pull()
        peer.world.say(pull, marker("default"), author=None)
        peer.world.say(pull, "")
        assert isinstance(publish(connect(peer), pull), Posted)
        assert len(pull.comments) == 3


class TestWhatIsWritten:
    def test_an_older_run_does_not_write_over_a_newer_one(self, peer: Peer, connect: Connect) -> None:
        pull = peer.world.open_pull()
        publish(connect(peer), pull, text("newer"), run=(2000, 1))
        for late in ((1999, 3), (2000, 0)):
            done = publish(connect(peer), pull, text("older"), run=late)
            assert isinstance(done, LeftAlone)
            assert "newer run" in done.reason
        assert shown(bodies(pull)[0]) == "**newer**, nDCG@10 +0.0219"

    def test_a_second_attempt_of_the_same_run_does(self, peer: Peer, connect: Connect) -> None:
        pull = peer.world.open_pull()
        publish(connect(peer), pull, text("one"), run=(2000, 1))
        assert isinstance(publish(connect(peer), pull, text("two"), run=(2000, 2)), Posted)

    def test_on_change_leaves_a_comment_that_says_the_same_alone(self, peer: Peer, connect: Connect) -> None:
        pull = peer.world.open_pull()
        assert isinstance(publish(connect(peer), pull, mode=CommentMode.ON_CHANGE), Posted)
        assert isinstance(publish(connect(peer), pull, mode=CommentMode.ON_CHANGE, run=(1002, 1)), LeftAlone)
        assert isinstance(publish(connect(peer), pull, text("new"), CommentMode.ON_CHANGE, run=(1003, 1)), Posted)
        assert [call.split()[0] for call in peer.calls if "PATCH" in call] == ["PATCH"]

    def test_always_keeps_the_comment_at_the_latest_run(self, peer: Peer, connect: Connect) -> None:
        pull = peer.world.open_pull()
        publish(connect(peer), pull)
        publish(connect(peer), pull, run=(1002, 1))
        assert RUN_LINE.format(1002, 1) in bodies(pull)[0]


class TestIdentity:
    @pytest.mark.parametrize(
        "who",
        [
            Identity("github-actions[bot]", 41898282),
            Identity("our-app[bot]", 77),
            Identity("octocat", 1, installation=False),
        ],
        ids=lambda who: who.login,
    )
    @pytest.mark.parametrize("graphql", [True, False], ids=["GraphQL", "no GraphQL"])
    def test_any_kind_of_token_keeps_one_comment(
        self, serve: Serve, connect: Connect, who: Identity, graphql: bool
    ) -> None:
        peer = serve(World(tokens={"ghs_ours": who}), graphql=graphql)
        pull = peer.world.open_pull()
        peer.world.say(pull, f"{marker('default')}\nplanted")
        urls = {publish(connect(peer), pull, text(f"{run}"), run=(run, 1)) for run in (1, 2, 3)}
        assert len(urls) == 1
        assert [shown(body) for body in bodies(pull, who)] == ["**3**, nDCG@10 +0.0219"]
        assert bodies(pull, MALLORY) == [f"{marker('default')}\nplanted"]

    @pytest.mark.parametrize("raw", [b'{"data": {"nodes": null}}', b'{"data": {"nodes": [null, 7, {}]}}'])
    def test_a_graphql_answer_that_says_nothing_makes_nobodys_comment_ours(
        self, peer: Peer, connect: Connect, raw: bytes
    ) -> None:
        pull = peer.world.open_pull()
        planted = peer.world.say(pull, f"{marker('default')}\nplanted")
        peer.faults.append(Fault(on="POST /graphql", raw=raw, times=9))
        publish(connect(peer), pull)
        publish(connect(peer), pull, text("Blocked"), run=(1002, 1))
        assert planted.body == f"{marker('default')}\nplanted"
        assert [shown(body) for body in bodies(pull)] == ["**Blocked**, nDCG@10 +0.0219"]


class TestRaces:
    def test_two_runs_that_both_found_nothing_end_with_one_comment(self, peer: Peer, connect: Connect) -> None:
        pull = peer.world.open_pull()
        client = connect(peer)
        # The other run's comment appears after our search and before our own, as a race does it.
        lost = Fault(on="POST .*/comments", status=429, headers={"retry-after": "3"})
        peer.faults.append(lost)
        sleep = client.sleep

        def other_run(seconds: float) -> None:
            peer.world.say(pull, f"{marker('default')}\n{RUN_LINE.format(1000, 1)}\nthe other run", BOT)
            sleep(seconds)

        client.sleep = other_run
        assert isinstance(publish(client, pull), Posted)
        assert [shown(body) for body in bodies(pull)] == [shown(text())]

    def test_the_newer_of_two_racing_runs_is_not_overwritten(self, peer: Peer, connect: Connect) -> None:
        pull = peer.world.open_pull()
        client = connect(peer)
        peer.faults.append(Fault(on="POST .*/comments", status=429, headers={"retry-after": "3"}))
        client.sleep = lambda _: peer.world.say(pull, f"{marker('default')}\n{RUN_LINE.format(1002, 1)}\nnewer", BOT)
        assert isinstance(publish(client, pull), LeftAlone)
        assert [shown(body) for body in bodies(pull)] == ["newer"]

    def test_duplicates_of_an_earlier_race_are_folded_into_the_oldest(self, peer: Peer, connect: Connect) -> None:
        pull = peer.world.open_pull()
        for number in range(3):
            peer.world.say(pull, f"{marker('default')}\nduplicate {number}", BOT)
        oldest = pull.comments[0]
        publish(connect(peer), pull)
        assert pull.comments == [oldest]

    def test_a_duplicate_that_the_other_run_removed_first_is_no_problem(self, peer: Peer, connect: Connect) -> None:
        pull = peer.world.open_pull()
        for number in range(2):
            peer.world.say(pull, f"{marker('default')}\nduplicate {number}", BOT)
        peer.faults.append(Fault(on="DELETE .*", status=404, message="Not Found"))
        assert isinstance(publish(connect(peer), pull), Posted)


class TestBadDays:
    @pytest.mark.parametrize(
        "fault",
        [
            Fault(on="POST .*/comments", status=502, html=True, after=True),
            Fault(on="POST .*/comments", hang_up=True, after=True),
            Fault(on="POST .*/comments", hang_up=True),
            Fault(on="POST .*/comments", status=500, times=3),
            Fault(on="POST .*/comments", status=403, message=RATE_LIMIT),
            Fault(on="POST .*/comments", status=429, headers={"retry-after": "7"}),
        ],
        ids=["done and 502", "done and cut off", "cut off", "three times 500", "secondary limit", "429"],
    )
    def test_one_comment_whatever_became_of_the_first_attempt(self, peer: Peer, connect: Connect, fault: Fault) -> None:
        pull = peer.world.open_pull()
        peer.faults.append(Fault(**vars(fault)))
        assert isinstance(publish(connect(peer), pull), Posted)
        assert [shown(body) for body in bodies(pull)] == [shown(text())]

    def test_a_comment_that_was_made_by_the_last_attempt_counts(self, peer: Peer, connect: Connect) -> None:
        pull = peer.world.open_pull()
        peer.faults.append(Fault(on="POST .*/comments", status=503, times=4))
        peer.faults.append(Fault(on="POST .*/comments", status=503, after=True))
        assert isinstance(publish(connect(peer), pull), Posted)
        assert len(pull.comments) == 1

    def test_a_missing_permission_is_named_and_not_retried(self, serve: Serve, connect: Connect, time: Time) -> None:
        peer = serve(World(tokens={"ghs_ours": Identity("github-actions[bot]", 41898282, writes=False)}))
        pull = peer.world.open_pull()
        done = publish(connect(peer), pull)
        assert isinstance(done, CannotComment)
        assert READ_ONLY in done.reason
        assert "pull-requests: write" in done.remedy
        assert (time.slept, pull.comments) == ([], [])

    def test_on_a_fork_the_remedy_is_the_fork_recipe(self, serve: Serve, connect: Connect) -> None:
        peer = serve(World(tokens={"ghs_ours": Identity("github-actions[bot]", 41898282, writes=False)}))
        done = publish(connect(peer), peer.world.open_pull(head="fork/evals"), read_only_token=True)
        assert isinstance(done, CannotComment)
        assert "docs/recipes/forks.md" in done.remedy

    def test_a_locked_conversation_is_called_that(self, peer: Peer, connect: Connect) -> None:
        said = "Unable to create comment because issue is locked."
        peer.faults.append(Fault(on="POST .*/comments", status=403, message=said))
        done = publish(connect(peer), peer.world.open_pull())
        assert isinstance(done, CannotComment)
        assert "locked" in done.remedy

    @pytest.mark.parametrize("status", [401, 404, 410, 422, 500])
    @pytest.mark.parametrize("call", ["GET .*/comments", "POST .*/comments"])
    def test_no_answer_of_github_becomes_an_exception(
        self, peer: Peer, connect: Connect, call: str, status: int
    ) -> None:
        peer.faults.append(Fault(on=call, status=status, times=99))
        done = publish(connect(peer), peer.world.open_pull())
        assert isinstance(done, CannotComment)
        assert str(status) in done.reason
        assert done.remedy

    @pytest.mark.parametrize("raw", [b"", b"null", b"[", b"{}", b'[{"id": "x"}]', b"[" * 100_000])
    def test_answers_that_are_no_comments_are_reported(self, peer: Peer, connect: Connect, raw: bytes) -> None:
        peer.faults.append(Fault(on="GET .*/comments", raw=raw, times=99))
        assert isinstance(publish(connect(peer), peer.world.open_pull()), CannotComment)
