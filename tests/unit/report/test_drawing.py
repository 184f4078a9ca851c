"""Intervals in one line of signs: where zero is, which side is better, and who shares an axis."""

from __future__ import annotations

from dataclasses import replace

import pytest

from clearband.policy import MetricPolicy
from clearband.report.drawing import COLUMNS, drawings
from clearband.report.numbers import Figures
from clearband.report.phrase import Quote
from clearband.report.words import Subject
from clearband.vocabulary import Direction, State

from . import factories as make

UNIT_RANGE = MetricPolicy(range=(0.0, 1.0))


def about(
    low: float, delta: float, high: float, *, policy: MetricPolicy = UNIT_RANGE, name: str = "m", **more: object
) -> Subject:
    metric = replace(make.metric(name), delta=delta, interval=(low, high), direction=policy.direction, **more)  # type: ignore[arg-type]
    return Subject(metric=metric, policy=policy, figures=Figures.of(metric, policy), confidence=0.95)


def drawn(*subjects: Subject) -> list[str]:
    found = []
    for phrase in drawings(subjects):
        (piece,) = phrase.pieces or ("",)
        found.append(piece.text if isinstance(piece, Quote) else piece)
    return [str(one) for one in found]


def test_zero_is_in_the_middle_and_the_farthest_end_at_the_rim() -> None:
    (line,) = drawn(about(-0.05, 0.0, 0.1))
    assert len(line) == COLUMNS
    assert line == "······├─────●───────────┤"
    assert line.index("●") == COLUMNS // 2


def test_an_interval_that_cleared_leaves_zero_outside() -> None:
    (line,) = drawn(about(0.05, 0.08, 0.1))
    assert line == "············│·····├───●─┤"


def test_right_is_better_whatever_the_direction() -> None:
    lower = MetricPolicy(direction=Direction.LOWER, unit="ms")
    (better,) = drawn(about(-20.0, -10.0, -5.0, policy=lower))
    assert better.index("│") < better.index("├") < better.index("●") < better.index("┤")
    (neutral,) = drawn(about(-20.0, -10.0, -5.0, policy=replace(lower, direction=Direction.NEUTRAL)))
    assert neutral.index("┤") < neutral.index("│")


def test_what_shares_a_scale_shares_the_axis() -> None:
    small, large = drawn(about(-0.01, 0.0, 0.01), about(-0.1, 0.0, 0.1))
    assert small.count("─") < large.count("─")
    milliseconds = MetricPolicy(unit="ms")
    alone, _ = drawn(about(-0.01, 0.0, 0.01), about(-100.0, 0.0, 100.0, policy=milliseconds, name="latency"))
    assert alone == large
    first, second = drawn(
        about(-1.0, 0.0, 1.0, policy=MetricPolicy(), name="a"), about(-50.0, 0.0, 50.0, policy=MetricPolicy(), name="b")
    )
    assert first == second


@pytest.mark.parametrize("state", [State.INVALID, State.IDENTICAL])
def test_what_has_no_interval_to_show_has_no_drawing(state: State) -> None:
    assert drawn(about(0.0, 0.0, 0.0, state=state), about(-0.1, 0.0, 0.1))[0] == ""


def test_an_interval_of_no_length_has_none_either() -> None:
    assert drawn(about(0.0, 0.0, 0.0)) == [""]
