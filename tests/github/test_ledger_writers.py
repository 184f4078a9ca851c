"""Fifty runs end at the same moment, on a bad day: every one of them is in the ledger once."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests

from clearband.audit.chain import verify
from clearband.audit.entry import NotRecorded, Recorded
from clearband.github.client import Client
from clearband.github.ledger_branch import LedgerBranch
from clearband.github.ledger_listing import BRANCH
from github.conftest import OURS
from github.ledgers import draft, files
from github.peer import Fault, Peer

WRITERS = 50


def bad_day(chance: random.Random) -> list[Fault]:
    """Refusals, outages and lost answers, before and after the deed, all over the first two hundred calls."""
    anywhere = [
        {"status": 500},
        {"status": 502, "html": True, "after": True},
        {"status": 503, "after": True},
        {"hang_up": True},
        {"hang_up": True, "after": True},
        {"status": 429, "headers": {"retry-after": "1"}},
    ]
    moving = [
        *anywhere,
        {"status": 422, "message": "Update is not a fast forward"},
        {"status": 409, "message": "Conflict"},
        {"seconds": 0.2},
    ]
    calls = {
        "GET .*/git/matching-refs/.*": anywhere,
        "GET .*/git/trees/.*": anywhere,
        "POST .*/git/(trees|commits)": anywhere,
        "(POST|PATCH) .*/git/refs.*": moving,
    }
    return [
        Fault(on=call, skip=chance.randrange(60), **kind)  # type: ignore[arg-type]  # a table of its arguments
        for call, kinds in calls.items()
        for kind in kinds * 2
    ]


def write(peer: Peer, number: int) -> Recorded | NotRecorded:
    """Append one entry as a run of its own: with its own client, session and chance, and with real waits."""
    with requests.Session() as session:
        session.trust_env = False
        client = Client(session=session, api_url=peer.api_url, graphql_url=peer.graphql_url, token=OURS)
        ledger = LedgerBranch(client=client, repository=peer.world.repository, chance=random.Random(number).random)
        return ledger.append(draft(f"run:{number}:1:default", number=number % 5))


@pytest.mark.slow
def test_fifty_writers_at_once_land_every_entry_once() -> None:
    with Peer() as peer:  # not judged: thousands of exchanges like the other tests' would take longer than the test
        peer.faults.extend(bad_day(random.Random(5)))
        with ThreadPoolExecutor(WRITERS) as pool:
            done = list(pool.map(lambda number: write(peer, number), range(WRITERS)))
    assert [one for one in done if not isinstance(one, Recorded)] == []
    assert all(fault.times == 0 for fault in peer.faults)
    chain = verify(files(peer))
    assert chain.faults == ()
    assert sorted(entry.key for entry in chain.entries) == sorted(
        f"run:{number}:1:default" for number in range(WRITERS)
    )
    history = peer.world.git.history(BRANCH)
    assert [len(peer.world.commits[commit]) for commit in history] == list(range(1, WRITERS + 1))
    assert all(len(peer.world.git.added(commit)) == 1 for commit in history)
    moves = [one.body for one in peer.exchanges if one.method == "PATCH"]
    assert all(b'"force": false' in body for body in moves)
