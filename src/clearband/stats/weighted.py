"""The ideal bootstrap of a ratio of sums: clusters of unequal size, and relative changes.

T = sum(values) / sum(weights) lies at or below x exactly where sum(values - x weights) does at or below 0, and that is
the ideal bootstrap of a mean at 0. So no point of the distribution is approximated; only an end of an interval is
searched for, by asking at several x (the ratio counterpart of Fieller's argument).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clearband.stats.distribution import LEVEL_SLACK, BootstrapDistribution
from clearband.stats.ideal import ideal_bootstrap
from clearband.stats.joint import joint_bootstrap

if TYPE_CHECKING:
    from collections.abc import Callable

    from clearband.stats.units import Units

_PRECISION: Final = 2e-5
"""Ends are found to this share of a standard error."""

_FIRST_STEP: Final = 0.02
"""First step away from the guess, in standard errors."""

_STEPS: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightedDistribution:
    """The bootstrap distribution of a ratio of sums whose denominator is never negative."""

    units: Units
    at_zero: BootstrapDistribution
    """The distribution of the mean value, which tells the sides of 0 exactly."""

    @property
    def p_not_above_zero(self) -> float:
        """P*(T* <= 0)."""
        return self.at_zero.p_not_above_zero

    @property
    def p_not_below_zero(self) -> float:
        """P*(T* >= 0)."""
        return self.at_zero.p_not_below_zero

    def lower(self, level: float) -> float:
        """Return inf{x: P*(T* <= x) >= level}, to a fifty-thousandth of a standard error."""
        return _lowest(self.units, level)

    def upper(self, level: float) -> float:
        """Return sup{x: P*(T* >= x) >= level}."""
        return -_lowest(self.units.mirrored(), level)

    def below(self, value: float) -> float:
        """Return P*(T* < value) + P*(T* = value) / 2."""
        there = ideal_bootstrap(self.units.moved(value))
        return (there.p_not_above_zero + 1.0 - there.p_not_below_zero) / 2.0

    def monte_carlo_error(self, lower: float, upper: float) -> None:
        """Nothing was drawn, so there is no Monte Carlo error."""

    def require(self, level: float) -> None:
        """Any level can be read."""


def ideal_distribution(units: Units) -> BootstrapDistribution:
    """Return the ideal bootstrap distribution of the statistic of `units`."""
    if units.weights is None:
        return ideal_bootstrap(units.differences)
    joint = joint_bootstrap(units)
    return joint or WeightedDistribution(units=units, at_zero=ideal_bootstrap(units.differences))


def _lowest(units: Units, level: float) -> float:
    """Search for the smallest x with P*(T* <= x) >= level: step out from a guess, then close in (Illinois)."""
    lowest, highest = units.bounds
    if units.is_constant:
        return units.delta

    def excess(x: float) -> float:
        return ideal_bootstrap(units.moved(x)).p_not_above_zero - level + LEVEL_SLACK

    error = units.standard_error
    # The linear approximation of the ratio has the residuals' distribution: right to the first order.
    guess = units.delta + ideal_bootstrap(units.moved(units.delta)).lower(level)
    x = min(max(guess, lowest), highest)
    value = excess(x)
    step = _FIRST_STEP * error
    low, high = x, x
    low_value = high_value = value
    while low_value >= 0.0:
        if low <= lowest:
            return lowest
        high, high_value = low, low_value
        low, step = max(lowest, low - step), 3.0 * step
        low_value = excess(low)
    while high_value < 0.0:
        if high >= highest:
            return highest
        low, low_value = high, high_value
        high, step = min(highest, high + step), 3.0 * step
        high_value = excess(high)
    return _closed_in(excess, (low, low_value), (high, high_value), _PRECISION * error)


def _closed_in(
    excess: Callable[[float], float], low: tuple[float, float], high: tuple[float, float], precision: float
) -> float:
    """Return the upper end of a bracket narrowed to `precision`; every third step halves it, for jumps."""
    (a, fa), (b, fb) = low, high
    for turn in range(_STEPS):
        if b - a <= precision:
            break
        x = (a + b) / 2.0 if turn % 3 == 2 else (a * fb - b * fa) / (fb - fa)
        # Stay off the ends: a step that only touches one of them would never narrow the bracket.
        x = min(max(x, a + 0.25 * precision), b - 0.25 * precision)
        value = excess(x)
        if value >= 0.0:
            b, fb = x, value
        else:
            a, fa = x, value
    return b
