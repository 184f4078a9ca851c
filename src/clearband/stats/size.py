"""How many questions: to just clear, to detect reliably, and what today's set can detect."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from clearband.stats.levels import normal_cdf, normal_quantile

POWER: Final = 0.80

_LARGEST_RATIO: Final = 1e5
"""A set 10^10 times as large is no advice."""


class Basis(StrEnum):
    """What change a suggested size is for."""

    DECLARED = "declared"
    MEASURED = "measured"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """Sizes for one metric; None where they are undefined."""

    to_clear: int | None
    """Questions at which the measured change would just clear 0: a floor, as it takes the measured change for true."""
    suggested: int | None
    """Questions that detect the declared effect (or the measured change) with 80 % power."""
    basis: Basis | None
    mde: float | None
    """Smallest true change that today's questions detect with 80 % power, in the metric's units."""


def sizes(
    *, n: int, delta: float, low: float, high: float, standard_error: float, cleared: bool, effect: float | None
) -> Sizes:
    """Return the sizes of METHODS section 5 from an interval.

    With h the larger half of the interval, h0 the half that faces 0 and z the normal quantile of the power::

        to_clear = n (h0 / |delta|)^2        suggested = n ((h + z se) / s)^2        mde = h + z se

    Parameters
    ----------
    n
        Paired questions.
    delta, low, high, standard_error
        Mean difference, interval and the interval's standard error, in the metric's units.
    cleared
        Whether the interval excludes 0.
    effect
        The declared smallest effect that matters; None if nobody declared one.

    """
    half = max(delta - low, high - delta)
    detectable = half + normal_quantile(POWER) * standard_error
    if half <= 0.0:
        return Sizes(to_clear=None, suggested=None, basis=None, mde=None)
    to_clear = None
    if delta != 0.0:
        facing_zero = delta - low if delta > 0.0 else high - delta
        to_clear = questions(n, facing_zero / abs(delta))
        if to_clear is not None and not cleared:
            to_clear = max(to_clear, n + 1)
    if effect is not None:
        suggested, basis = questions(n, detectable / effect), Basis.DECLARED
    elif delta != 0.0:
        suggested, basis = questions(n, detectable / abs(delta)), Basis.MEASURED
    else:
        return Sizes(to_clear=to_clear, suggested=None, basis=None, mde=detectable)
    return Sizes(to_clear=to_clear, suggested=suggested, basis=None if suggested is None else basis, mde=detectable)


def exaggeration(effect: float, standard_error: float, alpha: float) -> float | None:
    """Return Gelman & Carlin's (2014) Type M ratio: how much a change that cleared is overstated on average.

    Two-sided normal closed form (Lu, Qiu & Deng 2019) for a true change of `effect`; None where it is undefined.
    """
    if effect == 0.0 or standard_error == 0.0:
        return None
    truth, critical = abs(effect) / standard_error, normal_quantile(1.0 - alpha / 2.0)
    above, below = truth - critical, truth + critical
    power = normal_cdf(above) + normal_cdf(-below)
    density = (math.exp(-(above**2) / 2.0) + math.exp(-(below**2) / 2.0)) / math.sqrt(2.0 * math.pi)
    return (density + truth * (normal_cdf(above) - normal_cdf(-below))) / (truth * power)


def questions(n: int, ratio: float) -> int | None:
    """Return n ratio^2, rounded up (a hair above a whole number is that number); None beyond any use."""
    if ratio > _LARGEST_RATIO:
        return None
    return max(2, math.ceil(n * ratio**2 * (1.0 - 1e-12)))
