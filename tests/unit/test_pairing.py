"""Which questions pair, which are lost, added, removed or not applicable."""

from __future__ import annotations

import numpy as np
import pytest

from clearband.errors import UnusableResults
from clearband.pairing import pair

from .factories import run


def test_questions_pair_by_id_in_canonical_order_whatever_the_order_of_rows() -> None:
    pairs = pair(run({"score": [1, 2, 3]}, ids="cab"), run({"score": [30, 10, 20]}, ids="bca"))
    (score,) = pairs.metrics
    assert score.ids == ("a", "b", "c")
    assert score.baseline.tolist() == [2, 3, 1]
    assert score.candidate.tolist() == [20, 30, 10]


def test_a_question_null_in_both_runs_is_not_applicable() -> None:
    (score,) = pair(run({"score": [1, None, 3]}), run({"score": [1, None, 3]})).metrics
    assert (score.n, score.not_applicable, score.lost.total) == (2, 1, 0)


def test_a_question_null_in_one_run_is_lost_by_that_arm() -> None:
    pairs = pair(run({"score": [1, None, 3, 4]}), run({"score": [None, 2, 3, 4]}))
    (score,) = pairs.metrics
    assert score.n == 2
    assert (score.lost.candidate_missing, score.lost.baseline_missing) == (1, 1)
    assert pairs.questions.candidate_missing == ("q000",)
    assert pairs.questions.baseline_missing == ("q001",)


def test_an_absent_question_is_lost_unless_the_policy_consents() -> None:
    baseline, candidate = run({"score": [1, 2, 3]}, ids="abc"), run({"score": [1, 2]}, ids="ab")
    strict = pair(baseline, candidate)
    assert strict.metrics[0].lost.candidate_missing == 1
    assert strict.metrics[0].baseline_only.tolist() == [3]
    assert strict.questions.candidate_missing == ("c",)
    lenient = pair(baseline, candidate, allow_changed_questions=True)
    assert lenient.metrics[0].lost.total == 0
    assert lenient.questions.removed == ("c",)


def test_added_questions_are_counted_and_never_lost() -> None:
    pairs = pair(run({"score": [1, 2]}, ids="ab"), run({"score": [1, 2, 9, 9]}, ids="abzx"))
    assert pairs.questions.added == ("x", "z")
    assert pairs.metrics[0].lost.total == 0
    assert pairs.metrics[0].n == 2


def test_a_metric_of_one_file_is_listed_and_names_the_file_that_lacks_it() -> None:
    pairs = pair(run({"score": [1], "old": [1]}, name="b.csv"), run({"score": [1], "new": [1]}, name="c.csv"))
    assert [(metric.name, metric.missing_from) for metric in pairs.metrics] == [
        ("score", None),
        ("old", "c.csv"),
        ("new", "b.csv"),
    ]


def test_no_common_question_names_ids_of_both_files_and_the_option_that_helps() -> None:
    with pytest.raises(UnusableResults, match="no question in common") as refused:
        pair(run({"score": [1]}, ids=["one"]), run({"score": [1]}, ids=["two"]))
    assert "`one`" in str(refused.value)
    assert "`two`" in str(refused.value)
    assert "--id" in str(refused.value)


def test_every_question_lost_is_unusable_not_a_pass() -> None:
    with pytest.raises(UnusableResults, match="No question has a value in both"):
        pair(run({"score": [1, None]}), run({"score": [None, 2]}))


def test_an_unknown_metric_lists_those_there_are() -> None:
    with pytest.raises(UnusableResults, match="'recal'") as refused:
        pair(run({"recall": [1]}), run({"recall": [1]}), only=("recal",))
    assert "recall" in (refused.value.remedy or "")


def test_values_of_a_lost_question_stay_available_for_the_worst_case() -> None:
    (score,) = pair(run({"score": [0.25, None, 1]}), run({"score": [None, 0.5, 1]})).metrics
    assert np.array_equal(score.baseline_only, [0.25])
    assert np.array_equal(score.candidate_only, [0.5])
