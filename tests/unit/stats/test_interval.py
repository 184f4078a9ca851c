"""Interval, "cleared" and p are one calculation, whatever the data and wherever the distribution came from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearband.errors import UsageError
from clearband.stats.betting import bettor
from clearband.stats.differences import paired_differences
from clearband.stats.ideal import ideal_bootstrap
from clearband.stats.interval import bootstrap_interval, bounded_interval, exact_alpha, least_changed
from clearband.stats.monte_carlo import monte_carlo_bootstrap
from clearband.stats.units import Units
from clearband.vocabulary import IntervalMethod

if TYPE_CHECKING:
    from clearband.stats.differences import Differences
    from clearband.stats.interval import Interval, Resampled

ON_A_LATTICE = st.sampled_from([(0.0, 1.0), (0.0, 0.5, 1.0), (0.0, 0.1, 0.2, 0.9, 1.0), (0.0, 0.25, 1 / 3, 1.0)])
WITH_TIES = st.just((0.0, 0.3819660112501051, 1.0))
CONFIDENCES = st.sampled_from([0.8, 0.9, 0.95, 0.99])


@st.composite
def paired_data(draw: st.DrawFn) -> Differences:
    """Few or many questions, mostly unchanged or not, near the edge of clearing more often than by chance."""
    n = draw(st.integers(2, 80))
    values = np.array(draw(ON_A_LATTICE | WITH_TIES))
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    baseline = generator.choice(values, n)
    moved = np.where(generator.random(n) < draw(st.sampled_from([0.4, 0.7])), values.max(), values.min())
    candidate = np.where(generator.random(n) < draw(st.sampled_from([0.05, 0.2, 0.6])), moved, baseline)
    return paired_differences(baseline, candidate)


RESAMPLED = [IntervalMethod.PERCENTILE, IntervalMethod.EXPANDED, IntervalMethod.BCA]


def assert_one_calculation(ends: Interval, differences: Differences, confidence: float) -> None:
    excludes_zero = ends.low > 0.0 or ends.high < 0.0
    assert excludes_zero == (ends.above_zero or ends.below_zero)
    assert ends.low <= ends.high
    if differences.nonzero >= least_changed(exact_alpha(confidence)):
        assert excludes_zero == (ends.p_two_sided < exact_alpha(confidence))


@pytest.mark.parametrize("method", RESAMPLED)
@given(paired_data(), CONFIDENCES)
@settings(max_examples=100, deadline=None)
def test_ideal_interval_excludes_zero_iff_p_is_below_alpha(
    method: Resampled, differences: Differences, confidence: float
) -> None:
    distribution = ideal_bootstrap(differences)
    ends = bootstrap_interval(distribution, Units(differences=differences), method=method, confidence=confidence)
    assert_one_calculation(ends, differences, confidence)


@pytest.mark.parametrize("method", RESAMPLED)
@pytest.mark.parametrize("n_boot", [999, 1_999, 4_999, 9_999])
@given(paired_data(), CONFIDENCES)
@settings(max_examples=15, deadline=None)
def test_resampled_interval_excludes_zero_iff_p_is_below_alpha(
    n_boot: int, method: Resampled, differences: Differences, confidence: float
) -> None:
    drawn = monte_carlo_bootstrap(Units(differences=differences), n_boot=n_boot, seed=differences.n)
    try:
        ends = bootstrap_interval(drawn, Units(differences=differences), method=method, confidence=confidence)
    except UsageError:
        # Corrected levels can lie beyond the last order statistic; then there is no end, and it is said.
        assert method is not IntervalMethod.PERCENTILE
        return
    assert_one_calculation(ends, differences, confidence)


@given(paired_data(), CONFIDENCES)
@settings(max_examples=40, deadline=None)
def test_bounded_interval_excludes_zero_iff_p_is_below_alpha(differences: Differences, confidence: float) -> None:
    ids = [f"q{index}" for index in range(differences.n)]
    bets = bettor(differences.values, ids, width=1.0, alpha=exact_alpha(confidence))
    assert_one_calculation(
        bounded_interval(bets, Units(differences=differences), confidence=confidence), differences, confidence
    )


@given(st.lists(st.sampled_from([-0.3, 0.1, 0.2, 0.0]), min_size=7, max_size=40))
@settings(max_examples=60, deadline=None)
def test_p_never_falls_below_what_the_changed_questions_can_support(values: list[float]) -> None:
    differences = paired_differences(np.zeros(len(values)), np.array(values))
    ends = bootstrap_interval(
        ideal_bootstrap(differences), Units(differences=differences), method=IntervalMethod.PERCENTILE, confidence=0.95
    )
    assert min(1.0, 2.0 ** (1 - differences.nonzero)) <= ends.p_two_sided <= 1.0


@pytest.mark.parametrize(("alpha", "changed"), [(0.05, 6), (0.01, 8), (0.1, 5), (0.2, 4), (0.5, 3)])
def test_fewest_changed_questions_is_the_least_m_with_two_to_the_one_minus_m_below_alpha(
    alpha: float, changed: int
) -> None:
    assert least_changed(alpha) == changed
    assert 2.0 ** (1 - changed) < alpha <= 2.0 ** (2 - changed)


def test_alpha_is_the_decimal_that_was_meant() -> None:
    assert exact_alpha(0.95) == 0.05
    assert exact_alpha(0.9) == 0.1
