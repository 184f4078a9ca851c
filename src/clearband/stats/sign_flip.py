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
"""Up to this many changed questions all sign patterns are counted: half of them against the other half."""

_LARGEST: Final = 14
"""Most of the largest changes whose sign patterns are enumerated among more; they may outweigh all the others."""

_HEAVY: Final = 1e-3
"""Share of the sum of squares from which a change counts as one of those."""

_TIE: Final = 1e-9
"""Share of the largest sum within which two sums of floats tie."""

_COSINES: Final = 1 << 21
"""Most cosines worth computing for the exact distribution on a lattice."""

_DEVIATIONS: Final = 9.0
"""Half the window, in standard deviations: Hoeffding's bound leaves 2 exp(-40.5) outside."""

_BLOCK: Final = 1 << 12
"""Cosines held at a time."""

_FEWEST_TERMS: Final = 20
_MOST_TERMS: Final = 1 << 16
_MOST_FACTORS: Final = 1 << 24
_NEGLIGIBLE: Final = 1e-6
"""Terms of a Fourier series are added until they are smaller, up to so many terms, or terms times changes."""

_POINTS: Final = 64
"""Points per term at which the series is tabulated; between them it is interpolated, within 3e-6."""


def sign_flip_p(differences: Differences) -> float:
    """Return the two-sided sign-flip p of the mean difference; 1 where nothing changed.

    Exact up to 30 changed questions, and on lattices with few sizes of change. Otherwise within 1e-3, usually 1e-5; two
    kinds of data can be further off: ties among many changes of one size beside as many changes that are less than a
    thousandth of it, and changes on a lattice with less than a hundred points per standard deviation of their sum but
    very many sizes.
    """
    changed = np.abs(differences.values[differences.values != 0.0])
    if changed.size == 0:
        return 1.0
    observed = abs(float(differences.values.sum()))
    if changed.size <= _FEW:
        return _enumerated(changed, observed)
    spacing = 0.0
    if differences.lattice is not None:
        p = _on_lattice(differences.lattice)
        if p is not None:
            return p
        # Sums lie two steps apart, and those at the observed one count whole.
        spacing = 2.0 * differences.lattice.step
    return _conditional(changed, observed - max(spacing / 2.0, _TIE * float(changed.sum())))


def _enumerated(changed: NDArray[np.float64], observed: float) -> float:
    """Count the patterns that reach `observed` by meeting in the middle: 2^15 + 2^15 sums instead of 2^30."""
    least = observed - _TIE * float(changed.sum())
    if least <= 0.0:
        return 1.0
    one, other = _sums(changed[::2]), np.sort(_sums(changed[1::2]))
    reached = other.size * one.size - int(np.searchsorted(other, least - one, side="left").sum())
    return min(1.0, 2.0 * math.ldexp(reached, -changed.size))


def _sums(changed: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the sum of every sign pattern."""
    sums = np.zeros(1)
    for value in changed.tolist():
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


def _conditional(changed: NDArray[np.float64], least: float) -> float:
    """Return the share of patterns that reach `least`, over the patterns of the largest changes and a series."""
    if least <= 0.0:
        return 1.0
    ordered = np.sort(changed)
    heavy = min(_LARGEST, int((ordered**2 > _HEAVY * float(ordered @ ordered)).sum()))
    below = least - _sums(ordered[ordered.size - heavy :])
    return min(1.0, max(0.0, 2.0 * float(_reaching(ordered[: ordered.size - heavy], below).mean())))


def _reaching(changed: NDArray[np.float64], least: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the share of patterns that reach each of `least`, by Fourier inversion (Gil-Pelaez) of prod cos(t d_i)."""
    half_window = _DEVIATIONS * float(np.sqrt(changed @ changed))
    terms = _transform(changed, np.pi / half_window)
    found = list(islice(terms, _FEWEST_TERMS))
    most = min(_MOST_TERMS, max(_FEWEST_TERMS, _MOST_FACTORS // changed.size))
    while max(map(abs, found[-(len(found) // 4) :])) >= _NEGLIGIBLE and len(found) < most:
        found += islice(terms, len(found))
    transform = np.array(found)
    size = 2 * _POINTS * transform.size
    spectrum = np.zeros(size // 2 + 1, dtype=np.complex128)
    spectrum[1 : transform.size + 1] = -1j * transform / (np.pi * np.arange(1, transform.size + 1))
    # Points from 0 to the window's end: 1/2 - x / (2 w) - sum of transform sin(k pi x / w) / (k pi).
    place = np.arange(size // 2 + 1) / (size // 2)
    shares = 0.5 - place / 2.0 - np.fft.irfft(spectrum, size)[: size // 2 + 1] * (size / 2)
    reached = np.interp(np.abs(least), place * half_window, np.clip(shares, 0.0, 1.0), right=0.0)
    return np.where(least >= 0.0, reached, 1.0 - reached)


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
