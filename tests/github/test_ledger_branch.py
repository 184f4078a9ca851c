"""The ledger's branch against the peer: appended, never forced, each entry once, whatever goes wrong."""

from __future__ import annotations

import threading
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

from clearband.audit.chain import verify
from clearband.audit.entry import NotRecorded, Recorded, place
from clearband.audit.record import canonical_bytes
from clearband.github import client as client_module
from clearband.github.ledger_branch import LedgerBranch, Protection
from clearband.github.ledger_listing import BRANCH
from github.ledgers import draft, files, ledger_of, plant, plant_entry, tip
from github.peer import Fault, Identity, Peer, World

if TYPE_CHECKING:
    from collections.abc import Callable

    from clearband.github.client import Client

READER = Identity("github-actions[bot]", 41898282, writes=False)


def test_the_first_entry_makes_the_branch_without_touching_any_other(peer: Peer, ledger: LedgerBranch) -> None:
    before = dict(peer.world.branches)
    done = ledger.append(draft("run:1:1:default"))
    assert isinstance(done, Recorded)
    assert (done.entry.seq, done.entry.body["prev"]) == (1, None)
    assert list(peer.world.commits[peer.world.branches[BRANCH]]) == [f"pr-7/{done.entry.name}"]
    assert {name: sha for name, sha in peer.world.branches.items() if name != BRANCH} == before
    assert peer.world.git.parents[peer.world.branches[BRANCH]] == []


def test_every_further_entry_is_one_commit_with_one_file_on_top(peer: Peer, ledger: LedgerBranch) -> None:
    for key in "abc":
        assert isinstance(ledger.append(draft(key, number=7 if key != "b" else None)), Recorded)
    history = peer.world.git.history(BRANCH)
    sizes = [len(peer.world.commits[commit]) for commit in history]
    assert sizes == [1, 2, 3]
    chain = verify(files(peer))
    assert [entry.key for entry in chain.entries] == ["a", "b", "c"]
    assert chain.faults == ()
    assert sorted(path.partition("/")[0] for path in peer.world.commits[history[-1]]) == ["no-pr", "pr-7", "pr-7"]


def test_the_same_key_is_one_entry(peer: Peer, ledger: LedgerBranch) -> None:
    first, second = ledger.append(draft("a")), ledger.append(draft("a"))
    assert first == second
    assert len(files(peer)) == 1


def test_a_run_reads_the_entries_of_its_own_pull_request_alone(peer: Peer, ledger: LedgerBranch) -> None:
    for number in range(20):
        ledger.append(draft(f"other {number}", number=8))
    ledger.append(draft("mine"))
    peer.exchanges.clear()
    again = LedgerBranch(client=ledger.client, repository=ledger.repository, chance=lambda: 0.5)
    branch = again.branch()
    assert [entry.key for entry in again.entries(branch, number=7)] == ["mine"]
    assert branch.head is not None
    assert branch.head.seq == 21
    assert len(peer.calls) == 3


def test_nothing_is_ever_forced(peer: Peer, ledger: LedgerBranch) -> None:
    ledger.append(draft("a"))
    ledger.append(draft("b"))
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
    "422 with a hyphen": {"status": 422, "message": "Update is not a fast-forward"},
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
            ledger.append(draft(f"before {number}"))
        peer.faults.append(Fault(on=call, **fault))  # type: ignore[arg-type]  # a table of its arguments
        assert isinstance(ledger.append(draft("a")), Recorded)
        chain = verify(files(peer))
        assert chain.faults == ()
        assert [entry.key for entry in chain.entries].count("a") == 1
        assert len(chain.entries) == existing + 1

    def test_a_read_only_token_is_told_apart(self, peer: Peer, connect: Callable[..., Client]) -> None:
        peer.world.tokens["ghs_reader"] = READER
        client = connect(peer, token="ghs_reader")
        done = LedgerBranch(client=client, repository=peer.world.repository, chance=lambda: 0.5).append(draft("a"))
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
        done = slow.append(draft("a"))
        assert isinstance(done, NotRecorded)
        assert not done.read_only
        assert now[0] <= 120

    def test_an_entry_that_landed_without_any_answer_is_found(self, peer: Peer, ledger: LedgerBranch) -> None:
        ledger.append(draft("before"))
        peer.faults.append(Fault(on="PATCH .*", times=5, status=502, after=True))
        done = ledger.append(draft("a"))
        assert isinstance(done, Recorded)
        assert done.entry.name in files(peer)
        assert len(files(peer)) == 2

    @pytest.mark.parametrize("existing", [0, 1])
    def test_a_write_that_works_after_it_was_given_up_lands_once(
        self, peer: Peer, ledger: LedgerBranch, monkeypatch: pytest.MonkeyPatch, existing: int
    ) -> None:
        for number in range(existing):
            ledger.append(draft(f"before {number}"))
        monkeypatch.setattr(client_module, "_READ", 0.05)
        peer.faults.append(Fault(on=MOVES, seconds=0.3))
        moved = len(peer.exchanges)
        assert isinstance(ledger.append(draft("a")), Recorded)
        while sum(one.faulty for one in peer.exchanges[moved:]) == 0:
            threading.Event().wait(0.02)
        assert len(files(peer)) == existing + 1
        assert verify(files(peer)).faults == ()

    @pytest.mark.parametrize("call", ["POST .*/git/trees", ".*"])
    def test_an_outage_that_lasts_is_told(self, peer: Peer, ledger: LedgerBranch, call: str) -> None:
        peer.faults.append(Fault(on=call, times=99, status=503))
        done = ledger.append(draft("a"))
        assert isinstance(done, NotRecorded)
        assert not done.read_only
        assert "503" in done.reason
        assert files(peer) == {}

    def test_a_rule_that_forbids_the_commit_is_named_at_once(self, peer: Peer, ledger: LedgerBranch) -> None:
        said = "Repository rule violations found\n\nChanges must be made through a pull request."
        peer.world.git.forbidden = said
        done = ledger.append(draft("a"))
        assert isinstance(done, NotRecorded)
        assert not done.read_only
        assert "Changes must be made through a pull request" in done.reason
        assert f"Take the rule off the branch `{BRANCH}`" in done.remedy
        assert peer.calls.count(f"POST /repos/{peer.world.repository}/git/refs") == 1

    def test_a_refusal_is_no_conflict_whatever_the_repository_is_called(
        self, serve: Callable[..., Peer], connect: Callable[..., Client]
    ) -> None:
        peer = serve(World(repository="already-exists/409-conflict"))
        peer.faults.append(Fault(on="POST .*/git/refs", times=99, status=422, message="Validation Failed"))
        done = ledger_of(peer, connect(peer)).append(draft("a"))
        assert isinstance(done, NotRecorded)
        assert peer.calls.count("POST /repos/already-exists/409-conflict/git/refs") == 1

    def test_a_write_that_github_hides_is_a_missing_permission(self, peer: Peer, ledger: LedgerBranch) -> None:
        peer.faults.append(Fault(on="POST .*", times=99, status=404, message="Not Found"))
        done = ledger.append(draft("a"))
        assert isinstance(done, NotRecorded)
        assert done.read_only
        assert "contents: write" in done.remedy


class TestALedgerThatDoesNotVerify:
    """It is not continued: a further entry would seem to vouch for what is wrong before it."""

    @pytest.fixture
    def fresh(self, peer: Peer, ledger: LedgerBranch) -> LedgerBranch:
        for key, number in [("a", 7), ("b", 7), ("c", 8)]:
            ledger.append(draft(key, number=number))
        return ledger_of(peer, ledger.client)

    def refused(self, fresh: LedgerBranch) -> str:
        done = fresh.append(draft("d"))
        assert isinstance(done, NotRecorded)
        assert not done.read_only
        assert "does not verify" in done.reason
        assert "clearband audit verify" in done.remedy
        return done.reason

    @pytest.mark.parametrize("which", [0, 2], ids=["of this pull request", "the newest, of another"])
    def test_because_an_entry_was_changed(self, peer: Peer, fresh: LedgerBranch, which: int) -> None:
        path = sorted(tip(peer))[which]
        plant(peer, path, tip(peer)[path].replace(b"12:00:00Z", b"12:00:01Z"))
        assert f"{path.partition('/')[2]} was changed" in self.refused(fresh)

    def test_because_an_entry_was_dropped(self, peer: Peer, fresh: LedgerBranch) -> None:
        del tip(peer)[sorted(tip(peer))[1]]
        assert "entry number 2 is missing" in self.refused(fresh)

    def test_because_an_entry_stands_twice(self, peer: Peer, fresh: LedgerBranch) -> None:
        path = min(tip(peer))
        plant(peer, path.replace("pr-7", "pr-9"), tip(peer)[path])
        assert "entry number 2 is missing or stands twice" in self.refused(fresh)

    @pytest.mark.parametrize("path", ["notes.txt", "pr-7/notes.txt", "deep/pr-7/notes.txt"])
    def test_because_something_else_lies_there(self, peer: Peer, fresh: LedgerBranch, path: str) -> None:
        plant(peer, path, b"hello")
        assert f"`{path}`, which is no entry" in self.refused(fresh)

    def test_because_an_entry_follows_another_one_than_the_one_before_it(self, peer: Peer, fresh: LedgerBranch) -> None:
        del tip(peer)[max(tip(peer))]
        stranger = place(draft("stranger"), place(draft("never seen"), place(draft("nor this"), None)))
        plant_entry(peer, stranger, number=8)
        assert f"{stranger.name} does not follow the entry before it" in self.refused(fresh)

    def test_because_its_only_entry_names_one_before_it(self, peer: Peer, ledger: LedgerBranch) -> None:
        ledger.append(draft("a"))
        tip(peer).clear()
        first = place(draft("a"), None)
        body = canonical_bytes({**first.body, "prev": "0" * 64})
        plant(peer, f"pr-7/00000001-{sha256(body).hexdigest()}.json", body)
        self.refused(ledger_of(peer, ledger.client))


class TestProtection:
    def test_the_rules_that_hold_are_told(self, peer: Peer, ledger: LedgerBranch) -> None:
        peer.world.git.rules[BRANCH] = ["non_fast_forward", "pull_request"]
        assert ledger.protection() == Protection(non_fast_forward=True, deletion=False)

    def test_no_rules_are_no_protection(self, ledger: LedgerBranch) -> None:
        assert ledger.protection() == Protection(non_fast_forward=False, deletion=False)

    def test_rules_that_cannot_be_read_are_unknown(self, peer: Peer, ledger: LedgerBranch) -> None:
        peer.faults.append(Fault(on="GET .*/rules/branches/.*", status=403, message="Upgrade to GitHub Pro"))
        assert ledger.protection() is None
