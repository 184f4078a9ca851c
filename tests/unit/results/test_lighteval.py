"""lighteval's details: which question, which metrics, and what the totals beside them tell."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from clearband.errors import UnusableResults
from clearband.results import ReadOptions, read, read_folder
from clearband.vocabulary import Direction, MeasurementField

from .parquet_bytes import written
from .shapes import seen

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clearband.results.run import Run

SAMPLES = Path(__file__).parent / "samples" / "lighteval"
STAMP = "2026-12-01T02-19-35.204318"
DETAILS = f"details_custom_sums_0_{STAMP}.parquet"


def folder(name: str) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (SAMPLES / name).iterdir()}


def means(run: Run) -> dict[str, float]:
    return {name: round(float(np.nanmean(values)), 6) for name, values in run.metrics.items()}


def details(path: Path, *docs: str, metric: str = "{'acc': 1}", response: str = "{'text': ['x']}") -> bytes:
    rows = " UNION ALL ".join(f"SELECT {doc} AS doc, {metric} AS metric, {response} AS model_response" for doc in docs)
    return written(path, rows)


def doc(identity: str | int, query: str, task: str = "sums|0") -> str:
    return f"{{'id': '{identity}', 'query': '{query}', 'choices': ['1', '2'], 'gold_index': 0, 'task_name': '{task}'}}"


class TestTheTool:
    @pytest.mark.parametrize(("arm", "accuracy"), [("base", 0.633333), ("cand", 0.766667)])
    def test_0_13_names_docs_by_their_place_in_the_split(self, arm: str, accuracy: float) -> None:
        run = read_folder(arm, folder(f"0.13.0/{arm}"))

        assert (run.format, run.key, means(run)) == ("lighteval", "doc.id", {"acc": accuracy})
        assert set(run.ids) == {str(number) for number in range(30)}

    def test_both_arms_ask_the_same_questions(self) -> None:
        base, cand = (read_folder(arm, folder(f"0.13.0/{arm}")) for arm in ("base", "cand"))

        assert base.content is not None
        assert cand.content is not None
        assert dict(zip(base.ids, base.content, strict=True)) == dict(zip(cand.ids, cand.content, strict=True))

    def test_0_10_has_no_ids_and_the_questions_text_names_them(self) -> None:
        run = read(DETAILS, folder("0.10.0")[DETAILS])

        assert (run.format, run.key, means(run)) == ("lighteval", "the question's text", {"em": 0.75, "rouge1": 0.75})
        assert "What is 2 + 5?" in run.ids
        assert run.notes == ("Computed over the whole corpus, so no metrics here: `bleu`.",)
        assert seen(run)["What is 2 + 5?"] == {"em": 0, "rouge1": 0}


class TestTheTotalsBesideIt:
    def test_say_which_way_is_better_and_with_what_it_was_measured(self) -> None:
        run = read_folder("out", folder("0.10.0"))

        assert run.directions == {"em": Direction.HIGHER, "rouge1": Direction.HIGHER}
        assert run.measurement[MeasurementField.MODEL] == "adder"
        assert run.measurement[MeasurementField.DATASET] == 'data default ["test"]'
        assert run.measurement[MeasurementField.SCORER].startswith("em, rouge1, bleu, task version 0, sha256:")
        assert run.measurement[MeasurementField.PROMPT].startswith("sha256:")
        assert MeasurementField.TOOL not in run.measurement  # a release writes "?" for its commit

    def test_are_found_above_the_details_as_the_tool_lays_them_out(self) -> None:
        files = folder("0.10.0")
        laid_out = {
            f"details/adder/{STAMP}/details_custom|sums|0_{STAMP}.parquet": files[DETAILS],
            f"results/adder/results_{STAMP}.json": files[f"results_{STAMP}.json"],
        }

        run = read_folder("out", laid_out)

        assert run.directions == {"em": Direction.HIGHER, "rouge1": Direction.HIGHER}

    def test_of_another_run_or_damaged_are_not_used(self) -> None:
        files = folder("0.10.0")
        totals = files.pop(f"results_{STAMP}.json")

        for other in (totals[:-9], b"[]", totals.replace(b"custom|sums", b"custom|other")):
            assert read(DETAILS, files[DETAILS], beside={"results_1.json": other}).directions == {}
        two = {"results_1.json": totals, "results_2.json": totals.replace(b"true", b"false")}
        assert read(DETAILS, files[DETAILS], beside=two).directions == {}

    def test_may_say_that_lower_is_better_and_which_commit_wrote_them(self, tmp_path: Path) -> None:
        totals = {
            "config_general": {"lighteval_sha": "0123abcd", "model_name": "m", "model_config": {"revision": "main"}},
            "config_tasks": {"sums|0": {"metrics": [
                {"metric_name": ["wer", "n"], "higher_is_better": {"wer": False, "n": None}},
                {"metric_name": "acc", "higher_is_better": True}, "?",
            ]}},
        }  # fmt: skip
        data = details(tmp_path, doc(0, "a"), metric="{'acc': 1, 'wer': 0.5, 'n': 3}")

        run = read("d.parquet", data, beside={"results.json": json.dumps(totals).encode()})

        assert run.directions == {"acc": Direction.HIGHER, "wer": Direction.LOWER}
        assert run.measurement[MeasurementField.MODEL] == "m main"
        assert run.measurement[MeasurementField.TOOL] == "lighteval 0123abcd"

    @pytest.mark.parametrize(
        ("task", "entry"),
        [("arith|0", "arith|0"), ("custom|arith|0", "custom|arith"), ("arith|0", "arith"), ("arith_1|5", "arith_1")],
    )
    def test_may_call_the_task_without_its_shots(self, tmp_path: Path, task: str, entry: str) -> None:
        metric = {"metrics": [{"metric_name": "acc", "higher_is_better": True}]}
        totals = {"config_tasks": {entry: metric, "arith_2": {}, "other|0": {}}}
        data = details(tmp_path, doc(0, "a", task))

        run = read("d.parquet", data, beside={"results.json": json.dumps(totals).encode()})

        assert run.directions == {"acc": Direction.HIGHER}


class TestQuestions:
    def test_several_tasks_become_several_metrics(self, tmp_path: Path) -> None:
        files = {f"details_{task}|0_{STAMP}.parquet": details(tmp_path, doc(0, "a", f"{task}|0")) for task in "ab"}

        assert sorted(read_folder("out", files).metrics) == ["a|0/acc", "b|0/acc"]

    def test_ids_that_begin_anew_in_a_second_split_are_told_apart_by_the_question(self, tmp_path: Path) -> None:
        run = read("d.parquet", details(tmp_path, doc(0, "first"), doc(1, "second"), doc(0, "third")))

        assert run.ids == ("0 | first", "1", "0 | third")

    def test_a_question_that_stands_there_twice_is_two_trials(self, tmp_path: Path) -> None:
        run = read("d.parquet", details(tmp_path, doc(0, "a"), doc(0, "a")))

        assert (run.ids, run.trials) == (("0",), 2)
        assert "trials" in run.notes[0]

    def test_an_edited_question_has_another_hash(self, tmp_path: Path) -> None:
        hashes = {str(read("d", details(tmp_path, doc(0, query))).content) for query in ("a", "b")}

        assert len(hashes) == 2

    def test_another_field_may_name_the_question(self, tmp_path: Path) -> None:
        data = details(tmp_path, doc(0, "a"), doc(1, "b"))

        assert read("d", data, ReadOptions(id_field="doc.query")).ids == ("a", "b")
        with pytest.raises(UnusableResults, match="no field is called `query`") as caught:
            read("d", data, ReadOptions(id_field="query"))
        assert "`doc.query`" in str(caught.value)

    def test_labels_are_kept(self, tmp_path: Path) -> None:
        run = read("d", details(tmp_path, doc(0, "a")), ReadOptions(labels=("doc.task_name", "doc.none")))

        assert run.labels == {"doc.task_name": ("sums|0",)}

    def test_a_doc_without_an_id_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(UnusableResults, match=r"has no `doc\.id`"):
            read("d", details(tmp_path, doc("", "a")))


class TestMetrics:
    @pytest.mark.parametrize(
        ("metric", "expected"),
        [("{'acc': true}", {"acc": 1}), ("{'acc': NULL::double}", {"acc": None}), ("{'acc': 'NaN'::double}", {"acc": None}),
         ("{'f1': 0.5, 'judgement': 'good'}", {"f1": 0.5}),
         ("{'f1': 0.5, 'mcc': {'golds': 1, 'preds': 0}, 'lists': [1]}", {"f1": 0.5})],
    )  # fmt: skip
    def test_are_the_numbers_of_each_sample(
        self, tmp_path: Path, metric: str, expected: Mapping[str, float | None]
    ) -> None:
        assert seen(read("d", details(tmp_path, doc(0, "a"), metric=metric))) == {"0": expected}

    def test_over_a_corpus_alone_are_refused_by_name(self, tmp_path: Path) -> None:
        with pytest.raises(UnusableResults, match="a number for each question") as caught:
            read("d", details(tmp_path, doc(0, "a"), metric="{'bleu': {'golds': ['x'], 'preds': ['y']}}"))
        assert caught.value.where == "`bleu`"

    def test_that_were_written_as_text_are_refused_with_the_version_to_use(self, tmp_path: Path) -> None:
        query = "SELECT 'q' AS example, 'p' AS full_prompt, '{}' AS metrics, '[]' AS predictions, '[0]' AS gold_index"
        with pytest.raises(UnusableResults, match=r"lighteval 0\.7 or older"):
            read("d", written(tmp_path, query))


def test_a_table_of_ones_own_with_similar_columns_is_no_details(tmp_path: Path) -> None:
    data = written(tmp_path, "SELECT 'a' AS id, 'text' AS doc, 1 AS metric, 'y' AS model_response_text")

    assert read("d", data).format == "generic/parquet"
