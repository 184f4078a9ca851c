"""Equal values become equal, lattices are recognised, and neither changes what was measured."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearband.stats.differences import paired_differences


def test_a_float32_round_trip_is_no_change() -> None:
    values = np.random.default_rng(0).random(500)
    differences = paired_differences(values, values.astype(np.float32).astype(np.float64))
    assert differences.nonzero == 0
    assert differences.delta == 0.0


def test_three_tenths_equals_one_tenth_plus_two_tenths() -> None:
    differences = paired_differences(np.array([0.3, 0.5]), np.array([0.1 + 0.2, 0.6]))
    assert differences.values.tolist() == [0.0, 0.1]


def test_a_change_beyond_a_millionth_of_the_scale_is_a_change() -> None:
    differences = paired_differences(np.array([1.0, 0.5]), np.array([1.0 + 3e-6, 0.5]))
    assert differences.nonzero == 1


def test_a_declared_range_caps_the_tolerance() -> None:
    before = np.array([1e6, 1e6])
    differences = paired_differences(before, before + np.array([0.5, 1e-7]), value_range=(1e6, 1e6 + 1))
    assert differences.values.tolist() == [0.5, 0.0]


def test_rounding_around_zero_is_no_change() -> None:
    differences = paired_differences(np.array([0.0, 1.0]), np.array([0.3 - (0.1 + 0.2), 0.5]))
    assert differences.values.tolist() == [0.0, -0.5]


@pytest.mark.parametrize(
    ("values", "step"),
    [
        ([0, 1, 1, 0], 1.0),
        ([0, 0.5, 1.0], 0.5),
        ([0.1, 0.7, 0.2], 0.1),
        ([1 / 3, 2 / 3, 1], 1 / 3),
        ([0.3333, 0.6667, 0.1234], 0.0001),
        ([20, 50, 30], 10.0),
        ([0.004875, 0.0125], 1 / 8000),
    ],
)
def test_lattices_are_recognised_by_their_coarsest_step(values: list[float], step: float) -> None:
    candidate = np.array(values)
    lattice = paired_differences(np.zeros(candidate.size), candidate).lattice
    assert lattice is not None
    assert lattice.step == pytest.approx(step, rel=1e-12)


def test_continuous_values_lie_on_no_lattice() -> None:
    assert paired_differences(np.zeros(100), np.random.default_rng(1).random(100)).lattice is None


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=30), st.integers(1, 997))
def test_lattice_multiples_rebuild_the_differences(numerators: list[int], denominator: int) -> None:
    candidate = np.array(numerators) / denominator
    differences = paired_differences(np.zeros(candidate.size), candidate)
    assert differences.values == pytest.approx(candidate, abs=1e-12)
    if differences.lattice is not None:
        assert np.gcd.reduce(differences.lattice.multiples) == 1
        assert differences.delta == pytest.approx(candidate.mean(), abs=1e-12)


def test_huge_whole_numbers_keep_their_sum() -> None:
    candidate = np.full(1_000, 9e15)
    differences = paired_differences(np.zeros(1_000), candidate)
    assert differences.delta == pytest.approx(9e15)
