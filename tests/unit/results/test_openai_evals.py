"""Records of OpenAI evals: events in any order, several to a sample."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from clearband.results import ReadOptions, read
from clearband.vocabulary import MeasurementField

from .shapes import jsonl, refused
from .tracker_files import lost, means, sample

if TYPE_CHECKING:
    from clearband.results.run import Run

SPEC = {
    "spec": {
        "completion_fns": ["model-1"], "eval_name": "sums.dev.v0", "run_id": "r",
        "run_config": {"eval_spec": {"cls": "evals.elsuite.basic.match:Match"}},
    }
}  # fmt: skip


def event(sample_id: object, kind: str = "match", **data: Any) -> dict[str, Any]:
    return {"run_id": "r", "event_id": 1, "sample_id": sample_id, "type": kind, "data": data, "created_at": "now"}


@pytest.mark.parametrize(("arm", "mean"), [("base", 0.566667), ("cand", 0.8)])
def test_files_that_oaieval_wrote(arm: str, mean: float) -> None:
    run = sample(f"openai-evals/{arm}.jsonl")
    assert len(run.ids) == 30
    assert means(run) == {"match.correct": mean}
    assert run.measurement[MeasurementField.DATASET] == "arith.dev.v0"
    assert run.measurement[MeasurementField.MODEL] == f"fake-{arm}"
    assert run.content is not None


def by_sum(run: Run, metric: str) -> list[float | None]:
    """The values in the order of the sums, as the samples are numbered, whatever the order of the events."""
    places = {sample.rpartition(".")[2]: place for place, sample in enumerate(run.ids)}
    cells = [run.metrics[metric][places[str(number)]] if str(number) in places else None for number in range(8)]
    return [None if cell is None or np.isnan(cell) else float(cell) for cell in cells]


RIGHT = [1, 1, 0, 1, 1, 1, 1, 0]


def test_metrics_events_of_a_fuzzy_match() -> None:
    run = sample("openai-evals/metrics.jsonl")
    assert {name: by_sum(run, name) for name in run.metrics} == dict.fromkeys(
        ("match.correct", "metrics.accuracy", "metrics.f1_score"), RIGHT
    )
    assert (run.trials, run.series, run.notes) == (1, (), ())
    assert run.measurement[MeasurementField.SCORER] == "evals.elsuite.basic.fuzzy_match:FuzzyMatch"


def test_a_sample_with_an_error_event_is_lost() -> None:
    run = sample("openai-evals/errors.jsonl")
    assert lost(run) == ["careful.dev.6"]
    assert by_sum(run, "match.correct") == [1, 1, 0, 1, 1, 1, None, 0]
    assert by_sum(run, "metrics.closeness") == [1, 1, 0.75, 1, 1, 1, None, 0.75]


def test_a_run_that_broke_off_left_samples_out_and_says_so() -> None:
    run = sample("openai-evals/broken_off.jsonl")
    assert len(run.ids) < 8
    assert run.notes == ("The record has no final report: the run did not finish, and samples may be missing.",)


def test_records_behind_each_other_are_series_and_never_mixed() -> None:
    other = {"spec": {**SPEC["spec"], "run_id": "r2", "completion_fns": ["model-2"]}}
    rows = [SPEC, event("s.0", correct=True), other, {**event("s.0", correct=False), "run_id": "r2"}]
    with pytest.raises(Exception, match="holds 2 series"):
        read("r.jsonl", jsonl(rows))
    run = read("r.jsonl", jsonl(rows), ReadOptions(series="model-2"))
    assert run.metrics["match.correct"].tolist() == [0]
    assert run.series == ("model-2 / sums.dev.v0", "model-1 / sums.dev.v0")


def test_a_graded_eval_names_its_judge() -> None:
    graded = {
        "eval_spec": {
            "cls": "evals.elsuite.modelgraded.classify:ModelBasedClassify",
            "args": {"modelgraded_spec": "fact"},
        }
    }
    spec = {"spec": {**SPEC["spec"], "completion_fns": ["model-1", "judge-1"], "run_config": graded}}
    told = read(
        "r.jsonl", jsonl([spec, event("s.0", "metrics", score=1.0), event("s.1", "metrics", score=0.0)])
    ).measurement
    assert (told[MeasurementField.MODEL], told[MeasurementField.JUDGE]) == ("model-1", "judge-1")
    assert told[MeasurementField.JUDGE_PROMPT] == "fact"


def test_text_events_are_passed_over_and_metrics_events_read() -> None:
    rows = [
        SPEC,
        event("s.0", "sampling", prompt="x"),
        event("s.0", "metrics", f1=0.5, note="x"),
        event("s.1", "metrics", f1=1.0),
    ]
    run = read("r.jsonl", jsonl(rows))
    assert run.ids == ("s.0", "s.1")
    assert run.metrics["metrics.f1"].tolist() == [0.5, 1.0]


def test_several_events_of_a_sample_are_averaged() -> None:
    rows = [SPEC, event("s.0", correct=True), event("s.0", correct=False), event("s.1", correct=True)]
    run = read("r.jsonl", jsonl(rows))
    assert run.metrics["match.correct"].tolist() == [0.5, 1.0]
    assert run.trials == 2


def test_a_match_and_a_metrics_event_of_one_sample_meet() -> None:
    rows = [SPEC, event("s.0", correct=True, expected="4"), event("s.0", "metrics", f1=0.5)]
    run = read("r.jsonl", jsonl(rows))
    assert {name: values.tolist() for name, values in run.metrics.items()} == {
        "match.correct": [1.0],
        "metrics.f1": [0.5],
    }


def test_another_expected_answer_under_the_same_id_is_another_content() -> None:
    first, second = (
        read("r.jsonl", jsonl([SPEC, event("s.0", correct=True, expected=answer)])) for answer in ("4", "5")
    )
    assert first.content != second.content


def test_a_record_of_text_alone_is_refused() -> None:
    error = refused(jsonl([SPEC, event("s.0", "sampling", prompt="x")]), name="r.jsonl")
    assert "no match or metrics event" in error.what
    assert "--record_path" in (error.remedy or "")


def test_a_score_without_a_sample_names_the_line() -> None:
    with pytest.raises(Exception, match="line 2"):
        read("r.jsonl", jsonl([SPEC, event(None, correct=True)]))
