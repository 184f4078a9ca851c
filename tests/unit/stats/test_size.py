"""Sizes: the worked example of the source, and how they behave."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from clearband.stats.size import Basis, Sizes, exaggeration, sizes


def example(**changes: object) -> Sizes:
    values: dict[str, object] = {
        "n": 207, "delta": 0.0338, "low": -0.0122, "high": 0.0798,
        "standard_error": 0.046 / norm.ppf(0.975), "cleared": False, "effect": None,
    }  # fmt: skip
    return sizes(**{**values, **changes})  # type: ignore[arg-type]  a factory with defaults


def test_the_worked_example_gives_384_to_clear_and_784_suggested() -> None:
    result = example()
    assert (result.to_clear, result.suggested, result.basis) == (384, 784, Basis.MEASURED)


def test_doubling_the_budget_is_eighty_percent_power_and_nothing_else() -> None:
    result = example()
    assert result.mde == pytest.approx(0.046 * (norm.ppf(0.975) + norm.ppf(0.8)) / norm.ppf(0.975), rel=1e-6)
    assert result.suggested is not None
    assert result.to_clear is not None
    assert result.suggested / result.to_clear == pytest.approx(2.043, abs=0.01)


def test_a_declared_effect_sets_the_suggestion_whatever_was_measured() -> None:
    first, second = example(effect=0.03), example(effect=0.03, delta=0.001, low=-0.045, high=0.047)
    assert first.basis is second.basis is Basis.DECLARED
    assert first.suggested == second.suggested


def test_detecting_exactly_what_the_set_detects_needs_the_questions_there_are() -> None:
    detectable = example().mde
    assert example(effect=detectable).suggested == 207


def test_a_metric_that_has_not_cleared_needs_at_least_one_more_question() -> None:
    assert example(delta=0.046, low=0.0, high=0.092).to_clear == 208


def test_only_the_half_that_faces_zero_counts_towards_clearing() -> None:
    assert example(delta=-0.02, low=-0.09, high=0.02).to_clear == 207 * 4


def test_no_change_leaves_only_what_can_be_detected() -> None:
    result = example(delta=0.0, low=-0.04, high=0.04)
    assert (result.to_clear, result.suggested, result.basis) == (None, None, None)
    assert result.mde is not None


def test_an_interval_without_width_says_nothing() -> None:
    result = example(delta=0.0, low=0.0, high=0.0, standard_error=0.0)
    assert result == Sizes(to_clear=None, suggested=None, basis=None, mde=None)


@pytest.mark.parametrize("truth", [0.3, 1.0, 2.0, 4.0])
def test_exaggeration_is_the_mean_overstatement_of_changes_that_clear(truth: float) -> None:
    drawn = np.random.default_rng(0).normal(truth, 1.0, 2_000_000)
    cleared = np.abs(drawn[np.abs(drawn) > norm.ppf(0.975)])
    assert exaggeration(truth, 1.0, 0.05) == pytest.approx(cleared.mean() / truth, rel=0.01)


@pytest.mark.parametrize(("truth", "error", "expected"), [(0.1, 3.28, 76.7), (2.0, 8.1, 9.54)])
def test_exaggeration_equals_the_published_examples(truth: float, error: float, expected: float) -> None:
    # Gelman & Carlin (2014), the two worked examples, in the closed form of Lu, Qiu & Deng (2019): retrodesign(A, s).
    assert exaggeration(truth, error, 0.05) == pytest.approx(expected, rel=5e-4)


def test_exaggeration_has_no_value_for_no_change() -> None:
    assert exaggeration(0.0, 1.0, 0.05) is None
    assert exaggeration(1.0, 0.0, 0.05) is None
