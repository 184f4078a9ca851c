"""The gate table of METHODS section 8, row by row, and which outcome wins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from clearband.comparison import Arm, Comparison, MetricResult, Questions
from clearband.gate import judge
from clearband.policy import MetricPolicy
from clearband.vocabulary import Direction, Flag, IntervalMethod, Outcome, Requirement, Role, State

from .factories import metric, terms

if TYPE_CHECKING:
    from clearband.terms import Terms

PASS, BLOCKED, CANNOT_TELL, INVALID = Outcome.PASS, Outcome.BLOCKED, Outcome.CANNOT_TELL, Outcome.INVALID
NO_REGRESSION, NON_INFERIORITY, IMPROVEMENT = (
    Requirement.NO_REGRESSION,
    Requirement.NON_INFERIORITY,
    Requirement.IMPROVEMENT,
)
BEYOND = (Flag.WORSE_THAN_MARGIN,)
WITHIN = (Flag.WITHIN_MARGIN,)


def comparison(*metrics: MetricResult) -> Comparison:
    arm = Arm(name="results.csv", sha256="0" * 64, format="generic/csv", questions=207, trials=1, notes=())
    return Comparison(
        baseline=arm,
        candidate=arm,
        questions=Questions(paired=207, added=(), removed=(), edited=(), candidate_missing=(), baseline_missing=()),
        metrics=metrics,
        confidence=0.95,
        interval_method=IntervalMethod.PERCENTILE,
        n_boot=None,
    )


def verdict_of(result: MetricResult, held_to: Terms) -> Outcome:
    return judge(comparison(result), held_to).outcome


TABLE = [
    # what the data say                                                     no-regression  improvement  non-inferiority
    ("regressed, no margin", {"state": State.REGRESSED, "interval": (-0.06, -0.01), "flags": BEYOND},
     BLOCKED, BLOCKED, BLOCKED),
    ("regressed beyond the margin", {"state": State.REGRESSED, "interval": (-0.09, -0.03), "margin": 0.02,
     "flags": BEYOND}, BLOCKED, BLOCKED, BLOCKED),
    ("regressed, interval within the margin", {"state": State.REGRESSED, "interval": (-0.015, -0.005), "margin": 0.02,
     "flags": WITHIN},
     PASS, BLOCKED, PASS),
    ("regressed, interval across the margin", {"state": State.REGRESSED, "interval": (-0.04, -0.005), "margin": 0.02},
     PASS, BLOCKED, CANNOT_TELL),
    ("improved", {"state": State.IMPROVED, "interval": (0.01, 0.05)}, PASS, PASS, PASS),
    ("identical, range and many questions", {"state": State.IDENTICAL, "interval": (0, 0), "delta": 0, "margin": 0.02},
     PASS, BLOCKED, PASS),
    ("identical, margin below what n can show", {"state": State.IDENTICAL, "interval": (0, 0), "delta": 0,
     "margin": 0.01}, PASS, BLOCKED, CANNOT_TELL),
    ("inconclusive, no worse than the margin", {"interval": (-0.015, 0.04), "margin": 0.02, "flags": WITHIN},
     PASS, CANNOT_TELL, PASS),
    ("inconclusive, perhaps worse than the margin", {"interval": (-0.03, 0.04), "margin": 0.02},
     PASS, CANNOT_TELL, CANNOT_TELL),
    ("too sparse", {"state": State.TOO_SPARSE, "delta": -0.02}, PASS, CANNOT_TELL, CANNOT_TELL),
    ("too sparse, loss below the effect", {"state": State.TOO_SPARSE, "delta": -0.02, "effect": 0.03},
     PASS, CANNOT_TELL, CANNOT_TELL),
    ("too sparse, loss of the effect", {"state": State.TOO_SPARSE, "delta": -0.03, "effect": 0.03},
     CANNOT_TELL, CANNOT_TELL, CANNOT_TELL),
    ("invalid", {"state": State.INVALID, "interval": None, "delta": None}, INVALID, INVALID, INVALID),
]  # fmt: skip


@pytest.mark.parametrize("direction", [Direction.HIGHER, Direction.LOWER])
@pytest.mark.parametrize(("changes", "expected"), [
    pytest.param(changes, {NO_REGRESSION: a, IMPROVEMENT: b, NON_INFERIORITY: c}, id=name)
    for name, changes, a, b, c in TABLE
])  # fmt: skip
def test_every_row_of_the_gate_table(
    changes: dict[str, Any], expected: dict[Requirement, Outcome], direction: Direction
) -> None:
    if direction is Direction.LOWER:
        interval, delta = changes.get("interval", (-0.02, 0.04)), changes.get("delta", 0.01)
        mirrored = None if interval is None else (-interval[1], -interval[0])
        changes = {**changes, "interval": mirrored, "delta": None if delta is None else -delta}
    result = metric(**{**changes, "direction": direction})
    for require, outcome in expected.items():
        rules = {"score": MetricPolicy(role=Role.PRIMARY, direction=direction, range=(0.0, 1.0))}
        assert verdict_of(result, terms(require=require, metrics=rules)) is outcome, require


def test_identical_without_a_declared_range_cannot_show_non_inferiority() -> None:
    result = metric(state=State.IDENTICAL, interval=(0, 0), delta=0, margin=0.5)
    assert verdict_of(result, terms(require=NON_INFERIORITY)) is CANNOT_TELL


def test_a_neutral_metric_never_blocks() -> None:
    result = metric(state=State.CHANGED, direction=Direction.NEUTRAL, interval=(-0.05, -0.01))
    assert verdict_of(result, terms()) is PASS


REGRESSED = {"state": State.REGRESSED, "interval": (-0.06, -0.01), "flags": BEYOND}


@pytest.mark.parametrize(
    ("primary", "guardrail", "outcome"),
    [
        ({}, {}, PASS),
        ({"state": State.IMPROVED}, REGRESSED, BLOCKED),
        ({"state": State.INVALID}, REGRESSED, BLOCKED),
        ({"state": State.INVALID}, {}, INVALID),
        ({}, {"state": State.INVALID}, INVALID),
        ({"state": State.TOO_SPARSE, "delta": -0.1, "effect": 0.05}, {"state": State.INVALID}, INVALID),
        ({"state": State.TOO_SPARSE, "delta": -0.1, "effect": 0.05}, {}, CANNOT_TELL),
    ],
)
def test_any_block_wins_then_invalid_then_cannot_tell(
    primary: dict[str, Any], guardrail: dict[str, Any], outcome: Outcome
) -> None:
    both = comparison(metric(**primary), metric(**{"name": "latency", "role": Role.GUARDRAIL, **guardrail}))
    assert judge(both, terms()).outcome is outcome


def test_guardrails_are_held_to_no_regression_whatever_the_primary_is_held_to() -> None:
    both = comparison(metric(state=State.IMPROVED), metric(name="latency", role=Role.GUARDRAIL))
    assert judge(both, terms(require=IMPROVEMENT)).outcome is PASS


def test_exploratory_metrics_decide_nothing() -> None:
    both = comparison(metric(), metric(name="other", role=Role.EXPLORATORY, **REGRESSED))
    assert judge(both, terms()).outcome is PASS


def test_a_primary_or_guardrail_in_neither_file_is_invalid_and_named() -> None:
    rules = {"score": MetricPolicy(role=Role.PRIMARY), "safety": MetricPolicy(role=Role.GUARDRAIL)}
    verdict = judge(comparison(metric(name="other", role=Role.EXPLORATORY)), terms(metrics=rules))
    assert verdict.outcome is INVALID
    assert {(reason.code, reason.metric) for reason in verdict.reasons} == {
        ("primary-missing", "score"),
        ("guardrail-missing", "safety"),
    }


def test_terms_that_gate_nothing_give_not_gated_with_the_reason_and_status_zero() -> None:
    verdict = judge(comparison(metric(**REGRESSED)), terms(gated=False))
    assert (verdict.outcome, verdict.exit_status) == (Outcome.NOT_GATED, 0)
    assert verdict.reasons[0].text == "Nothing was declared primary."


@pytest.mark.parametrize(
    ("outcome", "status"),
    [(PASS, 0), (Outcome.NOT_GATED, 0), (BLOCKED, 1), (CANNOT_TELL, 2), (INVALID, 3)],
)
def test_exit_statuses_are_the_contract(outcome: Outcome, status: int) -> None:
    assert outcome.exit_status == status
