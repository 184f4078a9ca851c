"""Every call that finds and fetches results, made to fail in every way: without them there is no verdict.

The calls of a comparison of two paths are in test_every_call_fails; these are those that artifacts add.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
import requests

from clearband import action
from github.acting import AT, BASELINE, DECLARED, POLICY, WORSE, Done, zipped
from github.conftest import OURS, Runner, Time, event_of
from github.peer import Fault, Peer
from github.peer.storage import Storage
from github.test_every_call_fails import FAULTS, FOR_EVER, PASSING, REPO, Impatient, ticking

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.xdist_group("every call fails")

CALLS = (
    "GET {repo}/actions/runs/PRESENT/artifacts",
    "GET {repo}/actions/runs/PRESENT",
    "GET {repo}/compare/.*",
    "GET {repo}/actions/workflows/eval.yml/runs",
    "GET {repo}/actions/runs/MERGED/artifacts",
    "GET {repo}/actions/artifacts/CANDIDATE/zip",
    "GET {repo}/actions/artifacts/BASELINE/zip",
)


@pytest.fixture
def run(peer: Peer, runner: Callable[..., Runner], time: Time) -> Iterator[Callable[[str | None, str, int], Done]]:
    """Gate a pull request whose primary metric regressed; one of the calls fails `times` times."""
    session = requests.Session()
    session.trust_env = False
    session.mount("http://", Impatient(peer))
    past = peer.world.past
    pull = peer.world.open_pull(DECLARED, policy=POLICY)
    merged = past.start(pull.base_sha, AT, event="push", branch="main", path=".github/workflows/eval.yml")
    present = past.start(pull.head_sha, AT, jobs=["success", None])
    names = {
        "BASELINE": str(past.leave(merged, "results", zipped(BASELINE)).id),
        "CANDIDATE": str(past.leave(present, "results", zipped(WORSE)).id),
        "PRESENT": str(present.id),
        "MERGED": str(merged.id),
    }

    def once(call: str | None, kind: str, times: int) -> Done:
        if call is not None:
            on = call.format(repo=REPO)
            for word, value in names.items():
                on = on.replace(word, value)
            peer.faults.append(Fault(on=on, times=times, **FAULTS[kind]))
        given = {"baseline": "", "candidate": "", "baseline_artifact": "results", "candidate_artifact": "results"}
        side = runner(peer, event_of(pull, peer.world.repository), **given, baseline_workflow="eval.yml")
        out = io.StringIO()
        env = side.but(GITHUB_RUN_ID=str(present.id)).env
        status = action.run(env, session=session, clock=ticking(time), sleep=time.sleep, stdout=out)
        return Done(status, out.getvalue(), side)

    with Storage(past):
        yield once
    session.close()


def test_these_calls_are_made(run: Callable[[str | None, str, int], Done], peer: Peer) -> None:
    assert run(None, "", 0).status == 1
    made = {
        exchange.call for exchange in peer.exchanges if "/actions/" in exchange.path or "/compare/" in exchange.path
    }
    # The rest look for the first run of the pull request, which the other file makes fail.
    assert len(made) == len(CALLS) + 1


BODILESS = {"cut off", "trickling"}
"""What a redirect cannot be: it has no body."""


@pytest.mark.parametrize(
    ("call", "kind"), [(call, kind) for call in CALLS for kind in FAULTS if "/zip" not in call or kind not in BODILESS]
)
def test_without_the_results_there_is_no_verdict_and_the_reason_is_said(
    run: Callable[[str | None, str, int], Done], peer: Peer, call: str, kind: str
) -> None:
    done = run(call, kind, FOR_EVER)
    assert peer.faults[0].times < FOR_EVER
    assert done.status == 3
    assert done.record["verdict"]["outcome"] == "invalid"
    assert done.runner.summary
    said = done.log + done.runner.output + done.runner.summary
    assert done.annotations[0].startswith("::error")
    assert OURS not in said
    assert "sig=" not in said
    assert "Traceback" not in done.log
    assert "defect" not in done.log


@pytest.mark.parametrize("kind", PASSING)
@pytest.mark.parametrize("call", CALLS)
def test_what_fails_once_is_asked_for_again(
    run: Callable[[str | None, str, int], Done], peer: Peer, call: str, kind: str
) -> None:
    assert run(call, kind, 1).status == 1
    assert peer.faults[0].times == 0
