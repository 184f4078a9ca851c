"""Order statistics of both arms, resampled together: against numpy drawing the same questions."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from clearband.stats.differences import paired_differences
from clearband.stats.interval import bootstrap_interval
from clearband.stats.quantile import QuantileChange, few_beyond, order_statistic, quantile_bootstrap
from clearband.stats.units import units_of
from clearband.vocabulary import IntervalMethod

SHARES = [Fraction(1, 2), Fraction(9, 10), Fraction(19, 20), Fraction(99, 100)]


def latencies(n: int = 207, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    before = random.lognormal(size=n)
    return before, before * random.lognormal(0.02, 0.2, size=n)


@pytest.mark.parametrize("share", SHARES)
def test_the_order_statistic_is_the_ceil_qn_th(share: Fraction) -> None:
    values = np.arange(1.0, 208.0)[::-1]
    assert order_statistic(values, share) == math.ceil(207 * share)


@pytest.mark.parametrize("share", SHARES)
def test_resamples_equal_numpys_on_the_same_draws(share: Fraction) -> None:
    before, after = latencies()
    place = math.ceil(207 * share) - 1
    picks = np.random.default_rng(5).integers(0, 207, (2_000, 207))
    expected = np.sort(np.sort(after[picks])[:, place] - np.sort(before[picks])[:, place])
    drawn = quantile_bootstrap(before, after, share, clusters=None, n_boot=2_000, seed=5)
    assert np.array_equal(drawn.means, expected)


@pytest.mark.parametrize("share", SHARES)
def test_whole_clusters_are_drawn_and_their_questions_pooled(share: Fraction) -> None:
    before, after = latencies()
    clusters = np.random.default_rng(2).integers(0, 20, 207)
    expected = []
    for drawn in np.random.default_rng(5).integers(0, 20, (50, 20)):
        rows = np.concatenate([np.flatnonzero(clusters == cluster) for cluster in drawn])
        place = math.ceil(rows.size * share) - 1
        expected.append(np.sort(after[rows])[place] - np.sort(before[rows])[place])
    found = quantile_bootstrap(before, after, share, clusters=clusters, n_boot=50, seed=5)
    assert np.array_equal(found.means, np.sort(expected))


@pytest.mark.parametrize("clusters", [None, np.arange(200) % 25])
def test_interval_cleared_and_p_agree_and_swapping_the_arms_mirrors_them(clusters: np.ndarray | None) -> None:
    before, after = latencies(200)
    ends = []
    for first, second in ((before, after), (after, before)):
        drawn = quantile_bootstrap(first, second, Fraction(9, 10), clusters=clusters, n_boot=1_999, seed=3)
        units = units_of(paired_differences(first, second), clusters=clusters)
        change = QuantileChange(baseline=first, candidate=second, share=Fraction(9, 10), units=units, clusters=clusters)
        found = bootstrap_interval(drawn, change, method=IntervalMethod.PERCENTILE, confidence=0.95)
        assert (found.p_two_sided < 0.05) is (found.above_zero or found.below_zero)
        assert found.low <= change.delta <= found.high
        ends.append(found)
    assert ends[0].low == pytest.approx(-ends[1].high)
    assert ends[0].p_two_sided == pytest.approx(ends[1].p_two_sided)


def test_fewer_than_five_questions_beyond_the_percentile_are_too_few() -> None:
    assert few_beyond(99, Fraction(19, 20))
    assert not few_beyond(100, Fraction(19, 20))
    assert few_beyond(499, Fraction(99, 100))
    assert not few_beyond(10, Fraction(1, 2))
