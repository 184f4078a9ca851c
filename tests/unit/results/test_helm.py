"""HELM's statistics of single instances: written by the tool, and made to order."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from clearband.results import ReadOptions, read, read_folder
from clearband.vocabulary import MeasurementField

from .members import values
from .shapes import refused

if TYPE_CHECKING:
    from clearband.results.run import Run

FOLDER = Path(__file__).parent / "samples" / "helm" / "simple_mcqa_model_simple_model1_data_augmentation_lower"
FILES = {path.name: path.read_bytes() for path in FOLDER.iterdir()}
STATS = FILES["per_instance_stats.json"]
DEFAULTS = ReadOptions()
NAMES = ["exact_match", "quasi_exact_match", "prefix_exact_match", "quasi_prefix_exact_match"]


def stat(
    name: str = "exact_match", mean: float | None = 1.0, *, count: int = 1, split: str = "test", **more: object
) -> dict[str, object]:
    found: dict[str, object] = {
        "name": {"name": name, "split": split, **more},
        "count": count,
        "sum": (mean or 0) * count,
    }
    return found if mean is None else found | {"mean": mean}


def entry(name: object = "id1", *stats: dict[str, object], trial: int = 0, **more: object) -> dict[str, object]:
    return {"instance_id": name, "train_trial_index": trial, "stats": list(stats or (stat(),)), **more}


def of(*entries: dict[str, object], options: ReadOptions = DEFAULTS) -> Run:
    return read("per_instance_stats.json", json.dumps(entries).encode(), options)


def test_a_folder_that_the_tool_wrote() -> None:
    run = read_folder("run", FILES)

    assert (run.format, run.key, run.trials) == ("helm/per-instance-stats", "instance_id", 2)
    assert [name for name in run.metrics if "@" not in name] == NAMES
    assert values(run)["exact_match"] == {"id60": 1.0, "id38": 1.0, "id41": 0.0, "id74": 1.0}
    assert run.series == ("original", "lowercase")
    assert any("Read: `original`. Not read: `lowercase` (8)" in note for note in run.notes)
    assert run.content is not None
    assert len(set(run.content)) == 4


def test_the_settings_beside_it_tell_with_what_it_was_measured() -> None:
    run = read_folder("run", FILES)

    assert run.measurement[MeasurementField.MODEL].startswith('simple/model1 {"max_tokens":5')
    assert run.measurement[MeasurementField.DATASET] == "SimpleMCQAScenario {}, split test"
    assert run.measurement[MeasurementField.SCORER].startswith("BasicGenerationMetric, BasicReferenceMetric")
    assert run.measurement[MeasurementField.PROMPT].startswith("sha256:")


def test_one_perturbation_can_be_read_instead() -> None:
    run = read("per_instance_stats.json", STATS, ReadOptions(series="lower"))

    assert set(values(run)["exact_match"].values()) == {0.0}
    assert run.series == ("lowercase", "original")


@pytest.mark.shared
@pytest.mark.parametrize(("arm", "mean"), [("base", 0.6), ("cand", 0.7)])
def test_real_statistics(shared: Path, arm: str, mean: float) -> None:
    run = read_folder(
        arm, {path.name: path.read_bytes() for path in (shared / "helm" / arm / "simple_classification").iterdir()}
    )

    assert list(run.metrics) == NAMES
    assert len(run.ids) == 30
    assert run.metrics["exact_match"].mean() == pytest.approx(mean)
    assert run.metrics["prefix_exact_match"].mean() == pytest.approx(mean)


@pytest.mark.parametrize(
    "name",
    ["num_output_tokens", "max_num_completion_tokens", "inference_runtime", "training_co2_cost", "finish_reason_stop", "batch_size",
     "prompt_truncated", "max_prob", "logprob", "logprob_per_byte", "predicted_index", "estimated_num_tokens_cost"],
)  # fmt: skip
def test_bookkeeping_is_no_metric(name: str) -> None:
    assert list(of(entry("id1", stat(), stat(name)), entry("id2", stat(), stat(name))).metrics) == ["exact_match"]


@pytest.mark.parametrize(
    "name", ["f1_score", "rouge_l", "bleu_4", "math_equiv", "ifeval_strict_accuracy", "bits_per_byte", "our_own"]
)
def test_every_other_statistic_is_one(name: str) -> None:
    assert list(of(entry("id1", stat(name, 0.25))).metrics) == [name]


def test_a_statistic_that_was_never_counted_is_no_value() -> None:
    run = of(entry("id1", stat(mean=None, count=0)), entry("id2", stat(mean=0.5)))

    assert np.isnan(run.metrics["exact_match"]).tolist() == [True, False]


def test_the_mean_is_worked_out_where_only_the_sum_is_there() -> None:
    only_sum = stat(mean=None, count=4) | {"sum": 3}

    assert of(entry("id1", only_sum)).metrics["exact_match"].tolist() == [0.75]


def test_training_trials_are_averaged_and_kept() -> None:
    run = of(entry("id1", stat(mean=1)), entry("id2", stat(mean=0)), entry("id1", stat(mean=0), trial=1))

    assert values(run)["exact_match"] == {"id1": 0.5, "id2": 0.0}
    assert run.trials_of["exact_match"].values.tolist() == [1.0, 0.0, 0.0]


def test_the_test_split_counts_and_the_others_are_named() -> None:
    run = of(entry("id1"), entry("id2", stat(split="valid")))

    assert run.ids == ("id1",)
    assert run.notes == ("The split `test` was read; left out: `valid` (1).",)
    assert of(entry("id2", stat(split="valid"))).ids == ("id2",)


def test_parts_of_a_split_are_metrics_of_their_own() -> None:
    assert list(of(entry("id1", stat(sub_split="toxic"))).metrics) == ["exact_match/toxic"]


def test_several_perturbations_without_an_original_need_a_choice() -> None:
    entries = [entry("id1", perturbation={"name": name}) for name in ("typos", "dialect")]

    error = refused(json.dumps(entries).encode(), name="per_instance_stats.json")
    assert "--series" in (error.remedy or "")
    assert of(*entries, options=ReadOptions(series="typos")).series == ("typos", "dialect")


@pytest.mark.parametrize("bad", [None, "", 1.5, True, []])
def test_an_instance_without_an_id_is_refused(bad: object) -> None:
    data = json.dumps([entry("id1"), entry(bad)]).encode()

    assert refused(data, name="per_instance_stats.json").where == "row 2"


def test_another_field_than_the_id_is_refused_with_those_there_are() -> None:
    error = refused(json.dumps([entry()]).encode(), name="x.json", id_field="question")

    assert "`instance_id`" in (error.remedy or "")


def test_bookkeeping_alone_is_refused() -> None:
    assert (
        "no statistic is a score"
        in refused(json.dumps([entry("id1", stat("batch_size"))]).encode(), name="x.json").what
    )


def test_labels_are_what_a_row_has() -> None:
    run = of(entry("id1", stat(sub_split="toxic")), options=ReadOptions(labels=("sub_split", "topic")))

    assert dict(run.labels) == {"sub_split": ("toxic",)}


def test_edited_questions_are_seen_where_the_state_lies_beside_it() -> None:
    edited = FILES["scenario_state.json"].replace(b"Is 51 even or odd?", b"Is 51 odd or even?")
    before, after = read_folder("run", FILES), read_folder("run", FILES | {"scenario_state.json": edited})

    assert before.content is not None
    assert after.content is not None
    assert [one == other for one, other in zip(before.content, after.content, strict=True)] == [True, True, False, True]


@pytest.mark.parametrize("junk", [b"{", b"[]", b'{"adapter_spec": 3}', b'{"request_states": [{"instance": 3}]}'])
def test_damaged_files_beside_it_change_nothing(junk: bytes) -> None:
    beside = {"run_spec.json": junk, "scenario_state.json": junk}
    run = read("per_instance_stats.json", STATS, beside=beside)

    assert run.content is None
    assert run.measurement == {MeasurementField.TRIALS: "training trials, mean"}
