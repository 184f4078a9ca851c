"""The sign-flip (Fisher-Pitman) test of the paired differences: a cross-check beside the bootstrap.

Exact when exchanging baseline and candidate within a question changes nothing; it is not a test of "the mean is
zero". On 0/1 data it equals the exact McNemar test. Two-sided: the share of sign patterns whose |sum| is at least the
observed one.
"""

from __future__ import annotations

import math
from itertools import islice
from typing import TYPE_CHECKING, Final

import numpy as np

from clearband.stats.convolution import fft_size

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from clearband.stats.differences import Differences
    from clearband.stats.lattice import Lattice

_FEW: Final = 30
"""Up to this many changed questions all sign patterns are counted, half against half."""

_FEWEST_TERMS: Final = 24
_DIED: Final = 1e-6
"""Terms of the Fourier series, at first, and the size of a term that adds nothing."""

_TIE: Final = 1e-9
"""Share of the largest sum within which two sums of floats tie."""

_BLOCK: Final = 1 << 12
"""Cosines held at a time."""

_COSINES: Final = 40_000_000
"""Most cosines worth computing for the exact distribution on a lattice."""

_DEVIATIONS: Final = 9.0
"""Half the window, in standard deviations: Hoeffding's bound leaves 2 exp(-40.5) outside."""


def sign_flip_p(differences: Differences) -> float:
    """Return the two-sided sign-flip p of the mean difference; 1 where nothing changed.

    Exact up to 30 changed questions and on lattices with few distinct sizes of change; otherwise from the
    characteristic function of the sum, within 1e-4.
    """
    changed = differences.values[differences.values != 0.0]
    if changed.size == 0:
        return 1.0
    if changed.size <= _FEW:
        return _enumerated(changed)
    if differences.lattice is not None:
        p = _on_lattice(differences.lattice)
        if p is not None:
            return p
    return _smooth(changed)


def _enumerated(changed: NDArray[np.float64]) -> float:
    """Return the exact p: every pattern of one half of the changes meets every pattern of the other."""
    half = changed.size // 2
    first, second = _sums(changed[:half]), np.sort(_sums(changed[half:]))
    slack = _TIE * float(np.abs(changed).sum())
    observed = abs(float(changed.sum())) - slack
    if observed <= 0.0:
        return 1.0
    at_least = second.size - np.searchsorted(second, observed - first, side="left")
    at_most = np.searchsorted(second, -observed - first, side="right")
    return float((at_least + at_most).sum()) / 2.0**changed.size


def _sums(changed: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the sums of every pattern of signs."""
    sums = np.zeros(1)
    for value in np.abs(changed):
        sums = np.concatenate((sums - value, sums + value))
    return sums


def _on_lattice(lattice: Lattice) -> float | None:
    """Return the exact p from the product of cosines, one per distinct size; None where that is too much work."""
    magnitudes, counts = np.unique(np.abs(lattice.multiples[lattice.multiples != 0]), return_counts=True)
    observed = abs(int(lattice.multiples.sum()))
    total = int(magnitudes @ counts)
    deviation = math.sqrt(float((magnitudes.astype(np.float64) ** 2) @ counts))
    reach = min(total, math.ceil(_DEVIATIONS * deviation) + 1)
    if observed > reach:
        return 0.0
    size = fft_size(2 * reach + 3)
    if size // 2 * magnitudes.size > _COSINES:
        return None
    log_modulus, negative = np.zeros(size // 2 + 1), np.zeros(size // 2 + 1, dtype=np.int64)
    frequency = np.arange(size // 2 + 1, dtype=np.int64)
    for magnitude, count in zip(magnitudes.tolist(), counts.tolist(), strict=True):
        cosine = np.cos(2.0 * np.pi / size * (frequency * magnitude % size))
        log_modulus += count * np.log(np.maximum(np.abs(cosine), 1e-300))
        negative += count * (cosine < 0.0)
    mass = np.fft.irfft(np.exp(log_modulus) * (1 - 2 * (negative % 2)), size)
    inside = float(mass[0] + 2.0 * mass[1:observed].sum()) if observed > 0 else 0.0
    return min(1.0, max(0.0, 1.0 - inside))


def _smooth(changed: NDArray[np.float64]) -> float:
    """Return p by Fourier inversion (Gil-Pelaez) of prod cos(t d_i), with as many terms as it takes to die off."""
    deviation = float(np.sqrt(changed @ changed))
    half_window = _DEVIATIONS * deviation
    observed = abs(float(changed.sum()))
    if observed >= half_window:
        return 0.0
    terms = _transform(changed, np.pi / half_window)
    found = list(islice(terms, _FEWEST_TERMS))
    while max(map(abs, found[-(len(found) // 4) :])) > _DIED and 2 * len(found) * changed.size <= _COSINES:
        found += islice(terms, len(found))
    transform = np.array(found)
    order = np.arange(1, transform.size + 1)
    inside = observed / half_window + 2.0 * float(
        (transform * np.sin(order * np.pi * observed / half_window) / (order * np.pi)).sum()
    )
    return min(1.0, max(0.0, 1.0 - inside))


def _transform(changed: NDArray[np.float64], frequency: float) -> Iterator[float]:
    """Yield prod cos(k t d_i) at k = 1, 2, ...; a product too small for a float is 0, as it may be.

    By Chebyshev's recurrence on blocks of k, cos(k + b) = 2 cos(b) cos(k) - cos(k - b), which asks for few cosines. Its
    error grows with the square of the number of blocks times a float's precision, and stays far below what decides.
    """
    block = max(1, _BLOCK // changed.size)
    now = np.cos(np.outer(np.arange(1, block + 1), frequency * changed))
    before = np.concatenate((now[-2::-1], np.ones((1, changed.size))))
    twice = 2.0 * now[-1]
    while True:
        yield from now.prod(axis=1).tolist()
        before, now = now, twice * now - before
