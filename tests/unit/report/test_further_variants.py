"""What a comment says of promises, slices, lost questions and unlike measurements."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clearband.report.render import comment
from clearband.report.terminal import text

from . import further_variants as further
from .reading import read

if TYPE_CHECKING:
    from collections.abc import Callable

    from clearband.answers import Answer
    from clearband.vocabulary import Outcome


@pytest.mark.parametrize(
    ("made", "outcome"), further.OUTCOMES.items(), ids=lambda value: getattr(value, "__name__", "")
)
def test_each_variant_is_what_it_is_called(made: Callable[[], Answer], outcome: Outcome) -> None:
    assert made().verdict.outcome is outcome


def test_broken_promises_come_before_everything_else() -> None:
    answer = further.must_pass_broken()
    for shown in (read(comment(answer)), text(answer, colour=False, width=100)):
        flat = " ".join(shown.split())
        assert "must-pass questions newly failing" in flat
        assert flat.index("newly fail: ") < flat.index("Next:")
        assert "have no score that would tell: q999" in flat


def test_another_judge_is_named_with_both_values_and_what_to_do() -> None:
    shown = read(comment(further.not_comparable()))
    assert "Cannot tell: measured with another judge" in shown
    assert "Judge: first judge in the baseline, second judge <b>@x</b> in the candidate." in shown
    assert "varies" in shown
    assert "Measured alike: tool." in shown


def test_the_worst_slice_is_named_and_the_one_that_blocks_marked() -> None:
    shown = read(comment(further.slice_got_worse()))
    assert "Worst slice: kind = safety, 80 questions, exact_match" in shown
    assert "yes, worse, blocks" in shown
    assert "40 clusters by document, resampled whole; design effect" in shown


def test_statistic_and_budget_stand_beside_the_name_and_means_keep_their_unit() -> None:
    shown = read(comment(further.percentiles_and_budgets()))
    assert "latency (relative change, budget 10 %, guardrail, lower is better)" in shown.replace("\u00a0", " ")
    assert "latency p95 (p95, lower is better)" in shown
    assert "ms" in shown
    assert "+4.2 %" in shown.replace("\u00a0", " ")
    assert "Percentiles and medians alone are resampled" in shown


def test_few_clusters_are_warned_of_and_both_routes_priced() -> None:
    shown = " ".join(text(further.trials_and_clusters(), colour=False, width=100).split())
    assert "15 clusters by document" in shown
    assert "Fewer than 20 clusters say little about others." in shown
    assert "of the spread of the changes comes from the trials" in shown
    assert "questions, or: " in shown


def test_lost_questions_that_decide_say_so() -> None:
    shown = read(comment(further.lost_questions_decide()))
    assert "Blocked by lost questions: exact_match" in shown
    assert "on_lost: worst-case" in shown
    assert "--fill FILE" in shown
