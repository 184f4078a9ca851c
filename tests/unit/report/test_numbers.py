"""Rounding: as many digits as the interval supports, and never a number on the wrong side of a line."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearband.policy import MetricPolicy
from clearband.report.numbers import (
    Figures,
    decimals_for,
    faithful,
    fixed,
    is_rate,
    needed,
    p_value,
    percent,
)

from . import factories as make

if TYPE_CHECKING:
    from clearband.comparison import MetricResult

POLICY = MetricPolicy()


def figures(metric: MetricResult, policy: MetricPolicy = POLICY) -> Figures:
    return Figures.of(metric, policy)


def spelled(text: str) -> str:
    """The text with ordinary spaces, to compare in tests."""
    return text.replace("\u00a0", " ")


def number(text: str) -> float:
    return float(spelled(text).split(" ")[0].replace("−", "-").replace(",", ""))


def test_the_last_digit_is_the_second_digit_of_half_the_width() -> None:
    about = make.metric(delta=0.0218988, interval=(-0.00305, 0.0463))
    assert spelled(figures(about).change_with_interval(about.delta, about.interval)) == "+0.022 [−0.003, +0.046]"


@pytest.mark.parametrize(
    ("interval", "shown"),
    [
        ((-0.3, 0.5), "[−0.30, +0.50]"),
        ((-31.4, 52.2), "[−31, +52]"),
        ((-0.000123, 0.000456), "[−0.00012, +0.00046]"),
        ((1234.5, 98765.4), "[+1234, +98,765]"),
    ],
)
def test_wide_intervals_get_few_digits_and_narrow_ones_many(interval: tuple[float, float], shown: str) -> None:
    about = make.metric(delta=sum(interval) / 2, interval=interval)
    assert spelled(figures(about).interval(interval)) == shown


def test_an_end_that_is_not_zero_is_never_shown_as_zero() -> None:
    about = make.metric(delta=0.04, interval=(0.0002, 0.08))
    assert spelled(figures(about).interval((0.0002, 0.08))) == "[+0.0002, +0.080]"


def test_an_end_beyond_the_margin_is_never_shown_on_the_margin() -> None:
    about = make.metric(delta=-0.04, interval=(-0.06, -0.0201), margin=0.02)
    assert spelled(figures(about).interval((-0.06, -0.0201))) == "[−0.060, −0.0201]"


@given(st.floats(-1, 1), st.floats(1e-6, 1))
def test_an_interval_as_shown_excludes_zero_exactly_where_it_does(low: float, width: float) -> None:
    ends = (low, low + width)
    shown = figures(make.metric(delta=low + width / 2, interval=ends)).interval(ends)
    shown_low, shown_high = (number(part) for part in spelled(shown).strip("[]").split(", "))
    assert (shown_low > 0, shown_high < 0) == (ends[0] > 0, ends[1] < 0)
    assert (shown_low == 0, shown_high == 0) == (ends[0] == 0, ends[1] == 0)


def test_monte_carlo_error_takes_digits_away() -> None:
    rough = make.metric(delta=0.0218988, interval=(-0.00305, 0.0463), monte_carlo_error=(0.004, 0.02))
    assert spelled(figures(rough).change(0.0218988)) == "0.0"
    steady = make.metric(delta=0.0218988, interval=(-0.00305, 0.0463), monte_carlo_error=(0.0004, 0.0004))
    assert spelled(figures(steady).change(0.0218988)) == "+0.022"


def test_zero_carries_no_sign_and_minus_is_a_minus_sign() -> None:
    assert fixed(-0.0, 3, signed=True) == "0.000"
    assert fixed(-0.0001, 3, signed=True) == "0.000"
    assert fixed(-0.25, 2, signed=True) == "\u22120.25"
    assert fixed(0.25, 2, signed=True) == "+0.25"


def test_huge_and_tiny_numbers_stay_short() -> None:
    assert fixed(1e300, 0) == "1e+300"
    assert fixed(-2.13e-12, 13, signed=True) == "\u22122.1e\u221212"


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(0, 12))
def test_no_number_is_long_or_carries_a_hyphen(value: float, decimals: int) -> None:
    shown = fixed(value, decimals, signed=True)
    assert len(shown) <= 32
    assert "-" not in shown


class TestZeroOneMetrics:
    def test_are_shown_in_percent_and_points(self) -> None:
        about = make.accuracy(up=113, down=46, n=800, before=431)
        shown = figures(about)
        assert spelled(shown.level(about.baseline_mean)) == "53.9 %"
        assert spelled(shown.change_with_interval(about.delta, about.interval)) == "+8.4 points [+5.3, +11.4]"
        assert spelled(shown.given(0.05)) == "5 points"
        assert spelled(shown.given(0.01)) == "1 point"

    def test_are_told_by_whole_sums_and_differences_of_one(self) -> None:
        assert is_rate(make.accuracy(up=113, down=46, n=800, before=431), POLICY)
        assert is_rate(make.accuracy(up=113, down=46, n=800, before=431), MetricPolicy(range=(0.0, 1.0)))
        assert not is_rate(make.metric(), POLICY)

    def test_half_points_are_no_zero_one_metric(self) -> None:
        halves = make.accuracy(up=4, down=2, n=100, before=50, sd=0.11, delta=0.02)
        assert not is_rate(halves, POLICY)

    def test_a_declared_unit_or_another_range_is_respected(self) -> None:
        about = make.accuracy(up=3, down=1, n=100, before=50)
        assert not is_rate(about, MetricPolicy(unit="answers"))
        assert not is_rate(about, MetricPolicy(range=(0.0, 5.0)))

    def test_identical_runs_keep_the_percent_of_the_day_before(self) -> None:
        same = make.identical(n=200, baseline_mean=0.61, candidate_mean=0.61)
        assert spelled(figures(same).level(0.61)) == "61.0 %"


def test_units_follow_values_and_changes() -> None:
    about = make.metric(baseline_mean=1312.4, delta=-124.6, interval=(-197.2, -51.8))
    shown = figures(about, MetricPolicy(unit="ms"))
    assert spelled(shown.level(1312.4)) == "1312 ms"
    assert spelled(shown.change_with_interval(about.delta, about.interval)) == "−125 ms [−197, −52]"


@pytest.mark.parametrize("unit", ["@octocat", "<b>", "a|b", "x" * 13, "$", "", "\u202e"])
def test_a_strange_unit_never_stands_behind_a_number(unit: str) -> None:
    assert figures(make.metric(), MetricPolicy(unit=unit)).unit == ""


def test_what_a_set_detects_is_rounded_up() -> None:
    assert figures(make.metric()).about(0.03501) == "0.036"
    assert figures(make.metric()).about(0.035) == "0.035"
    assert figures(make.metric()).about(0.1 + 0.2) == "0.30"


@given(st.floats(1e-6, 1e6))
def test_what_a_set_detects_is_never_understated(amount: float) -> None:
    assert number(figures(make.metric()).about(amount)) >= amount * (1 - 1e-7)


def test_what_a_person_wrote_is_shown_as_written() -> None:
    assert figures(make.metric()).given(0.07) == "0.07"
    assert figures(make.metric()).given(0.1 + 0.2) == "0.3"


class TestP:
    def test_is_never_shown_as_zero_or_as_a_false_one(self) -> None:
        assert spelled(p_value(0.0)) == "< 0.001"
        assert spelled(p_value(0.00099)) == "< 0.001"
        assert p_value(0.001) == "0.001"
        assert spelled(p_value(0.9999)) == "> 0.999"
        assert p_value(1.0) == "1"
        assert p_value(None) == "–"

    def test_stays_on_its_side_of_alpha(self) -> None:
        assert p_value(0.0496) == "0.0496"
        assert p_value(0.0504) == "0.0504"
        assert p_value(0.05) == "0.050"

    def test_has_digits_enough_for_a_small_alpha(self) -> None:
        assert p_value(0.0005, alpha=0.0001) == "0.00050"
        assert spelled(p_value(0.00005, alpha=0.0001)) == "< 0.0001"

    @given(st.floats(0, 1), st.sampled_from([0.2, 0.1, 0.05, 0.01, 0.001]))
    def test_as_shown_is_below_alpha_exactly_where_it_is(self, p: float, alpha: float) -> None:
        shown = spelled(p_value(p, alpha))
        if shown.startswith("<"):
            assert p < alpha
        elif not shown.startswith(">"):
            assert (float(shown) < alpha) == (p < alpha)


def test_a_size_from_the_measured_change_is_cut_at_ten_times() -> None:
    assert spelled(needed(make.metric(n=225, n_suggested=2251))) == "> 10×"
    assert needed(make.metric(n=225, n_suggested=2250)) == "2,250"
    assert needed(make.metric(n=225, n_suggested=5000, n_suggested_basis="declared")) == "5,000"
    assert needed(make.metric(n_suggested=None)) == "–"


def test_confidence_keeps_its_digits() -> None:
    assert [spelled(percent(c)) for c in (0.95, 0.975, 0.9999, 0.9)] == ["95 %", "97.5 %", "99.99 %", "90 %"]


def test_an_interval_without_width_still_has_digits() -> None:
    shifted = make.metric(baseline_mean=0.4, candidate_mean=0.5, delta=0.1, interval=(0.1, 0.1))
    assert spelled(figures(shifted).change_with_interval(0.1, (0.1, 0.1))) == "+0.100 [+0.100, +0.100]"
    nothing = make.identical(baseline_mean=0.0, candidate_mean=0.0, n=225)
    assert re.fullmatch(r"0( %)?", spelled(figures(nothing, MetricPolicy(unit="s")).level(0.0)).removesuffix(" s"))


@given(st.floats(1e-9, 1e9))
def test_two_digits_of_a_size_are_kept(size: float) -> None:
    decimals = decimals_for(size)
    assert decimals == 0 or 0.5 <= size * 10.0**decimals / 10 <= 10.5
    assert math.isclose(float(f"{size:.{decimals}f}"), size, rel_tol=0.06)


def test_faithful_gives_up_in_scientific_digits_only() -> None:
    assert faithful(1e-12, 2, (0.0,)) == 9
    assert faithful(0.5, 2, (0.0,)) == 2
