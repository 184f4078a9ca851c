"""Clusters and relative changes: against enumeration of every resample, against drawing, and by their properties."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearband.stats.differences import paired_differences
from clearband.stats.interval import bootstrap_interval
from clearband.stats.monte_carlo import monte_carlo_bootstrap
from clearband.stats.sign_flip import sign_flip_p
from clearband.stats.units import Units, units_of
from clearband.stats.weighted import ideal_distribution
from clearband.vocabulary import IntervalMethod


def clustered(seed: int = 4, *, questions: int = 400, clusters: int = 40) -> Units:
    random = np.random.default_rng(seed)
    labels = random.integers(0, clusters, questions)
    before = (random.random(questions) < 0.5).astype(float)
    after = np.where(random.random(questions) < 0.1, 1 - before, before)
    return units_of(paired_differences(before, after), clusters=labels)


def relative(seed: int = 4, *, n: int = 400) -> Units:
    random = np.random.default_rng(seed)
    before = random.lognormal(size=n)
    after = before * random.lognormal(0.02, 0.2, size=n)
    return units_of(paired_differences(before, after), weights=before)


@pytest.mark.parametrize(
    ("values", "weights"),
    [
        ([3.0, -1.0, 0.0, 2.0], [4.0, 1.0, 2.0, 3.0]),
        ([-0.3, 0.2, 0.1], [1.0, 5.0, 0.5]),
        ([1.0, 0.0, 0.0, -2.0, 0.0], [2.0, 2.0, 1.0, 2.0, 3.0]),
    ],
)
@pytest.mark.parametrize("level", [0.025, 0.2, 0.5, 0.9])
def test_the_distribution_of_a_ratio_is_that_of_every_resample(
    values: list[float], weights: list[float], level: float
) -> None:
    units = units_of(paired_differences(np.zeros(len(values)), np.array(values)), weights=np.array(weights))
    every = np.array(list(product(range(len(values)), repeat=len(values))))
    ratios = np.sort(np.array(values)[every].sum(axis=1) / np.array(weights)[every].sum(axis=1))
    found = ideal_distribution(units)
    assert found.p_not_above_zero == pytest.approx((ratios <= 1e-12).mean(), abs=1e-12)
    assert found.p_not_below_zero == pytest.approx((ratios >= -1e-12).mean(), abs=1e-12)
    error = units.standard_error
    low = ratios[np.searchsorted(np.arange(1, ratios.size + 1) / ratios.size, level - 1e-12)]
    assert found.lower(level) == pytest.approx(low, abs=1e-4 * error)
    high = -np.sort(-ratios)[np.searchsorted(np.arange(1, ratios.size + 1) / ratios.size, level - 1e-12)]
    mirrored = np.sort(ratios)[::-1][np.searchsorted(np.arange(1, ratios.size + 1) / ratios.size, level - 1e-12)]
    assert high == mirrored
    assert found.upper(level) == pytest.approx(mirrored, abs=1e-4 * error)


@pytest.mark.parametrize("units", [clustered(), relative()], ids=["clusters", "relative"])
def test_drawn_resamples_agree_with_the_ideal_in_probability(units: Units) -> None:
    drawn, ideal = monte_carlo_bootstrap(units, n_boot=40_000, seed=11), ideal_distribution(units)
    for level in (0.025, 0.5, 0.975):
        slack = 4 * np.sqrt(level * (1 - level) / 40_000)
        end = ideal.lower(level)
        assert (drawn.means <= end + 1e-9).mean() >= level - slack
        assert (drawn.means < end - 1e-9).mean() <= level + slack
    assert drawn.means.std() == pytest.approx(units.standard_error, rel=0.03)


def test_clusters_of_equal_size_are_a_plain_mean_of_their_sums() -> None:
    before, after = np.zeros(60), np.tile([1.0, 0.0, -1.0, 1.0, 0.0, 0.0], 10)
    units = units_of(paired_differences(before, after), clusters=np.repeat(np.arange(20), 3))
    assert units.weights is None
    assert units.differences.lattice is not None
    assert units.n == 20
    assert units.delta == pytest.approx(after.mean())
    assert units.nonzero == 10  # 1 + 0 - 1 cancels in every other cluster


def test_one_question_per_cluster_changes_nothing() -> None:
    random = np.random.default_rng(0)
    differences = paired_differences(random.random(50), random.random(50))
    alone, single = units_of(differences), units_of(differences, clusters=np.arange(50))
    for method in (IntervalMethod.PERCENTILE, IntervalMethod.EXPANDED, IntervalMethod.BCA):
        ends = [
            bootstrap_interval(ideal_distribution(units), units, method=method, confidence=0.95)
            for units in (alone, single)
        ]
        assert ends[0].low == pytest.approx(ends[1].low, rel=1e-9)
        assert ends[0].p_two_sided == pytest.approx(ends[1].p_two_sided, rel=1e-9)


def test_four_changed_clusters_of_forty_are_four_changed_units() -> None:
    after = np.zeros(200)
    after[:20] = 1.0  # the 20 questions of the first four clusters
    units = units_of(paired_differences(np.zeros(200), after), clusters=np.arange(200) // 5)
    assert (units.n, units.nonzero) == (40, 4)
    assert sign_flip_p(units.differences) == pytest.approx(2 / 2**4)


def test_duplicated_questions_in_clusters_add_no_certainty() -> None:
    random = np.random.default_rng(3)
    before, after = random.random(80), random.random(80)
    alone = units_of(paired_differences(before, after))
    copies = units_of(
        paired_differences(np.repeat(before, 5), np.repeat(after, 5)), clusters=np.repeat(np.arange(80), 5)
    )
    assert copies.standard_error == pytest.approx(alone.standard_error)
    assert ideal_distribution(copies).lower(0.025) == pytest.approx(ideal_distribution(alone).lower(0.025), abs=1e-6)


@given(st.integers(0, 10_000), st.floats(0.01, 100.0))
@settings(max_examples=15, deadline=None)
def test_a_relative_change_has_no_unit_and_swapping_mirrors_its_sides(seed: int, factor: float) -> None:
    random = np.random.default_rng(seed)
    before = random.lognormal(size=30)
    after = before * random.lognormal(0.0, 0.3, size=30)
    plain = units_of(paired_differences(before, after), weights=before)
    scaled = units_of(paired_differences(factor * before, factor * after), weights=factor * before)
    swapped = units_of(paired_differences(after, before), weights=after)
    assert plain.delta == pytest.approx(after.mean() / before.mean() - 1)
    assert scaled.delta == pytest.approx(plain.delta)
    first, second, mirror = map(ideal_distribution, (plain, scaled, swapped))
    assert first.lower(0.025) == pytest.approx(second.lower(0.025), abs=1e-3 * plain.standard_error)
    assert first.p_not_above_zero == pytest.approx(mirror.p_not_below_zero, abs=1e-9)


@pytest.mark.parametrize("method", [IntervalMethod.PERCENTILE, IntervalMethod.EXPANDED, IntervalMethod.BCA])
@pytest.mark.parametrize("seed", range(6))
def test_interval_cleared_and_p_are_one_calculation(method: IntervalMethod, seed: int) -> None:
    for units in (clustered(seed, questions=90, clusters=24), relative(seed, n=40)):
        ends = bootstrap_interval(ideal_distribution(units), units, method=method, confidence=0.95)
        assert (ends.p_two_sided < 0.05) is (ends.above_zero or ends.below_zero)
        assert ends.above_zero is (ends.low > 0)
        assert ends.below_zero is (ends.high < 0)
        assert ends.low <= units.delta <= ends.high


@pytest.mark.parametrize("level", [0.025, 0.3, 0.9])
def test_clusters_of_unequal_size_are_known_atom_by_atom(level: float) -> None:
    changes, sizes = np.array([2, -1, 0, 3, 0]), np.array([3, 1, 2, 4, 1])
    labels = np.repeat(np.arange(5), sizes)
    after = np.zeros(sizes.sum())
    for cluster, change in enumerate(changes):
        after[np.flatnonzero(labels == cluster)[: abs(change)]] = np.sign(change)
    found = ideal_distribution(units_of(paired_differences(np.zeros(after.size), after), clusters=labels))
    every = np.array(list(product(range(5), repeat=5)))
    ratios = np.sort(changes[every].sum(axis=1) / sizes[every].sum(axis=1))
    shares = np.arange(1, ratios.size + 1) / ratios.size
    assert found.lower(level) == pytest.approx(ratios[np.searchsorted(shares, level - 1e-12)], abs=1e-12)
    assert found.upper(level) == pytest.approx(ratios[::-1][np.searchsorted(shares, level - 1e-12)], abs=1e-12)
    assert found.p_not_above_zero == pytest.approx((ratios <= 0).mean(), abs=1e-12)
    assert found.below(0.4) == pytest.approx((ratios < 0.4 - 1e-9).mean() + (abs(ratios - 0.4) < 1e-9).mean() / 2)
