"""A pull request that brings its own baseline: it is not held to a bar that it sets itself."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from github.acting import BASELINE, BETTER, DECLARED, POLICY, WORSE, Done, ours
from github.peer import Fault, Peer

if TYPE_CHECKING:
    from collections.abc import Callable

    from github.peer.world import Pull

    Act = Callable[..., Done]


def altering(peer: Peer, content: str) -> Pull:
    """A pull request that alters the file which the gate takes for the baseline."""
    pull = peer.world.open_pull(DECLARED, policy=POLICY)
    pull.files = ["src/app.py", "evals/baseline.jsonl"]
    pull.contents = {"evals/baseline.jsonl": content.encode()}
    return pull


def test_its_own_version_is_refused(peer: Peer, act: Act) -> None:
    pull = altering(peer, WORSE)
    done = act(peer, pull, baseline=WORSE, candidate=BASELINE)
    assert done.status == 3
    assert "the pull request's own version of `evals/baseline.jsonl`" in done.annotations[0]
    assert "github.event.pull_request.base.sha" in html.unescape(ours(pull)[0])


def test_the_base_branchs_version_gates_and_the_change_is_said(peer: Peer, act: Act) -> None:
    pull = altering(peer, WORSE)
    assert act(peer, pull, baseline=BASELINE, candidate=WORSE).status == 1
    assert "its own version was not used as the baseline" in ours(pull)[0]


def test_in_a_folder_too(peer: Peer, act: Act) -> None:
    pull = altering(peer, WORSE)
    first = act(peer, pull, baseline=BASELINE, candidate=BETTER)
    folder = first.runner.workspace / "evals"
    folder.mkdir()
    (folder / "baseline.jsonl").write_text(WORSE)
    assert act(peer, pull, candidate=BETTER, env={"INPUT_BASELINE": "evals"}).status == 3


def test_a_file_of_another_name_is_none_of_it(peer: Peer, act: Act) -> None:
    pull = peer.world.open_pull(DECLARED, policy=POLICY)
    pull.files, pull.contents = ["evals/copy.jsonl"], {"evals/copy.jsonl": BASELINE.encode()}
    assert act(peer, pull, candidate=BETTER).status == 0
    assert "own version" not in ours(pull)[0]


def test_where_it_cannot_be_seen_that_is_said(peer: Peer, act: Act) -> None:
    pull = altering(peer, WORSE)
    peer.faults.append(Fault(on="GET .*/files", times=99, status=500))
    assert act(peer, pull, baseline=BASELINE, candidate=WORSE).status == 1
    assert "could not be seen" in ours(pull)[0]
