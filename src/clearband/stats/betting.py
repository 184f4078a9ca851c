"""The `bounded` interval: hedged betting on a mean of values with a known range (Waudby-Smith & Ramdas 2023).

A gambler who bets against "the mean is m" grows rich only if it is not. The interval holds every m at which neither the
gambler who bets on more nor the one who bets on less has made 2/alpha out of 1. It covers at every n by construction,
rare large losses included; the price is width. For a fixed number of questions, not for looking again and again.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

ORDERS: Final = 32
"""Orders of the questions that the final wealth is averaged over; one order would be a matter of luck."""

_LARGEST_BET: Final = 0.5
"""Share of the wealth that is ever at stake."""

_HALVINGS: Final = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Bettor:
    """The bets on one metric's differences, laid out in every order."""

    values: NDArray[np.float64]
    """Shape (orders, n): (d / R + 1) / 2 in the order of play, between 0 and 1."""
    bets: NDArray[np.float64]
    """Shape (orders, n): each bet from strictly earlier values, before truncation."""
    width: float
    """R, the declared largest value minus the smallest."""
    alpha: float

    def interval(self) -> tuple[float, float]:
        """Return the ends in the metric's units, rounded outward by less than 1e-11 of the range."""
        low = _lowest(lambda mean: self._log_wealth(mean, self.values, self.bets), self.alpha)
        high = 1.0 - _lowest(lambda mean: self._log_wealth(mean, 1.0 - self.values, self.bets), self.alpha)
        return (2.0 * low - 1.0) * self.width, (2.0 * high - 1.0) * self.width

    def p_above(self) -> float:
        """Return the one-sided p against "no gain", doubled: min(1, 2 / K+) at 0."""
        return min(1.0, 2.0 * math.exp(-self._log_wealth(0.5, self.values, self.bets)))

    def p_below(self) -> float:
        """Return the one-sided p against "no loss", doubled: min(1, 2 / K-) at 0."""
        return min(1.0, 2.0 * math.exp(-self._log_wealth(0.5, 1.0 - self.values, self.bets)))

    @staticmethod
    def _log_wealth(mean: float, values: NDArray[np.float64], bets: NDArray[np.float64]) -> float:
        """Return the log of the final wealth, averaged over the orders, of betting on a true mean above `mean`."""
        stakes = np.minimum(bets, _LARGEST_BET / mean) if mean > 0.0 else bets
        logs = np.log1p(stakes * (values - mean)).sum(axis=1)
        largest = float(logs.max())
        return largest + math.log(float(np.exp(logs - largest).mean()))


def bettor(differences: NDArray[np.float64], ids: Sequence[str], *, width: float, alpha: float) -> Bettor:
    """Lay out the bets.

    Parameters
    ----------
    differences
        Shape (n,), in the order of `ids`, none larger than `width` in size.
    ids
        The questions' ids. The orders come from SHA-256(k, id): ordering by id itself would play sorted difficulty,
        which destroys coverage.
    width
        R, the metric's declared range.
    alpha
        1 - confidence.

    """
    scaled = np.clip((differences / width + 1.0) / 2.0, 0.0, 1.0)
    played = scaled[_orders(ids)]
    return Bettor(values=played, bets=_bets(played, alpha), width=width, alpha=alpha)


def _orders(ids: Sequence[str]) -> NDArray[np.int64]:
    encoded = [question.encode("utf-8", "surrogatepass") for question in ids]
    orders = np.empty((ORDERS, len(encoded)), dtype=np.int64)
    for order in range(ORDERS):
        key = f"{order + 1}:".encode()
        digests = b"".join(hashlib.sha256(key + question).digest()[:8] for question in encoded)
        orders[order] = np.argsort(np.frombuffer(digests, dtype=">u8"), kind="stable")
    return orders


def _bets(played: NDArray[np.float64], alpha: float) -> NDArray[np.float64]:
    """Return sqrt(2 log(2/alpha) / (n s^2)), s^2 from strictly earlier values and a prior of mean 1/2, variance 1/4."""
    n = played.shape[1]
    before = np.arange(1, n + 1)
    means = (0.5 + np.cumsum(played, axis=1)) / (before + 1.0)
    variances = (0.25 + np.cumsum((played - means) ** 2, axis=1)) / (before + 1.0)
    earlier = np.concatenate((np.full((played.shape[0], 1), 0.25), variances[:, :-1]), axis=1)
    bets: NDArray[np.float64] = np.sqrt(2.0 * math.log(2.0 / alpha) / (n * earlier))
    return bets


def _lowest(log_wealth: Callable[[float], float], alpha: float) -> float:
    """Return the largest mean, found by bisection, that the bets rule out together with all below it."""
    enough = math.log(2.0 / alpha)
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        if log_wealth(middle) >= enough:
            low = middle
        else:
            high = middle
    return low
