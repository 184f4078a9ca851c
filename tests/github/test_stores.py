"""One interface, two places: what holds for a ledger holds in a folder and on the repository's branch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clearband.audit.entry import NotRecorded, Recorded
from clearband.errors import ClearbandError
from clearband.ledger_folder import LedgerFolder
from github.ledgers import draft, ledger_of, plant, tip

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from clearband.audit.entry import Entry
    from clearband.audit.store import Store
    from clearband.github.client import Client
    from github.peer import Peer


@pytest.fixture(params=["folder", "branch"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def opened(kind: str, tmp_path: Path, peer: Peer, connect: Callable[..., Client]) -> Callable[[], Store]:
    """Open the store as a new run does: it remembers nothing."""
    return lambda: LedgerFolder(tmp_path / "ledger") if kind == "folder" else ledger_of(peer, connect(peer))


@pytest.fixture
def change(kind: str, tmp_path: Path, peer: Peer) -> Callable[[Entry], None]:
    """Change one byte of an entry behind the store's back."""

    def harm(entry: Entry) -> None:
        data = entry.data.replace(b"12:00:00Z", b"12:00:01Z")
        if kind == "folder":
            (tmp_path / "ledger" / entry.name).write_bytes(data)
        else:
            plant(peer, next(path for path in tip(peer) if path.endswith(entry.name)), data)

    return harm


def written(store: Store, key: str, *, number: int | None = 7) -> Entry:
    done = store.append(draft(key, number=number))
    assert isinstance(done, Recorded)
    return done.entry


def test_a_ledger_that_is_not_there_yet_is_empty(opened: Callable[[], Store]) -> None:
    assert opened().past(7) == ()


def test_entries_follow_each_other(opened: Callable[[], Store]) -> None:
    first, second = written(opened(), "a"), written(opened(), "b", number=8)
    assert (first.seq, second.seq) == (1, 2)
    assert second.body["prev"] == first.sha256


def test_the_same_key_is_one_entry(opened: Callable[[], Store]) -> None:
    assert written(opened(), "a") == written(opened(), "a")


def test_the_past_of_a_pull_request_is_its_own(opened: Callable[[], Store]) -> None:
    for key, number in [("a", 7), ("b", 70), ("c", None), ("d", 7)]:
        written(opened(), key, number=number)
    assert [entry.key for entry in opened().past(7)] == ["a", "d"]
    assert [entry.key for entry in opened().past(None)] == ["c"]


def test_a_ledger_that_does_not_verify_is_neither_believed_nor_continued(
    opened: Callable[[], Store], change: Callable[[Entry], None]
) -> None:
    change(written(opened(), "a"))
    done = opened().append(draft("b"))
    assert isinstance(done, NotRecorded)
    assert "does not verify" in done.reason
    with pytest.raises(ClearbandError, match="does not verify"):
        opened().past(7)
