"""Data that broke a measurement once, and what it has to say of them now."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from clearband.comparing import compare_runs
from clearband.measure import measure
from clearband.pairing import pair
from clearband.policy import MetricPolicy
from clearband.vocabulary import Flag, IntervalMethod, Role, State

from .factories import run, terms

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from clearband.comparison import MetricResult

GENERATOR = np.random.default_rng(21)
PRIMARY = MetricPolicy(role=Role.PRIMARY)


def measured(before: ArrayLike, after: ArrayLike, *, rules: MetricPolicy = PRIMARY, **policy: Any) -> MetricResult:
    first, second = (run({"score": np.asarray(arm, dtype=float).tolist()}) for arm in (before, after))
    return measure(pair(first, second).metrics[0], terms(metrics={"score": rules}, **policy)).result


@pytest.mark.parametrize("method", [IntervalMethod.PERCENTILE, IntervalMethod.EXPANDED, IntervalMethod.BCA])
@pytest.mark.parametrize("ratio", [20, 100, 10_000])
def test_a_spread_that_is_small_beside_the_change_gives_a_narrow_interval(ratio: int, method: IntervalMethod) -> None:
    result = measured(np.zeros(50), GENERATOR.normal(ratio, 1.0, 50), interval=method)
    low, high = result.interval or (0.0, 0.0)
    assert result.state is State.IMPROVED
    assert 0.2 < high - low < 1.5


@pytest.mark.parametrize("method", list(IntervalMethod))
@pytest.mark.parametrize(
    ("before", "after"),
    [
        (np.full(40, 2e-5), np.full(40, 5e-5)),
        (np.zeros(20), np.ones(20)),
        (np.arange(1, 41) * 1e-5, np.arange(1, 41) * 1e-5 + 3e-5),
    ],
)
def test_the_same_change_on_every_question_is_an_interval_without_width(
    before: np.ndarray, after: np.ndarray, method: IntervalMethod
) -> None:
    result = measured(before, after, rules=MetricPolicy(range=(0.0, 1.0)), interval=method)
    assert result.interval is not None
    assert result.delta == pytest.approx(float((after - before).mean()))
    if method is not IntervalMethod.BOUNDED:
        assert result.interval == pytest.approx((result.delta, result.delta))


def test_a_constant_metric_beside_others_leaves_the_family_finite() -> None:
    compared = compare_runs(
        run({"score": [0.0] * 20, "b": GENERATOR.random(20).tolist(), "c": GENERATOR.random(20).tolist()}),
        run({"score": [1.0] * 20, "b": GENERATOR.random(20).tolist(), "c": GENERATOR.random(20).tolist()}),
        terms(),
    )
    assert compared.family is not None
    assert compared.family.metrics == 2
    assert 0.05 < compared.family.chance_any < 0.11


@pytest.mark.parametrize("method", list(IntervalMethod))
def test_values_outside_the_declared_range_are_invalid_and_never_a_pass(method: IntervalMethod) -> None:
    after = np.zeros(100)
    after[0] = 40.0
    result = measured(np.ones(100), after, rules=MetricPolicy(range=(0.0, 1.0)), interval=method)
    assert result.state is State.INVALID
    assert "outside the declared range" in (result.why or "")


def test_one_huge_score_does_not_hide_what_happened_to_the_others() -> None:
    after = np.zeros(100)
    after[0] = 1e7
    assert (measured(np.ones(100), after).losses, measured(np.ones(100), after).nonzero) == (99, 100)


def test_small_costs_beside_a_large_one_still_change() -> None:
    before = np.full(200, 4e-5)
    after = before * 2
    before[0] = after[0] = 50.0
    assert measured(before, after).nonzero == 199


def test_rounding_is_no_measured_change_and_gives_no_sizes() -> None:
    values = GENERATOR.normal(0, 0.1, 30)
    values = np.concatenate((values, -values))[GENERATOR.permutation(60)]
    result = measured(np.zeros(60), values)
    assert (result.delta, result.n_to_clear, result.n_suggested, result.exaggeration_at_half) == (0.0, None, None, None)


@pytest.mark.parametrize("scale", [1e-200, 1e-110, 1e-50, 1e50, 1e99])
@pytest.mark.parametrize("method", [IntervalMethod.PERCENTILE, IntervalMethod.EXPANDED, IntervalMethod.BCA])
def test_no_scale_breaks_a_measurement(scale: float, method: IntervalMethod) -> None:
    result = measured(np.zeros(60), GENERATOR.normal(0.5, 1.0, 60) * scale, interval=method)
    assert result.interval is not None
    assert all(math.isfinite(end) for end in result.interval)


def test_a_tiny_declared_effect_has_no_size() -> None:
    result = measured(GENERATOR.random(60), GENERATOR.random(60), rules=MetricPolicy(effect=1e-200))
    assert (result.n_suggested, result.n_suggested_basis) == (None, None)


def test_an_end_never_leaves_the_differences_themselves() -> None:
    result = measured([0.0, 0.0], [0.0, 1.0], interval=IntervalMethod.EXPANDED)
    low, high = result.interval or (-9.0, 9.0)
    assert 0.0 <= low <= high <= 1.0


def test_the_bounded_interval_without_a_range_records_no_numbers() -> None:
    result = measured(GENERATOR.random(60), GENERATOR.random(60), interval=IntervalMethod.BOUNDED)
    assert (result.state, result.interval, result.p_two_sided) == (State.INVALID, None, None)


def test_max_lost_is_the_decimal_that_was_written() -> None:
    before = [0.5] * 100
    after: list[float | None] = [None] * 29 + [0.5] * 71
    first, second = run({"score": before}), run({"score": after})
    result = measure(pair(first, second).metrics[0], terms(max_lost=0.29)).result
    assert result.state is State.IDENTICAL


def test_what_is_identical_or_too_sparse_is_not_called_equivalent() -> None:
    rules = MetricPolicy(effect=0.5)
    assert measured([0.5] * 30, [0.5] * 30, rules=rules).flags == ()
    assert Flag.WITHIN_EFFECT not in measured([0.5] * 30, [0.51, *[0.5] * 29], rules=rules).flags
