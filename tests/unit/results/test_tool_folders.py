"""Folders as the tools write them: the names of their tasks, and what stands beside."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from clearband import folder
from clearband.errors import UnusableResults
from clearband.results import ReadOptions, deepeval, helm, inspect_ai, lighteval, lm_eval, read, read_folder
from clearband.vocabulary import Direction, MeasurementField

from .members import zipped

if TYPE_CHECKING:
    from clearband.results.bundle import NamesTasks
    from clearband.results.run import Run

SAMPLES = Path(__file__).parent / "samples"


def members(path: str) -> dict[str, bytes]:
    return dict(folder.read(SAMPLES / path).members or {})


def means(run: Run) -> dict[str, float]:
    return {name: round(float(np.nanmean(values)), 6) for name, values in run.metrics.items()}


@pytest.mark.parametrize(
    ("reader", "path", "task"),
    [
        (lm_eval, "m/samples_gsm8k_2026-11-30T19-39-06.320994.jsonl", "gsm8k"),
        (lighteval, "details/m/t/details_arith|0_2026-11-30T19-50-42.776040.parquet", "arith|0"),
        (inspect_ai, "logs/2025-02-11T15-17-00-05-00_popularity_dPiJifoWeEQBrfWsAopzWr.eval", "popularity"),
        (helm, "runs/s/mmlu:subject=law,model=openai_gpt-4/per_instance_stats.json", "mmlu:subject=law"),
        (helm, "simple_mcqa:model=m1,data_augmentation=lower/per_instance_stats.json", "simple_mcqa,data_augmentation=lower"),
        (helm, "per_instance_stats.json", "per_instance_stats"),
        (deepeval, "results/test_run_20260412_101112.json", "test_run"),
        (deepeval, ".deepeval/.latest_test_run.json", None),
    ],
)  # fmt: skip
def test_the_task_is_in_the_name(reader: NamesTasks, path: str, task: str | None) -> None:
    assert reader.task_of(path) == task


def test_lm_evals_folder_is_every_task_with_the_directions_of_its_totals() -> None:
    run = read_folder("out", members("lm-eval-harness/0.4.10"))
    assert {"sums_choice/acc", "sums_gen/exact_match,strict", "sums_rolling/bits_per_byte"} <= run.metrics.keys()
    assert run.directions["sums_choice/acc"] is Direction.HIGHER
    assert run.directions["sums_rolling/bits_per_byte"] is Direction.LOWER
    assert not [note for note in run.notes if note.startswith("Not read")]
    one = read_folder("out", members("lm-eval-harness/0.4.10"), ReadOptions(task="sums_choice"))
    assert means(one) == {"acc": means(run)["sums_choice/acc"]}


def test_one_of_lm_evals_files_finds_the_totals_beside_it() -> None:
    (file,) = (SAMPLES / "lm-eval-harness" / "0.4.10").glob("samples_sums_choice_*")
    assert folder.read(file).run(ReadOptions()).directions == {"acc": Direction.HIGHER}


def test_a_helm_suite_is_read_run_by_run_each_with_its_own_settings() -> None:
    (name,) = (path.name for path in (SAMPLES / "helm").iterdir() if path.is_dir())
    run = members(f"helm/{name}")
    suite = {
        f"runs/s/mmlu:subject={subject},model=m/{file}": data
        for subject in ("art", "law")
        for file, data in run.items()
        if not (subject == "art" and file == "run_spec.json")
    }
    whole = read_folder("runs", suite)
    assert {metric.split("/")[0] for metric in whole.metrics} == {"mmlu:subject=art", "mmlu:subject=law"}
    model = read_folder("x", run).measurement[MeasurementField.MODEL]
    assert whole.measurement[MeasurementField.MODEL] == f"mmlu:subject=law: {model}"


def test_deepevals_folder_is_its_latest_run_once() -> None:
    whole = (SAMPLES / "deepeval" / "base_test_run.json").read_bytes()
    copy = b'{"testRunData": ' + whole + b"}"
    plain = read_folder("x", {"test_run.json": whole})
    for latest in (copy, b'{"testRunLink": "https://app.example.org/run"}'):
        run = read_folder(".deepeval", {".latest_run_full.json": whole, ".latest_test_run.json": latest})
        assert means(run) == means(plain)
    assert means(read_folder(".deepeval", {".latest_test_run.json": copy, "a.log": b"x"})) == means(plain)


def test_junit_reports_of_a_build_are_one_run() -> None:
    reports = {name: data for name, data in members("junit").items() if name.endswith(".xml")}
    run = read_folder("reports", reports)
    assert "passed" in run.metrics
    assert any("written in 3 parts" in note for note in run.notes)


def test_logs_of_two_evals_are_two_tasks_and_a_zip_of_logs_is_no_log() -> None:
    log = (SAMPLES / "inspect-ai" / "0.3.285_1_epoch.json").read_bytes()
    logs = {
        f"2026-01-0{day}T10-00-00+00-00_{task}_aaaaaaaaaaaaaaaaaaaaaa.json": log for day, task in ((1, "a"), (2, "b"))
    }
    run = read_folder("logs", logs)
    assert {name.split("/")[0] for name in run.metrics} == {"a", "b"}
    packed = {"logs/a.eval": (SAMPLES / "inspect-ai" / "0.3.285_3_epochs.eval").read_bytes(), "logs/x.txt": b"x"}
    assert read("logs.zip", zipped(packed)).format == "inspect-ai/eval"


@pytest.mark.shared
def test_two_systems_in_one_folder_are_never_taken_for_one(shared: Path) -> None:
    for path in ("lm-eval-harness/v0.4.13", "helm"):
        source = folder.read(shared / path)
        with pytest.raises(UnusableResults) as caught:
            source.run(ReadOptions())
        assert "Hand in" in (caught.value.remedy or "")
