"""A/A: how much the evaluation moves by itself, and when that is too much."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clearband.comparing import compare_runs
from clearband.policy import MetricPolicy
from clearband.report.aa_text import aa_text
from clearband.steadiness import Steadiness, steadiness
from clearband.vocabulary import Role

from .factories import run, terms

if TYPE_CHECKING:
    from numpy.typing import NDArray

GENERATOR = np.random.default_rng(12)
SCORES = GENERATOR.random(300)


def aa(first: NDArray[np.float64], second: NDArray[np.float64], *, effect: float | None = None) -> Steadiness:
    rules = {"score": MetricPolicy(role=Role.PRIMARY, effect=effect)}
    compared = compare_runs(run({"score": first.tolist()}), run({"score": second.tolist()}), terms(metrics=rules))
    return steadiness(compared)[0]


def test_a_deterministic_evaluation_does_not_move_and_is_steady_enough_for_anything() -> None:
    result = aa(SCORES, SCORES, effect=0.001)
    assert (result.differ, result.sd, result.is_steady_enough) == (0, 0.0, True)


def test_the_share_of_questions_that_flip_and_their_spread_are_reported() -> None:
    again = SCORES.copy()
    again[:60] += GENERATOR.normal(0, 0.2, 60)
    result = aa(SCORES, again)
    assert result.differ == 60
    assert result.sd is not None
    assert abs(result.sd - (again - SCORES).std(ddof=1)) < 1e-12
    assert result.is_steady_enough is None


def test_movement_that_hides_the_declared_effect_is_not_steady_enough_and_is_said() -> None:
    again = SCORES + GENERATOR.normal(0, 0.3, 300)
    result = aa(SCORES, again, effect=0.01)
    assert result.is_steady_enough is False
    assert "not steady enough for the declared 0.01" in " ".join(aa_text([result], width=100).split())


def test_two_runs_that_differ_by_more_than_chance_are_no_rerun() -> None:
    result = aa(SCORES, SCORES + 0.05 + GENERATOR.normal(0, 0.01, 300))
    assert result.moved
    assert "by more than chance" in aa_text([result], width=100)
