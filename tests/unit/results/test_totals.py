"""Files of totals that look like results are refused, and what is refused is told from what only looks alike."""

from __future__ import annotations

import json

import pytest

from clearband.results import read

from .shapes import refused, score

STATS = {"min": 1e-6, "max": 2e-6, "mean": 1.5e-6, "rounds": 100}
BENCHMARK = {
    "machine_info": {"node": "runner"},
    "commit_info": {"id": "abc"},
    "benchmarks": [{"name": f"test_{name}", "fullname": f"t.py::test_{name}", "stats": STATS} for name in "ab"],
    "version": "5.1.0",
}


def test_a_report_of_pytest_benchmark_is_named_with_what_to_do_instead() -> None:
    error = refused(json.dumps(BENCHMARK).encode())

    assert "pytest-benchmark" in error.what
    assert "--benchmark-save-data" in (error.remedy or "")


def test_the_summary_of_a_langsmith_experiment_is_named() -> None:
    summary = {"name": "exp", "feedback_stats": {"correct": {"n": 10, "avg": 0.5}}, "run_count": 10}

    assert "LangSmith" in refused(json.dumps(summary).encode()).what


@pytest.mark.parametrize(
    "totals",
    [
        {"exact_match/v1": 0.5, "toxicity/v1/mean": 0.1, "toxicity/v1/variance": 0.01},
        {"epoch": 3.0, "eval_accuracy": 0.5, "eval_loss": 0.3, "eval_samples": 100},
        {"ndcg@10": 0.5, "map@10": 0.4},
    ],
)
def test_means_by_the_names_that_tools_give_them_are_no_questions(totals: dict[str, float]) -> None:
    assert "only totals" in refused(json.dumps(totals).encode()).what


def test_questions_that_are_called_almost_like_totals_are_read() -> None:
    assert score(read("run", b'{"test_accuracy": 1, "test_v1": 0}')) == {"test_accuracy": 1, "test_v1": 0}


def test_feedback_scores_are_left_out_of_the_metrics_names() -> None:
    run = read("run", b'{"id": 1, "feedback_scores": {"correct": 1}}\n{"id": 2, "feedback_scores": {"correct": 0}}')
    named = read("run", b'{"id": 1, "feedback_scores": [{"name": "correct", "value": 1}]}\n{"id": 2}')

    assert list(run.metrics) == list(named.metrics) == ["correct"]
