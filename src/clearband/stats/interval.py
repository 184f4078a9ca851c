"""The interval of one metric and the p that belongs to it: one calculation, so they cannot disagree."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Final, assert_never

from clearband.vocabulary import IntervalMethod

if TYPE_CHECKING:
    from clearband.stats.differences import Differences
    from clearband.stats.distribution import BootstrapDistribution

_P_FLOOR: Final = 1e-12
"""Accuracy of the distribution functions; a smaller p would be rounding."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A two-sided interval for the mean difference, and its inverted p."""

    low: float
    high: float
    above_zero: bool
    """The whole interval lies above 0; never true together with `below_zero`."""
    below_zero: bool
    p_two_sided: float
    """Smallest alpha at which the interval would exclude 0, floored at 2^(1-m), m the number of changed questions."""
    p_greater: float
    """P*(T* > 0) + P*(T* = 0) / 2."""
    monte_carlo_error: tuple[float, float] | None


def exact_alpha(confidence: float) -> float:
    """Return 1 - confidence as the decimal it was meant to be."""
    return round(1.0 - confidence, 12)


def least_changed(alpha: float) -> int:
    """Return m_min, the fewest changed questions with which any interval could exclude 0: min{m: 2^(1-m) < alpha}."""
    return math.floor(1.0 - math.log2(alpha)) + 1


def interval(
    distribution: BootstrapDistribution, differences: Differences, *, method: IntervalMethod, confidence: float
) -> Interval:
    """Return the two-sided interval at `confidence` and its p.

    The decision is made once, on probabilities at 0, and the ends are held to it: an end that falls on the wrong side
    of 0 by rounding is moved to 0 or to the smallest step beyond it.
    """
    match method:
        case IntervalMethod.PERCENTILE:
            return _percentile(distribution, differences, exact_alpha(confidence))
        case _:
            assert_never(method)


def _percentile(distribution: BootstrapDistribution, differences: Differences, alpha: float) -> Interval:
    """Efron & Tibshirani (1993), chapter 13: the alpha/2 quantiles of the bootstrap distribution."""
    not_above, not_below = distribution.p_not_above_zero, distribution.p_not_below_zero
    # Twelve digits, as in the record: what is decided is what is written down.
    p_above, p_below = _twelve_digits(2.0 * not_above), _twelve_digits(2.0 * not_below)
    above, below = p_above < alpha, p_below < alpha
    low, high = distribution.lower(alpha / 2.0), distribution.upper(alpha / 2.0)
    smallest = float(abs(differences.values[differences.values != 0.0]).min(initial=math.inf)) / differences.n
    low = _beyond_zero(low, smallest) if above else min(low, 0.0)
    high = -_beyond_zero(-high, smallest) if below else max(high, 0.0)
    floor = max(_P_FLOOR, 2.0 ** max(1 - differences.nonzero, -64))
    return Interval(
        low=low,
        high=high,
        above_zero=above,
        below_zero=below,
        p_two_sided=min(1.0, max(floor, min(p_above, p_below))),
        p_greater=min(1.0, max(0.0, 0.5 + (not_below - not_above) / 2.0)),
        monte_carlo_error=distribution.monte_carlo_error(alpha / 2.0),
    )


def _beyond_zero(end: float, smallest: float) -> float:
    return end if end > 0.0 else smallest


def _twelve_digits(value: float) -> float:
    return float(f"{value:.12g}")


def normal_quantile(probability: float) -> float:
    """Return the standard normal quantile."""
    return NormalDist().inv_cdf(probability)
