"""Answers about when a metric was declared, how often was looked, and who let a commit through."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from clearband.declaration import Declaration, parse
from clearband.override import NotHeld, Override, Overrides
from clearband.pipeline import Request, answer
from clearband.policy import MetricPolicy, Policy
from clearband.registration import Evidence, Registrar, Registration, Standing
from clearband.sources import Source
from clearband.terms import Options
from clearband.vocabulary import Direction, Outcome

if TYPE_CHECKING:
    from clearband.answers import Answer

N = 240
HEAD = "0123456789abcdef0123456789abcdef01234567"
POLICY = Policy(
    metrics={
        "recall": MetricPolicy(range=(0.0, 1.0), effect=0.05),
        "mrr": MetricPolicy(range=(0.0, 1.0)),
        "latency": MetricPolicy(direction=Direction.LOWER, unit="ms"),
    },
    max_looks=5,
    sha256="5" * 64,
)


def _files() -> tuple[Source, Source]:
    """Return a candidate that is better on mrr, worse on recall and the same on latency."""
    random = np.random.default_rng(7)
    truth, slow = random.uniform(0.4, 0.6, N), random.lognormal(6, 0.4, N)
    arms = []
    for name, recall, mrr in (("baseline.csv", 0.0, 0.0), ("candidate.csv", -0.03, 0.03)):
        rows = [
            f"q{place:03},{truth[place] + recall + random.normal(scale=0.06):.4f},"
            f"{truth[place] + mrr + random.normal(scale=0.06):.4f},{slow[place] * random.lognormal(0, 0.05):.1f}"
            for place in range(N)
        ]
        data = "\n".join(["id,recall,mrr,latency", *rows])
        arms.append(Source(name=name, data=data.encode()))
    return arms[0], arms[1]


BASELINE, CANDIDATE = _files()


def at(minute: int) -> str:
    return f"2026-03-01T12:{minute:02}:00Z"


def declared(metric: str, **more: object) -> Declaration:
    lines = "".join(f"{key}: {value}\n" for key, value in {"primary_metric": metric, **more}.items())
    read = parse(f"A change.\n\n```clearband\n{lines}```\n")
    assert isinstance(read, Declaration)
    return read


def told(now: Declaration, standing: Standing, first: Declaration | None = None, **more: Any) -> Answer:
    evidence = [Evidence(at=at(30), what="the first evaluation began", source="run 1001")]
    if first is not None:
        evidence.insert(
            0, Evidence(at=at(0), what=f"{first.primary_metric} was declared primary", source="pull request")
        )
    if first != now:
        what = f"{now.primary_metric} was declared primary"
        evidence.append(Evidence(at=at(45), what=what, source="edit history"))
    registration = Registration(
        standing=standing,
        registrar=Registrar.DESCRIPTION,
        registered=first,
        first_result_at=at(30),
        evidence=tuple(evidence),
        doubts=("The version of the description from 2026-03-01T12:10:00Z was deleted or cannot be read.",)
        if standing is Standing.UNKNOWN
        else (),
    )
    return answer(
        Request(
            baseline=BASELINE, candidate=CANDIDATE, policy=POLICY, declaration=now, options=Options(),
            registration=registration, needs_policy=True, **more,
        )
    )  # fmt: skip


def declared_in_time() -> Answer:
    return told(declared("mrr"), Standing.BEFORE, declared("mrr"), earlier_candidates=("a" * 64,))


def amended_after_results() -> Answer:
    now = declared("mrr", reason="the reviewers care more about <img src=x> ranks")
    return told(now, Standing.AMENDED, declared("recall", require="improvement"))


def declared_after_results() -> Answer:
    return told(declared("mrr"), Standing.AFTER)


def declared_nobody_knows_when() -> Answer:
    return told(declared("mrr"), Standing.UNKNOWN)


def third_look() -> Answer:
    now = declared("mrr", require="improvement", looks=2)
    return told(now, Standing.BEFORE, now, earlier_candidates=("a" * 64, "b" * 64))


def overridden() -> Answer:
    blocked = told(declared("recall"), Standing.BEFORE, declared("recall"))
    held = Override(
        sha=HEAD, reason="known trade: ranks matter more, see #12 @everyone", author="maia", author_id=501, at=at(50),
        comment_id=9, url="https://github.example/octo/evals/pull/7#issuecomment-9",
    )  # fmt: skip
    return _with(blocked, Overrides(sha=HEAD, held=held))


def override_refused() -> Answer:
    blocked = told(declared("recall"), Standing.BEFORE, declared("recall"))
    refused = NotHeld(author="vic", why="is by somebody without write permission", url="")
    return _with(blocked, Overrides(sha=HEAD, refused=(refused,)))


def _with(done: Answer, overrides: Overrides) -> Answer:
    return replace(done, overrides=overrides)


OUTCOMES = {
    declared_in_time: Outcome.PASS,
    amended_after_results: Outcome.BLOCKED,
    declared_after_results: Outcome.BLOCKED,
    declared_nobody_knows_when: Outcome.BLOCKED,
    third_look: Outcome.CANNOT_TELL,
    overridden: Outcome.BLOCKED,
    override_refused: Outcome.BLOCKED,
}
