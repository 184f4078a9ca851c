"""A repository's own words for the comment: from the base branch alone, and never in the verdict's way."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from github.acting import DECLARED, POLICY, WORSE, Done, ours
from github.peer import Fault, Peer

if TYPE_CHECKING:
    from github.peer.world import Pull

Act = Callable[..., Done]

PATH = ".github/clearband.md.j2"
WORDED = b"{% extends base %}{% block next %}\nAsk in the evals channel.\n\n{% endblock %}"


def opened(peer: Peer, template: bytes | None) -> Pull:
    pull = peer.world.open_pull(DECLARED, policy=POLICY + f"comment_template: {PATH}\n".encode())
    if template is not None:
        peer.world.commits[pull.base_sha][PATH] = template
    return pull


def test_the_base_branchs_template_words_the_comment_and_the_file(peer: Peer, act: Act) -> None:
    pull = opened(peer, WORDED)
    done = act(peer, pull, candidate=WORSE)
    assert done.status == 1
    assert "Ask in the evals channel." in ours(pull)[0]
    assert "Ask in the evals channel." in (done.runner.workspace / "clearband-out" / "comment.md").read_text()
    assert "Ask in the evals channel." not in done.runner.summary


def test_the_pull_requests_own_template_is_not_read(peer: Peer, act: Act) -> None:
    pull = opened(peer, None)
    peer.world.commits[pull.head_sha][PATH] = WORDED
    done = act(peer, pull, candidate=WORSE)
    assert done.status == 1
    assert "Ask in" not in ours(pull)[0]
    assert "is not at the base commit" in done.annotations[0]


def test_a_template_that_hides_the_verdict_is_named_and_the_built_in_comment_written(peer: Peer, act: Act) -> None:
    pull = opened(peer, b"### All is well")
    done = act(peer, pull, candidate=WORSE)
    assert done.status == 1
    assert "Blocked" in ours(pull)[0]
    assert "template was not used: it leaves out the verdict" in done.annotations[0]


def test_a_template_that_cannot_be_read_changes_nothing(peer: Peer, act: Act) -> None:
    pull = opened(peer, WORDED)
    peer.faults.append(Fault(on="GET .*/contents/.*j2", status=500, times=99))
    done = act(peer, pull, candidate=WORSE)
    assert done.status == 1
    assert "Blocked" in ours(pull)[0]
    assert "template could not be read" in done.annotations[0]
