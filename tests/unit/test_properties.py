"""What must hold for any data: units, row order, questions that do not apply, copies of every question."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from clearband.comparing import compare_runs
from clearband.policy import MetricPolicy
from clearband.results import read
from clearband.vocabulary import IntervalMethod, Role

from .factories import run, terms

if TYPE_CHECKING:
    from clearband.comparison import MetricResult

RESAMPLED = [IntervalMethod.PERCENTILE, IntervalMethod.EXPANDED, IntervalMethod.BCA]
CRANFIELD = Path(__file__).parents[2] / "examples" / "cranfield"
SEEDS = st.integers(0, 2**32 - 1)


def arms(seed: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    before = random.gamma(2.0, size=n)
    return before, before + random.normal(0.1, 0.5, size=n) * (random.random(n) < 0.7)


def result(before: np.ndarray, after: np.ndarray, method: IntervalMethod, ids: list[str] | None = None) -> MetricResult:
    held = terms(interval=method)
    runs = [run({"score": values.tolist()}, ids=ids) for values in (before, after)]
    return compare_runs(runs[0], runs[1], held).metrics[0]


def ends(found: MetricResult) -> np.ndarray:
    assert found.interval is not None
    return np.array(found.interval)


@given(SEEDS, st.sampled_from(RESAMPLED), st.sampled_from([0.001, 2.0, 1e6]))
@settings(max_examples=25, deadline=None)
def test_another_unit_scales_the_interval_and_nothing_else(seed: int, method: IntervalMethod, factor: float) -> None:
    before, after = arms(seed, 60)
    plain, scaled = result(before, after, method), result(factor * before, factor * after, method)
    assert ends(scaled) == pytest.approx(factor * ends(plain), rel=1e-3, abs=1e-4 * factor * (plain.sd or 0))
    assert scaled.p_two_sided == pytest.approx(plain.p_two_sided, rel=1e-3, abs=3e-5)
    assert (scaled.state, scaled.wins, scaled.losses, scaled.ties) == (
        plain.state, plain.wins, plain.losses, plain.ties,
    )  # fmt: skip


@given(SEEDS, st.sampled_from(RESAMPLED), st.floats(-100.0, 100.0))
@settings(max_examples=25, deadline=None)
def test_adding_the_same_to_both_arms_moves_nothing(seed: int, method: IntervalMethod, shift: float) -> None:
    before, after = arms(seed, 60)
    plain, moved = result(before, after, method), result(before + shift, after + shift, method)
    # Beyond rounding only differences near the equality tolerance may change sides.
    assert ends(moved) == pytest.approx(ends(plain), abs=2e-4 * max(1.0, abs(shift)) * (plain.sd or 0))


@given(SEEDS, st.sampled_from(RESAMPLED))
@settings(max_examples=20, deadline=None)
def test_the_order_of_rows_changes_no_digit(seed: int, method: IntervalMethod) -> None:
    before, after = arms(seed, 40)
    ids = [f"q{place}" for place in range(40)]
    order = np.random.default_rng(seed).permutation(40)
    shuffled = [ids[place] for place in order]
    assert result(before, after, method, ids) == result(before[order], after[order], method, shuffled)


@given(SEEDS, st.sampled_from(RESAMPLED))
@settings(max_examples=20, deadline=None)
def test_a_question_that_does_not_apply_changes_nothing_but_its_count(seed: int, method: IntervalMethod) -> None:
    before, after = arms(seed, 40)
    plain = result(before, after, method)
    more = result(np.append(before, np.nan), np.append(after, np.nan), method)
    assert more.not_applicable == plain.not_applicable + 1
    assert (more.n, more.delta, more.interval, more.p_two_sided) == (
        plain.n, plain.delta, plain.interval, plain.p_two_sided,
    )  # fmt: skip


@given(SEEDS, st.sampled_from(RESAMPLED))
@settings(max_examples=20, deadline=None)
def test_a_copy_of_every_question_narrows_the_interval_by_the_root_of_two(seed: int, method: IntervalMethod) -> None:
    before, after = arms(seed, 200)
    once, twice = result(before, after, method), result(np.tile(before, 2), np.tile(after, 2), method)
    assert np.ptp(ends(once)) / np.ptp(ends(twice)) == pytest.approx(np.sqrt(2.0), rel=0.02)


class TestTheBundledPair:
    """Two retrieval systems on Cranfield; the expected ends come from scipy.stats.bootstrap with 200,000 resamples."""

    @staticmethod
    def results(method: IntervalMethod) -> dict[str, MetricResult]:
        runs = [read(path, (CRANFIELD / path).read_bytes()) for path in ("bm25_stem.csv", "lsa200.csv")]
        rules = {"nDCG@10": MetricPolicy(role=Role.PRIMARY)}
        held = terms(primary="nDCG@10", metrics=rules, interval=method)
        return {found.name: found for found in compare_runs(runs[0], runs[1], held).metrics}

    @pytest.mark.parametrize(
        ("metric", "low", "high"),
        [("nDCG@10", -0.0035, 0.0458), ("AP", 0.0033, 0.0437), ("R@100", 0.0161, 0.0630)],
    )
    def test_bca_ends(self, metric: str, low: float, high: float) -> None:
        found = self.results(IntervalMethod.BCA)[metric]
        assert ends(found) == pytest.approx([low, high], abs=2e-4)

    @pytest.mark.parametrize("method", ["percentile", "BCa"])
    def test_scipy_agrees_within_its_own_monte_carlo_error(self, method: str) -> None:
        ours = self.results(IntervalMethod(method.lower()))["nDCG@10"]
        runs = [read(path, (CRANFIELD / path).read_bytes()) for path in ("bm25_stem.csv", "lsa200.csv")]
        change = runs[1].metrics["nDCG@10"] - runs[0].metrics["nDCG@10"]
        theirs = stats.bootstrap(
            (change,), np.mean, n_resamples=20_000, method=method, rng=np.random.default_rng(0)
        ).confidence_interval
        # The density at a 2.5 % end is about 0.058 / SE, so 20,000 draws leave 0.02 SE of error.
        error = change.std() / np.sqrt(change.size)
        assert ends(ours) == pytest.approx([theirs.low, theirs.high], abs=4 * 0.02 * error)
