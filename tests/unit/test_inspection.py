"""What is said of one file: counts, means and the type of each metric."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from clearband.inspection import Kind, inspect
from clearband.results.run import Trials
from clearband.vocabulary import Direction

from .factories import run


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([0, 1, 1], Kind.BINARY),
        ([1, 1], Kind.BINARY),
        ([0, None], Kind.BINARY),
        ([None, None], Kind.NONE),
        ([0, 0.5, 1] * 3, Kind.LEVELS),
        ([1, 2, 3, 4, 5] * 2, Kind.LEVELS),
        ([0.3], Kind.LEVELS),
        ([0.3, 0.7], Kind.CONTINUOUS),
        ([index / 100 for index in range(100)], Kind.CONTINUOUS),
        ([index % 13 for index in range(100)], Kind.CONTINUOUS),
    ],
)
def test_the_type_is_told_by_the_values(values: list[float | None], kind: Kind) -> None:
    (metric,) = inspect(run({"score": values})).metrics
    assert metric.kind is kind


def test_counts_and_the_mean_are_over_questions_with_a_value() -> None:
    (metric,) = inspect(run({"score": [1, None, 0, 0.5]})).metrics
    assert (metric.n, metric.missing, metric.mean) == (3, 1, 0.5)
    (nothing,) = inspect(run({"score": [None]})).metrics
    assert (nothing.n, nothing.missing, nothing.mean) == (0, 1, None)


def test_the_type_is_that_of_single_trials() -> None:
    trials = Trials(question=np.array([0, 0, 0, 1]), values=np.array([0.0, 1, 1, 1]), ordered=True)
    averaged = replace(run({"acc": [2 / 3, 1]}), trials=3, trials_of={"acc": trials})
    assert inspect(averaged).metrics[0].kind is Kind.BINARY


def test_directions_are_those_that_the_tool_told() -> None:
    told = replace(run({"acc": [1], "loss": [1]}), directions={"loss": Direction.LOWER})
    assert [metric.direction for metric in inspect(told).metrics] == [None, Direction.LOWER]


def test_the_first_three_questions_are_the_examples() -> None:
    errored = replace(run({"acc": [1, None, 0, 1]}), errored=np.array([False, True, False, False]))
    looked = inspect(errored)
    assert [(one.question, dict(one.values), one.errored) for one in looked.examples] == [
        ("q000", {"acc": 1.0}, False),
        ("q001", {"acc": None}, True),
        ("q002", {"acc": 0.0}, False),
    ]
    assert looked.errored == 1
