"""The ledger's branch on a GitHub that we did not write: real git ids, every exchange judged by GitHub's description."""

from __future__ import annotations

import base64
import random
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
import requests

from clearband.audit.chain import verify
from clearband.audit.entry import NotRecorded, Recorded
from clearband.github.client import Client
from clearband.github.ledger_branch import LedgerBranch
from clearband.github.ledger_listing import BRANCH, Branch
from github.conftest import node_packages
from github.ledgers import draft
from github.peer import node

if TYPE_CHECKING:
    from collections.abc import Iterator

OURS, READS = "ghp_ours", "ghp_reads"
LOGINS = {OURS: "clearband-bot", READS: "clearband-bot"}
REPOSITORY = "clearband-bot/evals"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def second_peer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[node.NodePeer]:
    node_packages()
    with node.serve(tmp_path_factory.mktemp("ledger-peer"), LOGINS, read_only=frozenset({READS})) as peer:
        yield peer
        assert peer.violations() == []


@pytest.fixture
def session() -> Iterator[requests.Session]:
    with requests.Session() as session:
        session.trust_env = False
        yield session


def ledger_of(peer: node.NodePeer, session: requests.Session, token: str = OURS) -> LedgerBranch:
    url = peer.api_url
    client = Client(session=session, api_url=url, graphql_url=f"{url}/graphql", token=token)
    return LedgerBranch(client=client, repository=REPOSITORY, chance=random.random)


def asked(peer: node.NodePeer, session: requests.Session, path: str) -> Any:
    answer = session.get(
        f"{peer.state_url}/repos/{REPOSITORY}{path}", headers={"Authorization": f"Bearer {OURS}"}, timeout=30
    )
    answer.raise_for_status()
    return answer.json()


def test_a_ledger_from_its_first_entry(second_peer: node.NodePeer, session: requests.Session) -> None:
    reader = ledger_of(second_peer, session, READS)
    assert reader.branch() == Branch(commit=None)
    refused = reader.append(draft("refused"))
    assert isinstance(refused, NotRecorded)
    assert refused.read_only

    for key, number in [("a", 7), ("b", 8), ("c", 7), ("a", 7)]:
        # A new run each time: nothing is remembered.
        assert isinstance(ledger_of(second_peer, session).append(draft(key, number=number)), Recorded)
    assert [entry.key for entry in ledger_of(second_peer, session).past(7)] == ["a", "c"]

    tree = asked(second_peer, session, f"/git/trees/{BRANCH}?recursive=1")["tree"]
    blobs = {one["path"]: one["sha"] for one in tree if one["type"] == "blob"}
    found = {
        path.rpartition("/")[2]: base64.b64decode(asked(second_peer, session, f"/git/blobs/{sha}")["content"])
        for path, sha in blobs.items()
    }
    chain = verify(found)
    assert chain.faults == ()
    assert [entry.key for entry in chain.entries] == ["a", "b", "c"]

    commit = asked(second_peer, session, f"/git/ref/heads/{BRANCH}")["object"]["sha"]
    for left in (2, 1, 0):
        parents = asked(second_peer, session, f"/git/commits/{commit}")["parents"]
        assert len(parents) == min(left, 1)
        commit = parents[0]["sha"] if parents else None


def test_writers_who_race_come_one_after_the_other(second_peer: node.NodePeer) -> None:
    def write(number: int) -> Recorded | NotRecorded:
        with requests.Session() as session:
            session.trust_env = False
            return ledger_of(second_peer, session).append(draft(f"race {number}", number=9))

    with ThreadPoolExecutor(6) as pool:
        done = list(pool.map(write, range(6)))
    assert [one for one in done if not isinstance(one, Recorded)] == []
    with requests.Session() as session:
        session.trust_env = False
        past = ledger_of(second_peer, session).past(9)
        branch = ledger_of(second_peer, session).branch()
    assert sorted(entry.key for entry in past) == [f"race {number}" for number in range(6)]
    assert [one.link.seq for one in branch.listed] == list(range(1, len(branch.listed) + 1))
