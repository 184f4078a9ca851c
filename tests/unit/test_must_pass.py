"""Must-pass questions: one newly failing question blocks, one that cannot be told is cannot-tell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from clearband.comparing import compare_runs
from clearband.gate import judge
from clearband.policy import MetricPolicy, MustPass
from clearband.vocabulary import Direction, Outcome, Role

from .factories import run, terms

if TYPE_CHECKING:
    from clearband.comparison import MustPassResult

MANY = 40


def looked_at(
    before: list[float | None],
    after: list[float | None],
    rule: MustPass,
    *,
    direction: Direction = Direction.HIGHER,
    ids: list[str] | None = None,
    **more: Any,
) -> tuple[MustPassResult, Outcome, str]:
    """Compare runs of the given first questions and many unchanged ones."""
    held = terms(
        metrics={"score": MetricPolicy(role=Role.PRIMARY, direction=direction)}, must_pass=(rule,), max_lost=0.5
    )
    rest: list[float | None] = [1.0, 0.0] * (MANY // 2)
    arms = [run({"score": values + rest}, **more) for values in (before, after)]
    comparison = compare_runs(arms[0], arms[1], held)
    verdict = judge(comparison, held)
    return comparison.must_pass[0], verdict.outcome, verdict.reasons[0].text


def test_one_newly_failing_question_blocks_without_any_interval() -> None:
    found, outcome, text = looked_at([1, 1], [1, 0], MustPass(metric="score", ids=("q000", "q001")))
    assert found.newly_failing == ("q001",)
    assert outcome is Outcome.BLOCKED
    assert text == "1 of 2 questions that must pass on score newly failed; this blocks the merge."


def test_a_question_that_failed_before_is_not_newly_failing() -> None:
    found, outcome, _ = looked_at([0, 1], [0, 1], MustPass(metric="score", ids=("q000", "q001")))
    assert found.newly_failing == ()
    assert outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("before", "after", "unknown"),
    [
        ([1, 1], [1, None], ("q001",)),
        ([1, None], [1, 0], ("q001",)),
        ([1, None], [1, 1], ()),
        ([0, None], [1, None], ("q001",)),
    ],
)
def test_a_lost_must_pass_question_cannot_tell(
    before: list[float | None], after: list[float | None], unknown: tuple[str, ...]
) -> None:
    found, outcome, _ = looked_at(before, after, MustPass(metric="score", ids=("q000", "q001")))
    assert found.cannot_tell == unknown
    assert outcome is (Outcome.CANNOT_TELL if unknown else Outcome.PASS)


def test_an_id_that_neither_run_holds_cannot_tell() -> None:
    found, outcome, _ = looked_at([1], [1], MustPass(metric="score", ids=("q000", "gone")))
    assert found.cannot_tell == ("gone",)
    assert outcome is Outcome.CANNOT_TELL


def test_a_metric_that_neither_run_holds_cannot_tell() -> None:
    found, outcome, _ = looked_at([1], [1], MustPass(metric="safety", ids=("q000",)))
    assert found.cannot_tell == ("q000",)
    assert outcome is Outcome.CANNOT_TELL


def test_a_slice_names_its_questions_by_label() -> None:
    labels = {"kind": ("safety", "safety") + ("other",) * MANY}
    found, outcome, text = looked_at(
        [1, 1], [1, 0], MustPass(metric="score", field="kind", value="safety"), labels=labels
    )
    assert (found.n, found.newly_failing, outcome) == (2, ("q001",), Outcome.BLOCKED)
    assert "kind = safety" in text


def test_lower_is_better_passes_at_or_below() -> None:
    rule = MustPass(metric="score", ids=("q000",), passes_at=0.2)
    found, outcome, _ = looked_at([0.1], [0.3], rule, direction=Direction.LOWER)
    assert found.newly_failing == ("q000",)
    assert outcome is Outcome.BLOCKED


def test_a_dropped_question_of_the_slice_is_not_forgotten() -> None:
    labels = ("safety", "safety") + ("other",) * MANY
    ids = [f"q{place:03}" for place in range(MANY + 2)]
    held = terms(
        metrics={"score": MetricPolicy(role=Role.PRIMARY)},
        must_pass=(MustPass(metric="score", field="kind", value="safety"),),
    )
    scores = [1.0] * (MANY + 2)
    baseline = run({"score": scores}, ids=ids, labels={"kind": labels})
    candidate = run({"score": scores[1:]}, ids=ids[1:], labels={"kind": labels[1:]})
    comparison = compare_runs(baseline, candidate, held)
    assert comparison.must_pass[0].cannot_tell == ("q000",)
    assert judge(comparison, held).outcome is Outcome.CANNOT_TELL


def test_an_edited_question_of_the_slice_is_not_forgotten() -> None:
    size = MANY + 2
    labels = {"kind": ("safety", "safety") + ("other",) * MANY}
    held = terms(
        metrics={"score": MetricPolicy(role=Role.PRIMARY)},
        must_pass=(MustPass(metric="score", field="kind", value="safety"),),
        allow_changed_questions=True,
    )
    contents = [("old", *["same"] * (size - 1)), ("new", *["same"] * (size - 1))]
    arms = [run({"score": [1.0] * size}, labels=labels, content=content) for content in contents]
    comparison = compare_runs(arms[0], arms[1], held)
    assert comparison.questions.edited == ("q000",)
    assert comparison.must_pass[0].n == 2
    assert comparison.must_pass[0].cannot_tell == ("q000",)
