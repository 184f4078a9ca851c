"""Inspect AI logs: written by the tool in three versions, and made to order for everything that surprises people."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from clearband.results import ReadOptions, read, read_folder
from clearband.vocabulary import MeasurementField

from .inspect_logs import as_archive, as_json, log, lost, of, sample, summary
from .shapes import refused

if TYPE_CHECKING:
    from clearband.results.run import Run

SAMPLES = Path(__file__).parent / "samples" / "inspect-ai"
DEFAULTS = ReadOptions()
SUMS = {"match": (0.714286, 7), "closeness": (0.9, 5), "detail.digits": (1.142857, 7), "detail.even": (0.714286, 7),
        "answered": (1.0, 7)}  # fmt: skip
EPOCHS = {"match": (0.833333, 8), "closeness": (0.944444, 6), "detail.digits": (1.083333, 8),
          "detail.even": (0.666667, 8), "answered": (1.0, 8)}  # fmt: skip
FAILED = {"match": (0.833333, 6), "closeness": (0.9375, 4), "detail.digits": (1.0, 6), "detail.even": (0.666667, 6),
          "answered": (1.0, 6)}  # fmt: skip


def opened(path: Path, options: ReadOptions = DEFAULTS) -> Run:
    return read(path.name, path.read_bytes(), options)


def means(run: Run) -> dict[str, tuple[float, int]]:
    return {
        name: (round(float(np.nanmean(values)), 6), int(np.count_nonzero(~np.isnan(values))))
        for name, values in run.metrics.items()
    }


@pytest.mark.parametrize(
    ("name", "form", "ids", "trials", "expected"),
    [
        ("0.3.60_3_epochs.eval", "eval", 8, 3, EPOCHS),
        ("0.3.285_3_epochs.eval", "eval", 8, 3, EPOCHS),
        ("0.3.180_1_epoch.eval", "eval", 8, 1, SUMS),
        ("0.3.285_1_epoch.json", "json", 8, 1, SUMS),
        ("0.3.60_failed.eval", "eval", 8, 1, FAILED),
        ("0.3.285_failed.eval", "eval", 8, 1, FAILED),
    ],
)
def test_logs_that_the_tool_wrote(
    name: str, form: str, ids: int, trials: int, expected: dict[str, tuple[float, int]]
) -> None:
    run = opened(SAMPLES / name)

    assert (run.format, run.key, len(run.ids), run.trials) == (f"inspect-ai/{form}", "sample id", ids, trials)
    assert means(run) == expected


@pytest.mark.parametrize("name", ["0.3.180_1_epoch.eval", "0.3.285_1_epoch.json"])
def test_the_question_on_which_the_system_failed_is_lost(name: str) -> None:
    assert lost(opened(SAMPLES / name)) == {"sum-3-5"}


@pytest.mark.parametrize("name", ["0.3.60_failed.eval", "0.3.285_failed.eval"])
def test_questions_that_a_failed_run_never_reached_are_lost_and_said_so(name: str) -> None:
    run = opened(SAMPLES / name)

    assert lost(run) == {"sum-3-5", "sum-3-6"}
    assert run.notes[0].startswith("The log's status is `error`, not success")


def test_versions_and_forms_agree_on_what_a_question_is() -> None:
    runs = [opened(SAMPLES / name) for name in ("0.3.60_failed.eval", "0.3.180_1_epoch.eval", "0.3.285_1_epoch.json")]

    assert len({run.ids for run in runs}) == 1
    assert len({(run.content or ())[:6] for run in runs}) == 1


def test_the_log_tells_with_what_it_was_measured() -> None:
    run = opened(SAMPLES / "0.3.285_3_epochs.eval")

    assert run.measurement == {
        MeasurementField.MODEL: "mockllm/model",
        MeasurementField.PROMPT: run.measurement[MeasurementField.PROMPT],
        MeasurementField.SCORER: 'answered; closeness; detail; grade; match {"numeric":true}',
        MeasurementField.DATASET: "sums, task version 2",
        MeasurementField.TRIALS: "epochs, mean",
        MeasurementField.TOOL: "Inspect AI 0.3.285",
    }


@pytest.mark.parametrize("name", ["0.3.60_3_epochs.eval", "0.3.285_3_epochs.eval", "0.3.285_1_epoch.json"])
def test_metadata_serve_as_labels_even_where_summaries_leave_them_out(name: str) -> None:
    run = opened(SAMPLES / name, ReadOptions(labels=("metadata.topic", "metadata.nothing")))

    assert dict(run.labels) == {"metadata.topic": ("low",) * 4 + ("high",) * 4}


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "count", "trials", "expected"),
    [
        ("base_1epoch.json", 30, 1, {"graded": (0.5, 30), "closeness": (0.723214, 28), "detail.overlap": (0.575, 30),
                                     "detail.length": (1.366667, 30), "match": (0.433333, 30)}),
        ("cand_1epoch.json", 30, 1, {"graded": (0.810345, 29), "closeness": (0.942308, 26),
                                     "detail.overlap": (0.818966, 29), "detail.length": (1.344828, 29), "match": (0.758621, 29)}),
        ("base_epochs3_zstd.eval", 30, 3, {"graded": (0.605556, 30), "closeness": (0.801389, 30),
                                           "detail.overlap": (0.641667, 30), "detail.length": (1.388889, 30), "match": (0.522222, 30)}),
        ("cand_epochs3_zstd.eval", 30, 3, {"graded": (0.855556, 30), "closeness": (0.943056, 30),
                                           "detail.overlap": (0.866667, 30), "detail.length": (1.388889, 30), "match": (0.822222, 30)}),
        ("repo_2025-02-11T15-18-04-05-00_popularity_mj7khqpMM4GBCfVQozKgzB.eval", 10, 1, {"match": (0.8, 10)}),
        ("repo_2025-05-12T20-28-13-04-00_popularity.json", 3, 1, {"match": (0.666667, 3)}),
        ("repo_log_formats.eval", 1, 1, {"match": (0.0, 1)}),
        ("repo_log_formats.json", 1, 1, {"match": (0.0, 1)}),
    ],
)  # fmt: skip
def test_real_logs(shared: Path, name: str, count: int, trials: int, expected: dict[str, tuple[float, int]]) -> None:
    run = opened(shared / "inspect-ai" / name)

    assert (len(run.ids), run.trials) == (count, trials)
    assert means(run) == expected


@pytest.mark.shared
def test_a_real_log_without_scores_is_refused(shared: Path) -> None:
    path = shared / "inspect-ai" / "repo_2025-02-11T15-17-00-05-00_popularity_dPiJifoWeEQBrfWsAopzWr.eval"

    assert "inspect score" in str(refused(path.read_bytes(), name=path.name))


def test_ids_by_position_are_announced_and_their_questions_hashed() -> None:
    base, cand = of(sample(1), sample(2)), of(sample(1, input="Question 2?"), sample(2, input="Question 1?"))

    assert base.ids == cand.ids == ("1", "2")
    assert any("which Inspect gives by position" in note for note in base.notes)
    assert base.content is not None
    assert base.content == (cand.content or ())[::-1]


@pytest.mark.parametrize(
    "other",
    [
        {"input": "Question q1!"},
        {"target": "no"},
        {"input": [{"role": "system", "content": "Question q1?"}]},
        {"target": ["yes", "no"]},
    ],
)
def test_an_edited_question_has_another_hash(other: dict[str, object]) -> None:
    assert of(sample("q1")).content != of(sample("q1", **other)).content


def test_random_message_ids_and_images_change_no_hash() -> None:
    def asked(number: int) -> dict[str, object]:
        parts = [{"type": "text", "text": "Look"}, {"type": "image", "image": f"data:{number}"}]
        return sample("q1", input=[{"id": f"m{number}", "role": "user", "content": parts}])

    assert of(asked(1)).content == of(asked(2)).content


def test_a_long_input_is_compared_by_what_a_summary_keeps() -> None:
    whole = sample("q1", input="x" * 9_000)
    kept = summary(whole) | {"input": "x" * 5_120 + "...\n(content truncated)"}

    assert read("a", as_json(log(whole))).content == read("b", as_archive(log(whole), summaries=[kept])).content


def test_another_field_can_name_the_question() -> None:
    run = of(sample(1), sample(2), options=ReadOptions(id_field="metadata.qid"))

    assert (run.ids, run.key) == (("own-1", "own-2"), "metadata.qid")


def test_a_field_that_no_sample_has_is_refused_with_those_there_are() -> None:
    error = refused(as_json(log(sample())), name="log.json", id_field="metadata.nothing")

    assert "`id`, `epoch`, `input`, `target`, `metadata`" in (error.remedy or "")


@pytest.mark.parametrize("bad", [None, "", " ", 1.5, True, ["q"], {"a": 1}])
def test_a_sample_without_an_id_is_refused(bad: object) -> None:
    assert refused(as_json(log(sample(), sample(bad))), name="log.json").where == "sample 2"


def test_one_id_as_number_and_as_text_is_refused() -> None:
    assert "as a number and as a text" in refused(as_json(log(sample(1), sample("1"))), name="log.json").what


@pytest.mark.parametrize("write", [as_json, as_archive])
def test_a_log_without_scores_is_refused_with_the_command_that_adds_them(write: object) -> None:
    assert callable(write)
    error = refused(write(log(sample(scores=None), sample("q2", scores={}))), name="log")

    assert error.what == "log: the log holds no scores"
    assert "inspect score LOG" in (error.remedy or "")


def test_a_log_whose_only_scorer_gives_lists_is_refused_with_the_way_out() -> None:
    error = refused(as_json(log(sample(value=[1, 2]))), name="log.json")

    assert "`match` gives a list" in (error.where or "")
    assert "dict of named numbers" in (error.remedy or "")


@pytest.mark.parametrize(
    "data",
    [
        as_json({name: value for name, value in log().items() if name != "samples"}),
        as_archive(log(sample()), header_only=True),
    ],
)
def test_a_header_without_samples_is_refused(data: bytes) -> None:
    error = refused(data, name="log")

    assert "holds no samples" in error.what
    assert "--no-log-samples" in (error.remedy or "")


def test_a_damaged_member_is_named() -> None:
    data = as_archive(log(sample()), summaries=[{"id": "q1", "scores": {"match": 3}}])

    assert (refused(data, name="log.eval").where or "").startswith("summaries.json")


def test_judge_and_prompts_are_told() -> None:
    graded = {"name": "inspect_ai/model_graded_qa", "options": {"model": "openai/o1", "template": "Grade {answer}"}}
    spec = {
        "scorers": [graded, {"name": "match", "options": {"numeric": True}}],
        "revision": {"commit": "abc1234", "dirty": True},
        "model_generate_config": {"temperature": 0.5, "max_connections": 9},
        "task_version": "2-b",
    }
    run = of(sample(), spec=spec, config={"retry_on_error": 3})
    other = of(sample(), spec={**spec, "scorers": [{**graded, "options": {"template": "Grade it"}}]})

    assert run.measurement[MeasurementField.MODEL] == 'openai/gpt-4o {"temperature":0.5}'
    assert run.measurement[MeasurementField.JUDGE] == "openai/o1"
    assert run.measurement[MeasurementField.SCORER] == 'inspect_ai/model_graded_qa; match {"numeric":true}'
    assert run.measurement[MeasurementField.COMMIT] == "abc1234 with changes"
    assert run.measurement[MeasurementField.DATASET] == "sums, task version 2-b"
    assert run.measurement[MeasurementField.TRIALS] == "epochs, mean, up to 3 retries after an error"
    assert other.measurement[MeasurementField.JUDGE] == "openai/gpt-4o"
    assert other.measurement[MeasurementField.JUDGE_PROMPT] != run.measurement[MeasurementField.JUDGE_PROMPT]


def test_the_grader_role_is_the_judge() -> None:
    run = of(
        sample(), spec={"model_roles": {"grader": {"model": "openai/o3"}}, "scorers": [{"name": "model_graded_fact"}]}
    )

    assert run.measurement[MeasurementField.JUDGE] == "openai/o3"


def test_a_folder_of_logs_is_a_task_each_and_the_newest_run_counts() -> None:
    def written(stamp: str, task: str, value: str) -> tuple[str, bytes]:
        return f"{stamp}_{task}_{'x' * 22}.eval", as_archive(log(sample("q1", value)))

    run = read_folder(
        "logs",
        dict([
            written("2025-02-11T15-17-00-05-00", "sums", "I"),
            written("2025-02-12T15-17-00-05-00", "sums", "C"),
            written("2025-02-12T15-18-00-05-00", "facts", "P"),
        ]),
    )  # fmt: skip

    assert {name: float(np.nanmean(cells)) for name, cells in run.metrics.items()} == {
        "sums/match": 1.0,
        "facts/match": 0.5,
    }


def test_an_object_that_only_looks_like_a_log_is_none() -> None:
    document = {"eval": 1, "status": "ok", "version": 2, "rows": [{"id": "a", "score": 1}]}

    assert read("x.json", json.dumps(document).encode()).format.startswith("generic")
