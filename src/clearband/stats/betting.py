"""The `bounded` interval: hedged betting on a mean of values with a known range (Waudby-Smith & Ramdas 2023).

A gambler who bets against "the mean is m" grows rich only if it is not. The interval holds every m at which neither the
gambler who bets on more nor the one who bets on less has made 2/alpha out of 1. It covers at every n by construction,
rare large losses included; the price is width. For a fixed number of questions, not for looking again and again.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

ORDERS: Final = 32
"""Orders of the questions that the final wealth is averaged over; one order would be a matter of luck."""

_LARGEST_BET: Final = 0.5
"""Share of the wealth that is ever at stake."""

_PARTS: Final = 1 << 40
"""Ends are found among so many equal parts of the range."""

_CELLS: Final = 1 << 16
"""Values laid out at once, unless one order alone has more: what bounds the memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bettor:
    """The bets on one metric's differences, in every order.

    Only the orders are kept, as places among the distinct values: 4 bytes a question and order. Values and bets
    are laid out again for every mean that is asked about, a few orders at a time.
    """

    levels: NDArray[np.float64]
    """Shape (distinct,): (d / R + 1) / 2, between 0 and 1, in increasing order."""
    played: NDArray[np.uint32]
    """Shape (orders, n): place among `levels` of each value in the order of play."""
    width: float
    """R, the declared largest value minus the smallest."""
    alpha: float

    def interval(self) -> tuple[float, float]:
        """Return the ends in the metric's units, rounded outward by less than 1e-11 of the range."""
        low = _lowest(lambda mean: self._log_wealth(mean, above=True), self.alpha)
        high = 1.0 - _lowest(lambda mean: self._log_wealth(mean, above=False), self.alpha)
        return (2.0 * low - 1.0) * self.width, (2.0 * high - 1.0) * self.width

    def p_above(self) -> float:
        """Return the one-sided p against "no gain", doubled: min(1, 2 / K+) at 0."""
        return min(1.0, 2.0 * math.exp(-self._log_wealth(0.5, above=True)))

    def p_below(self) -> float:
        """Return the one-sided p against "no loss", doubled: min(1, 2 / K-) at 0."""
        return min(1.0, 2.0 * math.exp(-self._log_wealth(0.5, above=False)))

    def _log_wealth(self, mean: float, *, above: bool) -> float:
        """Return the log of the final wealth, averaged over the orders, of betting on a true mean above `mean`.

        Where not `above`, the bets are on 1 - values.
        """
        orders, n = self.played.shape
        logs = np.empty(orders)
        block = max(1, _CELLS // n)
        for start in range(0, orders, block):
            values = self.levels[self.played[start : start + block]]
            stakes = _bets(values, self.alpha)
            if mean > 0.0:
                np.minimum(stakes, _LARGEST_BET / mean, out=stakes)
            stakes *= (values if above else 1.0 - values) - mean
            logs[start : start + block] = np.log1p(stakes, out=stakes).sum(axis=1)
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
    levels, inverse = np.unique(np.clip((differences / width + 1.0) / 2.0, 0.0, 1.0), return_inverse=True)
    places = inverse.astype(np.uint32)
    played = np.empty((ORDERS, places.size), dtype=places.dtype)
    for number, order in enumerate(_orders(tuple(ids))):
        played[number] = places[order]
    return Bettor(levels=levels, played=played, width=width, alpha=alpha)


@lru_cache(maxsize=1)  # the metrics of a comparison mostly have the same questions, and hashing takes longest
def _orders(ids: tuple[str, ...]) -> tuple[NDArray[np.uint32], ...]:
    """Return the orders of the questions: by SHA-256 of the order's number and their ids."""
    encoded = [question.encode("utf-8", "surrogatepass") for question in ids]
    orders = []
    for number in range(1, ORDERS + 1):
        key = f"{number}:".encode()
        hashes = np.fromiter(
            (int.from_bytes(sha256(key + question).digest()[:8], "big") for question in encoded), np.uint64, len(ids)
        )
        orders.append(np.argsort(hashes, kind="stable").astype(np.uint32))
    return tuple(orders)


def _bets(played: NDArray[np.float64], alpha: float) -> NDArray[np.float64]:
    """Return sqrt(2 log(2/alpha) / (n s^2)), s^2 from strictly earlier values and a prior of mean 1/2, variance 1/4."""
    n = played.shape[1]
    seen = np.arange(2.0, n + 2.0)
    means = (0.5 + np.cumsum(played, axis=1)) / seen
    variances = (0.25 + np.cumsum((played - means) ** 2, axis=1)) / seen
    earlier = np.concatenate((np.full((played.shape[0], 1), 0.25), variances[:, :-1]), axis=1)
    bets: NDArray[np.float64] = np.sqrt(2.0 * math.log(2.0 / alpha) / (n * earlier))
    return bets


def _lowest(log_wealth: Callable[[float], float], alpha: float) -> float:
    """Return the largest mean, a multiple of 2^-40, that the bets rule out together with all below it; 0 for none.

    The wealth falls as the mean rises. Guesses are interpolated and pulled a little towards the middle (the ITP method,
    Oliveira & Takahashi 2020): about ten instead of bisection's forty, and at most one more than forty.
    """
    enough = math.log(2.0 / alpha)
    low, high = 0, _PARTS
    excess, lack = log_wealth(0.0) - enough, enough - log_wealth(1.0)
    if excess < 0.0:
        return 0.0
    left = _PARTS.bit_length()
    while high - low > 1:
        width, middle = high - low, (low + high) / 2.0
        towards = low + width * excess / (excess + lack) - middle
        pulled = math.copysign(max(0.0, abs(towards) - width * (width / _PARTS)), towards)
        # Never so far from the middle that bisection could not still end in time.
        reach = max(0.0, 2.0 ** (left - 1) - width / 2.0)
        guess = min(max(round(middle + min(max(pulled, -reach), reach)), low + 1), high - 1)
        found = log_wealth(guess / _PARTS) - enough
        if found >= 0.0:
            low, excess = guess, found
        else:
            high, lack = guess, -found
        left -= 1
    return low / _PARTS
