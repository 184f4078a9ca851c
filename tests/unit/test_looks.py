"""Looks are counted by candidate, and the chances are those of METHODS section 6."""

from __future__ import annotations

import pytest

from clearband.looks import Look, false_improvement, look, regression_passes


@pytest.mark.parametrize(
    ("earlier", "candidate", "number"),
    [
        ([], "a", 1),
        (["a"], "a", 1),
        (["a"], "b", 2),
        (["a", "a", "b"], "c", 3),
        (["a", "b"], "a", 1),
    ],
)
def test_new_results_are_a_new_look_and_the_same_again_are_not(earlier: list[str], candidate: str, number: int) -> None:
    assert look(earlier, candidate, planned=None) == Look(number=number)


def test_more_than_planned_is_said() -> None:
    assert not look(["a"], "b", planned=2).is_beyond_plan
    assert look(["a", "b"], "c", planned=2).is_beyond_plan
    assert not look(["a", "b"], "c", planned=None).is_beyond_plan


def test_the_chances_are_those_of_independent_looks() -> None:
    assert false_improvement(0.05, 1) == pytest.approx(0.025)
    assert false_improvement(0.05, 5) == pytest.approx(1 - 0.975**5)
    assert regression_passes(0.8, 1) == pytest.approx(0.2)
    assert regression_passes(0.8, 4) == pytest.approx(1 - 0.8**4)
