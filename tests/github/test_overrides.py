"""Overrides, read from the comments of a pull request on the peer: who may, for which commit, and what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clearband.errors import GitHubError
from clearband.github import overrides
from clearband.override import Override, Overrides, Wish, parse, to_paste
from github.peer import Fault, Identity, Peer
from github.peer.world import BOT

if TYPE_CHECKING:
    from collections.abc import Callable

    from clearband.github.client import Client
    from github.peer.world import Pull

MAINTAINER = Identity("maia", 501, installation=False)
VISITOR = Identity("vic", 502, installation=False)
AUTHOR = Identity("alex", 503, installation=False)
OTHER = "f" * 40


@pytest.fixture
def pull(peer: Peer) -> Pull:
    peer.world.permissions = {"maia": (501, "write"), "vic": (502, "read"), "alex": (503, "admin")}
    return peer.world.open_pull("")


@pytest.fixture
def found(peer: Peer, pull: Pull, connect: Callable[..., Client]) -> Callable[..., Overrides]:
    def read(*, by_author: bool = False) -> Overrides:
        client = connect(peer)
        return overrides.read(
            client, peer.world.repository, pull.number, head_sha=pull.head_sha, author_id=503, by_author=by_author
        )

    return read


def line(sha: str, reason: str = "known flake, see #12") -> str:
    return f"/clearband override {sha} {reason}"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (line(OTHER), Wish(sha=OTHER, reason="known flake, see #12")),
        (f"\r\n  {line(OTHER)}\r\nand a second line", Wish(sha=OTHER, reason="known flake, see #12")),
        (line(OTHER.upper()), Wish(sha=OTHER, reason="known flake, see #12")),
        ("/clearband override", "does not name the whole commit id"),
        ("/clearband override abc1234 because", "does not name the whole commit id"),
        (f"/clearband override {OTHER}", "gives no reason"),
        (f"> {line(OTHER)}", None),
        (f"One may write\n{line(OTHER)}", None),
        ("/clearband overrides", None),
        ("", None),
    ],
)
def test_a_comment_asks_for_an_override_on_its_first_line(body: str, expected: Wish | str | None) -> None:
    assert parse(body) == expected


def test_the_line_to_paste_is_understood_once_a_reason_is_given() -> None:
    assert parse(to_paste(OTHER).replace("<reason>", "why")) == Wish(sha=OTHER, reason="why")


def test_who_may_write_overrides_one_commit_with_a_reason(
    peer: Peer, pull: Pull, found: Callable[..., Overrides]
) -> None:
    comment = peer.world.say(pull, line(pull.head_sha), MAINTAINER)
    assert found() == Overrides(
        sha=pull.head_sha,
        held=Override(
            sha=pull.head_sha, reason="known flake, see #12", author="maia", author_id=501, at=comment.created_at,
            comment_id=comment.id, url=f"{peer.api_url}/repos/octo/evals/pull/{pull.number}#issuecomment-{comment.id}",
        ),
    )  # fmt: skip


def test_another_commits_override_says_nothing_about_this_one(
    peer: Peer, pull: Pull, found: Callable[..., Overrides]
) -> None:
    peer.world.say(pull, line(OTHER), MAINTAINER)
    assert found() == Overrides(sha=pull.head_sha)


@pytest.mark.parametrize(
    ("who", "why"),
    [
        (VISITOR, "is by somebody without write permission"),
        (Identity("nobody", 9, installation=False), "is by somebody who does not belong to the repository"),
        (Identity("maia", 999, installation=False), "is by an account that has changed its name since"),
        (BOT, "is not by a person"),
        (AUTHOR, "is by the pull request's own author, which the policy does not allow"),
    ],
    ids=["reader", "stranger", "taken-over name", "bot", "author"],
)
def test_who_may_not_is_refused_with_the_reason(
    peer: Peer, pull: Pull, found: Callable[..., Overrides], who: Identity, why: str
) -> None:
    peer.world.say(pull, line(pull.head_sha), who)
    read = found()
    assert read.held is None
    assert [one.why for one in read.refused] == [why]


def test_the_author_may_where_the_policy_says_so(peer: Peer, pull: Pull, found: Callable[..., Overrides]) -> None:
    peer.world.say(pull, line(pull.head_sha), AUTHOR)
    held = found(by_author=True).held
    assert held is not None
    assert held.author == "alex"


def test_an_edited_comment_holds_no_longer(peer: Peer, pull: Pull, found: Callable[..., Overrides]) -> None:
    peer.world.say(pull, line(pull.head_sha), MAINTAINER).updated_at = "2026-01-02T04:00:00Z"
    read = found()
    assert read.held is None
    assert [one.why for one in read.refused] == ["was edited; write a new one"]


def test_a_refused_override_does_not_hide_one_that_holds(
    peer: Peer, pull: Pull, found: Callable[..., Overrides]
) -> None:
    peer.world.say(pull, line(pull.head_sha), MAINTAINER)
    peer.world.say(pull, line(pull.head_sha, "mine"), VISITOR)
    read = found()
    assert read.held is not None
    assert [one.author for one in read.refused] == ["vic"]


def test_a_crowd_of_commands_costs_a_bounded_number_of_calls(
    peer: Peer, pull: Pull, found: Callable[..., Overrides]
) -> None:
    for _ in range(150):
        peer.world.say(pull, line(pull.head_sha), VISITOR)
    assert found().held is None
    assert sum("/permission" in call for call in peer.calls) <= 20


def test_a_permission_that_cannot_be_read_is_an_error_and_no_override(
    peer: Peer, pull: Pull, found: Callable[..., Overrides]
) -> None:
    peer.world.say(pull, line(pull.head_sha), MAINTAINER)
    peer.faults.append(Fault(on="GET .*/permission", times=99, status=500))
    with pytest.raises(GitHubError):
        found()
