"""Slices are always reported; they block only as guardrails, with enough questions, after Holm's correction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from clearband.comparing import compare_runs
from clearband.errors import UnusableResults
from clearband.gate import judge
from clearband.policy import MetricPolicy
from clearband.slices import worst
from clearband.vocabulary import Outcome, Role, State

from .factories import run, terms

if TYPE_CHECKING:
    from clearband.comparison import Comparison


def compared(changes: dict[str, list[float]], **policy: Any) -> tuple[Comparison, Any]:
    """Compare runs whose questions change as told, topic by topic."""
    topics = [topic for topic, values in changes.items() for _ in values]
    moved = np.array([value for values in changes.values() for value in values])
    before = np.random.default_rng(0).uniform(0.4, 0.6, moved.size)
    labels = {"topic": tuple(topics)}
    held = terms(slices=("topic",), **policy)
    baseline = run({"score": before.tolist()}, labels=labels)
    return compare_runs(baseline, run({"score": (before + moved).tolist()}, labels=labels), held), held


WORSE = [-0.05, -0.03, -0.04] * 20
NEUTRAL = [0.02, -0.02, 0.01, -0.01] * 15


def test_every_value_of_the_field_is_measured() -> None:
    comparison, _ = compared({"law": WORSE, "art": NEUTRAL})
    found = {result.value: result for result in comparison.slices}
    assert set(found) == {"law", "art"}
    assert found["law"].n == 60
    assert found["law"].delta == pytest.approx(-0.04)
    assert found["law"].state is State.REGRESSED
    assert found["art"].state is State.INCONCLUSIVE


def test_a_worse_slice_blocks_only_where_slices_are_guardrails() -> None:
    changes = {"law": WORSE, "art": NEUTRAL, "tax": [0.05, 0.04] * 60}
    for guarded, outcome in ((False, Outcome.PASS), (True, Outcome.BLOCKED)):
        comparison, held = compared(changes, slice_guardrails=guarded)
        verdict = judge(comparison, held)
        assert verdict.outcome is outcome
        assert any(reason.code == "slice-regressed" for reason in verdict.reasons) is guarded


def test_a_slice_that_is_worse_within_the_margin_does_not_block() -> None:
    rules = {"score": MetricPolicy(role=Role.PRIMARY, margin=0.06)}
    comparison, held = compared({"law": WORSE, "art": NEUTRAL}, slice_guardrails=True, metrics=rules)
    law = next(result for result in comparison.slices if result.value == "law")
    assert (law.state, law.beyond_margin, law.worse) == (State.REGRESSED, False, False)
    assert judge(comparison, held).outcome is Outcome.PASS


def test_a_slice_below_the_least_size_is_reported_and_never_gated() -> None:
    comparison, held = compared({"law": WORSE[:24], "art": [0.05, 0.04] * 60}, slice_guardrails=True)
    law = next(result for result in comparison.slices if result.value == "law")
    assert law.state is State.REGRESSED
    assert law.p_holm is None
    assert judge(comparison, held).outcome is Outcome.PASS


def test_holm_counts_every_slice_that_could_block() -> None:
    slight = [-0.03] * 23 + [0.03] * 9
    others = {f"t{place}": NEUTRAL for place in range(9)}
    alone, held = compared({"law": slight}, slice_guardrails=True)
    assert alone.slices[0].p_holm == alone.slices[0].p_two_sided
    assert alone.slices[0].worse
    among, _ = compared({"law": slight, **others}, slice_guardrails=True)
    law = next(result for result in among.slices if result.value == "law")
    assert law.state is State.REGRESSED
    assert law.p_holm == pytest.approx(10 * (law.p_two_sided or 0))  # the smallest of ten
    assert not law.worse
    assert judge(alone, held).outcome is Outcome.BLOCKED


def test_a_question_without_the_label_is_in_no_slice() -> None:
    labels = {"topic": ("law",) * 20 + (None,) * 20}
    arms = [run({"score": np.random.default_rng(seed).random(40).tolist()}, labels=labels) for seed in (1, 2)]
    comparison = compare_runs(arms[0], arms[1], terms(slices=("topic",)))
    assert [(result.value, result.n) for result in comparison.slices] == [("law", 20)]


def test_a_field_of_identifiers_is_no_slice() -> None:
    labels = {"topic": tuple(f"doc {place}" for place in range(120))}
    arm = run({"score": [1.0] * 120}, labels=labels)
    with pytest.raises(UnusableResults, match="120 different values"):
        compare_runs(arm, arm, terms(slices=("topic",)))


def test_the_worst_slice_is_the_one_that_lost_most() -> None:
    comparison, _ = compared({"law": WORSE, "art": [-0.1, -0.2] * 20, "tax": [0.1] * 40})
    found = worst(comparison.slices, "score", lower_is_better=False)
    assert found is not None
    assert found.value == "art"
    gained = worst(comparison.slices, "score", lower_is_better=True)
    assert gained is not None
    assert gained.value == "tax"


def test_questions_removed_elsewhere_do_not_make_a_small_slice_invalid() -> None:
    topics = ("law",) * 8 + ("art",) * 50
    scores = np.random.default_rng(1).uniform(size=58)
    held = terms(slices=("topic",), allow_changed_questions=True)
    baseline = run({"score": scores.tolist()}, labels={"topic": topics})
    changed = (scores + np.linspace(-0.1, 0.1, 58))[:-5].tolist()
    comparison = compare_runs(baseline, run({"score": changed}, labels={"topic": topics[:-5]}), held)
    law = next(result for result in comparison.slices if result.value == "law")
    assert law.n == 8
    assert law.state is not State.INVALID
