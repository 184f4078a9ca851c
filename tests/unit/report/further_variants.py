"""Answers that rest on more than one metric's interval: from real comparisons of made-up runs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from clearband.comparing import compare_runs
from clearband.comparison import Anchored
from clearband.gate import judge
from clearband.policy import Anchor, MetricPolicy, MustPass
from clearband.vocabulary import Direction, MeasurementField, OnLost, Outcome, Role, Statistic
from unit.factories import run, terms, tried

from . import factories as make

if TYPE_CHECKING:
    from clearband.answers import Answer
    from clearband.results.run import Run

KINDS = tuple(["billing", "deliveries", "safety"][place % 3] for place in range(240))
DOCUMENTS = tuple(f"doc-{place // 6}" for place in range(240))


def arm(*, worse: float = 0.0, seed: int = 0, **more: Any) -> Run:
    """Return 240 questions with a 0/1 metric and a latency; `worse` lowers the chance to pass in the slice safety."""
    random = np.random.default_rng(seed)
    chance = np.random.default_rng(9).uniform(0.4, 1.0, 240) - worse * np.array([kind == "safety" for kind in KINDS])
    latency = 800 * np.random.default_rng(8).lognormal(0.0, 0.6, 240) * (1.04 if seed else 1.0)
    latency = latency * random.lognormal(0.0, 0.05, 240)
    scores = {"exact_match": (random.random(240) < chance).astype(float).tolist(), "latency": latency.tolist()}
    return run(
        scores,
        name="candidate.jsonl" if seed else "baseline.jsonl",
        labels={"kind": KINDS, "document": DOCUMENTS},
        **more,
    )


def answered(baseline: Run, candidate: Run, **policy: Any) -> Answer:
    """Compare, judge and answer under a policy."""
    rules = policy.pop("metrics", None) or {
        "exact_match": MetricPolicy(role=Role.PRIMARY, range=(0.0, 1.0), effect=0.05)
    }
    held = terms(primary="exact_match", metrics=rules, **policy)
    comparison = compare_runs(baseline, candidate, held)
    shown = make.answer(comparison, held_to=replace(held.policy, sha256=make.BASELINE_SHA))
    return replace(shown, verdict=judge(comparison, held), terms=held)


def must_pass_broken() -> Answer:
    rules = (
        MustPass(metric="exact_match", field="kind", value="safety"),
        MustPass(metric="exact_match", ids=("q001", "q999")),
    )
    return answered(arm(), arm(seed=1), must_pass=rules)


def must_pass_unknown() -> Answer:
    return answered(arm(), arm(seed=1), must_pass=(MustPass(metric="exact_match", ids=("q998", "q999")),))


def slice_got_worse() -> Answer:
    return answered(
        arm(), arm(seed=1, worse=0.3), slices=("kind",), slice_guardrails=True, cluster="document",
    )  # fmt: skip


def not_comparable() -> Answer:
    told = {MeasurementField.MODEL: "model-a", MeasurementField.TOOL: "Inspect AI 0.3.285"}
    before = arm(measurement={**told, MeasurementField.JUDGE: "first judge"})
    after = arm(
        seed=1,
        measurement={**told, MeasurementField.MODEL: "model-b", MeasurementField.JUDGE: "second judge <b>@x</b>"},
    )
    return answered(before, after)


def fell_behind_the_anchor() -> Answer:
    # Each release lost a little; the anchor is older than all of them.
    before, after, old = arm(), arm(seed=1), arm(worse=-0.6, seed=2)
    anchor = Anchor(name="v1.4 <!-- @team -->", gate=True)
    rules = {
        "exact_match": MetricPolicy(role=Role.PRIMARY, range=(0.0, 1.0), effect=0.05),
        "latency": MetricPolicy(role=Role.EXPLORATORY, direction=Direction.LOWER, unit="ms"),
    }
    shown = answered(before, after, metrics=rules, anchor=anchor)
    held = shown.terms
    assert shown.comparison is not None
    assert held is not None
    compared = compare_runs(replace(old, name="v1.4.jsonl"), after, held)
    anchored = Anchored(name=anchor.name, arm=compared.baseline, metrics=compared.metrics)
    comparison = replace(shown.comparison, anchored=anchored)
    return replace(shown, comparison=comparison, verdict=judge(comparison, held))


def percentiles_and_budgets() -> Answer:
    rules = {
        "exact_match": MetricPolicy(role=Role.PRIMARY, range=(0.0, 1.0), effect=0.05),
        "latency": MetricPolicy(
            role=Role.GUARDRAIL, direction=Direction.LOWER, unit="ms", statistic=Statistic.RELATIVE, budget=0.1
        ),
        "latency p95": MetricPolicy(direction=Direction.LOWER, unit="ms", statistic=Statistic.P95),
    }
    runs = [arm(seed=seed) for seed in (0, 1)]
    runs = [replace(one, metrics={**one.metrics, "latency p95": one.metrics["latency"]}) for one in runs]
    return answered(runs[0], runs[1], metrics=rules)


def trials_and_clusters() -> Answer:
    def several(seed: int) -> Run:
        random = np.random.default_rng(seed)
        chance = np.random.default_rng(9).uniform(0.3, 1.0, 90)
        labels = {"document": tuple(f"doc-{place // 6}" for place in range(90))}
        return tried("exact_match", (random.random((90, 4)) < chance[:, None]).astype(float).tolist(), labels=labels)

    return answered(several(1), several(2), cluster="document")


def lost_questions_decide() -> Answer:
    after = arm(seed=1)
    scores = after.metrics["exact_match"].copy()
    scores[:46] = np.nan
    lost = replace(after, metrics={**after.metrics, "exact_match": scores})
    return answered(arm(), lost, max_lost=0.2, on_lost=OnLost.WORST_CASE)


OUTCOMES = {
    must_pass_broken: Outcome.BLOCKED,
    must_pass_unknown: Outcome.CANNOT_TELL,
    slice_got_worse: Outcome.BLOCKED,
    not_comparable: Outcome.INVALID,
    percentiles_and_budgets: Outcome.PASS,
    trials_and_clusters: Outcome.PASS,
    lost_questions_decide: Outcome.BLOCKED,
    fell_behind_the_anchor: Outcome.BLOCKED,
}
