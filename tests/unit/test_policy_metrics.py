"""The rules of one metric: what they may say, and that rules which contradict each other are refused."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearband.errors import UnusablePolicy
from clearband.vocabulary import Direction, IntervalMethod, Reducer, Requirement, Statistic

from .policies import metric, metric_refusal, policy, policy_or_refusal, refusal

QUANTILES = ("median", "p90", "p95", "p99")
OF_TRIALS = ("majority", "pass_at_k, k: 4", "pass_hat_k, k: 4")

# What a metric may say


@pytest.mark.parametrize("statistic", Statistic)
def test_every_statistic_is_a_word(statistic: Statistic) -> None:
    assert metric(f"statistic: {statistic}").statistic is statistic


@pytest.mark.parametrize("reducer", OF_TRIALS)
def test_every_reducer_is_a_word(reducer: str) -> None:
    word, _, k = reducer.partition(", k: ")
    read = metric(f"reducer: {reducer}, range: [0, 1]")
    assert (read.reducer, read.k) == (Reducer(word), int(k) if k else None)


@pytest.mark.parametrize("statistic", ["mean", "relative"])
def test_a_budget_is_a_share_of_the_baselines_mean(statistic: str) -> None:
    read = metric(f"direction: lower, statistic: {statistic}, budget: 0.10, range: [0, 9]")
    assert (read.budget, read.margin) == (0.1, 0.0)


def test_only_a_margin_or_a_budget_allows_a_regression() -> None:
    assert metric("margin: 0.1").has_margin
    assert metric("budget: 0.1").has_margin
    assert not metric("margin: 0").has_margin
    assert not metric("effect: 0.1").has_margin


def test_a_metric_without_a_direction_says_that_nobody_gave_one() -> None:
    assert not metric("range: [0, 1]").directed
    for direction in Direction:
        read = metric(f"direction: {direction}")
        assert (read.direction, read.directed) == (direction, True)


def test_an_effect_as_large_as_the_range_is_allowed() -> None:
    assert metric("effect: 1, range: [0, 1]").effect == 1


def test_an_effect_on_a_relative_change_is_a_share_whatever_the_range() -> None:
    assert metric("statistic: relative, effect: 0.9, range: [0, 0.5]").effect == 0.9
    assert metric("statistic: relative, effect: 1").effect == 1


# What is refused


@pytest.mark.parametrize(
    ("settings", "fault"),
    [
        ("margin: -0.1", "`metrics.recall.margin` is -0.1; it is 0 or larger"),
        ("margin: 1, range: [0, 1]", "no regression could ever block"),
        ("margin: 0.1, direction: neutral", "`metrics.recall.margin` is for a neutral metric"),
        ("margin: 0.1, statistic: relative", "`metrics.recall.margin` is 0.1 in the metric's own units"),
        ("margin: 0, statistic: relative", "`metrics.recall.margin` is 0 in the metric's own units"),
        ("effect: 0", "`metrics.recall.effect` is 0; it is above 0"),
        ("effect: -0.02", "it is above 0"),
        ("effect: 3, range: [0, 1]", "more than the metric's whole range of 1"),
        ("range: [1, 0]", "`metrics.recall.range` is [1, 0]"),
        ("range: [1, 1]", "`metrics.recall.range` is [1, 1]"),
        ("range: [0, .inf]", "`.inf`"),
        ("range: [0, 1, 2]", "not a list of two numbers"),
        ("range: 1", "not a list of two numbers"),
        ("unit: milliseconds and much more text than fits into a table", "longer than 40 characters"),
        ("direction: up", "`up`"),
        ("role: primary", "only the key `primary` sets"),
        ("role: guardrail, direction: neutral", "could never block"),
        ("budget: 0.1, margin: 0.1", "`metrics.recall.budget` stands beside `margin`"),
        ("budget: 0.1, margin: 0", "`metrics.recall.budget` stands beside `margin`"),
        ("budget: 0.1, direction: neutral", "`metrics.recall.budget` is for a neutral metric"),
        ("budget: 0.1, range: [-1, 1]", "`metrics.recall.budget` needs a metric that is never negative"),
        ("statistic: relative, range: [-1, 1]", "`metrics.recall.statistic` needs a metric that is never negative"),
        ("k: 4", "`metrics.recall.k` is for the reducers pass_at_k and pass_hat_k alone"),
        ("k: 4, reducer: majority", "`metrics.recall.k` is for the reducers pass_at_k and pass_hat_k alone"),
        ("reducer: pass_at_k", "`metrics.recall.reducer` is pass_at_k without a number of trials"),
        ("reducer: pass_hat_k", "`metrics.recall.reducer` is pass_hat_k without a number of trials"),
        *((f"statistic: {word}, budget: 0.1", f"compared by its {word}") for word in QUANTILES),
        *((f"reducer: {word}, range: [0, 5]", "counts trials that are 0 or 1") for word in OF_TRIALS),
        *((f"reducer: {word}, statistic: p95", "questions that pass or fail") for word in OF_TRIALS),
    ],
)
def test_a_metric_that_makes_no_sense_is_refused(settings: str, fault: str) -> None:
    error = metric_refusal(settings)
    assert fault in error.what
    assert error.where == "line 3"
    assert error.remedy


@pytest.mark.parametrize(
    ("settings", "given", "remedy"),
    [
        ("statistic: p50", "`p50`", "mean, median, p90, p95, p99, relative"),
        ("statistic: avg", "`avg`", "mean, median, p90, p95, p99, relative"),
        ("reducer: pass@k", "`pass@k`", "Did you mean `pass_at_k`?"),
        ("reducer: pass^k", "`pass^k`", "mean, majority, pass_at_k, pass_hat_k"),
        ("budget: 10", "`10`", "Write `budget: 0.1`."),
        ("budget: 10%", "`10%`", "Write `budget: 0.1`."),
        ("budget: 0", "`0`", "from 0.0001 to 0.9999"),
        ("budget: -0.1", "`-0.1`", "from 0.0001 to 0.9999"),
        ("budget: 1", "`1`", "Write `budget: 0.01`."),
        ("budget: [0.1]", "a list", "one number"),
        ("statistic: relative, effect: 5", "`5`", "Write `effect: 0.05`."),
        ("statistic: relative, effect: 5%", "`5%`", "Write `effect: 0.05`."),
        ("statistic: relative, effect: 0", "`0`", "from 0.0001 to 1"),
        ("reducer: pass_at_k, k: 0", "is 0", "a whole number from 1 to 1,000"),
        ("reducer: pass_at_k, k: 1001", "is 1001", "a whole number from 1 to 1,000"),
        ("reducer: pass_at_k, k: 2.5", "is 2.5", "a whole number from 1 to 1,000"),
        ("reducer: pass_at_k, k: '4'", "`4`", "Remove the quotes."),
    ],
)
def test_a_value_of_a_metric_is_quoted_with_what_is_allowed(settings: str, given: str, remedy: str) -> None:
    error = metric_refusal(settings)
    assert given in error.what
    assert remedy in str(error)
    assert error.where == "line 3"


# With the policy's other rules


@pytest.mark.parametrize("interval", IntervalMethod)
@pytest.mark.parametrize(
    "settings", ["", "statistic: relative", "budget: 0.1", *(f"statistic: {q}" for q in QUANTILES)]
)
def test_an_interval_is_allowed_where_it_can_be_found(interval: IntervalMethod, settings: str) -> None:
    text = f"interval: {interval}\nmetrics:\n  cost:\n    range: [0, 9]\n    {settings}\n"
    quantile = settings.startswith(tuple(f"statistic: {q}" for q in QUANTILES))
    if (interval is IntervalMethod.BCA and quantile) or (interval is IntervalMethod.BOUNDED and settings):
        error = refusal(text)
        assert f"`interval: {interval}`" in error.what
        assert error.where == "line 5"
        assert "Write `interval: percentile`" in str(error.remedy)
    else:
        assert policy(text).interval is interval


@pytest.mark.parametrize("gated", ["primary: recall\nmetrics: {recall: {}}", "metrics: {recall: {role: guardrail}}"])
def test_the_bounded_interval_needs_the_range_of_what_decides(gated: str) -> None:
    error = refusal(f"interval: bounded\n{gated}")
    assert "the range of `recall`" in error.what
    assert error.where == "line 1"
    assert policy("interval: bounded\nmetrics: {recall: {}}").interval is IntervalMethod.BOUNDED


@pytest.mark.parametrize("margin", ["margin: 0.1", "budget: 0.1", "budget: 0.1, statistic: relative"])
def test_a_margin_or_a_budget_is_what_non_inferiority_is_held_to(margin: str) -> None:
    text = "primary: a\nrequire: non-inferiority\nmetrics: {a: {%s}}"
    assert policy(text % margin).require is Requirement.NON_INFERIORITY
    error = refusal(text % "effect: 0.1")
    assert "without a margin" in error.what
    assert "`margin:` or `budget:`" in str(error.remedy)


WORDS = {
    "direction": st.sampled_from(Direction),
    "statistic": st.sampled_from(Statistic),
    "reducer": st.sampled_from(Reducer),
    "k": st.integers(1, 5),
    "margin": st.sampled_from(["0", "0.1"]),
    "budget": st.sampled_from(["0.1", "0.5"]),
    "effect": st.sampled_from(["0.05", "2"]),
    "range": st.sampled_from(["[0, 1]", "[-1, 1]", "[0, 100]"]),
    "role": st.sampled_from(["guardrail", "exploratory"]),
}


@given(st.fixed_dictionaries({}, optional=WORDS), st.sampled_from(IntervalMethod))
def test_a_metric_that_is_read_can_be_measured_as_it_says(
    settings: dict[str, object], interval: IntervalMethod
) -> None:
    spelled = ", ".join(f"{key}: {value}" for key, value in settings.items())
    whole = policy_or_refusal(f"interval: {interval}\nmetrics: {{m: {{{spelled}}}}}")
    if isinstance(whole, UnusablePolicy):
        assert whole.where in {"line 1", "line 2"}
        assert whole.remedy
        return
    read = whole.metrics["m"]
    of_means = read.statistic in {Statistic.MEAN, Statistic.RELATIVE}
    assert (read.k is not None) == (read.reducer in {Reducer.PASS_AT_K, Reducer.PASS_HAT_K})
    assert of_means or (read.budget is None and read.reducer is Reducer.MEAN and interval is not IntervalMethod.BCA)
    assert interval is not IntervalMethod.BOUNDED or (read.statistic is Statistic.MEAN and read.budget is None)
    assert read.budget is None or read.margin == 0
    assert not (read.has_margin and read.direction is Direction.NEUTRAL)
    assert read.effect is None or read.why_too_large(read.effect) is None
    assert read.why_too_large(math.nextafter(0, 1)) is None
