"""Student's t distribution: what the expanded interval needs of it and no more."""

from __future__ import annotations

import math
from typing import Final

_TINY: Final = 1e-300
_ENOUGH: Final = 1e-15
_MOST_TERMS: Final = 500


def t_cdf(value: float, degrees: int) -> float:
    """Return P(T <= value) of Student's t with `degrees` degrees of freedom, within 1e-9.

    By the regularised incomplete beta function: P(|T| <= t) = I_y(1/2, degrees/2) at y = t^2 / (degrees + t^2), or its
    complement where that is the smaller part.
    """
    if math.isinf(value):
        return 1.0 if value > 0 else 0.0
    square = value * value
    if square < degrees:
        tail = (1.0 - _incomplete_beta(square / (degrees + square), 0.5, degrees / 2.0)) / 2.0
    else:
        tail = _incomplete_beta(degrees / (degrees + square), degrees / 2.0, 0.5) / 2.0
    return 1.0 - tail if value > 0.0 else tail


def t_quantile(probability: float, degrees: int) -> float:
    """Return the value below which Student's t lies with `probability`, by bisection of `t_cdf`."""
    if probability > 0.5:
        return -t_quantile(1.0 - probability, degrees)
    low, high = -1.0, 0.0
    while t_cdf(low, degrees) > probability:
        low *= 2.0
    while high - low > 1e-14 * -low:
        middle = (low + high) / 2.0
        if middle in {low, high}:
            break
        if t_cdf(middle, degrees) > probability:
            high = middle
        else:
            low = middle
    return (low + high) / 2.0


def _incomplete_beta(x: float, a: float, b: float) -> float:
    """Return I_x(a, b) by Lentz's continued fraction on the side where it converges fast."""
    if x <= 0.0 or x >= 1.0:
        return min(1.0, max(0.0, x))
    if x > (a + 1.0) / (a + b + 2.0):
        return 1.0 - _incomplete_beta(1.0 - x, b, a)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    c, d = 1.0, 1.0 / _away_from_zero(1.0 - (a + b) * x / (a + 1.0))
    fraction = d
    for term in range(1, _MOST_TERMS):
        even = term * (b - term) * x / ((a + 2 * term - 1.0) * (a + 2 * term))
        d, c = 1.0 / _away_from_zero(1.0 + even * d), _away_from_zero(1.0 + even / c)
        fraction *= d * c
        odd = -(a + term) * (a + b + term) * x / ((a + 2 * term) * (a + 2 * term + 1.0))
        d, c = 1.0 / _away_from_zero(1.0 + odd * d), _away_from_zero(1.0 + odd / c)
        fraction *= d * c
        if abs(d * c - 1.0) < _ENOUGH:
            break
    return front * fraction / a


def _away_from_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY
