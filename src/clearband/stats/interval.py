"""The interval of one metric and the p that belongs to it: one calculation, so they cannot disagree."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, assert_never

from clearband.stats.levels import BcaLevels, ExpandedLevels, Levels, PercentileLevels, bca_levels
from clearband.vocabulary import IntervalMethod

if TYPE_CHECKING:
    from clearband.stats.betting import Bettor
    from clearband.stats.distribution import BootstrapDistribution
    from clearband.stats.units import Resampling

Resampled = Literal[IntervalMethod.PERCENTILE, IntervalMethod.EXPANDED, IntervalMethod.BCA]
"""The methods that read a bootstrap distribution."""

_ROUNDING: Final = 1e-9
"""Share of the largest difference by which two ends may cross through rounding alone."""

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
    monte_carlo_error: tuple[float, float] | None


def exact_alpha(confidence: float) -> float:
    """Return 1 - confidence as the decimal it was meant to be."""
    return round(1.0 - confidence, 12)


def least_changed(alpha: float) -> int:
    """Return m_min, the fewest changed questions with which any interval could exclude 0: min{m: 2^(1-m) < alpha}."""
    return math.floor(1.0 - math.log2(alpha)) + 1


def bootstrap_interval(
    distribution: BootstrapDistribution, units: Resampling, *, method: Resampled, confidence: float
) -> Interval:
    """Return the two-sided interval at `confidence` read from a bootstrap distribution, and its p.

    Parameters
    ----------
    distribution, units
        The bootstrap distribution of the statistic of these units; at least two.
    method
        How the levels of the ends are chosen; see `clearband.stats.levels`.
    confidence
        Between 0.5 and 1.

    """
    alpha = exact_alpha(confidence)
    lower = _levels(distribution, units, method)
    upper = lower.mirrored()
    low_level, high_level = lower.read(alpha / 2.0), upper.read(alpha / 2.0)
    if units.nonzero >= least_changed(alpha):
        distribution.require(min(low_level, high_level))
    lowest, highest = units.bounds
    return _settled(
        units,
        alpha,
        # A resampled statistic lies between those of the single units.
        low=max(distribution.lower(low_level), lowest),
        high=min(distribution.upper(high_level), highest),
        p_above=2.0 * lower.asked(distribution.p_not_above_zero),
        p_below=2.0 * upper.asked(distribution.p_not_below_zero),
        monte_carlo_error=distribution.monte_carlo_error(low_level, high_level),
    )


def bounded_interval(bettor: Bettor, units: Resampling, *, confidence: float) -> Interval:
    """Return the interval that hedged betting on a declared range leaves, and its p; see `clearband.stats.betting`."""
    low, high = bettor.interval()
    return _settled(
        units,
        exact_alpha(confidence),
        low=low,
        high=high,
        p_above=bettor.p_above(),
        p_below=bettor.p_below(),
        monte_carlo_error=None,
    )


def p_greater(distribution: BootstrapDistribution) -> float:
    """Return P*(T* > 0) + P*(T* = 0) / 2."""
    return min(1.0, max(0.0, 0.5 + (distribution.p_not_below_zero - distribution.p_not_above_zero) / 2.0))


def _levels(distribution: BootstrapDistribution, units: Resampling, method: Resampled) -> Levels:
    match method:
        case IntervalMethod.PERCENTILE:
            return PercentileLevels()
        case IntervalMethod.EXPANDED:
            return ExpandedLevels(units.n)
        case IntervalMethod.BCA:
            if units.is_constant:
                return BcaLevels(bias=0.0, acceleration=0.0)
            return bca_levels(units.residuals, distribution.below(units.delta))
        case _:
            assert_never(method)


def _settled(
    units: Resampling,
    alpha: float,
    *,
    low: float,
    high: float,
    p_above: float,
    p_below: float,
    monte_carlo_error: tuple[float, float] | None,
) -> Interval:
    """Decide once, on the p of each side as the record will round it, and hold the ends to the decision.

    An end that falls on the wrong side of 0 by rounding is moved to 0 or to the smallest mean beyond it.
    """
    p_above, p_below = _twelve_digits(p_above), _twelve_digits(p_below)
    above, below = p_above < alpha, p_below < alpha
    size = max(map(abs, units.bounds))
    if high < low <= high + _ROUNDING * size:
        low = high = min(max(units.delta, high), low)
    if (above and below) or low > high:
        # Only a method whose two sides are corrected apart could do this, on data with no direction at all.
        above = below = False
        p_above = p_below = 1.0
        low, high = min(low, high), max(low, high)
    floor = max(_P_FLOOR, 2.0 ** max(1 - units.nonzero, -64))
    return Interval(
        low=_beyond_zero(low, units.smallest) if above else min(low, 0.0),
        high=-_beyond_zero(-high, units.smallest) if below else max(high, 0.0),
        above_zero=above,
        below_zero=below,
        p_two_sided=min(1.0, max(floor, min(p_above, p_below))),
        monte_carlo_error=monte_carlo_error,
    )


def _beyond_zero(end: float, smallest: float) -> float:
    return end if end > 0.0 else smallest


def _twelve_digits(value: float) -> float:
    return float(f"{value:.12g}")
