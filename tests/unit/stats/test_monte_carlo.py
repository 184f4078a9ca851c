"""Resampling: one stream whatever the blocks, a seed nobody chose, and ends at their own order statistics."""

from __future__ import annotations

import math

import numpy as np
import pytest

from clearband.errors import UsageError
from clearband.stats.differences import paired_differences
from clearband.stats.ideal import ideal_bootstrap
from clearband.stats.monte_carlo import derived_seed, monte_carlo_bootstrap, rank, require_enough
from clearband.stats.units import Units

GENERATOR = np.random.default_rng(5)
CONTINUOUS = paired_differences(GENERATOR.random(225), GENERATOR.random(225))
FLIPS = paired_differences(GENERATOR.integers(0, 2, 225).astype(float), GENERATOR.integers(0, 2, 225).astype(float))


def test_blocks_change_no_digit() -> None:
    # 225 questions x 40,000 resamples take three blocks here and one draw there.
    indices = np.random.default_rng(7).integers(0, 225, size=(40_000, 225))
    expected = np.sort(CONTINUOUS.values[indices].sum(axis=1) / 225)
    assert np.array_equal(monte_carlo_bootstrap(Units(differences=CONTINUOUS), n_boot=40_000, seed=7).means, expected)


@pytest.mark.parametrize("differences", [CONTINUOUS, FLIPS], ids=["continuous", "flips"])
@pytest.mark.parametrize("n_boot", [999, 4_999])
def test_ends_agree_with_the_ideal_bootstrap_in_probability(differences: object, n_boot: int) -> None:
    assert hasattr(differences, "values")
    drawn, ideal = (
        monte_carlo_bootstrap(Units(differences=differences), n_boot=n_boot, seed=11),
        ideal_bootstrap(differences),
    )
    level = 0.025
    slack = 4 * math.sqrt(level * (1 - level) / n_boot)
    assert ideal.lower(max(1e-9, level - slack)) <= drawn.lower(level) <= ideal.lower(level + slack)
    assert ideal.upper(level + slack) <= drawn.upper(level) <= ideal.upper(max(1e-9, level - slack))


@pytest.mark.parametrize(
    ("n_boot", "level", "expected"),
    [(999, 0.025, 24), (9_999, 0.025, 249), (1_999, 0.005, 9), (999, 0.1, 99), (79, 0.025, 1)],
)
def test_rank_is_ceil_of_level_times_b_plus_one_minus_one(n_boot: int, level: float, expected: int) -> None:
    assert rank(level, n_boot) == expected


def test_too_few_resamples_are_refused_with_the_number_that_would_do() -> None:
    with pytest.raises(UsageError, match="30 resamples are too few") as refused:
        require_enough(30, 0.05)
    assert "80" in str(refused.value)
    require_enough(80, 0.05)


def test_p_counts_the_resample_that_was_not_drawn() -> None:
    up = paired_differences(np.zeros(50), np.ones(50))
    drawn = monte_carlo_bootstrap(Units(differences=up), n_boot=999, seed=0)
    assert drawn.p_not_above_zero == 1 / 1000
    assert drawn.p_not_below_zero == 1.0


def test_monte_carlo_error_is_half_the_distance_between_neighbouring_order_statistics() -> None:
    drawn = monte_carlo_bootstrap(Units(differences=CONTINUOUS), n_boot=9_999, seed=3)
    reach = math.ceil(math.sqrt(9_999 * 0.025 * 0.975))
    low, _ = drawn.monte_carlo_error(0.025, 0.025)
    assert low == pytest.approx((drawn.means[248 + reach] - drawn.means[248 - reach]) / 2)


def test_the_default_seed_depends_on_metric_ids_and_values_alone() -> None:
    values, other = np.array([0.0, 1.0]), np.array([1.0, 1.0])
    seed = derived_seed("recall", ("a", "b"), values, other)
    assert seed == derived_seed("recall", ("a", "b"), values, other)
    variants = [
        derived_seed("precision", ("a", "b"), values, other),
        derived_seed("recall", ("a", "c"), values, other),
        derived_seed("recall", ("a", "b"), other, values),
        derived_seed("recalla", ("", "b"), values, other),
    ]
    assert seed not in variants
    assert len(set(variants)) == len(variants)


def test_cancelling_floats_are_a_sum_of_exactly_zero() -> None:
    values = np.tile([math.sqrt(2), -math.sqrt(2), math.pi / 3, -math.pi / 3], 12)
    drawn = monte_carlo_bootstrap(Units(differences=paired_differences(np.zeros(48), values)), n_boot=4_999, seed=1)
    at_zero = drawn.p_not_above_zero + drawn.p_not_below_zero - 1.0
    assert at_zero == pytest.approx((drawn.means == 0.0).mean(), abs=1e-3)
    assert (drawn.means == 0.0).any()
