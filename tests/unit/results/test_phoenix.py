"""Phoenix's experiment files: annotations, errors, repetitions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from clearband.results import ReadOptions, read
from clearband.vocabulary import Direction, MeasurementField

from .shapes import delimited, refused, score
from .tracker_files import lost, sample, unscored

if TYPE_CHECKING:
    from clearband.results.run import Run


def annotation(
    name: str, *, score: float | None = None, label: str | None = None, kind: str = "CODE"
) -> dict[str, object]:
    return {"name": name, "annotator_kind": kind, "label": label, "score": score, "explanation": None, "error": None}


def run_of(example: str, *annotations: dict[str, object], **fields: object) -> dict[str, object]:
    return {
        "example_id": example, "repetition_number": 1, "input": {"question": f"What is {example}?"},
        "reference_output": {"answer": "5"}, "output": "5", "error": None, "latency_ms": 2.5, "trace_id": "t",
        "annotations": [*annotations],
    } | fields  # fmt: skip


def read_runs(*runs: dict[str, object], **options: object) -> Run:
    return read("experiment.json", json.dumps(runs).encode(), ReadOptions(**options))  # type: ignore[arg-type]


def test_a_run_with_an_error_loses_the_zero_that_an_evaluator_stored() -> None:
    run = read_runs(
        run_of("a", annotation("exact", score=1)),
        run_of("b", annotation("exact", score=0), output=None, error="RateLimitError"),
    )

    assert lost(run) == ["b"]
    assert score(run, "exact") == {"a": 1.0, "b": None}
    assert score(run, "latency_ms") == {"a": 2.5, "b": None}


def test_an_evaluator_that_failed_leaves_one_score_empty_and_the_question_there() -> None:
    run = sample("phoenix/experiment.json")

    assert len(lost(run)) == 1
    assert len(unscored(run, "closeness")) == 3
    assert len(unscored(run, "exact")) == 1


def test_labels_without_scores_count_where_they_are_words_for_right_and_wrong() -> None:
    run = read_runs(
        run_of("a", annotation("verdict", label="Correct"), annotation("tone", label="dry")),
        run_of("b", annotation("verdict", label="incorrect"), annotation("tone", label="warm")),
    )

    assert score(run, "verdict") == {"a": 1.0, "b": 0.0}
    assert "tone" not in run.metrics


def test_a_score_is_read_where_a_label_stands_beside_it() -> None:
    run = read_runs(run_of("a", annotation("exact", score=0.25, label="True")), run_of("b", annotation("exact")))

    assert score(run, "exact") == {"a": 0.25, "b": None}


def test_repetitions_are_numbered_trials() -> None:
    run = read_runs(*(
        run_of("a", annotation("exact", score=value), repetition_number=number)
        for number, value in ((2, 1), (1, 0), (3, 1))
    ))  # fmt: skip

    assert run.trials == 3
    assert run.trials_of["exact"].ordered
    assert run.trials_of["exact"].values.tolist() == [0.0, 1.0, 1.0]


def test_an_example_that_was_edited_is_seen_by_its_content() -> None:
    run = read_runs(run_of("a", annotation("exact", score=1)))
    edited = read_runs(run_of("a", annotation("exact", score=1), reference_output={"answer": "6"}))

    assert run.ids == edited.ids
    assert run.content != edited.content


def test_the_question_itself_can_be_the_id_in_json_and_csv() -> None:
    for path in ("phoenix/experiment.json", "phoenix/experiment.csv"):
        run = sample(path, id_field="input.question", labels=("metadata.left",) if path.endswith("csv") else ())

        assert "What is 2 + 3?" in run.ids
        assert not run.labels or set(run.labels["metadata.left"]) == {"2", "3"}


def test_the_kind_of_annotator_belongs_to_the_measurement() -> None:
    run = read_runs(run_of("a", annotation("exact", score=1), annotation("judge", score=1, kind="LLM")))

    assert run.measurement[MeasurementField.SCORER] == "exact: CODE; judge: LLM"
    assert run.directions == {"latency_ms": Direction.LOWER}


def test_runs_without_annotations_are_refused_with_what_to_do() -> None:
    error = refused(json.dumps([run_of("a"), run_of("b")]).encode(), name="experiment.json")

    assert "annotations" in error.what
    assert "evaluators" in (error.remedy or "")


def test_underscores_in_an_annotations_name_are_its_own() -> None:
    data = delimited([
        {"example_id": "a", "repetition_number": 1, "input": "{}", "reference_output": "{}", "output": "5", "error": None,
         "trace_id": "t", "annotation_my_own_score_score": 0.5, "annotation_my_own_score_label": "x"},
    ])  # fmt: skip

    assert score(read("e.csv", data), "my_own_score") == {"a": 0.5}
