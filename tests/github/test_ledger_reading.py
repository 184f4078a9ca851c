"""Reading the ledger's branch: few calls, nothing from a cache, and what cannot be read is never an empty ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clearband.audit.chain import verify
from clearband.audit.entry import NotRecorded, Recorded
from clearband.github import failures, ledger_branch
from clearband.github.ledger_contents import AT_ONCE
from clearband.github.ledger_listing import BRANCH, Branch
from github.ledgers import draft, files, ledger_of, plant, tip
from github.peer import Fault, Identity, Peer

if TYPE_CHECKING:
    from collections.abc import Callable

    from clearband.github.client import Client
    from clearband.github.ledger_branch import LedgerBranch

STRANGER = Identity("github-actions[bot]", 41898282, reads=False, writes=False)


@pytest.fixture
def fresh(peer: Peer, ledger: LedgerBranch) -> Callable[..., LedgerBranch]:
    """Make a ledger of entries for pull requests, and return it as a new run has it."""

    def make(**counts: int) -> LedgerBranch:
        for name, count in counts.items():
            for number in range(count):
                assert isinstance(
                    ledger.append(draft(f"{name} {number}", number=int(name.removeprefix("pr")))), Recorded
                )
        peer.exchanges.clear()
        return ledger_of(peer, ledger.client)

    return make


def keys(ledger: LedgerBranch, number: int | None) -> list[str]:
    return [entry.key for entry in ledger.past(number)]


class TestWhatIsThere:
    def test_no_branch_is_an_empty_ledger(self, ledger: LedgerBranch) -> None:
        assert ledger.branch() == Branch(commit=None)
        assert ledger.past(7) == ()

    def test_a_branch_that_only_begins_with_the_name_is_another_one(self, peer: Peer, ledger: LedgerBranch) -> None:
        peer.world.commit({"notes.txt": b"hello"}, branch=f"{BRANCH}-old")
        assert ledger.branch() == Branch(commit=None)

    def test_a_repository_that_the_token_may_not_see_is_not_an_empty_ledger(
        self, peer: Peer, connect: Callable[..., Client]
    ) -> None:
        peer.world.tokens["ghs_stranger"] = STRANGER
        with pytest.raises(failures.NotThere) as caught:
            ledger_of(peer, connect(peer, token="ghs_stranger")).past(7)
        assert "contents: read" in str(caught.value.remedy)

    @pytest.mark.parametrize("raw", [b"{}", b"[1, {}]", b'[{"ref": "refs/heads/clearband-ledger"}]', b"null"])
    def test_an_answer_that_is_no_list_of_branches_is_none_or_said(
        self, peer: Peer, ledger: LedgerBranch, raw: bytes
    ) -> None:
        peer.faults.append(Fault(on="GET .*/git/matching-refs/.*", raw=raw))
        if raw == b"[1, {}]":
            assert ledger.branch().commit is None
        else:
            with pytest.raises(failures.NotUnderstood):
                ledger.branch()

    def test_every_read_goes_past_caches(self, peer: Peer, fresh: Callable[..., LedgerBranch]) -> None:
        fresh(pr7=1).past(7)
        assert {one.headers["cache-control"] for one in peer.exchanges} == {"no-cache"}


class TestHowManyCalls:
    def test_many_contents_are_one_question(self, peer: Peer, fresh: Callable[..., LedgerBranch]) -> None:
        ledger = fresh(pr7=AT_ONCE, pr8=3)
        assert keys(ledger, 7) == [f"pr7 {number}" for number in range(AT_ONCE)]
        assert len(peer.calls) == 3
        assert keys(ledger, 7)[0] == "pr7 0"
        assert len(peer.calls) == 5  # the names again, no content twice

    def test_an_append_after_reading_costs_the_names_the_newest_entry_its_tree_and_three_writes(
        self, peer: Peer, fresh: Callable[..., LedgerBranch]
    ) -> None:
        ledger = fresh(pr7=3, pr8=1)
        ledger.past(7)
        peer.exchanges.clear()
        assert isinstance(ledger.append(draft("a")), Recorded)
        assert [one.method for one in peer.exchanges] == ["GET", "GET", "GET", "GET", "POST", "POST", "PATCH"]

    def test_of_very_many_entries_the_oldest_and_the_newest_are_read(
        self, fresh: Callable[..., LedgerBranch], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(ledger_branch, "MOST_OWN", 4)
        assert keys(fresh(pr7=7), 7) == ["pr7 0", "pr7 1", "pr7 5", "pr7 6"]


class TestContents:
    def test_a_text_that_was_cut_is_fetched_by_itself(self, peer: Peer, fresh: Callable[..., LedgerBranch]) -> None:
        ledger = fresh(pr7=3)
        peer.world.git.most_text = 10
        assert keys(ledger, 7) == ["pr7 0", "pr7 1", "pr7 2"]
        assert sum("/git/blobs/" in call for call in peer.calls) == 3

    def test_without_graphql_every_content_is_fetched_by_itself(
        self, peer: Peer, fresh: Callable[..., LedgerBranch]
    ) -> None:
        ledger = fresh(pr7=3)
        peer.faults.append(Fault(on="POST /graphql", times=99, status=502, html=True))
        assert keys(ledger, 7) == ["pr7 0", "pr7 1", "pr7 2"]

    @pytest.mark.parametrize("content", ["'***'", "null"])
    def test_a_content_that_is_none_is_said(self, peer: Peer, fresh: Callable[..., LedgerBranch], content: str) -> None:
        ledger = fresh(pr7=1)
        raw = f'{{"content": {content}}}'.replace("'", '"').encode()
        peer.faults.append(Fault(on="GET .*/git/blobs/.*", raw=raw))
        with pytest.raises(failures.NotUnderstood):
            ledger.past(7)


class TestALedgerTooLargeForOneAnswer:
    def test_is_read_folder_by_folder_and_continued(self, peer: Peer, fresh: Callable[..., LedgerBranch]) -> None:
        ledger = fresh(pr7=2, pr8=3, pr9=1)
        peer.world.git.most_listed = 4
        assert keys(ledger, 7) == ["pr7 0", "pr7 1"]
        assert keys(ledger, 10) == []
        assert isinstance(ledger.append(draft("a", number=10)), Recorded)
        assert ledger.append(draft("pr8 1", number=8)) == Recorded(ledger.past(8)[1])
        chain = verify(files(peer))
        assert chain.faults == ()
        assert [entry.key for entry in chain.entries][-1] == "a"

    def test_is_not_continued_where_its_newest_commit_is_not_one_entry(
        self, peer: Peer, fresh: Callable[..., LedgerBranch]
    ) -> None:
        ledger = fresh(pr7=3)
        peer.world.git.most_listed = 1
        plant(peer, "pr-7/notes.txt", b"hello")
        done = ledger.append(draft("a"))
        assert isinstance(done, NotRecorded)
        assert "does not add one entry and nothing else" in done.reason

    def test_is_not_continued_where_its_newest_entry_was_changed(
        self, peer: Peer, fresh: Callable[..., LedgerBranch]
    ) -> None:
        ledger = fresh(pr7=3)
        peer.world.git.most_listed = 1
        newest = max(tip(peer))
        plant(peer, newest, tip(peer)[newest].replace(b"12:00:00Z", b"12:00:01Z"))
        done = ledger.append(draft("a", number=8))
        assert isinstance(done, NotRecorded)
        assert "was changed" in done.reason

    @pytest.mark.parametrize(
        "raw",
        [
            b'{"tree": [], "truncated": true}',
            b'{"tree": [7], "truncated": false}',
            b'{"tree": null, "truncated": false}',
            b"[]",
        ],
    )
    def test_is_said_where_even_a_folder_cannot_be_listed(
        self, peer: Peer, fresh: Callable[..., LedgerBranch], raw: bytes
    ) -> None:
        ledger = fresh(pr7=3)
        peer.faults.append(Fault(on="GET .*/git/trees/.*", times=9, raw=raw))
        with pytest.raises(failures.NotUnderstood, match="cannot be listed"):
            ledger.past(7)
