"""Files of experiment trackers: how many questions they hold and what every metric's mean is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clearband.results import azure_ai, braintrust, langsmith, mlflow, phoenix, pydantic_evals, read
from clearband.results.outline import outline
from clearband.results.result_file import open_file

from .shapes import SHAPES
from .tracker_files import SAMPLES, lost, means, sample

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.shared
@pytest.mark.parametrize(
    ("path", "questions", "lost_questions", "facts"),
    [
        ("mlflow/base_eval_results_table.json", 25, 0, {"closeness": 0.93}),
        ("mlflow/cand_eval_results_table.json", 25, 0, {"closeness": 0.95}),
        ("mlflow/base_genai.jsonl", 25, 0, {"closeness": 0.93, "exact": 0.72, "grade": 0.72}),
        ("mlflow/cand_genai.jsonl", 25, 0, {"closeness": 0.95, "exact": 0.8, "grade": 0.8}),
        ("langsmith/base.csv", 20, 0, {"exact": 0.7, "closeness": 0.925}),
        ("langsmith/base.jsonl", 20, 0, {"exact": 0.7, "closeness": 0.925}),
        ("langsmith/cand.csv", 20, 0, {"exact": 0.75, "closeness": 0.9375}),
        ("langsmith/cand.jsonl", 20, 0, {"exact": 0.75, "closeness": 0.9375}),
        ("braintrust/base.jsonl", 20, 0, {"exact": 0.7, "closeness": 0.925}),
        ("braintrust/cand.jsonl", 20, 1, {"exact": 0.736842, "closeness": 0.934211}),
        ("phoenix/base.json", 20, 0, {"exact": 0.7, "closeness": 0.925, "verdict": 0.7}),
        ("phoenix/base.csv", 20, 0, {"exact": 0.7, "closeness": 0.925, "verdict": 0.7}),
        ("phoenix/cand.json", 20, 1, {"exact": 0.736842, "closeness": 0.934211, "verdict": 0.736842}),
        ("phoenix/cand.csv", 20, 1, {"exact": 0.736842, "closeness": 0.934211, "verdict": 0.736842}),
        (
            "azure-ai-evaluation/base.json", 20, 0,
            {"exact.exact": 0.7, "exact.close": 0.925, "f1.f1_score": 0.7, "f1.f1_score_result": 0.7},
        ),
        (
            "azure-ai-evaluation/cand.json", 20, 0,
            {"exact.exact": 0.75, "exact.close": 0.9375, "f1.f1_score": 0.75, "f1.f1_score_result": 0.75},
        ),
        ("pydantic-evals/base.json", 20, 0, {"Close": 0.9125, "EqualsExpected": 0.65}),
        ("pydantic-evals/cand.json", 20, 1, {"Close": 0.973684, "EqualsExpected": 0.894737}),
    ],
)  # fmt: skip
def test_shared_files(shared: Path, path: str, questions: int, lost_questions: int, facts: dict[str, float]) -> None:
    run = read(path, (shared / path).read_bytes())

    assert run.format.partition("/")[0] == path.partition("/")[0]
    assert (len(run.ids), len(lost(run))) == (questions, lost_questions)
    assert means(run) == facts


# Eight questions: two answered one too high (closeness .75), one on which the system fails, two that `closeness`
# itself fails on where the scorer is made to.
EXACT = round(5 / 7, 6)
CLOSE = round((3 + 2 * 0.75) / 5, 6)


@pytest.mark.parametrize(
    ("path", "lost_questions", "trials", "facts"),
    [
        ("mlflow/eval_results_table.json", 0, 1, {"closeness": (6 + 2 * 0.75) / 8}),
        ("mlflow/genai.jsonl", 1, 1, {"exact": EXACT, "closeness": CLOSE}),
        ("mlflow/genai.csv", 1, 1, {"exact": EXACT, "closeness": CLOSE}),
        ("langsmith/experiment.csv", 1, 2, {"exact": EXACT, "closeness": round(6.5 / 7, 6)}),
        ("langsmith/experiment.jsonl", 1, 2, {"exact": EXACT, "closeness": round(6.5 / 7, 6)}),
        ("braintrust/results.jsonl", 1, 2, {"exact": EXACT, "closeness": CLOSE}),
        ("phoenix/experiment.json", 1, 2, {"exact": EXACT, "closeness": CLOSE, "verdict": EXACT}),
        ("phoenix/experiment.csv", 1, 2, {"exact": EXACT, "closeness": CLOSE, "verdict": EXACT}),
        (
            "azure-ai-evaluation/results.json", 0, 1,
            {"sums.exact": round(4 / 6, 6), "sums.close": round(5.5 / 6, 6), "f1.f1_score": 0.75, "f1.f1_result": 0.75},
        ),
        ("pydantic-evals/report.json", 1, 1, {"Right": EXACT, "Close": round((3 + 2 * 0.875) / 5, 6)}),
        ("pydantic-evals/repeated.json", 1, 2, {"Right": EXACT, "Close": round((3 + 2 * 0.875) / 5, 6)}),
    ],
)  # fmt: skip
def test_files_written_by_other_versions(path: str, lost_questions: int, trials: int, facts: dict[str, float]) -> None:
    run = sample(path)

    assert run.format.partition("/")[0] == path.partition("/")[0]
    assert (len(run.ids), len(lost(run)), run.trials) == (8, lost_questions, trials)
    assert means(run) == facts


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("mlflow/genai.csv", "mlflow/genai.jsonl"),
        ("langsmith/experiment.csv", "langsmith/experiment.jsonl"),
        ("phoenix/experiment.csv", "phoenix/experiment.json"),
    ],
)
def test_the_kind_of_file_changes_neither_ids_nor_content_hashes(one: str, other: str) -> None:
    first, second = sample(one), sample(other)

    assert first.ids == second.ids
    assert first.content == second.content
    assert first.content is not None
    assert None not in first.content


def test_tools_agree_on_a_question_that_is_told_apart_by_its_text() -> None:
    runs = [sample(path) for path in ("mlflow/genai.jsonl", "braintrust/results.jsonl", "mlflow/eval_results_table.json",
                                      "azure-ai-evaluation/results.json")]  # fmt: skip

    assert len({tuple(sorted(run.ids)) for run in runs}) == 1
    assert "What is 2 + 3?" in runs[0].ids


READERS = (azure_ai, braintrust, langsmith, mlflow, phoenix, pydantic_evals)
OWN = {"azure-ai-evaluation", "braintrust", "langsmith", "mlflow", "phoenix", "pydantic-evals"}


def takers(data: bytes) -> list[str]:
    file = open_file("any", data)
    seen_at_first = outline(file)
    return [reader.__name__.rpartition(".")[2] for reader in READERS if reader.sniff(file, seen_at_first)]


@pytest.mark.shared
def test_no_other_tools_file_is_taken_for_ones_own(shared: Path) -> None:
    others = [path for path in shared.rglob("*") if path.is_file() and path.relative_to(shared).parts[0] not in OWN]

    assert len(others) > 50
    assert {path.name: found for path in others if (found := takers(path.read_bytes()))} == {}


def test_a_file_of_ones_own_is_taken_by_one_reader() -> None:
    files = [path for name in OWN for path in (SAMPLES / name).iterdir() if path.suffix != ".md"]

    assert len(files) == 11
    assert {path.name for path in files if len(takers(path.read_bytes())) != 1} == set()


@pytest.mark.parametrize("shape", SHAPES)
def test_generic_files_are_left_to_the_generic_readers(shape: str) -> None:
    table = {"a": {"score": 0.5, "feedback": 1.0}, "b": {"score": 1.0, "feedback": 0.0}}

    assert takers(SHAPES[shape](table)) == []
