"""The sign-flip p against McNemar's exact test, scipy's permutation test and plain enumeration."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from clearband.stats.differences import paired_differences
from clearband.stats.sign_flip import sign_flip_p


@given(st.integers(0, 60), st.integers(0, 60))
@settings(max_examples=80, deadline=None)
def test_equals_exact_mcnemar_on_zero_one_data(wins: int, losses: int) -> None:
    values = np.array([1.0] * wins + [-1.0] * losses + [0.0] * 30)
    expected = stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    assert sign_flip_p(paired_differences(np.zeros(values.size), values)) == pytest.approx(expected, abs=1e-9)


@given(st.lists(st.floats(-1, 1, width=16), min_size=1, max_size=9))
@settings(max_examples=60, deadline=None)
def test_equals_enumeration_of_all_sign_patterns(values: list[float]) -> None:
    differences = paired_differences(np.zeros(len(values)), np.array(values))
    sums = [abs(sum(s * d for s, d in zip(signs, differences.values, strict=True))) for signs in
            itertools.product((-1, 1), repeat=len(values))]  # fmt: skip
    observed = abs(differences.values.sum())
    expected = np.mean([value >= observed - 1e-9 for value in sums])
    assert sign_flip_p(differences) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("n", [40, 225, 3_000])
@pytest.mark.parametrize("lattice", [0.0, 0.1])
def test_agrees_with_scipys_permutation_test(n: int, lattice: float) -> None:
    generator = np.random.default_rng(n)
    values = generator.normal(0.1 / np.sqrt(n / 40), 0.4, n)
    if lattice:
        values = np.rint(values / lattice) * lattice
    drawn = stats.permutation_test(
        (values,), lambda d, axis: d.mean(axis=axis), permutation_type="samples", vectorized=True,
        n_resamples=10_000, rng=generator, batch=500,
    )  # fmt: skip
    expected = float(drawn.pvalue)
    tolerance = 4 * np.sqrt(max(expected * (1 - expected), 1e-4) / 10_000) * 2 + 1e-3
    assert sign_flip_p(paired_differences(np.zeros(n), values)) == pytest.approx(expected, abs=tolerance)


def test_nothing_changed_gives_one() -> None:
    assert sign_flip_p(paired_differences(np.ones(5), np.ones(5))) == 1.0


def test_a_change_beyond_any_chance_gives_nearly_zero() -> None:
    assert sign_flip_p(paired_differences(np.zeros(200), np.ones(200))) < 1e-9
    assert sign_flip_p(paired_differences(np.zeros(200), 1 + np.random.default_rng(0).random(200))) < 1e-9


@pytest.mark.parametrize("m", [24, 31, 60])
@pytest.mark.parametrize("seed", range(3))
def test_heavy_tails_agree_with_a_simulation(m: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    values = random.standard_cauchy(m)
    signs = random.choice([-1.0, 1.0], (60_000, m))
    expected = float((np.abs(signs @ values) >= abs(values.sum()) - 1e-9).mean())
    error = 4 * np.sqrt(expected * (1 - expected) / 60_000) + 1e-3
    assert sign_flip_p(paired_differences(np.zeros(m), values)) == pytest.approx(expected, abs=error)


def test_one_change_that_outweighs_all_others_decides_nothing_by_itself() -> None:
    # Whatever the signs, |sum| is at least 10,000,000 - 99: every pattern reaches the observed sum.
    after = np.zeros(100)
    after[0] = 1e7
    assert sign_flip_p(paired_differences(np.ones(100), after)) == 1.0


@pytest.mark.parametrize("outliers", [1, 3, 20])
def test_outliers_among_thousands_agree_with_a_simulation(outliers: int) -> None:
    random = np.random.default_rng(outliers)
    values = random.normal(0.02, 1.0, 2_000)
    values[:outliers] *= 100.0
    rest = np.sqrt(np.sum(values[outliers:] ** 2))
    signs = random.choice([-1.0, 1.0], (200_000, outliers))
    drawn = signs @ values[:outliers] + rest * random.standard_normal(200_000)
    expected = float((np.abs(drawn) >= abs(values.sum())).mean())
    assert sign_flip_p(paired_differences(np.zeros(2_000), values)) == pytest.approx(expected, abs=6e-3)
