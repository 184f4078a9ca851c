"""The whole Action with artifacts for both sides."""

from __future__ import annotations

import io
import json
import warnings
import zipfile
from typing import TYPE_CHECKING

import pytest

from github.acting import (
    ARTIFACTS,
    AT,
    BASELINE,
    BETTER,
    DECLARED,
    NO_PATHS,
    POLICY,
    SIMILAR,
    WORSE,
    Done,
    ours,
    zipped,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from github.peer import Peer
    from github.peer.past import Run
    from github.peer.storage import Storage
    from github.peer.world import Pull


@pytest.fixture
def pull(peer: Peer) -> Pull:
    return peer.world.open_pull(DECLARED, policy=POLICY)


@pytest.fixture
def present(peer: Peer, pull: Pull) -> Run:
    return peer.world.past.start(pull.head_sha, AT, jobs=["success", None])


@pytest.fixture
def gate(peer: Peer, pull: Pull, present: Run, storage: Storage, act: Callable[..., Done]) -> Callable[..., Done]:
    del storage

    def once(*, sha: str = "", **inputs: str) -> Done:
        env = NO_PATHS | {"GITHUB_RUN_ID": str(present.id), "GITHUB_SHA": sha}
        return act(peer, pull, baseline=None, candidate=None, env=env, **ARTIFACTS | inputs)

    return once


def merged(peer: Peer, pull: Pull, **more: object) -> Run:
    return peer.world.past.start(pull.base_sha, AT, event="push", branch="main", **more)


@pytest.mark.parametrize(("candidate", "status"), [(BETTER, 0), (WORSE, 1)])
def test_both_sides_are_found_by_name_and_judged(
    peer: Peer, pull: Pull, present: Run, gate: Callable[..., Done], candidate: str, status: int
) -> None:
    peer.world.past.leave(merged(peer, pull), "results", zipped(BASELINE))
    peer.world.past.leave(present, "results", zipped(candidate))
    done = gate()
    assert done.status == status
    (comment,) = ours(pull)
    assert pull.base_sha[:12] in comment
    assert "5 days old" in comment
    assert "is not known" in comment
    assert pull.base_sha[:12] in done.runner.summary


def test_where_they_came_from_is_no_part_of_the_record(
    peer: Peer, pull: Pull, present: Run, gate: Callable[..., Done]
) -> None:
    run = merged(peer, pull)
    peer.world.past.leave(run, "results", zipped(BASELINE))
    peer.world.past.leave(present, "results", zipped(BETTER))
    record = str(gate().record)
    assert pull.base_sha not in record
    assert str(run.id) not in record


def test_one_file_that_is_no_archive_is_read_as_it_is(
    peer: Peer, pull: Pull, present: Run, gate: Callable[..., Done]
) -> None:
    run = merged(peer, pull)
    peer.world.past.leave(run, "results.jsonl", BASELINE.encode())
    peer.world.past.leave(present, "results.jsonl", BETTER.encode())
    done = gate(baseline_artifact="results.jsonl", candidate_artifact="results.jsonl")
    assert done.status == 0


@pytest.mark.parametrize(
    "hostile",
    [
        b"\0not a result",
        zipped("\0" * 50_000_000),
        zipped(BETTER)[:-40],
        b"",
    ],
    ids=["bytes", "bomb", "cut short", "empty"],
)
def test_a_hostile_candidate_is_never_a_pass(
    peer: Peer, pull: Pull, present: Run, gate: Callable[..., Done], hostile: bytes
) -> None:
    peer.world.past.leave(merged(peer, pull), "results", zipped(BASELINE))
    peer.world.past.leave(present, "results", hostile)
    assert gate().status == 3


def test_a_path_inside_an_archive_leads_nowhere(
    peer: Peer, pull: Pull, present: Run, gate: Callable[..., Done]
) -> None:
    peer.world.past.leave(merged(peer, pull), "results", zipped(BASELINE))
    peer.world.past.leave(present, "results", zipped(BETTER, "../../escaped.jsonl"))
    done = gate()
    assert not list(done.runner.workspace.parent.rglob("escaped.jsonl"))


def test_a_fork_that_calls_its_branch_main_gives_no_baseline(
    peer: Peer, pull: Pull, present: Run, gate: Callable[..., Done]
) -> None:
    peer.world.past.leave(merged(peer, pull, head_repository_id=2), "results", zipped(WORSE))
    peer.world.past.leave(present, "results", zipped(BETTER))
    done = gate()
    assert done.status == 3
    assert "There is no baseline" in done.log


def test_without_a_policy_a_missing_baseline_is_not_set_up_yet(
    peer: Peer, present: Run, pull: Pull, gate: Callable[..., Done]
) -> None:
    del peer.world.commits[pull.base_sha][".github/clearband.yml"]
    peer.world.past.leave(present, "results", zipped(BETTER))
    done = gate()
    assert done.status == 0
    assert done.runner.outputs["outcome"] == "not-gated"


def test_an_edited_description_is_judged_by_the_result_that_is_there(
    peer: Peer, pull: Pull, present: Run, gate: Callable[..., Done]
) -> None:
    past = peer.world.past
    past.leave(merged(peer, pull), "results", zipped(BASELINE))
    past.leave(past.start(pull.head_sha, AT), "results", zipped(BETTER))
    present.jobs = ["skipped", None]
    done = gate()
    assert done.status == 0
    (comment,) = ours(pull)
    assert "evaluated nothing anew" in comment


def test_a_failed_evaluation_is_said_to_have_failed(
    peer: Peer, pull: Pull, present: Run, gate: Callable[..., Done]
) -> None:
    peer.world.past.leave(merged(peer, pull), "results", zipped(BASELINE))
    present.jobs = ["failure", None]
    done = gate()
    assert done.status == 3
    assert "the evaluation failed or uploaded nothing" in done.log


def test_neither_token_nor_signed_address_is_ever_told(
    peer: Peer, pull: Pull, present: Run, gate: Callable[..., Done], storage: Storage
) -> None:
    peer.world.past.leave(merged(peer, pull), "results", zipped(BASELINE))
    peer.world.past.leave(present, "results", zipped(BETTER))
    storage.failures += [500] * 9
    done = gate()
    assert done.status == 3
    told = done.log + done.runner.summary + done.runner.output + "".join(ours(pull))
    assert "sig=" not in told
    assert "ghs_ours" not in told


def test_a_push_has_no_commit_to_compare_with(
    peer: Peer, pull: Pull, present: Run, act: Callable[..., Done], storage: Storage
) -> None:
    peer.world.past.leave(present, "results", zipped(BETTER))
    event = {"ref": "refs/heads/main", "repository": {"default_branch": "main"}}
    env = NO_PATHS | {"GITHUB_RUN_ID": str(present.id)}
    done = act(peer, pull, baseline=None, candidate=None, event=event, name="push", env=env, **ARTIFACTS)
    assert done.status == 3
    assert "there is no commit to compare with" in done.log


def test_what_was_checked_out_decides_where_the_baseline_is_looked_for(
    peer: Peer, pull: Pull, present: Run, gate: Callable[..., Done]
) -> None:
    peer.world.past.leave(present, "results", zipped(BETTER))
    peer.world.past.leave(merged(peer, pull), "results", zipped(BASELINE))
    assert gate(candidate_ref="head").status == 0
    assert "is not known" not in ours(pull)[0]
    merge = peer.world.commit()
    peer.world.past.parents[merge] = [pull.base_sha, pull.head_sha]
    done = gate(candidate_ref="merge", sha=merge)
    assert done.status == 0
    assert "as it was merged for the test" in ours(pull)[0]


def test_the_first_candidate_of_all_is_recorded_where_the_policy_says_so(
    peer: Peer, pull: Pull, present: Run, gate: Callable[..., Done]
) -> None:
    peer.world.commits[pull.base_sha][".github/clearband.yml"] = POLICY + b"baseline_missing: record\n"
    present.jobs = ["failure", None]
    assert gate().status == 3  # an evaluation that failed is no first baseline
    present.jobs = ["success", None]
    peer.world.past.leave(present, "results", zipped(WORSE))
    done = gate()
    assert done.status == 0
    assert done.runner.outputs["outcome"] == "not-gated"
    assert "nothing to compare with yet" in ours(pull)[0]
    assert done.record["verdict"]["reasons"][0]["code"] == "first-baseline"
    peer.world.past.leave(merged(peer, pull), "results", zipped(BASELINE), expired=True)
    assert gate().status == 3


def test_an_older_baseline_and_pooled_runs_are_told_above_the_details(
    peer: Peer, pull: Pull, present: Run, gate: Callable[..., Done]
) -> None:
    rules = b"baseline_commit: nearest-ancestor\nbaseline_runs: all\n"
    peer.world.commits[pull.base_sha][".github/clearband.yml"] = POLICY + rules
    older = "1" * 40
    peer.world.past.lines[pull.base_sha] = [pull.base_sha, older]
    for results in (BASELINE, SIMILAR, BASELINE):  # one measured nothing anew
        run = peer.world.past.start(older, AT, event="push", branch="main")
        peer.world.past.leave(run, "results", zipped(results))
    peer.world.past.leave(present, "results", zipped(WORSE))
    done = gate()
    assert done.status == 1
    assert "1 commit before the right one" in ours(pull)[0]
    assert "2 runs pooled" in ours(pull)[0]


def test_the_ledger_says_which_artifacts_were_compared(
    peer: Peer, pull: Pull, present: Run, gate: Callable[..., Done]
) -> None:
    peer.world.commits[pull.base_sha][".github/clearband.yml"] = POLICY + b"ledger: branch\n"
    old = peer.world.past.leave(merged(peer, pull), "results", zipped(BASELINE))
    new = peer.world.past.leave(present, "results", zipped(BETTER))
    assert gate().status == 0
    there = peer.world.commits[peer.world.branches["clearband-ledger"]]
    (entry,) = [json.loads(data) for path, data in there.items() if path.endswith(".json")]
    told = {one["arm"]: (one["artifact_id"], one["run_id"], one["commit"]) for one in entry["run"]["artifacts"]}
    assert told == {
        "baseline": (old.id, old.run_id, pull.base_sha),
        "candidate": (new.id, present.id, pull.head_sha),
    }


def packed(*files: tuple[str, bytes], mode: int = 0) -> bytes:
    buffer = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        warnings.simplefilter("ignore")
        for name, data in files:
            info = zipfile.ZipInfo(name)
            info.external_attr, info.compress_type = mode << 16, zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (packed(("../../etc/x.jsonl", b"{}")), "leads out of the archive"),
        (packed(("/etc/x.jsonl", b"{}")), "leads out of the archive"),
        (packed(("a\\..\\x.jsonl", b"{}")), "leads out of the archive"),
        (packed(("C:/x.jsonl", b"{}")), "leads out of the archive"),
        (packed(("x.jsonl", b"{}"), ("x.jsonl", b"{}")), "is there twice"),
        (packed(("x.jsonl", b"/etc/passwd"), mode=0o120777), "is a link"),
        (packed(("x.jsonl", b"0" * 2**24)), "more than 200 times its size"),
        (packed(*((f"{number}.jsonl", b"") for number in range(1_001))), "more than 1,000 files"),
    ],
    ids=["up", "root", "backslash", "drive", "twice", "link", "bomb", "many"],
)
def test_an_archive_that_nobody_packs_by_accident_is_refused(
    peer: Peer, pull: Pull, present: Run, gate: Callable[..., Done], data: bytes, why: str
) -> None:
    peer.world.past.leave(merged(peer, pull), "results", zipped(BASELINE))
    peer.world.past.leave(present, "results", data)
    done = gate()
    assert done.status == 3
    assert why in done.annotations[0]
