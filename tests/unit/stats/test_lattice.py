"""Lattices that are no unit fractions, and fractions behind printed values: found where they are, nowhere else."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from clearband.stats.differences import paired_differences
from clearband.stats.ideal import ideal_bootstrap

from .references import by_long_convolution


def on_step(step: float, *, kinds: int = 9, n: int = 200, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    multiples = np.random.default_rng(seed).integers(-kinds, kinds + 1, n)
    return multiples, 40.0 * step + multiples * step


@pytest.mark.parametrize("step", [2.5e-6, 1 / 30_000, 0.00037, 1e-7, 0.123456789, 17.3])
def test_multiples_of_any_step_are_found_with_the_integers_behind_them(step: float) -> None:
    multiples, after = on_step(step)
    found = paired_differences(np.full(multiples.size, 40.0 * step), after).lattice
    assert found is not None
    assert np.array_equal(found.multiples * np.rint(found.step / step), multiples)


@pytest.mark.parametrize("step", [2.5e-6, 0.00037])
def test_probabilities_on_such_a_step_are_those_of_the_integers(step: float) -> None:
    multiples, after = on_step(step, kinds=4, n=60, seed=3)
    exact = by_long_convolution(multiples)
    found = ideal_bootstrap(paired_differences(np.full(multiples.size, 40.0 * step), after))
    assert found.p_not_above_zero == pytest.approx(exact.p_not_above_zero, abs=1e-9)
    assert found.p_not_below_zero == pytest.approx(exact.p_not_below_zero, abs=1e-9)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("n", [12, 200])
def test_continuous_values_lie_on_no_lattice(seed: int, n: int) -> None:
    random = np.random.default_rng(seed)
    before = random.lognormal(size=n)
    assert paired_differences(before, before * random.lognormal(0.0, 0.1, n)).lattice is None
    assert paired_differences(random.random(n), random.random(n)).lattice is None


@pytest.mark.parametrize("places", [3, 4, 5])
@pytest.mark.parametrize("seed", range(10))
def test_printed_thirds_cancel_like_thirds(places: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    before, after = random.integers(0, 4, 90), random.integers(0, 4, 90)
    printed = [np.round(values / 3, places) for values in (before, after)]
    found = paired_differences(printed[0], printed[1])
    assert found.delta == pytest.approx(float(Fraction(int((after - before).sum()), 270)), abs=1e-15)
    assert found.nonzero == np.count_nonzero(after - before)
    exact, ours = ideal_bootstrap(paired_differences(before / 3, after / 3)), ideal_bootstrap(found)
    assert ours.p_not_above_zero == pytest.approx(exact.p_not_above_zero, abs=1e-12)


def test_values_with_four_decimals_that_are_no_fractions_stay_as_they_are() -> None:
    random = np.random.default_rng(1)
    before, after = np.round(random.random(200), 4), np.round(random.random(200), 4)
    found = paired_differences(before, after)
    assert found.lattice is not None
    assert np.allclose(found.values, after - before, atol=1e-12)
