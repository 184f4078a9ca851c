"""One pull request from the first typo to the override, against the peer: what is shown, what holds, what is kept."""

from __future__ import annotations

import hashlib
import html
import json
from collections.abc import Callable
from typing import Any

import pytest

from clearband.audit.chain import verify
from clearband.audit.ledger import check
from clearband.github.ledger_branch import BRANCH
from github.acting import PUSH, Done, ours, results
from github.peer import Identity, Peer

Act = Callable[..., Done]

POLICY = b"""\
require: improvement
ledger: branch
metrics:
  accuracy: {direction: higher, range: [0, 1]}
  latency: {direction: lower, unit: s}
"""
MAINTAINER = Identity("maia", 501, installation=False)
TYPO = "A change\n\n```clearband\nprimary_metric: acuracy\n```\n"
ACCURACY = TYPO.replace("acuracy", "accuracy")
LATENCY = TYPO.replace("acuracy", "latency")


def at(minute: int) -> str:
    return f"2026-01-02T04:{minute:02}:00Z"


BASELINE = results(lambda number: number % 3 != 0, lambda number: 1 + number % 7 / 10)
# Accuracy hardly moves, latency falls on nearly every question: whoever looks first knows which one to declare.
CANDIDATE = results(lambda number: (number % 3 != 0) ^ (number % 17 == 0), lambda number: 0.9 + number % 7 / 10)


def shown(done: Done, pull: Any) -> str:
    return html.unescape(ours(pull)[0]).replace("\u00a0", " ")


def ledger(peer: Peer) -> dict[str, bytes]:
    """Return the branch's files by name, as a clone of it would be verified."""
    commit = peer.world.branches.get(BRANCH)
    there = {} if commit is None else peer.world.commits[commit]
    return {path.rpartition("/")[2]: data for path, data in there.items()}


def entries(peer: Peer) -> list[dict[str, Any]]:
    return [json.loads(data) for _, data in sorted(ledger(peer).items())]


def test_a_metric_that_was_changed_after_its_result_is_not_passed_off_as_declared(peer: Peer, act: Act) -> None:
    world = peer.world
    pull = world.open_pull(TYPO, policy=POLICY)
    world.permissions["maia"] = (501, "write")

    def run(number: int, candidate: str = CANDIDATE) -> Done:
        return act(peer, pull, baseline=BASELINE, candidate=candidate, env={"GITHUB_RUN_ID": str(number)})

    # A typo binds nobody: no change is shown, nothing is counted, the check is red.
    done = run(1000)
    assert done.status == 3
    assert "acuracy" in shown(done, pull)
    assert "accuracy" in shown(done, pull)
    assert done.record["metrics"] == []
    assert entries(peer) == []

    # Corrected before the first evaluation.
    world.past.edit(pull, ACCURACY, at(10))
    world.past.start(pull.head_sha, at(20))
    done = run(1001)
    assert done.status == 2
    assert "Declared before the first CI result." in shown(done, pull)
    assert done.runner.outputs["registration"] == "declared-before-first-result"
    assert [entry["look"] for entry in entries(peer)] == [1]

    # The result is known; now the author declares the metric that cleared.
    world.past.edit(pull, LATENCY, at(30))
    done = run(1002)
    assert done.status == 2
    text = shown(done, pull)
    assert "The declaration was changed after results existed; the first one still counts." in text
    assert "First declared: <code>accuracy</code>; now: <code>latency</code>" in text
    assert (
        text.index("04:10 UTC accuracy")
        < text.index("04:20 UTC the first evaluation")
        < text.index("04:30 UTC latency")
    )
    assert done.runner.outputs["registration"] == "amended-after-results"
    assert done.record["registration"]["registered"]["primary_metric"] == "accuracy"
    second = entries(peer)[1]
    assert second["registration"]["standing"] == "amended-after-results"
    assert "primary_metric: accuracy" in second["registration"]["registered"]
    assert second["look"] == 1  # the same candidate again is no new look

    # The history is deleted; the ledger still knows what came first.
    world.past.forget(pull, 1)
    done = run(1003)
    assert done.runner.outputs["registration"] == "amended-after-results"

    # A maintainer lets this commit through, with a reason that everybody sees.
    world.say(pull, f"/clearband override {pull.head_sha} latency is what the customer asked for", MAINTAINER)
    done = run(1004)
    assert done.status == 0
    assert done.record["verdict"]["exit_status"] == 2
    assert done.runner.outputs["overridden-by"] == "maia"
    assert "Overridden. Cannot tell" in shown(done, pull)
    assert "latency is what the customer asked for" in shown(done, pull)
    assert [entry["type"] for entry in entries(peer)][-2:] == ["comparison", "override"]
    assert entries(peer)[-1]["event"]["author_id"] == 501

    # A new commit needs a new one, and is a new look.
    pull.head_sha = world.commit()
    done = run(
        1005, results(lambda number: (number % 3 != 0) ^ (number % 19 == 0), lambda number: 0.9 + number % 7 / 10)
    )
    assert done.status == 2
    assert entries(peer)[-1]["look"] == 2

    # What the comment shows as the head vouches for everything before it.
    head = done.runner.outputs["ledger-head"]
    assert head in shown(done, pull)
    chain = verify(ledger(peer), head=head)
    assert chain.faults == ()
    assert len(chain.entries) == 6


@pytest.fixture
def kept(peer: Peer, act: Act) -> dict[str, bytes]:
    """A ledger of four comparisons."""
    pull = peer.world.open_pull(ACCURACY, policy=POLICY)
    for number in range(4):
        act(peer, pull, baseline=BASELINE, candidate=CANDIDATE, env={"GITHUB_RUN_ID": str(2000 + number)})
    return ledger(peer)


class TestTampering:
    def test_one_flipped_byte_of_any_entry_is_found_where_it_is(self, kept: dict[str, bytes]) -> None:
        for name, data in kept.items():
            for place in (0, len(data) // 2, len(data) - 2):
                flipped = data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
                assert next(fault.file for fault in verify({**kept, name: flipped}).faults) == name

    def test_a_dropped_entry_is_found_where_it_is_missing(self, kept: dict[str, bytes]) -> None:
        names = sorted(kept)
        for place, name in enumerate(names[:-1]):
            faults = verify({other: data for other, data in kept.items() if other != name}).faults
            assert faults[0].file == names[place + 1]
            assert f"number {place + 1} is missing" in faults[0].what

    def test_that_the_newest_was_dropped_shows_against_a_known_head(self, kept: dict[str, bytes]) -> None:
        *rest, newest = sorted(kept)
        left = {name: kept[name] for name in rest}
        assert verify(left).faults == ()
        assert "is not here" in verify(left, head=newest[9:-5]).faults[0].what

    def test_two_entries_that_change_places_are_found(self, kept: dict[str, bytes]) -> None:
        first, second, *_ = sorted(kept)
        swapped = {**kept, first: kept[second], second: kept[first]}
        assert {fault.file for fault in verify(swapped).faults} >= {first, second}


class TestTheLedgerThatCannotBeWritten:
    def test_it_is_loud_and_moves_nothing(self, peer: Peer, act: Act) -> None:
        peer.world.tokens["ghs_ours"] = Identity("github-actions[bot]", 41898282, writes=False)
        pull = peer.world.open_pull(ACCURACY.replace("accuracy", "latency"), policy=POLICY)
        done = act(peer, pull, baseline=BASELINE, candidate=CANDIDATE)
        assert done.status == 0
        assert any("Not recorded in the ledger" in line for line in done.annotations)
        left = json.loads((done.runner.workspace / "clearband-out" / "ledger-entry.json").read_text())
        assert left["record"] == done.record

    def test_where_the_policy_requires_it_nothing_passes(self, peer: Peer, act: Act) -> None:
        peer.world.tokens["ghs_ours"] = Identity("github-actions[bot]", 41898282, writes=False)
        policy = POLICY.replace(b"ledger: branch", b"ledger: required")
        pull = peer.world.open_pull(ACCURACY.replace("accuracy", "latency"), policy=policy)
        done = act(peer, pull, baseline=BASELINE, candidate=CANDIDATE)
        assert done.status == 3
        assert done.record["verdict"]["exit_status"] == 0
        assert "Not recorded in the ledger; the policy requires it" in html.unescape(done.runner.summary)


def test_the_ledger_holds_no_mail_address_and_no_prose_of_the_description(peer: Peer, act: Act) -> None:
    body = f"Ask jane@example.org about the secret project.\n\n{ACCURACY}"
    pull = peer.world.open_pull(body, policy=POLICY)
    act(peer, pull, baseline=BASELINE, candidate=CANDIDATE)
    text = b"".join(ledger(peer).values()).decode()
    assert "accuracy" in text
    assert "@example" not in text
    assert "secret project" not in text


def test_a_public_repository_counts_questions_and_a_policy_may_name_them(peer: Peer, act: Act) -> None:
    lost = "".join(line + "\n" for line in CANDIDATE.splitlines() if '"q7"' not in line)
    pull = peer.world.open_pull(ACCURACY, policy=POLICY)
    done = act(peer, pull, baseline=BASELINE, candidate=lost)
    assert done.record["questions"]["lost"]["candidate_missing"] == {"count": 1, "ids": None}
    assert "q7" not in html.unescape(ours(pull)[0])
    named = peer.world.open_pull(ACCURACY, policy=POLICY + b"show_questions: ids\n")
    done = act(peer, named, baseline=BASELINE, candidate=lost)
    assert done.record["questions"]["lost"]["candidate_missing"] == {"count": 1, "ids": ["q7"]}
    assert "q7" in html.unescape(ours(named)[0])


def test_the_record_is_a_predicate_about_both_files(peer: Peer, act: Act) -> None:
    pull = peer.world.open_pull(ACCURACY, policy=POLICY)
    done = act(peer, pull, baseline=BASELINE, candidate=CANDIDATE)
    subjects = (done.runner.workspace / done.runner.outputs["subjects-path"]).read_text()
    digests = [hashlib.sha256(text.encode()).hexdigest() for text in (BASELINE, CANDIDATE)]
    assert subjects == f"{digests[0]}  baseline\n{digests[1]}  candidate\n"
    assert [done.record["inputs"][arm]["sha256"] for arm in ("baseline", "candidate")] == digests


def test_a_push_is_recorded_and_says_which_run_became_the_baseline(peer: Peer, act: Act) -> None:
    pull = peer.world.open_pull(ACCURACY, policy=POLICY)
    done = act(
        peer, pull, baseline=BASELINE, candidate=CANDIDATE, event=PUSH, name="push", primary_metric="latency",
        env={"GITHUB_REF": "refs/heads/main"},
    )  # fmt: skip
    assert done.status == 0
    comparison, adopted = entries(peer)
    assert (comparison["type"], comparison["pr"], comparison["look"]) == ("comparison", None, None)
    assert adopted["type"] == "adoption"
    assert adopted["event"]["sha256"] == comparison["record"]["inputs"]["candidate"]["sha256"]
    assert adopted["event"]["suite"] == "default"
    assert check(ledger(peer)).faults == ()
