"""The ideal bootstrap against full enumeration, a long convolution, scipy's resampling, and its own symmetries."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from clearband.stats.differences import Differences, paired_differences
from clearband.stats.grid import grid_bootstrap
from clearband.stats.ideal import ideal_bootstrap

from .references import by_every_resample, by_long_convolution

LEVELS = (0.005, 0.025, 0.05)


def on_no_lattice(values: np.ndarray) -> Differences:
    """Differences whose lattice is kept from the code, so that it must treat them as any reals."""
    return Differences(values=values.astype(float), lattice=None)


def random_integers(seed: int, n: int, scale: float) -> np.ndarray:
    return np.rint(np.random.default_rng(seed).normal(0.1 * scale, scale, n)).astype(np.int64)


class TestFullEnumeration:
    @pytest.mark.parametrize(
        "values",
        [
            [1, 0],
            [1, -1, 0],
            [1, 1, 0, -1],
            [2, -1, -1, 3, 0],
            [1, 1, 1, 0, 0, -1],
            [5, -3, 2, -7, 1, 4],
        ],
    )
    @pytest.mark.parametrize("divisor", [1, 10, 3, 7000001])
    def test_up_to_six_questions_every_number_is_exact(self, values: list[int], divisor: int) -> None:
        exact = by_every_resample([Fraction(value, divisor) for value in values])
        baseline = np.zeros(len(values))
        distribution = ideal_bootstrap(paired_differences(baseline, np.array(values) / divisor))
        not_above = float(sum(mass for value, mass in exact.items() if value <= 0))
        not_below = float(sum(mass for value, mass in exact.items() if value >= 0))
        assert distribution.p_not_above_zero == pytest.approx(not_above, abs=1e-12)
        assert distribution.p_not_below_zero == pytest.approx(not_below, abs=1e-12)
        for level in LEVELS:
            total = Fraction(0)
            for value in sorted(exact):
                total += exact[value]
                if total >= Fraction(str(level)):
                    break
            assert distribution.lower(level) == pytest.approx(float(value), abs=1e-12)

    @pytest.mark.parametrize("n", [7, 8, 9, 10])
    def test_up_to_ten_questions_agree_with_the_long_convolution(self, n: int) -> None:
        values = random_integers(n, n, 900.0)
        exact, distribution = by_long_convolution(values), ideal_bootstrap(on_no_lattice(values))
        assert distribution.p_not_above_zero == pytest.approx(exact.p_not_above_zero, abs=1e-12)
        assert distribution.p_not_below_zero == pytest.approx(exact.p_not_below_zero, abs=1e-12)
        for level in LEVELS:
            assert distribution.lower(level) == pytest.approx(exact.lower(level), abs=1e-9)
            assert distribution.upper(level) == pytest.approx(exact.upper(level), abs=1e-9)


def few_changed(m: int, n: int = 207) -> np.ndarray:
    values = np.zeros(n, dtype=np.int64)
    values[:m] = random_integers(m, m, 10_000.0)
    return values


def in_cancelling_pairs(m: int, n: int = 207) -> np.ndarray:
    values = np.zeros(n, dtype=np.int64)
    half = random_integers(m, m // 2, 10_000.0)
    values[:m] = np.concatenate((half, -half))
    return values


def one_outlier(ratio: int, n: int = 207) -> np.ndarray:
    values = random_integers(ratio, n, 500.0)
    values[0] = 500 * ratio
    return values


def several_outliers(ratio: int, n: int = 207) -> np.ndarray:
    values = random_integers(ratio, n, 500.0)
    values[:7] = 500 * ratio + 17 * np.arange(7)
    return values


def few_distinct_irrational(n: int) -> np.ndarray:
    """Differences of nDCG@3 with one relevant document: few sizes, on no common lattice."""
    generator = np.random.default_rng(n)
    ndcg = np.array([0, 10_000, 6_309, 5_000])
    baseline = generator.choice(ndcg, n)
    return np.where(generator.random(n) < 0.4, generator.choice(ndcg, n), baseline) - baseline


HARD_CASES = {
    "50 continuous": random_integers(1, 50, 10_000.0),
    "207 continuous": random_integers(2, 207, 10_000.0),
    "1,000 continuous": random_integers(3, 1_000, 2_000.0),
    "10,000 continuous": random_integers(4, 10_000, 300.0),
    "1,000,000 continuous": random_integers(5, 1_000_000, 30.0),
    "skewed": np.rint((np.random.default_rng(6).lognormal(0, 1.5, 207) - 2) * 1_000).astype(np.int64),
    "heavy tails": np.rint(np.clip(np.random.default_rng(7).standard_cauchy(1_000), -200, 200) * 300).astype(np.int64),
    **{f"{m} changed": few_changed(m) for m in (6, 7, 10, 12, 15, 19, 20, 31)},
    **{f"{m} changed in cancelling pairs": in_cancelling_pairs(m) for m in (6, 8, 10, 16, 24)},
    **{f"one outlier x{ratio}": one_outlier(ratio) for ratio in (10, 100, 200)},
    **{f"one outlier x-{ratio}": -one_outlier(ratio) for ratio in (10, 100, 200)},
    "seven outliers x50": several_outliers(50),
    **{f"nDCG@3, n={n}": few_distinct_irrational(n) for n in (60, 207, 1_000)},
}


class TestStatedAccuracy:
    """METHODS section 2: probabilities within 1e-5, ends within 1e-4 standard errors (or a level's 1e-5)."""

    @pytest.mark.parametrize("name", HARD_CASES)
    def test_of_the_grid_and_of_enumeration_on_hard_data(self, name: str) -> None:
        values = HARD_CASES[name]
        exact, distribution = by_long_convolution(values), ideal_bootstrap(on_no_lattice(values))
        # An atom of the reference's own integers counts whole there and half at either side on the smooth grid.
        atom = float(exact.mass[exact.support == 0].sum()) if values.size > 1_000 or np.all(values != 0) else 0.0
        assert distribution.p_not_above_zero == pytest.approx(exact.p_not_above_zero, abs=1e-5 + atom)
        assert distribution.p_not_below_zero == pytest.approx(exact.p_not_below_zero, abs=1e-5 + atom)
        near = 1e-4 * exact.standard_error
        for level in LEVELS:
            assert exact.lower(level - 1e-5) - near <= distribution.lower(level) <= exact.lower(level + 1e-5) + near
            assert exact.upper(level + 1e-5) - near <= distribution.upper(level) <= exact.upper(level - 1e-5) + near

    @pytest.mark.parametrize("n", [2, 3, 11, 50, 207, 10_000, 1_000_000])
    @pytest.mark.parametrize("values", [(0, 1), (-1, 0, 1), (0.0, 0.5, 1.0), (0.0, 0.1, 0.3)])
    def test_lattices_are_exact(self, n: int, values: tuple[float, ...]) -> None:
        generator = np.random.default_rng(n)
        baseline, candidate = generator.choice(values, n), generator.choice(values, n)
        differences = paired_differences(baseline, candidate)
        if differences.lattice is None:
            assert differences.nonzero == 0
            return
        exact = by_long_convolution(differences.lattice.multiples)
        distribution = ideal_bootstrap(differences)
        assert distribution.p_not_above_zero == pytest.approx(exact.p_not_above_zero, abs=1e-9)
        assert distribution.p_not_below_zero == pytest.approx(exact.p_not_below_zero, abs=1e-9)
        for level in LEVELS:
            assert distribution.lower(level) == pytest.approx(exact.lower(level) * differences.lattice.step, abs=1e-12)
            assert distribution.upper(level) == pytest.approx(exact.upper(level) * differences.lattice.step, abs=1e-12)

    def test_ten_million_questions_are_close_to_normal(self) -> None:
        counts = np.array([2_000_000, 5_998_000, 2_002_000])
        values = np.repeat(np.array([-1, 0, 1], dtype=np.int8), counts).astype(np.float64)
        distribution = ideal_bootstrap(paired_differences(np.zeros(values.size), values))
        error = values.std() / math.sqrt(values.size)
        assert distribution.lower(0.025) == pytest.approx(values.mean() - 1.959964 * error, abs=5e-3 * error)
        assert distribution.upper(0.025) == pytest.approx(values.mean() + 1.959964 * error, abs=5e-3 * error)

    def test_the_atom_of_no_change_drawn_is_kept_whole(self) -> None:
        values = np.zeros(207)
        values[:7] = np.sqrt([2, 3, 5, 7, 11, 13, 17])
        distribution = grid_bootstrap(on_no_lattice(values))
        assert distribution.p_not_above_zero == pytest.approx((1 - 7 / 207) ** 207, abs=1e-7)


# Changes within one cell of the grid around zero are rounded towards one side: a change of 1e-6 beside ones is one.
CHANGES = st.floats(-1.0, 1.0, width=32).map(lambda value: value if abs(value) >= 1e-3 else 0.0)


@given(st.lists(CHANGES, min_size=2, max_size=60), st.sampled_from(LEVELS))
@settings(max_examples=40, deadline=None)
def test_exchanging_the_arms_mirrors_the_distribution(values: list[float], level: float) -> None:
    arm, zero = np.array(values), np.zeros(len(values))
    forth, back = ideal_bootstrap(paired_differences(zero, arm)), ideal_bootstrap(paired_differences(arm, zero))
    scale = max(1e-30, float(np.abs(arm).max()))
    assert forth.lower(level) == pytest.approx(-back.upper(level), abs=1e-6 * scale)
    assert forth.p_not_above_zero == pytest.approx(back.p_not_below_zero, abs=1e-7)


@given(st.lists(st.integers(-5, 5), min_size=2, max_size=60), st.sampled_from([0.001, 0.1, 3.0, 1000.0]))
@settings(max_examples=100, deadline=None)
def test_rescaling_a_metric_rescales_its_ends_and_no_probability(values: list[int], factor: float) -> None:
    arm, zero = np.array(values, dtype=float), np.zeros(len(values))
    plain, scaled = (
        ideal_bootstrap(paired_differences(zero, arm)),
        ideal_bootstrap(paired_differences(zero, arm * factor)),
    )
    assert scaled.lower(0.025) == pytest.approx(plain.lower(0.025) * factor, rel=1e-9)
    assert scaled.p_not_above_zero == pytest.approx(plain.p_not_above_zero, abs=1e-9)


EXAMPLES = Path(__file__).parents[3] / "examples" / "cranfield"


@pytest.mark.parametrize("metric", ["nDCG@10", "AP", "RR", "P@10", "R@100"])
def test_scipys_paired_percentile_bootstrap_agrees_on_the_bundled_pair(metric: str) -> None:
    baseline, candidate = (
        np.genfromtxt(EXAMPLES / name, delimiter=",", names=True, deletechars="")[metric]
        for name in ("bm25_stem.csv", "lsa200.csv")
    )
    assert_scipy_agrees(baseline, candidate, seed=7)


@pytest.mark.parametrize("seed", range(4))
def test_scipys_paired_percentile_bootstrap_agrees_in_probability(seed: int) -> None:
    generator = np.random.default_rng(seed)
    baseline = generator.beta(2, 2, 225)
    candidate = np.clip(baseline + generator.normal(0.02, 0.2, 225), 0, 1)
    assert_scipy_agrees(baseline, candidate, seed=seed)


def assert_scipy_agrees(baseline: np.ndarray, candidate: np.ndarray, *, seed: int) -> None:
    n_boot, level = 9_999, 0.025
    drawn = stats.bootstrap(
        (candidate, baseline),
        lambda after, before, axis: after.mean(axis=axis) - before.mean(axis=axis),
        paired=True,
        n_resamples=n_boot,
        method="percentile",
        rng=np.random.default_rng(seed),
    ).confidence_interval
    ideal = ideal_bootstrap(paired_differences(baseline, candidate))
    slack = 4 * math.sqrt(level * (1 - level) / n_boot)
    assert ideal.lower(level - slack) <= drawn.low <= ideal.lower(level + slack)
    assert ideal.upper(level + slack) <= drawn.high <= ideal.upper(level - slack)
