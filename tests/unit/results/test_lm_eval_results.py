"""The results file beside the samples of lm-evaluation-harness: what it adds, and that it can do no harm."""

from __future__ import annotations

import json

import pytest

from clearband.results import read
from clearband.vocabulary import Direction, MeasurementField

from .harness_rows import of, row
from .members import values
from .shapes import jsonl


def test_the_results_file_of_the_same_run_counts() -> None:
    def told(*, better: bool, count: int = 1) -> dict[str, object]:
        return {
            "results": {"sums": {"acc,none": 1.0}, "other": {"acc,none": 1.0}},
            "higher_is_better": {"sums": {"acc": better}, "other": {"acc": not better}},
            "n-samples": {"sums": {"effective": count}},
        }

    beside = {
        "results_2026-01-01T00-00-00.000001.json": told(better=False, count=3),
        "results_2026-02-01T00-00-00.000001.json": told(better=True),
    }
    run = of([row(1, acc=1.0)], beside=beside)

    assert run.directions == {"acc": Direction.LOWER}
    assert any("speaks of 3 questions; here are 1" in note for note in run.notes)


def test_a_renamed_file_finds_its_task_by_metrics_and_count() -> None:
    told = {
        "results": {"a": {"acc,none": 1.0, "acc_stderr,none": 0}, "b": {"f1,none": 1.0}},
        "versions": {"a": 3},
        "n-samples": {"a": {"effective": 1}, "b": {"effective": 1}},
    }
    run = read("candidate.jsonl", jsonl([row(1, acc=1.0)]), beside={"results.json": json.dumps(told).encode()})

    assert run.measurement[MeasurementField.DATASET] == "a, version 3"


@pytest.mark.parametrize(
    "junk", [b"", b"{", b'{"results": 3}', b"[]", b'{"results": {"sums": 3}, "configs": {"sums": []}}']
)
def test_a_damaged_results_file_beside_it_changes_nothing(junk: bytes) -> None:
    run = read("samples_sums.jsonl", jsonl([row(1, acc=1.0)]), beside={"results_1.json": junk})

    assert values(run)["acc"]
    assert run.directions == {}
