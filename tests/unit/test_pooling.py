"""Several runs of one system are one run with more trials."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from clearband.comparing import compare_runs
from clearband.errors import UnusableResults
from clearband.pooling import pool
from clearband.vocabulary import MeasurementField

from .factories import run, terms, tried


def test_a_questions_values_of_all_runs_are_its_trials() -> None:
    pooled = pool([run({"score": [1.0, 0.0]}, name="a"), run({"score": [0.0, None]}, name="b")])
    assert pooled.metrics["score"].tolist() == [0.5, 0.0]
    assert pooled.trials == 2
    assert pooled.trials_of["score"].question.tolist() == [0, 0, 1]
    assert pooled.trials_of["score"].values.tolist() == [0.0, 1.0, 0.0]


def test_trials_weigh_as_trials_and_not_as_runs() -> None:
    pooled = pool([tried("score", [[1, 1, 1]], name="a"), run({"score": [0.0]}, name="b")])
    assert pooled.metrics["score"].tolist() == [0.75]
    assert pooled.trials == 4


def test_questions_of_every_run_are_kept_and_found_by_id() -> None:
    pooled = pool([
        run({"score": [1.0, 0.0]}, ids=["x", "y"], name="a"),
        run({"score": [0.0, 1.0]}, ids=["y", "z"], name="b"),
    ])  # fmt: skip
    assert dict(zip(pooled.ids, pooled.metrics["score"].tolist(), strict=True)) == {"x": 1.0, "y": 0.0, "z": 1.0}


def test_an_error_in_one_run_is_none_where_another_run_measured() -> None:
    broken = replace(run({"score": [None, None]}, name="a"), errored=np.array([True, True]))
    assert pool([broken, run({"score": [1.0, None]}, name="b")]).errored.tolist() == [False, True]


def test_one_run_is_itself() -> None:
    alone = run({"score": [1.0]})
    assert pool([alone]) is alone


def test_the_digest_does_not_depend_on_the_order_and_the_note_names_every_run() -> None:
    runs = [run({"score": [1.0]}, name="a"), run({"score": [0.0]}, name="b")]
    assert pool(runs).sha256 == pool(runs[::-1]).sha256
    assert pool(runs).name == "a and 1 more"
    assert f"2 runs were pooled: a ({runs[0].sha256[:12]}), b ({runs[1].sha256[:12]})." in pool(runs).notes


def test_a_file_pooled_with_itself_is_refused() -> None:
    with pytest.raises(UnusableResults, match="pooled with itself"):
        pool([run({"score": [1.0]}), run({"score": [1.0]})])


def test_another_judge_or_a_reworded_question_is_no_repetition() -> None:
    first = replace(run({"score": [1.0]}, name="a"), measurement={MeasurementField.JUDGE: "one"})
    with pytest.raises(UnusableResults, match="another judge, `two` instead of `one`"):
        pool([first, replace(run({"score": [1.0]}, name="b"), measurement={MeasurementField.JUDGE: "two"})])
    with pytest.raises(UnusableResults, match="b cannot be pooled with a: question `q000` has another content"):
        pool([run({"score": [1.0]}, name="a", content=("1",)), run({"score": [1.0]}, name="b", content=("2",))])


def test_a_pooled_baseline_narrows_the_interval_when_its_trials_are_noisy() -> None:
    random = np.random.default_rng(0)
    truth = random.normal(size=300)

    def measured(name: str) -> list[float]:
        return (truth + random.normal(scale=0.5, size=300)).tolist()

    runs = [run({"score": measured(name)}, name=name) for name in "abcd"]
    candidate = run({"score": measured("e")}, name="e")
    widths = []
    for baseline in (runs[0], pool(runs)):
        low, high = compare_runs(baseline, candidate, terms()).metrics[0].interval or (0.0, 0.0)
        widths.append(high - low)
    # Var(d) falls from 2 to 1.25 times the noise of one trial.
    assert widths[1] / widths[0] == pytest.approx(np.sqrt(1.25 / 2), rel=0.1)
