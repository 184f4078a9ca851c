"""One metric, measured: its state, what is said beside it, and what is never said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearband.measure import measure
from clearband.pairing import pair
from clearband.policy import MetricPolicy
from clearband.stats.interval import exact_alpha
from clearband.vocabulary import Direction, Flag, Role, State

from .factories import run, terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clearband.comparison import MetricResult


def measured(
    baseline: Sequence[float | None],
    candidate: Sequence[float | None],
    *,
    rules: MetricPolicy | None = None,
    **policy: Any,
) -> MetricResult:
    (pairs,) = pair(run({"score": baseline}), run({"score": candidate})).metrics
    return measure(pairs, terms(metrics={"score": rules or MetricPolicy(role=Role.PRIMARY)}, **policy)).result


def flips(*, up: int, down: int, same: int) -> tuple[list[float], list[float]]:
    return [0.0] * up + [1.0] * down + [1.0] * same, [1.0] * up + [0.0] * down + [1.0] * same


@pytest.mark.parametrize(
    ("up", "down", "higher", "lower"),
    [
        (30, 5, State.IMPROVED, State.REGRESSED),
        (5, 30, State.REGRESSED, State.IMPROVED),
        (15, 15, State.INCONCLUSIVE, State.INCONCLUSIVE),
        (3, 2, State.TOO_SPARSE, State.TOO_SPARSE),
        (5, 0, State.TOO_SPARSE, State.TOO_SPARSE),
        (6, 0, State.IMPROVED, State.REGRESSED),
        (0, 0, State.IDENTICAL, State.IDENTICAL),
    ],
)
def test_states_follow_the_declared_direction(up: int, down: int, higher: State, lower: State) -> None:
    arms = flips(up=up, down=down, same=200)
    assert measured(*arms).state is higher
    assert measured(*arms, rules=MetricPolicy(direction=Direction.LOWER)).state is lower


def test_a_neutral_metric_changes_and_neither_improves_nor_regresses() -> None:
    arms = flips(up=30, down=5, same=200)
    assert measured(*arms, rules=MetricPolicy(direction=Direction.NEUTRAL)).state is State.CHANGED


def test_fewer_questions_than_the_policy_asks_for_are_too_sparse_and_never_cleared() -> None:
    result = measured([0.0] * 8, [1.0] * 8)
    assert result.state is State.TOO_SPARSE
    assert not result.cleared
    assert "8 questions" in (result.why or "")


def test_wins_and_losses_are_counted_in_better_units() -> None:
    arms = flips(up=30, down=5, same=100)
    higher, lower = measured(*arms), measured(*arms, rules=MetricPolicy(direction=Direction.LOWER))
    assert (higher.wins, higher.losses, higher.ties) == (30, 5, 100)
    assert (lower.wins, lower.losses, lower.ties) == (5, 30, 100)
    assert higher.p_better == pytest.approx(1 - (lower.p_better or 0))


class TestLostQuestions:
    def test_one_lost_question_never_invalidates(self) -> None:
        result = measured([1.0, *[0.5] * 20], [None, *[0.5] * 20])
        assert result.state is State.IDENTICAL

    @pytest.mark.parametrize(("lost", "state"), [(4, State.IDENTICAL), (5, State.INVALID)])
    def test_more_than_max_lost_invalidates(self, lost: int, state: State) -> None:
        baseline = [0.5] * 200
        assert measured(baseline, [None] * lost + [0.5] * (200 - lost)).state is state

    def test_the_worst_case_fills_every_lost_question_against_the_candidate(self) -> None:
        baseline: list[float | None] = [0.0, 1.0] * 50 + [1.0, None]
        candidate: list[float | None] = [0.0, 1.0] * 50 + [None, 0.0]
        rules = MetricPolicy(range=(0.0, 1.0))
        result = measured(baseline, candidate, rules=rules, max_lost=0.5)
        filled = measured([0.0, 1.0] * 50 + [1.0, 1.0], [0.0, 1.0] * 50 + [0.0, 0.0], rules=rules)
        assert result.worst_case_interval == filled.interval
        assert result.worst_case_is_bound

    def test_without_a_declared_range_the_worst_case_is_not_called_a_bound(self) -> None:
        result = measured([1.0, 0.0, *[0.5] * 60], [None, *[0.5] * 61])
        assert result.worst_case_interval is not None
        assert not result.worst_case_is_bound

    def test_nothing_lost_has_no_worst_case(self) -> None:
        assert measured([1.0, 0.0], [1.0, 1.0]).worst_case_interval is None


class TestFlags:
    def test_an_interval_inside_the_effect_is_within_effect(self) -> None:
        arms = flips(up=10, down=10, same=500)
        assert Flag.WITHIN_EFFECT in measured(*arms, rules=MetricPolicy(effect=0.05)).flags
        assert Flag.WITHIN_EFFECT not in measured(*arms, rules=MetricPolicy(effect=0.005)).flags

    @pytest.mark.parametrize("direction", [Direction.HIGHER, Direction.LOWER])
    def test_an_interval_wholly_beyond_the_margin_is_worse_than_margin(self, direction: Direction) -> None:
        arms = flips(up=2, down=60, same=140)
        if direction is Direction.LOWER:
            arms = arms[1], arms[0]
        rules = MetricPolicy(direction=direction, margin=0.05)
        assert Flag.WORSE_THAN_MARGIN in measured(*arms, rules=rules).flags
        rules = MetricPolicy(direction=direction, margin=0.27)
        assert Flag.WORSE_THAN_MARGIN not in measured(*arms, rules=rules).flags

    def test_margins_and_effects_never_change_a_state(self) -> None:
        arms = flips(up=2, down=60, same=140)
        assert measured(*arms, rules=MetricPolicy(margin=0.5, effect=0.5)).state is State.REGRESSED


@given(
    st.integers(0, 2**32),
    st.integers(3, 60),
    st.sampled_from([0.9, 0.95, 0.99]),
    st.sampled_from([None, 999, 1_999, 4_999, 9_999]),
    st.sampled_from([(0.0, 1.0), (0.0, 0.5, 1.0), (0.1, 0.2, 0.3), None]),
)
@settings(max_examples=120, deadline=None)
def test_cleared_iff_the_interval_excludes_zero_iff_p_is_below_alpha(
    seed: int, n: int, confidence: float, n_boot: int | None, values: tuple[float, ...] | None
) -> None:
    generator = np.random.default_rng(seed)
    baseline = generator.choice(values, n) if values else generator.random(n)
    other = generator.choice(values, n) if values else generator.random(n)
    candidate = np.where(generator.random(n) < generator.random(), other + 0.0, baseline)
    result = measured(baseline.tolist(), candidate.tolist(), confidence=confidence, n_boot=n_boot)
    if result.state in {State.INVALID, State.TOO_SPARSE}:
        assert not result.cleared
        return
    assert result.interval is not None
    assert result.p_two_sided is not None
    low, high = result.interval
    assert result.cleared == (low > 0 or high < 0) == (result.p_two_sided < exact_alpha(confidence))


@given(st.integers(0, 2**32), st.integers(10, 80))
@settings(max_examples=40, deadline=None)
def test_exchanging_the_arms_mirrors_everything(seed: int, n: int) -> None:
    generator = np.random.default_rng(seed)
    baseline = generator.integers(0, 3, n) / 2
    candidate = np.where(generator.random(n) < 0.5, generator.integers(0, 3, n) / 2, baseline)
    there, back = measured(baseline.tolist(), candidate.tolist()), measured(candidate.tolist(), baseline.tolist())
    opposite = {State.IMPROVED: State.REGRESSED, State.REGRESSED: State.IMPROVED}
    assert back.state is opposite.get(there.state, there.state)
    assert there.interval is not None
    assert back.interval is not None
    assert back.interval == pytest.approx((-there.interval[1], -there.interval[0]), abs=1e-12)
    assert back.delta == -(there.delta or 0)
    assert back.p_two_sided == pytest.approx(there.p_two_sided, abs=1e-10)
    assert (back.wins, back.losses) == (there.losses, there.wins)
    assert back.n_suggested == there.n_suggested


def test_delta_is_the_plain_difference_of_means() -> None:
    generator = np.random.default_rng(3)
    baseline, candidate = generator.random(500), generator.random(500)
    result = measured(baseline.tolist(), candidate.tolist())
    assert result.delta == pytest.approx(candidate.mean() - baseline.mean(), abs=1e-12)
    assert (result.candidate_mean or 0) - (result.baseline_mean or 0) == pytest.approx(result.delta, abs=1e-12)


def test_an_eval_set_that_grew_compares_on_the_questions_it_had() -> None:
    generator = np.random.default_rng(11)
    before = generator.random(207)
    after = np.concatenate((before + 0.01, generator.random(577)))
    (pairs,) = pair(run({"score": before.tolist()}), run({"score": after.tolist()})).metrics
    result = measure(pairs, terms()).result
    assert (result.n, result.lost.total, result.state) == (207, 0, State.IMPROVED)


def test_every_number_of_a_result_is_a_plain_python_number() -> None:
    generator = np.random.default_rng(9)
    for values in (generator.random(80), generator.integers(0, 2, 80).astype(float)):
        for n_boot in (None, 999):
            result = measured(values.tolist(), np.roll(values, 1).tolist(), n_boot=n_boot)
            numbers = [
                result.delta,
                *(result.interval or ()),
                result.mde,
                result.sd,
                result.p_two_sided,
                result.p_better,
            ]
            assert all(type(number) is float for number in numbers)
