"""The comment: what a reviewer knows after five seconds, and what never appears.

The expected bytes of every variant lie in tests/golden; `CLEARBAND_UPDATE_GOLDEN=1` writes them anew.
"""

from __future__ import annotations

from itertools import pairwise

import pytest

from clearband.report.marker import marker
from clearband.report.render import comment, summary

from . import factories as make
from .reading import FORBIDDEN, GOLDEN, check_golden, read, rows
from .variants import VARIANTS

EVERY = pytest.mark.parametrize("name", VARIANTS)


@EVERY
def test_the_comment_has_its_expected_bytes(name: str) -> None:
    check_golden(GOLDEN / "comments" / f"{name}.md", comment(VARIANTS[name]()))


def test_the_summary_has_its_expected_bytes() -> None:
    check_golden(GOLDEN / "summary.md", summary(VARIANTS["inconclusive"]()))


def test_no_expected_comment_is_left_over() -> None:
    assert {file.stem for file in (GOLDEN / "comments").iterdir()} == set(VARIANTS)


@EVERY
def test_the_marker_is_the_first_line_of_the_comment_and_of_nothing_else(name: str) -> None:
    answer = VARIANTS[name]()
    assert comment(answer).split("\n")[0] == marker(answer.suite)
    assert "clearband:comment" not in summary(answer)


@EVERY
def test_the_same_answer_gives_the_same_bytes(name: str) -> None:
    assert comment(VARIANTS[name]()) == comment(VARIANTS[name]())


@EVERY
def test_every_metric_is_listed_once_and_the_primary_is_starred(name: str) -> None:
    answer = VARIANTS[name]()
    if answer.comparison is None:
        assert rows(comment(answer)) == []
        return
    listed = rows(comment(answer))
    assert len(listed) == len(answer.comparison.metrics)
    starred = [row[0] for row in listed if row[0].startswith("★")]
    assert len(starred) == (answer.comparison.primary is not None)


@EVERY
def test_the_words_are_plain(name: str) -> None:
    if name == "hostile_names":
        return
    assert FORBIDDEN.findall(read(comment(VARIANTS[name]()))) == []


@EVERY
def test_a_green_tick_stands_beside_an_improvement_only(name: str) -> None:
    text = comment(VARIANTS[name]())
    assert ("✅" in text) == text.split("\n")[1].startswith("### ✅ Improved: ")


@EVERY
def test_no_line_is_padded_and_no_paragraph_runs_into_a_table(name: str) -> None:
    text = comment(VARIANTS[name]())
    assert "\n\n\n" not in text
    assert text.endswith("\n")
    lines = text.split("\n")
    for before, line in pairwise(lines):
        assert not (line.startswith("| metric") and before != "")


FIRST_READING = {
    "improved": (
        "Improved: nDCG@10 +0.041 [+0.016, +0.066]",
        "Not blocked, and shown to help.",
        "nothing more is asked",
    ),
    "inconclusive": (
        "Inconclusive: nDCG@10 +0.022 [−0.003, +0.046]",
        "Not blocked, not shown to help.",
        "316 questions (you have 225)",
    ),
    "blocked": (
        "Blocked: nDCG@10 −0.031 [−0.055, −0.007]",
        "The merge is blocked",
        "start with the 122 questions that got worse",
    ),
    "too_many_lost": (
        "Not comparable: nDCG@10, 35 questions lost",
        "that never passes",
        "run the 35 lost questions again",
    ),
    "undeclared": ("No primary metric declared", "Stopped before any result was shown", "paste the block below"),
}


@pytest.mark.parametrize("name", FIRST_READING)
def test_what_happened_may_i_merge_and_what_next_stand_in_the_first_300_characters(name: str) -> None:
    start = read(comment(VARIANTS[name]()))[:300]
    for said in FIRST_READING[name]:
        assert said in start


def test_a_suite_has_its_own_marker_and_is_named() -> None:
    answer = make.answer(suite="search")
    assert comment(answer).startswith(
        "<!-- clearband:comment suite=search -->\n### ⚪️ Suite <code>search</code>. Inconclusive"
    )


def test_other_confidences_are_said_as_they_are() -> None:
    text = read(comment(make.answer(make.comparison(make.primary(), confidence=0.975))))
    assert "change [97.5 %]" in text
    assert "The 97.5 % interval includes zero" in text
    assert "95 %" not in text


def test_monte_carlo_shows_its_error_and_its_seed() -> None:
    text = read(comment(VARIANTS["monte_carlo"]()))
    assert "| Monte Carlo error |" in text
    assert "2,000 resamples, seed 11" in text
    assert "±0.00090" in text
