"""The levels of every interval method against scipy, against theory and against each other."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from clearband.stats.differences import paired_differences
from clearband.stats.ideal import ideal_bootstrap
from clearband.stats.levels import BcaLevels, ExpandedLevels, bca_levels
from clearband.stats.student import t_cdf, t_quantile


@given(st.floats(-60, 60), st.integers(1, 1_000_000))
def test_students_t_agrees_with_scipy(value: float, degrees: int) -> None:
    assert t_cdf(value, degrees) == pytest.approx(stats.t.cdf(value, degrees), abs=1e-9)


@given(st.floats(1e-5, 1 - 1e-5), st.integers(1, 1_000_000))
def test_students_t_quantile_agrees_with_scipy(probability: float, degrees: int) -> None:
    assert t_quantile(probability, degrees) == pytest.approx(stats.t.ppf(probability, degrees), rel=1e-7, abs=1e-7)


@pytest.mark.parametrize("n", [2, 5, 20, 207, 5_000])
def test_expanded_levels_are_hesterbergs(n: int) -> None:
    expected = stats.norm.cdf(math.sqrt(n / (n - 1)) * stats.t.ppf(0.025, n - 1))
    assert ExpandedLevels(n).read(0.025) == pytest.approx(expected, rel=1e-7)
    assert ExpandedLevels(n).read(0.025) < 0.025


@given(st.floats(0.001, 0.4), st.floats(-0.5, 0.5), st.floats(-0.1, 0.1))
def test_the_p_of_a_level_is_the_level_that_was_asked_for(asked: float, bias: float, acceleration: float) -> None:
    for levels in (BcaLevels(bias, acceleration), ExpandedLevels(30)):
        assert levels.asked(levels.read(asked)) == pytest.approx(asked, rel=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_bca_ends_agree_in_probability_with_scipys(seed: int) -> None:
    generator = np.random.default_rng(seed)
    values = generator.exponential(0.3, 120) - 0.25
    drawn = stats.bootstrap((values,), np.mean, n_resamples=9_999, method="BCa", rng=generator).confidence_interval
    differences = paired_differences(np.zeros(values.size), values)
    ideal = ideal_bootstrap(differences)
    lower = bca_levels(differences.values, ideal.below(differences.delta))
    upper = lower.mirrored()
    # scipy's own bias term carries Monte Carlo error, beside that of its order statistics.
    slack = 8 * math.sqrt(0.025 * 0.975 / 9_999)
    low, high = lower.read(0.025), upper.read(0.025)
    assert ideal.lower(low - slack) <= drawn.low <= ideal.lower(low + slack)
    assert ideal.upper(high + slack) <= drawn.high <= ideal.upper(high - slack)


def test_acceleration_is_the_jackknifes() -> None:
    values = np.random.default_rng(1).gamma(1.0, 1.0, 80)
    left_out = (values.sum() - values) / (values.size - 1)
    distance = left_out.mean() - left_out
    expected = (distance**3).sum() / (6 * (distance**2).sum() ** 1.5)
    assert bca_levels(values, 0.5).acceleration == pytest.approx(expected, rel=1e-9)


@given(
    st.lists(st.sampled_from([0.0, 1.0]), min_size=10, max_size=40), st.lists(st.booleans(), min_size=40, max_size=40)
)
def test_half_the_ties_count_below_the_measured_change(values: list[float], up: list[bool]) -> None:
    arm = np.array([value if sign else -value for value, sign in zip(values, up, strict=False)])
    differences = paired_differences(np.zeros(arm.size), arm)
    mirrored = paired_differences(arm, np.zeros(arm.size))
    below = ideal_bootstrap(differences).below(differences.delta)
    assert below == pytest.approx(1 - ideal_bootstrap(mirrored).below(mirrored.delta), abs=1e-9)
    assert 0.2 < below < 0.8
