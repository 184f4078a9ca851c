"""Every call of a whole run, made to fail in every way: the verdict, what is published, and what never happens.

A read that the verdict needs and that fails ends with status 3 and says which call, why, and what to do. A publication
that fails moves nothing. Whatever happens, the files are there, nothing leaks, and the run has an end.
"""

from __future__ import annotations

import io
from collections import Counter
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
import requests
from requests.adapters import HTTPAdapter

from clearband import action
from clearband.github.client import PATIENCE
from github.acting import BASELINE, DECLARED, POLICY, WORSE, Done
from github.conftest import OURS, Runner, Time, event_of
from github.peer import Fault, Identity, Peer
from github.peer.world import Pull, blob

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.xdist_group("every call fails")

FOR_EVER = 10**6
REPO = "/repos/octo/evals"
LEDGER = f"{REPO}/git/matching-refs/heads%2Fclearband-ledger"
COMMENTS = f"{REPO}/issues/7/comments"
HISTORY, AUTHORS = ("POST /graphql", 1), ("POST /graphql", 2)

FAULTS: dict[str, dict[str, Any]] = {
    "403": {"status": 403, "message": "Resource not accessible by integration"},
    "404": {"status": 404, "message": "Not Found"},
    "409": {"status": 409, "message": "Conflict"},
    "410": {"status": 410, "message": "Gone"},
    "422": {"status": 422, "message": "Validation Failed"},
    "429": {"status": 429, "message": "Too many requests"},
    "429 with Retry-After": {"status": 429, "message": "Too many requests", "headers": {"retry-after": "40"}},
    "500": {"status": 500},
    "502 with a page": {"status": 502, "html": True},
    "reset": {"hang_up": True},
    "time-out": {"seconds": 0.2},
    "cut off": {"truncated": True},
    "trickling": {"trickle": 0.001},
}
PASSING = ("429 with Retry-After", "429", "500", "502 with a page", "reset", "time-out", "cut off", "trickling")
"""What goes away by itself, so that asking again helps."""
NO_ACCESS = frozenset({"403", "404", "410"})
REFUSED = NO_ACCESS | {"409", "422"}

Call = tuple[str, int]
"""Method and path, and which of the run's calls to it."""

# What the verdict needs, and the failures that leave it standing all the same.
NEEDED: dict[Call, frozenset[str]] = {
    (f"GET {REPO}/pulls/7", 1): frozenset(),
    (f"GET {REPO}/contents/.github%2Fclearband.yml", 1): frozenset(),
    (f"GET {LEDGER}", 1): frozenset(),
    (f"GET {REPO}/git/trees/HEAD", 1): frozenset(),
    (f"GET {REPO}/git/blobs/ENTRY", 1): frozenset(),
    # A history that may not be read is an incomplete one, and an unknown first result is shown as such.
    HISTORY: REFUSED,
    (f"GET {REPO}/actions/workflows/clearband.yml/runs", 1): NO_ACCESS,
    (f"GET {REPO}/actions/runs/1002", 1): NO_ACCESS,
}
# What else a run asks or does; none of it may move the verdict.
AROUND: tuple[Call, ...] = (
    (f"GET {REPO}/pulls/7/files", 1),
    (f"GET {COMMENTS}", 1),
    (f"GET {REPO}/collaborators/maia/permission", 1),
    (f"GET {REPO}/rules/branches/clearband-ledger", 1),
    (f"GET {LEDGER}", 2),
    (f"GET {REPO}/git/trees/HEAD", 2),
    (f"GET {REPO}/git/commits/HEAD", 1),
    (f"POST {REPO}/git/trees", 1),
    (f"POST {REPO}/git/commits", 1),
    (f"PATCH {REPO}/git/refs/heads%2Fclearband-ledger", 1),
    (f"GET {COMMENTS}", 2),
    AUTHORS,
    (f"PATCH {REPO}/issues/comments/COMMENT", 1),
)
USES_UP = {((f"GET {REPO}/pulls/7/files", 1), "trickling")}
"""What takes all the time that a run has for GitHub before the verdict has what it needs: an outage like any other."""
FIRST_ONLY: tuple[Call, ...] = ((f"POST {REPO}/git/refs", 1), (f"POST {COMMENTS}", 1), (f"GET {COMMENTS}", 3))
"""What only the first run on a pull request does."""


class Impatient(HTTPAdapter):
    """Waits as briefly as a test can for an answer that will not come, and as long as ever for the others."""

    def __init__(self, peer: Peer) -> None:
        super().__init__()
        self._peer = peer

    def send(self, *args: Any, **options: Any) -> requests.Response:
        options["timeout"] = 0.05 if any(fault.seconds and fault.times > 0 for fault in self._peer.faults) else 30
        return super().send(*args, **options)


@dataclass
class Scene:
    """A pull request whose primary metric regressed, judged once already."""

    peer: Peer
    pull: Pull
    run: Callable[[int], Done]
    time: Time

    def names(self) -> dict[str, str]:
        """Ids that differ from world to world, and the words that stand for them."""
        head = self.peer.world.branches.get("clearband-ledger")
        if head is None:
            return {}
        entry = next(path for path in self.peer.world.commits[head] if path.endswith(".json"))
        return {
            head: "HEAD",
            blob(self.peer.world.commits[head][entry]): "ENTRY",
            str(self.pull.comments[-1].id): "COMMENT",
        }

    def fault(self, call: Call, kind: str, *, times: int = FOR_EVER) -> Fault:
        """Arm a fault for one call of the next run."""
        on, occurrence = call
        for id_, word in self.names().items():
            on = on.replace(word, id_)
        fault = Fault(on=on.replace(".", r"\."), skip=occurrence - 1, times=times, **FAULTS[kind])
        self.peer.faults.append(fault)
        return fault


def ticking(time: Time) -> Callable[[], float]:
    """A clock on which every look costs half a second, so that what trickles comes to an end."""
    ticks = count()
    return lambda: time.clock() + next(ticks) / 2


@pytest.fixture
def scene(peer: Peer, runner: Callable[..., Runner], time: Time) -> Iterator[Callable[..., Scene]]:
    session = requests.Session()
    session.trust_env = False
    session.mount("http://", Impatient(peer))

    def make(*, judged: bool = True, ledger: str = "branch") -> Scene:
        policy = POLICY + f"ledger: {ledger}\npaths: ['src/**']\n".encode()
        pull = peer.world.open_pull(DECLARED, policy=policy)
        peer.world.say(pull, f"/clearband override {pull.head_sha} so", Identity("maia", 501, installation=False))

        def run(number: int) -> Done:
            side = runner(peer, event_of(pull, peer.world.repository)).but(GITHUB_RUN_ID=str(number))
            (side.workspace / "baseline.jsonl").write_text(BASELINE)
            (side.workspace / "candidate.jsonl").write_text(WORSE)
            out = io.StringIO()
            clock = ticking(time)
            status = action.run(side.env, session=session, clock=clock, sleep=time.sleep, stdout=out)
            return Done(status, out.getvalue(), side)

        if judged:
            assert run(1001).status == 1
        peer.exchanges.clear()
        return Scene(peer, pull, run, time)

    yield make
    session.close()


def is_decent(done: Done, scene: Scene, began: float) -> None:
    """What holds whatever happened."""
    said = done.log + done.runner.output + done.runner.summary
    files = [path.read_text() for path in (done.runner.workspace / "clearband-out").iterdir()]
    assert OURS not in said + "".join(files)
    assert "Bearer" not in said
    assert "Traceback" not in done.log
    assert "defect" not in done.log
    assert done.record["verdict"]["outcome"] in {"blocked", "invalid"}
    assert done.runner.summary
    assert done.runner.outputs["outcome"] == done.record["verdict"]["outcome"]
    assert scene.time.now - began <= PATIENCE


def test_these_are_all_the_calls_of_a_run(scene: Callable[..., Scene]) -> None:
    again = scene()
    names = again.names()
    again.run(1002)
    seen: Counter[str] = Counter()
    for exchange in again.peer.exchanges:
        call = exchange.call
        for id_, word in names.items():
            call = call.replace(id_, word)
        seen[call] += 1
    assert sorted(seen.elements()) == sorted(call for call, _ in [*NEEDED, *AROUND])


@pytest.mark.parametrize("kind", FAULTS)
@pytest.mark.parametrize("call", NEEDED, ids=lambda call: f"{call[0].replace(REPO, '')} {call[1]}")
def test_a_read_that_the_verdict_needs_ends_with_status_3_and_the_reason(
    scene: Callable[..., Scene], call: Call, kind: str
) -> None:
    again = scene()
    began = again.time.now
    fault = again.fault(call, kind)
    done = again.run(1002)
    assert fault.times < FOR_EVER
    is_decent(done, again, began)
    if kind in NEEDED[call]:
        assert done.status == 1
        return
    assert done.status == 3
    problem = done.annotations[0]
    assert problem.startswith("::error")
    assert fault.on.replace("\\", "").replace("%2F", "/").partition(" ")[2] in problem.replace("%25", "%")
    assert "GitHub" in problem


@pytest.mark.parametrize("kind", FAULTS)
@pytest.mark.parametrize("call", AROUND, ids=lambda call: f"{call[0].replace(REPO, '')} {call[1]}")
def test_whatever_else_fails_the_verdict_stands(scene: Callable[..., Scene], call: Call, kind: str) -> None:
    again = scene()
    began = again.time.now
    fault = again.fault(call, kind)
    done = again.run(1002)
    assert fault.times < FOR_EVER
    is_decent(done, again, began)
    assert done.status == (3 if (call, kind) in USES_UP else 1)


@pytest.mark.parametrize("kind", FAULTS)
@pytest.mark.parametrize("call", FIRST_ONLY, ids=lambda call: f"{call[0].replace(REPO, '')} {call[1]}")
def test_the_first_run_is_no_different(scene: Callable[..., Scene], call: Call, kind: str) -> None:
    first = scene(judged=False)
    began = first.time.now
    fault = first.fault(call, kind)
    done = first.run(1001)
    assert fault.times < FOR_EVER
    is_decent(done, first, began)
    assert done.status == 1


@pytest.mark.parametrize("kind", PASSING)
@pytest.mark.parametrize("call", [*NEEDED, *AROUND], ids=lambda call: f"{call[0].replace(REPO, '')} {call[1]}")
def test_what_fails_once_is_asked_for_again_and_nothing_is_missing(
    scene: Callable[..., Scene], call: Call, kind: str
) -> None:
    again = scene()
    fault = again.fault(call, kind, times=1)
    done = again.run(1002)
    assert fault.times == 0
    assert done.status == 1
    assert not [line for line in done.annotations if line.startswith("::warning")]
    ours = [one for one in again.pull.comments if one.author and one.author.login == "github-actions[bot]"]
    assert len(ours) == 1
    assert "run id=1002 " in ours[0].body
    head = again.peer.world.branches["clearband-ledger"]
    assert len([path for path in again.peer.world.commits[head] if path.endswith(".json")]) == 2
