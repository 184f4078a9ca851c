"""The bounded interval: coverage where the bootstrap has none, outward rounding, and no gift from the order of ids."""

from __future__ import annotations

import numpy as np
import pytest

from clearband.stats.betting import bettor
from clearband.stats.differences import paired_differences
from clearband.stats.ideal import ideal_bootstrap


def ends(values: np.ndarray, *, alpha: float = 0.05, width: float = 1.0) -> tuple[float, float]:
    return bettor(values, [f"q{index}" for index in range(values.size)], width=width, alpha=alpha).interval()


def test_covers_rare_large_losses_that_the_bootstrap_cannot_see() -> None:
    generator = np.random.default_rng(0)
    truth = 0.02 * 0.97 - 0.9 * 0.03
    bounded = percentile = 0
    for _ in range(200):
        values = np.where(generator.random(40) < 0.03, -0.9, 0.02)
        low, high = ends(values)
        bounded += low <= truth <= high
        ideal = ideal_bootstrap(paired_differences(np.zeros(40), values))
        percentile += ideal.lower(0.025) <= truth <= ideal.upper(0.025)
    assert bounded >= 190
    assert percentile < 170


@pytest.mark.parametrize(("n", "least", "most"), [(812, 1.3, 1.6), (207, 1.3, 2.3)])
def test_its_price_is_width(n: int, least: float, most: float) -> None:
    values = np.random.default_rng(n).choice([1.0, -1.0, 0.0], n, p=[0.12, 0.18, 0.7])
    ideal = ideal_bootstrap(paired_differences(np.zeros(n), values))
    low, high = ends(values)
    assert least < (high - low) / (ideal.upper(0.025) - ideal.lower(0.025)) < most


def test_exchanging_the_arms_mirrors_it() -> None:
    values = np.random.default_rng(3).normal(0.05, 0.2, 100).clip(-1, 1)
    low, high = ends(values)
    assert ends(-values) == pytest.approx((-high, -low), abs=1e-10)


def test_scale_and_range_move_together() -> None:
    values = np.random.default_rng(4).normal(0.05, 0.2, 60).clip(-1, 1)
    low, high = ends(values)
    assert ends(values * 100, width=100.0) == pytest.approx((low * 100, high * 100), rel=1e-9)


def test_p_is_below_alpha_exactly_where_the_interval_excludes_zero() -> None:
    generator = np.random.default_rng(5)
    for shift in np.linspace(-0.15, 0.15, 13):
        values = generator.normal(shift, 0.2, 150).clip(-1, 1)
        bets = bettor(values, [f"q{index}" for index in range(150)], width=1.0, alpha=0.05)
        low, high = bets.interval()
        assert (low > 0) == (bets.p_above() < 0.05)
        assert (high < 0) == (bets.p_below() < 0.05)


def test_ids_that_sort_by_difficulty_gain_nothing() -> None:
    values = np.sort(np.random.default_rng(6).normal(0.0, 0.3, 300).clip(-1, 1))
    low, high = ends(values)
    assert low < 0 < high
