"""Plans: what is detectable, what is needed, and when nothing could ever block."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

from clearband.measure import measure
from clearband.pairing import pair
from clearband.planning import MetricPlan, Spread, plan
from clearband.policy import MetricPolicy
from clearband.vocabulary import Direction, Role

from .factories import run, terms

GENERATOR = np.random.default_rng(8)
BEFORE = GENERATOR.random(200)
AFTER = BEFORE + GENERATOR.normal(0.01, 0.1, 200)


def planned(before: Any, after: Any = None, *, rules: MetricPolicy | None = None, **changes: Any) -> MetricPlan:
    held_to = terms(metrics={"score": rules or MetricPolicy(role=Role.PRIMARY)})
    candidate = None if after is None else run({"score": list(after)})
    values: dict[str, Any] = {"power": 0.8, "correlation": 0.5, **changes}
    return plan(run({"score": list(before)}), candidate, held_to, **values)[0]


def test_a_pair_plans_with_the_size_that_a_comparison_suggests() -> None:
    rules = MetricPolicy(role=Role.PRIMARY, effect=0.01)
    result = planned(BEFORE, AFTER, rules=rules)
    (pairs,) = pair(run({"score": BEFORE.tolist()}), run({"score": AFTER.tolist()})).metrics
    compared = measure(pairs, terms(metrics={"score": rules})).result
    assert result.spread is Spread.PAIR
    assert result.needed == compared.n_suggested
    assert result.detectable == pytest.approx(compared.mde)


def test_one_run_plans_with_the_assumed_correlation_and_says_so() -> None:
    result = planned(BEFORE, correlation=0.8)
    sd = BEFORE.std(ddof=1) * math.sqrt(2 * (1 - 0.8))
    assert result.spread is Spread.ASSUMED_CORRELATION
    assert result.sd == pytest.approx(sd)
    assert result.detectable == pytest.approx((norm.ppf(0.975) + norm.ppf(0.8)) * sd / math.sqrt(200))


def test_the_needed_questions_detect_the_effect_with_the_power() -> None:
    result = planned(BEFORE, correlation=0.8, effect=0.02)
    assert result.needed is not None
    drawn = np.random.default_rng(1).normal(0.02, result.sd, (4_000, result.needed))
    means, errors = drawn.mean(axis=1), drawn.std(axis=1) / math.sqrt(result.needed)
    assert (means - norm.ppf(0.975) * errors > 0).mean() == pytest.approx(0.8, abs=0.03)


def test_four_times_the_questions_detect_half_the_change() -> None:
    table = dict(planned(BEFORE, AFTER).table)
    assert table[800] == pytest.approx(table[200] / 2)


def test_a_suite_below_the_guards_cannot_block() -> None:
    result = planned(BEFORE[:7], AFTER[:7])
    assert result.decides_from == 10
    assert not result.can_block


@pytest.mark.parametrize(("direction", "able"), [(Direction.HIGHER, 4), (Direction.LOWER, 96)])
def test_a_metric_with_too_few_questions_left_to_worsen_cannot_block(direction: Direction, able: int) -> None:
    before = [1.0] * 4 + [0.0] * 96
    result = planned(before, rules=MetricPolicy(range=(0.0, 1.0), direction=direction))
    assert result.could_worsen == able
    assert result.can_block == (able >= 6)


def test_the_ladder_ends_at_all_questions_and_repeats_itself() -> None:
    first, again = planned(BEFORE, AFTER, ladder=True), planned(BEFORE, AFTER, ladder=True)
    assert first.ladder == again.ladder
    assert [rung.n for rung in first.ladder] == [25, 50, 100, 200]
    assert first.ladder[-1].delta == pytest.approx((AFTER - BEFORE).mean())
    widths = [rung.half_width for rung in first.ladder]
    assert widths == sorted(widths, reverse=True)


def test_where_nothing_varies_nothing_is_promised() -> None:
    result = planned([0.5] * 50, [0.5] * 50, effect=0.1)
    assert (result.detectable, result.needed, result.table) == (None, None, ())
