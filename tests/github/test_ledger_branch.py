"""The ledger's branch against the peer: appended, never forced, each entry once, whatever goes wrong."""

from __future__ import annotations

import itertools
import random
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
import requests

from clearband.audit.chain import verify
from clearband.audit.entry import Draft, EntryType, NotRecorded, Recorded
from clearband.github.client import Client
from clearband.github.ledger_branch import BRANCH, LedgerBranch, Protection
from github.conftest import OURS
from github.peer import Fault, Identity, Peer

if TYPE_CHECKING:
    from collections.abc import Callable

READER = Identity("github-actions[bot]", 41898282, writes=False)


def draft(key: str) -> Draft:
    return Draft(
        key=key,
        type=EntryType.OVERRIDE,
        recorded_at="2026-03-01T12:00:00Z",
        event={"comment": key},
        pr={"number": 7},
    )


@pytest.fixture
def ledger(peer: Peer, connect: Callable[..., Client]) -> LedgerBranch:
    return LedgerBranch(
        client=connect(peer), repository=peer.world.repository, chance=lambda: 0.5, sleep=lambda _: None
    )


def files(peer: Peer) -> dict[str, bytes]:
    """Return what the branch holds, by file name, as `audit verify` reads it."""
    commit = peer.world.branches.get(BRANCH)
    return (
        {} if commit is None else {path.rpartition("/")[2]: data for path, data in peer.world.commits[commit].items()}
    )


def test_the_first_entry_makes_the_branch_without_touching_any_other(peer: Peer, ledger: LedgerBranch) -> None:
    before = dict(peer.world.branches)
    done = ledger.append(draft("run:1:1:default"), number=7)
    assert isinstance(done, Recorded)
    assert (done.entry.seq, done.entry.body["prev"]) == (1, None)
    assert list(peer.world.commits[peer.world.branches[BRANCH]]) == [f"pr-7/{done.entry.name}"]
    assert {name: sha for name, sha in peer.world.branches.items() if name != BRANCH} == before
    assert peer.world.git.parents[peer.world.branches[BRANCH]] == []


def test_every_further_entry_is_one_commit_with_one_file_on_top(peer: Peer, ledger: LedgerBranch) -> None:
    for key in "abc":
        assert isinstance(ledger.append(draft(key), number=7 if key != "b" else None), Recorded)
    history = peer.world.git.history(BRANCH)
    sizes = [len(peer.world.commits[commit]) for commit in history]
    assert sizes == [1, 2, 3]
    chain = verify(files(peer))
    assert [entry.key for entry in chain.entries] == ["a", "b", "c"]
    assert chain.faults == ()
    assert sorted(path.partition("/")[0] for path in peer.world.commits[history[-1]]) == ["no-pr", "pr-7", "pr-7"]


def test_the_same_key_is_one_entry(peer: Peer, ledger: LedgerBranch) -> None:
    first, second = ledger.append(draft("a"), number=7), ledger.append(draft("a"), number=7)
    assert first == second
    assert len(files(peer)) == 1


def test_a_run_reads_the_entries_of_its_own_pull_request_alone(peer: Peer, ledger: LedgerBranch) -> None:
    for number in range(20):
        ledger.append(draft(f"other {number}"), number=8)
    ledger.append(draft("mine"), number=7)
    peer.exchanges.clear()
    again = LedgerBranch(client=ledger.client, repository=ledger.repository, chance=lambda: 0.5)
    branch = again.branch()
    assert [entry.key for entry in again.entries(branch, number=7)] == ["mine"]
    assert branch.head is not None
    assert branch.head.seq == 21
    assert len(peer.calls) == 3


def test_nothing_is_ever_forced(peer: Peer, ledger: LedgerBranch) -> None:
    ledger.append(draft("a"), number=7)
    ledger.append(draft("b"), number=7)
    moves = [one.body for one in peer.exchanges if one.method == "PATCH"]
    assert moves
    assert all(b'"force": false' in body for body in moves)


ANYWHERE = {
    "502": {"status": 502, "html": True},
    "500 after the deed": {"status": 500, "after": True},
    "no answer": {"hang_up": True},
    "no answer after the deed": {"hang_up": True, "after": True},
}
ON_THE_BRANCH = {
    "422": {"status": 422, "message": "Update is not a fast forward"},
    "409": {"status": 409, "message": "Conflict"},
}
MOVES = "(PATCH|POST) .*/git/refs.*"
TROUBLES = [
    *[pytest.param(MOVES, fault, id=f"branch, {name}") for name, fault in {**ANYWHERE, **ON_THE_BRANCH}.items()],
    *[pytest.param("POST .*/git/trees", fault, id=f"tree, {name}") for name, fault in ANYWHERE.items()],
    *[pytest.param("POST .*/git/commits", fault, id=f"commit, {name}") for name, fault in ANYWHERE.items()],
]


class TestBadDays:
    @pytest.mark.parametrize(("call", "fault"), TROUBLES)
    @pytest.mark.parametrize("existing", [0, 1])
    def test_an_entry_lands_once(
        self, peer: Peer, ledger: LedgerBranch, call: str, fault: dict[str, object], existing: int
    ) -> None:
        for number in range(existing):
            ledger.append(draft(f"before {number}"), number=7)
        peer.faults.append(Fault(on=call, **fault))  # type: ignore[arg-type]  # a table of its arguments
        assert isinstance(ledger.append(draft("a"), number=7), Recorded)
        chain = verify(files(peer))
        assert chain.faults == ()
        assert [entry.key for entry in chain.entries].count("a") == 1
        assert len(chain.entries) == existing + 1

    def test_a_read_only_token_is_told_apart(self, peer: Peer, connect: Callable[..., Client]) -> None:
        peer.world.tokens["ghs_reader"] = READER
        client = connect(peer, token="ghs_reader")
        done = LedgerBranch(client=client, repository=peer.world.repository, chance=lambda: 0.5).append(
            draft("a"), number=7
        )
        assert isinstance(done, NotRecorded)
        assert done.read_only
        assert "contents: write" in done.remedy
        assert files(peer) == {}

    def test_a_writer_that_always_loses_gives_up_in_time(self, peer: Peer, connect: Callable[..., Client]) -> None:
        peer.faults.append(
            Fault(on="(PATCH|POST) .*/git/refs.*", times=999, status=422, message="Update is not a fast forward")
        )
        now = [0.0]
        slow = LedgerBranch(
            client=connect(peer), repository=peer.world.repository, chance=lambda: 1.0, clock=lambda: now[0],
            sleep=lambda seconds: now.__setitem__(0, now[0] + seconds),
        )  # fmt: skip
        done = slow.append(draft("a"), number=7)
        assert isinstance(done, NotRecorded)
        assert not done.read_only
        assert now[0] <= 120

    @pytest.mark.parametrize("harm", ["changed", "dropped", "foreign"])
    def test_a_ledger_that_does_not_verify_is_not_continued(self, peer: Peer, ledger: LedgerBranch, harm: str) -> None:
        for key in "abc":
            ledger.append(draft(key), number=7)
        there = peer.world.commits[peer.world.branches[BRANCH]]
        first, second, *_ = sorted(there)
        if harm == "changed":
            there[first] = there[first].replace(b"12:00:00Z", b"12:00:01Z")
            peer.world.git.blobs.update(dict(_blobs(there)))
        elif harm == "dropped":
            del there[second]
        else:
            there["notes.txt"] = b"hello"
        fresh = LedgerBranch(client=ledger.client, repository=ledger.repository, chance=lambda: 0.5)
        done = fresh.append(draft("d"), number=7)
        assert isinstance(done, NotRecorded)
        assert "does not verify" in done.reason


def _blobs(there: dict[str, bytes]) -> list[tuple[str, bytes]]:
    from github.peer.world import blob

    return [(blob(data), data) for data in there.values()]


class TestProtection:
    def test_the_rules_that_hold_are_told(self, peer: Peer, ledger: LedgerBranch) -> None:
        peer.world.git.rules[BRANCH] = ["non_fast_forward", "pull_request"]
        assert ledger.protection() == Protection(non_fast_forward=True, deletion=False)

    def test_no_rules_are_no_protection(self, ledger: LedgerBranch) -> None:
        assert ledger.protection() == Protection(non_fast_forward=False, deletion=False)

    def test_rules_that_cannot_be_read_are_unknown(self, peer: Peer, ledger: LedgerBranch) -> None:
        peer.faults.append(Fault(on="GET .*/rules/branches/.*", status=403, message="Upgrade to GitHub Pro"))
        assert ledger.protection() is None


@pytest.mark.slow
def test_fifty_writers_at_once_land_every_entry_once() -> None:
    with Peer() as peer:  # not judged: thousands of exchanges like those above would take longer than the test
        _fifty_writers(peer)


def _fifty_writers(peer: Peer) -> None:
    trouble = random.Random(5)
    lock = threading.Lock()
    faults = itertools.cycle([
        {"status": 500}, {"status": 502, "after": True}, {"hang_up": True, "after": True},
        {"status": 422, "message": "Update is not a fast forward"}, {"status": 409, "message": "Conflict"},
    ])  # fmt: skip
    for number in range(40):
        call = ["POST .*/git/trees", "POST .*/git/commits", "(PATCH|POST) .*/git/refs.*", "GET .*/git/ref/.*"][
            number % 4
        ]
        kind = next(faults)
        if number % 4 != 2 and kind["status" if "status" in kind else "hang_up"] in {409, 422}:
            kind = {"status": 500}
        peer.faults.append(Fault(on=call, skip=trouble.randrange(200), **kind))  # type: ignore[arg-type]  # as above

    def write(number: int) -> Recorded | NotRecorded:
        with requests.Session() as session, lock:
            session.trust_env = False
        client = Client(
            session=session, api_url=peer.api_url, graphql_url=peer.graphql_url, token=OURS, sleep=lambda _: None
        )
        chance = random.Random(number)
        ledger = LedgerBranch(client=client, repository=peer.world.repository, chance=chance.random, sleep=_brief)
        return ledger.append(draft(f"run:{number}:1:default"), number=number % 5)

    with ThreadPoolExecutor(50) as pool:
        done = list(pool.map(write, range(50)))
    assert [type(one) for one in done] == [Recorded] * 50
    chain = verify(files(peer))
    assert chain.faults == ()
    assert sorted(entry.key for entry in chain.entries) == sorted(f"run:{number}:1:default" for number in range(50))
    sizes = [len(peer.world.commits[commit]) for commit in peer.world.git.history(BRANCH)]
    assert sizes == list(range(1, 51))


def _brief(seconds: float) -> None:
    threading.Event().wait(seconds / 20)
