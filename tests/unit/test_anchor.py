"""The anchor: a second comparison that sees what many small losses come to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from clearband.pipeline import Request, answer
from clearband.policy import Anchor, MetricPolicy, Policy
from clearband.sources import Source
from clearband.terms import Options
from clearband.vocabulary import Outcome, Role

if TYPE_CHECKING:
    from clearband.answers import Answer

N = 400
TRUTH = np.random.default_rng(0).uniform(0.2, 0.8, N)


def file(level: float, name: str, *, seed: int, n: int = N, metric: str = "score") -> Source:
    """Return a result file whose scores lie `level` above the truth, give or take."""
    scores = TRUTH[:n] + level + np.random.default_rng(seed).normal(scale=0.05, size=n)
    rows = "".join(f"q{place:03},{score:.6f}\n" for place, score in enumerate(scores))
    return Source(name=name, data=f"id,{metric}\n{rows}".encode())


BASELINE, CANDIDATE = file(0.0, "baseline.csv", seed=1), file(-0.002, "candidate.csv", seed=2)
OLD = file(0.03, "v1.csv", seed=3)


def compared(anchor: Source | None = OLD, *, rules: Anchor | None, margin: float = 0.0, **more: Any) -> Answer:
    policy = Policy(primary="score", metrics={"score": MetricPolicy(margin=margin)}, anchor=rules)
    return answer(
        Request(
            baseline=BASELINE,
            candidate=CANDIDATE,
            anchor=anchor,
            policy=policy,
            declaration=None,
            options=Options(),
            **more,
        )
    )


def test_a_loss_that_no_single_step_shows_blocks_where_the_anchor_is_gated() -> None:
    done = compared(rules=Anchor(name="v1", gate=True))
    assert done.comparison is not None
    assert done.comparison.anchored is not None
    assert not done.comparison.metrics[0].cleared
    assert done.comparison.anchored.metrics[0].delta == pytest.approx(-0.032, abs=0.01)
    assert done.verdict.outcome is Outcome.BLOCKED
    assert [reason.code for reason in done.verdict.reasons] == ["inconclusive", "anchor-regressed"]


def test_an_anchor_that_is_not_gated_is_reported_alone() -> None:
    done = compared(rules=Anchor(name="v1"))
    assert done.verdict.outcome is Outcome.PASS
    assert done.record["anchor"]["name"] == "v1"
    assert done.record["anchor"]["metrics"][0]["state"] == "regressed"


def test_the_metrics_margin_holds_against_the_anchor_too() -> None:
    assert compared(rules=Anchor(name="v1", gate=True), margin=0.1).verdict.outcome is Outcome.PASS


def test_a_gated_anchor_that_is_missing_is_no_verdict() -> None:
    done = compared(None, rules=Anchor(name="v1", gate=True))
    assert done.verdict.outcome is Outcome.INVALID
    assert "no file of it was handed in" in str(done.problem)
    assert "--anchor FILE" in str(done.problem)


def test_an_anchor_that_is_only_reported_may_be_missing() -> None:
    assert compared(None, rules=Anchor(name="v1")).verdict.outcome is Outcome.PASS


def test_another_file_than_the_policys_is_no_anchor() -> None:
    done = compared(rules=Anchor(name="v1", sha256="0" * 64, gate=True))
    assert done.verdict.outcome is Outcome.INVALID
    assert "is not the anchor `v1`" in str(done.problem)


def test_a_gated_metric_that_the_anchor_lacks_is_no_verdict() -> None:
    other = Source(name="v1.csv", data=file(0.03, "v1.csv", seed=3).data.replace(b"id,score", b"id,score,x"))
    rows = other.data.decode().splitlines()
    data = "\n".join([rows[0], *(f"{row.split(',')[0]},,{row.split(',')[1]}" for row in rows[1:])]).encode()
    done = compared(Source(name="v1.csv", data=data), rules=Anchor(name="v1", gate=True))
    assert done.verdict.outcome is Outcome.INVALID


def test_without_a_policy_an_anchor_is_compared_and_named_by_its_file() -> None:
    done = answer(
        Request(
            baseline=BASELINE, candidate=CANDIDATE, anchor=OLD, policy=None, declaration=None,
            options=Options(primary="score"),
        )
    )  # fmt: skip
    assert done.comparison is not None
    assert done.comparison.anchored is not None
    assert done.comparison.anchored.name == "v1.csv"
    assert done.comparison.anchored.metrics[0].role is Role.PRIMARY
    assert done.verdict.outcome is Outcome.PASS
