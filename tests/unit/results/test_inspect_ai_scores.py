"""What Inspect AI's scores become: numbers, lost questions, trials, or no metric at all."""

from __future__ import annotations

import pytest

from clearband.results import read

from .inspect_logs import as_archive, as_json, failed, log, lost, of, sample, summary, values


@pytest.mark.parametrize(
    ("value", "number"),
    [("C", 1.0), ("I", 0.0), ("P", 0.5), ("N", 0.0), ("Yes", 1.0), ("no", 0.0), ("TRUE", 1.0), ("False", 0.0), ("0.25", 0.25),
     ("-3", -3.0), (True, 1.0), (False, 0.0), (7, 7.0), (0.125, 0.125), (float("nan"), None), (None, None)],
)  # fmt: skip
def test_scores_are_read_as_the_tool_reads_them(value: object, number: float | None) -> None:
    assert values(of(sample("q1", value), sample("q2", "C"))) == {"q1": number, "q2": 1.0}


@pytest.mark.parametrize("value", ["B", "", "nan", "1e999", "inf", "C "])
def test_a_word_that_is_no_score_is_not_read_as_zero(value: str) -> None:
    both = {"match": {"value": "C"}, "grade": {"value": value}}
    run = of(sample("q1", scores=both), sample("q2", scores={**both, "grade": {"value": "C"}}))

    assert list(run.metrics) == ["match"]
    assert any("`grade` says" in note for note in run.notes)


def test_a_dict_is_a_metric_for_each_key_and_a_list_is_none() -> None:
    scores = {"detail": {"value": {"f1": 0.5, "ok": True, "why": None}}, "pair": {"value": [1, 0]}}
    run = of(sample("q1", scores=scores))

    assert list(run.metrics) == ["detail.f1", "detail.ok", "detail.why"]
    assert [values(run, name)["q1"] for name in run.metrics] == [0.5, 1.0, None]
    assert any("`pair` gives a list" in note for note in run.notes)


def test_epochs_are_averaged_and_kept() -> None:
    run = of(
        sample("q1", "C", epoch=1), sample("q2", "I", epoch=1), sample("q2", "C", epoch=2), sample("q1", "I", epoch=2),
        config={"epochs": 2, "epochs_reducer": ["max"]},
    )  # fmt: skip

    assert values(run) == {"q1": 0.5, "q2": 0.5}
    assert run.trials_of["match"].values.tolist() == [1.0, 0.0, 0.0, 1.0]
    assert run.trials_of["match"].ordered
    assert any("reduces epochs by `max`" in note for note in run.notes)


def test_a_sample_with_an_error_is_lost_whatever_its_score() -> None:
    run = of(sample("q1"), failed("q2"), failed("q3", scores={"match": {"value": "I"}}))

    assert values(run) == {"q1": 1.0, "q2": None, "q3": None}
    assert lost(run) == {"q2", "q3"}


def test_a_log_that_scores_errors_on_purpose_is_taken_at_its_word() -> None:
    run = of(sample("q1"), failed("q2", scores={"match": {"value": "I"}}), config={"score_on_error": True})

    assert values(run) == {"q1": 1.0, "q2": 0.0}
    assert lost(run) == set()
    assert any("`score_on_error`" in note for note in run.notes)


def test_a_sample_that_met_its_limit_keeps_its_score() -> None:
    assert values(of(sample("q1", "I", limit={"type": "time", "limit": 60}))) == {"q1": 0.0}


def test_where_every_sample_failed_all_are_lost_and_no_metric_is_unknown() -> None:
    scorers = [{"name": "match"}, {"name": "detail", "metrics": {"f1": [], "ok": []}}]
    run = of(failed("q1"), failed("q2"), spec={"scorers": scorers})

    assert {name: values(run, name) for name in run.metrics} == {
        name: {"q1": None, "q2": None} for name in ("match", "detail.f1", "detail.ok")
    }
    assert lost(run) == {"q1", "q2"}


def test_invalidated_samples_are_lost() -> None:
    run = of(sample("q1"), sample("q2", invalidation={"reason": "leak", "author": "me"}), invalidated=True)

    assert values(run) == {"q1": 1.0, "q2": None}
    assert lost(run) == {"q2"}
    assert any("1 samples are invalidated" in note for note in run.notes)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_samples_of_one_name_in_the_archive_all_count() -> None:
    made = log(sample("q1", "C"), sample("q2", "I"), sample("q1", "I"), sample("q2", "I"))
    only_last = [summary(one) for one in (sample("q1", "I"), sample("q2", "I"))]

    for data in (as_archive(made), as_archive(made, summaries=only_last), as_json(made)):
        run = read("log.eval", data)
        assert values(run) == {"q1": 0.5, "q2": 0.0}
        assert any("2 samples were logged more than once" in note for note in run.notes)


def test_a_run_that_died_is_read_from_its_journal_and_says_so() -> None:
    made = log(sample("q1"), sample("q2", "I"), spec={"dataset": {"name": "sums", "sample_ids": ["q1", "q2", "q3"]}})
    run = read("log.eval", as_archive(made, final=False))

    assert values(run) == {"q1": 1.0, "q2": 0.0, "q3": None}
    assert lost(run) == {"q3"}
    assert run.notes[0] == (
        "The log's status is `started`, not success: it may be partial; 1 questions were never run and count as lost."
    )


def test_a_cancelled_log_is_read_with_a_note() -> None:
    run = of(sample("q1"), status="cancelled", spec={"dataset": {"sample_ids": ["q1", "q2"]}})

    assert lost(run) == {"q2"}
    assert "cancelled" in run.notes[0]
