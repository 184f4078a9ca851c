"""How a file was read, for a person: within the terminal's width, without anything that a terminal would obey."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearband.inspection import inspect
from clearband.report.inspect_text import inspect_text
from clearband.report.terminal import display_width
from clearband.vocabulary import Direction, MeasurementField
from unit.factories import run as make_run

if TYPE_CHECKING:
    from typing import Any

    from clearband.results.run import Run


def one(**changes: Any) -> Run:
    return replace(make_run({"acc": [1, 0, None], "latency": [1.5, 2.25, 3]}), **changes)


def text(run: Run, *, colour: bool = False, width: int = 80) -> str:
    return inspect_text(inspect(run), colour=colour, width=width)


def test_a_plain_file_is_a_title_a_table_and_three_questions() -> None:
    assert text(one(content=("a", "b", "c"))).splitlines() == [
        "results.jsonl was read as generic/jsonl",
        "",
        "3 questions, 2 metrics; a question is known by: id",
        "",
        "  metric   questions  mean        type  missing    better",
        "  acc              2   0.5         0/1        1  not said",
        "  latency          3  2.25  continuous        –  not said",
        "",
        "Questions, the first ones",
        "  - q000: acc 1, latency 1.5",
        "  - q001: acc 0, latency 2.25",
        "  - q002: latency 3; 1 without a value",
    ]


def test_everything_else_is_said_where_there_is_something_to_say() -> None:
    shown = text(
        one(
            errored=np.array([False, False, True]),
            trials=3,
            by_position=True,
            directions={"latency": Direction.LOWER},
            measurement={MeasurementField.MODEL: "m 1"},
            series=("b", "a"),
            notes=("Something was assumed.",),
        ),
        width=200,
    )
    for part in (
        "1 question ended in an error and is lost.",
        "Up to 3 trials a question",
        "told apart by their place in the file alone",
        "edited under its id is not seen",
        "lower",
        "q002: error",
        "Measured with\n  - model: m 1",
        "Series, the one that was read in front\n  - b\n  - a",
        "Notes\n  - Something was assumed.",
    ):
        assert part in shown


def test_values_that_are_missing_give_way_to_those_that_are_there() -> None:
    many = make_run({f"task{number}/acc": [None, 1.0 * number] for number in range(9)} | {"last": [1, 1]})
    shown = text(many)
    assert "q000: last 1; 9 without a value" in shown
    assert "task5/acc 5 and 4 more" in shown


@pytest.mark.parametrize("width", [40, 60, 80, 132])
@pytest.mark.parametrize("name", ["a_rather_long_name_for_a_metric_" * 3, "漢字" * 40, "x" * 200])
def test_long_names_keep_within_the_width(name: str, width: int) -> None:
    long = make_run({name: [0.123456, 1]}, ids=["first " * 40, "y" * 500], name="n" * 300)
    lines = text(replace(long, notes=("note " * 60, "z" * 200)), width=max(width, 66)).splitlines()
    assert max(map(display_width, lines)) <= max(width, 66)


def test_without_colour_there_is_no_escape_and_with_it_only_headings_are_bold() -> None:
    plain, bold = text(one()), text(one(), colour=True)
    assert "\x1b" not in plain
    assert bold.replace("\x1b[1m", "").replace("\x1b[0m", "") == plain
    assert bold.count("\x1b[1m") == 2


@given(st.text(min_size=1, max_size=40), st.text(min_size=1, max_size=80))
def test_nothing_from_the_file_reaches_the_terminal_as_a_command(name: str, words: str) -> None:
    hostile = replace(
        make_run({name: [1.0, 0.0]}, ids=[words, f"{words}2"], name=words),
        key=words, format=words, notes=(words,), series=(words,), measurement={MeasurementField.JUDGE: words},
    )  # fmt: skip
    categories = {unicodedata.category(character) for character in text(hostile) if character not in "\n\u200d"}
    assert not categories & {"Cc", "Cf", "Cs", "Zl", "Zp"}
