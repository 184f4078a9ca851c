"""Reducers against hand-computed tables and enumeration, and the rule that refuses retries."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearband.stats.trials import (
    Counts,
    count,
    majority,
    mean_variance,
    pass_at_k,
    pass_hat_k,
    retried_until_pass,
    spread,
    trials_for,
)


def counted(*passes_of: tuple[int, int]) -> Counts:
    """Return counts from (passes, trials) pairs."""
    return Counts(
        trials=np.array([trials for _, trials in passes_of]), passes=np.array([passes for passes, _ in passes_of])
    )


def fifty_by_four() -> Counts:
    """50 questions of 4 trials: 20 pass all, 10 pass three, 8 two, 7 one, 5 none."""
    passes = [4] * 20 + [3] * 10 + [2] * 8 + [1] * 7 + [0] * 5
    return counted(*((p, 4) for p in passes))


@pytest.mark.parametrize(
    ("k", "expected"),
    [
        # By hand, C(c, k) / C(4, k): c = 4 gives 1; c = 3 gives 3/4, 1/2, 1/4, 0; c = 2 gives 1/2, 1/6, 0, 0; c = 1: 1/4.
        (1, (20 + 10 * 3 / 4 + 8 / 2 + 7 / 4) / 50),
        (2, (20 + 10 / 2 + 8 / 6) / 50),
        (3, (20 + 10 / 4) / 50),
        (4, 20 / 50),
    ],
)
def test_pass_hat_1_to_4_of_a_50_by_4_table(k: int, expected: float) -> None:
    assert pass_hat_k(fifty_by_four(), k).mean() == pytest.approx(expected, abs=1e-12)


@given(st.integers(1, 7).flatmap(lambda t: st.tuples(st.just(t), st.integers(0, t), st.integers(1, t))))
def test_both_estimators_are_the_share_of_k_subsets(case: tuple[int, int, int]) -> None:
    trials, passes, k = case
    outcomes = [1] * passes + [0] * (trials - passes)
    subsets = list(combinations(outcomes, k))
    assert pass_hat_k(counted((passes, trials)), k)[0] == pytest.approx(np.mean([all(s) for s in subsets]))
    assert pass_at_k(counted((passes, trials)), k)[0] == pytest.approx(np.mean([any(s) for s in subsets]))


def test_fewer_trials_than_k_are_no_value() -> None:
    assert np.isnan(pass_at_k(counted((1, 2)), 3)[0])
    assert np.isnan(pass_hat_k(counted((2, 2)), 3)[0])


def test_a_thousand_trials_overflow_nothing() -> None:
    assert pass_at_k(counted((500, 1000)), 100)[0] == pytest.approx(1.0)
    assert 0.0 < pass_hat_k(counted((999, 1000)), 100)[0] < 1.0


def test_majority_of_an_even_split_is_a_half() -> None:
    assert majority(counted((3, 4), (2, 4), (1, 4))).tolist() == [1.0, 0.5, 0.0]
    assert np.isnan(majority(counted((0, 0)))[0])


def attempts(*questions: list[int]) -> tuple[np.ndarray, np.ndarray]:
    place = [row for row, values in enumerate(questions) for _ in values]
    return np.array(place), np.array([value for values in questions for value in values], dtype=float)


@pytest.mark.parametrize(
    ("questions", "most"),
    [
        (([1], [0, 1], [0, 0, 1], [0, 0, 0]), 3),
        (([1], [0, 1]), 2),
        (([1, 0], [0, 1]), None),  # as many attempts for everyone
        (([1], [0, 1], [1, 0, 1]), None),  # went on after a pass
        (([0], [0, 1]), None),  # stopped at a failure
        (([1], [1]), None),
        (([1], [0, 0]), 2),
    ],
)
def test_retries_until_a_pass_are_seen(questions: tuple[list[int], ...], most: int | None) -> None:
    assert retried_until_pass(*attempts(*questions)) == most


def test_graded_trials_are_never_retries() -> None:
    assert retried_until_pass(np.array([0, 1, 1]), np.array([1.0, 0.5, 1.0])) is None


def test_the_within_variance_is_that_of_each_questions_mean() -> None:
    question, values = attempts([0, 1, 1, 0], [1, 1], [0])
    trials, variance = spread(question, values, 3)
    assert trials.tolist() == [4, 2, 1]
    assert variance[:2].tolist() == pytest.approx([1 / 3, 0.0])
    assert np.isnan(variance[2])
    single, within = mean_variance(trials, variance) or (0.0, 0.0)
    assert single == pytest.approx(1 / 6)
    assert within == pytest.approx((1 / 3 / 4 + 0.0 / 2 + 1 / 6 / 1) / 3)
    assert mean_variance(np.array([1, 1]), np.array([np.nan, np.nan])) is None


def test_trials_alone_cannot_beat_the_spread_between_questions() -> None:
    assert trials_for(between=0.05, single=0.2, wanted=0.05) is None
    assert trials_for(between=0.05, single=0.2, wanted=0.1) == 4
    assert trials_for(between=0.0, single=1.0, wanted=1e-9) is None


def test_counting_leaves_questions_without_trials_at_zero() -> None:
    found = count(np.array([0, 0, 2]), np.array([1.0, 0.0, 1.0]), 3)
    assert found.trials.tolist() == [2, 0, 1]
    assert found.passes.tolist() == [1, 0, 1]
