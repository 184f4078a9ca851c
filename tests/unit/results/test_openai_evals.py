"""Records of OpenAI evals: events in any order, several to a sample."""

from __future__ import annotations

from typing import Any

import pytest

from clearband.results import read
from clearband.vocabulary import MeasurementField

from .shapes import jsonl, refused
from .tracker_files import means, sample

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
