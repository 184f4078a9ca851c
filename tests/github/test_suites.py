"""Several suites in one pull request: one comment and one status, and none of them touches another's."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from clearband.github.ledger_branch import BRANCH
from github.acting import BASELINE, BETTER, WORSE, Done, ours
from github.peer import Fault, Peer

if TYPE_CHECKING:
    from github.conftest import Runner

Act = Callable[..., Done]

SUITES = b"""\
ledger: branch
metrics:
  accuracy: {direction: higher, range: [0, 1]}
  latency: {direction: lower, unit: s}
suites:
  answers: {primary: accuracy}
  speed: {primary: latency}
"""
BLOCK = "```clearband\nsuite: {0}\nprimary_metric: {1}\n```\n"
DECLARED = BLOCK.format("answers", "accuracy") + "\n" + BLOCK.format("speed", "latency")
GIVEN = {"INPUT_BASELINE": "old/{suite}.jsonl", "INPUT_CANDIDATE": "new/{suite}.jsonl"}


@pytest.fixture
def files(peer: Peer, runner: Callable[..., Runner]) -> Callable[..., None]:
    """Put each suite's candidate into the workspace, beside a baseline that all have in common."""

    def put(**candidates: str | None) -> None:
        workspace = runner(peer, {}).workspace
        for suite, candidate in candidates.items():
            for folder, text in (("old", BASELINE), ("new", candidate)):
                (workspace / folder).mkdir(exist_ok=True)
                if text is not None:
                    (workspace / folder / f"{suite}.jsonl").write_text(text)

    return put


def record(done: Done, suite: str) -> Any:
    return json.loads((done.runner.workspace / "clearband-out" / suite / "record.json").read_text())


def test_one_comment_and_one_status_for_all(peer: Peer, act: Act, files: Callable[..., None]) -> None:
    pull = peer.world.open_pull(DECLARED, policy=SUITES)
    files(answers=WORSE, speed=BETTER)
    done = act(peer, pull, env=GIVEN)
    assert done.status == 1
    (comment,) = ours(pull)
    assert "### ⛔️ Blocked by <code>answers</code>" in comment
    assert "| <code>speed</code> |" in comment
    assert record(done, "answers")["verdict"]["outcome"] == "blocked"
    assert record(done, "speed")["verdict"]["outcome"] == "pass"
    assert record(done, "answers")["suite"] == "answers"
    assert done.runner.outputs["outcome"] == "blocked"
    assert done.runner.outputs["primary-metric"] == "accuracy"
    assert json.loads(done.runner.outputs["suites"]) == {
        "answers": {"outcome": "blocked", "exit-status": 1, "record-path": "clearband-out/answers/record.json"},
        "speed": {"outcome": "pass", "exit-status": 0, "record-path": "clearband-out/speed/record.json"},
    }
    assert "title=Clearband%3A blocked (answers)::" in done.annotations[0]
    assert "title=Clearband%3A passed (speed)::" in done.annotations[1]
    assert (done.runner.workspace / "clearband-out" / "comment.md").read_text().count("#### ") == 1


def test_each_has_its_own_entry_in_the_one_ledger(peer: Peer, act: Act, files: Callable[..., None]) -> None:
    pull = peer.world.open_pull(DECLARED, policy=SUITES)
    files(answers=BETTER, speed=BETTER)
    act(peer, pull, env=GIVEN)
    act(peer, pull, env=GIVEN | {"GITHUB_RUN_ID": "1002"})
    there = peer.world.commits[peer.world.branches[BRANCH]]
    entries = [json.loads(data) for path, data in there.items() if path.endswith(".json")]
    entries.sort(key=lambda entry: entry["seq"])
    assert [entry["record"]["suite"] for entry in entries] == ["answers", "speed"] * 2
    assert [entry["look"] for entry in entries] == [1, 1, 1, 1]


def test_what_all_suites_want_to_know_is_asked_once(peer: Peer, act: Act, files: Callable[..., None]) -> None:
    pull = peer.world.open_pull(DECLARED, policy=SUITES + b"paths: [src/**]\n")
    files(answers=BETTER, speed=BETTER)
    assert act(peer, pull, env=GIVEN).status == 0
    asked = [call for call in peer.calls if "/pulls/7/files" in call or "/workflows/" in call]
    assert len(asked) == 2
    questions = [exchange.body for exchange in peer.exchanges if exchange.call == "POST /graphql"]
    assert sum(b"userContentEdits" in question for question in questions) == 1


def test_a_suite_without_results_cannot_tell_and_holds_the_merge(
    peer: Peer, act: Act, files: Callable[..., None]
) -> None:
    pull = peer.world.open_pull(DECLARED, policy=SUITES)
    files(answers=BETTER, speed=None)
    done = act(peer, pull, env=GIVEN)
    assert done.status == 2
    assert "Cannot tell about <code>speed</code>" in ours(pull)[0]
    assert record(done, "speed")["verdict"]["reasons"][0]["code"] == "results-absent"
    assert record(done, "answers")["verdict"]["outcome"] == "pass"


def test_what_goes_wrong_in_one_is_shown_in_its_part_and_the_others_are_judged(
    peer: Peer, act: Act, files: Callable[..., None]
) -> None:
    pull = peer.world.open_pull(
        BLOCK.format("answers", "accuracy"), policy=SUITES.replace(b"speed: {", b"speed: {paths: [x], ")
    )
    files(answers=WORSE, speed="not json")
    done = act(peer, pull, env=GIVEN)
    assert done.status == 1
    assert "Not applicable" in ours(pull)[0]
    pull.files = ["x"]
    again = act(peer, pull, env=GIVEN | {"GITHUB_RUN_ID": "1002"})
    assert again.status == 1
    assert "Not passing either: <code>speed</code>" in ours(pull)[0]


def test_nothing_is_commented_where_no_suite_is_meant(peer: Peer, act: Act, files: Callable[..., None]) -> None:
    pull = peer.world.open_pull(DECLARED, policy=SUITES + b"paths: [nothing/**]\n")
    files(answers=WORSE, speed=WORSE)
    assert act(peer, pull, env=GIVEN).status == 0
    assert ours(pull) == []


def test_inputs_that_give_all_suites_the_same_files_are_refused(peer: Peer, act: Act) -> None:
    pull = peer.world.open_pull(DECLARED, policy=SUITES)
    done = act(peer, pull)
    assert done.status == 3
    assert "the inputs would give all of them the same candidate" in done.annotations[0]
    assert "{suite}" in done.annotations[0]
    assert len(ours(pull)) == 1


def test_a_task_tells_suites_apart_in_one_file(peer: Peer, act: Act, runner: Callable[..., Runner]) -> None:
    workspace = runner(peer, {}).workspace
    for arm, rows in (("old", BASELINE), ("new", BETTER)):
        (workspace / arm).mkdir()
        (workspace / arm / "answers.jsonl").write_text(rows)
        (workspace / arm / "speed.jsonl").write_text(WORSE if arm == "new" else rows)
    pull = peer.world.open_pull(DECLARED, policy=SUITES)
    done = act(peer, pull, env={"INPUT_BASELINE": "old", "INPUT_CANDIDATE": "new", "INPUT_TASK": "{suite}"})
    assert record(done, "answers")["metrics"][0]["state"] == "improved"
    assert record(done, "speed")["metrics"][1]["state"] == "regressed"


def test_a_suite_asked_for_by_name_has_its_own_comment_and_touches_no_other(
    peer: Peer, act: Act, files: Callable[..., None]
) -> None:
    pull = peer.world.open_pull(DECLARED, policy=SUITES)
    files(answers=WORSE, speed=BETTER)
    assert act(peer, pull, env=GIVEN).status == 1
    (joint,) = ours(pull)
    done = act(peer, pull, env=GIVEN | {"INPUT_SUITE": "speed", "GITHUB_RUN_ID": "1002"})
    assert done.status == 0
    first, second = ours(pull)
    assert first == joint
    assert second.startswith("<!-- clearband:comment suite=speed -->")
    assert done.record["suite"] == "speed"


def test_a_suite_that_the_policy_does_not_list_is_refused(peer: Peer, act: Act, files: Callable[..., None]) -> None:
    pull = peer.world.open_pull(DECLARED, policy=SUITES)
    files(sped=BETTER)
    done = act(peer, pull, env=GIVEN | {"INPUT_SUITE": "sped"})
    assert done.status == 3
    assert "Did you mean `speed`" in done.annotations[0]


def test_a_repository_that_grows_from_one_suite_to_several_keeps_its_comment(
    peer: Peer, act: Act, files: Callable[..., None]
) -> None:
    pull = peer.world.open_pull("```clearband\nprimary_metric: accuracy\n```\n", policy=SUITES.partition(b"suites:")[0])
    act(peer, pull)
    assert len(ours(pull)) == 1
    pull.body = DECLARED
    peer.world.commits[pull.base_sha][".github/clearband.yml"] = SUITES
    files(answers=BETTER, speed=BETTER)
    act(peer, pull, env=GIVEN | {"GITHUB_RUN_ID": "1002"})
    (only,) = ours(pull)
    assert "2 suites compared" in only


def test_a_suites_ledger_that_cannot_be_written_is_said_once_for_each_and_stops_what_requires_it(
    peer: Peer, act: Act, files: Callable[..., None]
) -> None:
    pull = peer.world.open_pull(DECLARED, policy=SUITES.replace(b"ledger: branch", b"ledger: required"))
    files(answers=BETTER, speed=BETTER)
    peer.faults.append(Fault(on="POST /repos/octo/evals/git/trees", status=403, times=99))
    done = act(peer, pull, env=GIVEN)
    assert done.status == 3
    assert (done.runner.workspace / "clearband-out" / "speed" / "ledger-entry.json").exists()
    assert sum("Not recorded in the ledger" in line for line in done.annotations) == 2
