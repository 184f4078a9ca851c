"""Ledgers of real comparisons, for the tests: every record is what the program computes."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from clearband.audit.entry import Draft, Entry, EntryType, place
from clearband.declaration import parse
from clearband.pipeline import Request, answer
from clearband.policy import MetricPolicy, Policy
from clearband.registration import Registrar, Registration, Standing
from clearband.sources import Source
from clearband.terms import Options
from clearband.vocabulary import Direction

if TYPE_CHECKING:
    from collections.abc import Sequence

N = 120
POLICY = Policy(
    primary="quality",
    metrics={
        "quality": MetricPolicy(range=(0.0, 1.0), effect=0.05),
        "latency": MetricPolicy(direction=Direction.LOWER),
    },
    sha256="a" * 64,
)


def rows(shift: float, seed: int = 0) -> bytes:
    """Return a result file whose quality moved by so much on average; latency moves with it."""
    random = np.random.default_rng(seed)
    truth = np.random.default_rng(7).uniform(0.2, 0.8, N)
    noise = random.normal(scale=0.12, size=N) * (shift != 0.0)
    values = np.clip(truth + shift + noise - noise.mean(), 0.0, 1.0)
    lines = [
        {"id": f"q{number}", "quality": round(float(value), 4), "latency": round(float(2.0 - value), 4)}
        for number, value in enumerate(values)
    ]
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


@cache
def record(shift: float, *, seed: int = 1, suite: str = "default", standing: Standing | None = Standing.BEFORE) -> Any:
    """Return the record of a comparison with the unshifted baseline."""
    body = f"```clearband\nsuite: {suite}\nprimary_metric: quality\n```\n"
    registration = None if standing is None else Registration(standing=standing, registrar=Registrar.DESCRIPTION)
    return answer(
        Request(
            suite=suite,
            baseline=Source(name="main.jsonl", data=rows(0.0)),
            candidate=Source(name="pr.jsonl", data=rows(shift, seed)),
            policy=POLICY,
            declaration=parse(body, suite=suite),
            options=Options(),
            registration=registration,
            earlier_candidates=(),
        )
    ).record


def comparison(pr: int | None, shift: float, *, seed: int = 1, look: int = 1, **more: Any) -> Draft:
    """Return the draft of a comparison on a pull request, or on a laptop."""
    told = record(shift, seed=seed, **more)
    standing = None if told["registration"] is None else told["registration"]["standing"]
    return Draft(
        key=f"run:{pr}:{shift}:{seed}:{more}",
        type=EntryType.COMPARISON,
        recorded_at=f"2026-03-{1 + seed % 28:02d}T12:00:00Z",
        record=told,
        repo=None if pr is None else {"id": 1, "full_name": "some/where"},
        pr=None if pr is None else pull(pr),
        run=None if pr is None else {"id": 7, "attempt": 1, "workflow": "gate.yml", "event": "pull_request"},
        registration=None
        if pr is None or standing is None
        else {
            "standing": standing,
            "registrar": "description",
            "registered": "primary_metric: quality\nsuite: default\n",
            "registered_sha256": "b" * 64,
            "current_sha256": "b" * 64,
            "first_result_at": "2026-03-01T12:00:00Z",
            "evidence": [{"at": "2026-03-01T11:00:00Z", "what": "quality was declared primary", "source": "edit 1"}],
            "doubts": [],
        },
        look=None if pr is None else look,
    )


def pull(number: int) -> dict[str, Any]:
    return {
        "number": number,
        "author_id": 5,
        "author_login": "somebody",
        "head_sha": "c" * 40,
        "base_sha": "d" * 40,
        "created_at": "2026-03-01T10:00:00Z",
    }


def override(of: Entry, *, reason: str = "Known flake in the judge", author: str = "maintainer") -> Draft:
    """Return the draft of an override of a comparison."""
    return Draft(
        key=f"override:99:{of.seq}",
        type=EntryType.OVERRIDE,
        recorded_at="2026-03-29T12:00:00Z",
        event={
            "suite": "default",
            "comparison": of.sha256,
            "sha": "c" * 40,
            "author": author,
            "author_id": 9,
            "at": "2026-03-29T11:59:00Z",
            "reason": reason,
            "comment_id": 99,
        },
        repo=of.body["repo"],
        pr=of.body["pr"],
    )


def adoption(suite: str | None = None) -> Draft:
    """Return the draft of an adopted baseline."""
    return Draft(
        key="adoption:" + "e" * 64,
        type=EntryType.ADOPTION,
        recorded_at="2026-03-30T12:00:00Z",
        event={"suite": suite, "sha256": "e" * 64, "author": "maintainer", "author_id": 9, "reason": "Release 2"},
    )


def chained(drafts: Sequence[Draft]) -> list[Entry]:
    """Return the drafts as the entries of one ledger."""
    entries: list[Entry] = []
    for draft in drafts:
        entries.append(place(draft, entries[-1] if entries else None))
    return entries


def files(entries: Sequence[Entry], *, folders: bool = False) -> dict[str, bytes]:
    """Return the files of a ledger, flat or in the folders of its branch."""
    return {(f"{folder(entry)}/" if folders else "") + entry.name: entry.data for entry in entries}


def folder(entry: Entry) -> str:
    return "no-pr" if entry.body["pr"] is None else f"pr-{entry.body['pr']['number']}"
