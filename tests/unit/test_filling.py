"""A second file fills what a run lost, and never replaces a score."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from clearband.errors import UnusableResults
from clearband.filling import fill
from clearband.pairing import pair
from clearband.vocabulary import MeasurementField

from .factories import run, tried


def test_lost_values_are_filled_and_scores_stay() -> None:
    filled = fill(run({"score": [0.1, None, 0.3]}), run({"score": [0.9, 0.8, 0.7]}, name="again.jsonl"))
    assert filled.metrics["score"].tolist() == [0.1, 0.8, 0.3]
    assert filled.filled == 1
    assert "again.jsonl filled 1 lost questions; it replaced no score." in filled.notes
    assert filled.filler_sha256 is not None


def test_absent_questions_are_appended() -> None:
    filled = fill(run({"score": [0.1]}, ids=["a"]), run({"score": [0.2, 0.9]}, ids=["b", "a"]))
    assert filled.ids == ("a", "b")
    assert filled.metrics["score"].tolist() == [0.1, 0.2]


def test_a_filled_run_has_lost_nothing_any_more() -> None:
    whole, broken = run({"score": [1.0] * 40}), run({"score": [1.0] * 30 + [None] * 10})
    assert pair(whole, broken).metrics[0].lost.total == 10
    assert pair(whole, fill(broken, whole)).metrics[0].lost.total == 0


def test_a_file_that_fills_nothing_is_refused_rather_than_ignored() -> None:
    with pytest.raises(UnusableResults, match="fills nothing"):
        fill(run({"score": [0.1]}), run({"score": [0.9]}))


def test_a_filled_question_counts_as_one_trial() -> None:
    filled = fill(tried("score", [[1, 0], []]), run({"score": [1.0, 1.0]}))
    assert filled.metrics["score"].tolist() == [0.5, 1.0]
    assert np.bincount(filled.trials_of["score"].question).tolist() == [2, 1]


def test_errors_labels_and_contents_follow_the_questions() -> None:
    first = run({"score": [None, 1.0]}, ids=["a", "b"], labels={"topic": ("law", "art")}, content=("1", "2"))
    second = run({"score": [1.0, 1.0]}, ids=["a", "c"], labels={"topic": ("law", "tax")}, content=("1", "3"))
    filled = fill(first, second)
    assert filled.labels == {"topic": ("law", "art", "tax")}
    assert filled.content == ("1", "2", "3")
    assert not filled.errored.any()


def test_a_filler_measured_differently_is_refused_with_both_descriptions() -> None:
    lost, again = run({"score": [None, 1.0]}), run({"score": [1.0, 1.0]}, name="again.jsonl")
    judged = [
        replace(arm, measurement={MeasurementField.JUDGE: judge})
        for arm, judge in ((lost, "judge-1"), (again, "judge-2"))
    ]
    with pytest.raises(UnusableResults, match="another judge, `judge-2` instead of `judge-1`"):
        fill(*judged)


def test_a_filler_with_one_trial_where_there_were_several_is_no_other_measurement() -> None:
    lost, again = run({"score": [None, 1.0]}), run({"score": [1.0, 1.0]})
    arms = [
        replace(arm, measurement={MeasurementField.TRIALS: rule})
        for arm, rule in ((lost, "4 epochs"), (again, "1 epoch"))
    ]
    assert fill(*arms).filled == 1


def test_a_reworded_question_in_a_filler_is_refused_by_name() -> None:
    lost = run({"score": [None, 1.0]}, ids=["a", "b"], content=("1", "2"))
    again = run({"score": [1.0, 1.0]}, ids=["a", "b"], content=("1", "other"))
    with pytest.raises(UnusableResults, match="question `b` has another content"):
        fill(lost, again)
