"""Samples of lm-evaluation-harness: written by the tool, and rows made to order for its older versions and odd tasks."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from clearband.results import ReadOptions, read, read_folder
from clearband.vocabulary import Direction, MeasurementField

from .harness_rows import doc_hash, means, of, row
from .members import values
from .shapes import jsonl, refused, refused_rows

if TYPE_CHECKING:
    from clearband.results.run import Run

FOLDER = Path(__file__).parent / "samples" / "lm-eval-harness" / "0.4.10"


def real(task: str) -> Run:
    (path,) = FOLDER.glob(f"samples_{task}_*.jsonl")
    beside = {other.name: other.read_bytes() for other in FOLDER.glob("results_*.json")}
    return read(path.name, path.read_bytes(), beside=beside)


@pytest.mark.parametrize(
    ("task", "expected"),
    [
        ("sums_gen", {"exact_match,strict": (0.444444, 9), "exact_match,flexible": (0.777778, 9)}),
        ("sums_repeated", {"exact_match": (0.333333, 9)}),
        ("sums_choice", {"acc": (0.777778, 9)}),
        ("sums_rolling", {"nats_per_word": (0.7, 9), "bits_per_byte": (0.360674, 9)}),
    ],
)
def test_files_that_the_tool_wrote(task: str, expected: dict[str, tuple[float, int]]) -> None:
    run = real(task)

    assert means(run) == expected
    assert (run.trials, run.key, run.by_position, run.errored.any()) == (1, "doc_hash", False, False)
    assert run.ids[0] == "What is 2 + 3?… sha256:b0f707393fad8918"
    assert run.ids[8] == f"{run.ids[0]} #2", "the ninth doc equals the first"


@pytest.mark.parametrize("task", ["sums_gen", "sums_choice", "sums_repeated", "sums_rolling"])
def test_the_tools_own_means_and_directions_are_met(task: str) -> None:
    (path,) = FOLDER.glob("results_*.json")
    told = json.loads(path.read_bytes())
    run = real(task)
    several = len({name.partition(",")[2] for name in told["results"][task] if "," in name}) > 1

    for name, cells in run.metrics.items():
        metric = "word_perplexity" if name == "nats_per_word" else name.partition(",")[0]
        own = told["results"][task][name if several else f"{metric},none"]
        assert cells.mean() == pytest.approx(math.log(own) if name == "nats_per_word" else own)
        assert (run.directions[name] is Direction.HIGHER) == told["higher_is_better"][task][metric]


def test_the_results_file_tells_with_what_it_was_measured() -> None:
    run = real("sums_repeated")

    assert {field: text for field, text in run.measurement.items() if "sha256" not in text} == {
        MeasurementField.MODEL: "adder",
        MeasurementField.DATASET: "sums_repeated, version 2",
        MeasurementField.TRIALS: "3 answers, one score",
        MeasurementField.TOOL: "lm-evaluation-harness 0.4.10",
    }
    assert run.measurement[MeasurementField.SCORER].startswith("exact_match sha256:")
    assert run.measurement[MeasurementField.PROMPT].startswith("sha256:")


def test_a_folder_is_read_task_by_task() -> None:
    run = read_folder("adder", {path.name: path.read_bytes() for path in FOLDER.iterdir()})

    assert list(run.metrics) == [
        "sums_choice/acc", "sums_gen/exact_match,strict", "sums_gen/exact_match,flexible", "sums_repeated/exact_match",
        "sums_rolling/nats_per_word", "sums_rolling/bits_per_byte",
    ]  # fmt: skip
    assert run.directions["sums_rolling/bits_per_byte"] is Direction.LOWER


@pytest.mark.shared
@pytest.mark.parametrize(
    ("task", "count", "base", "cand"),
    [
        ("arith_gen", 100, {"exact_match,strict-match": 0.4, "exact_match,flexible-extract": 0.49},
         {"exact_match,strict-match": 0.5, "exact_match,flexible-extract": 0.66}),
        ("arith_mc", 40, {"acc": 0.575, "acc_norm": 0.425}, {"acc": 0.675, "acc_norm": 0.575}),
        ("arith_yn", 30, {"acc": 0.8}, {"acc": 0.766667}),
    ],
)  # fmt: skip
def test_real_samples(shared: Path, task: str, count: int, base: dict[str, float], cand: dict[str, float]) -> None:
    for arm, expected in (("base", base), ("cand", cand)):
        (path,) = (shared / "lm-eval-harness" / "v0.4.13" / f"fake__{arm}-7b").glob(f"samples_{task}_*.jsonl")
        assert means(read(path.name, path.read_bytes())) == {name: (mean, count) for name, mean in expected.items()}


@pytest.mark.shared
@pytest.mark.parametrize(
    ("arm", "word", "byte", "bits"), [("base", 4.546438, 1.488407, 0.573769), ("cand", 3.922298, 1.43179, 0.51782)]
)
def test_real_perplexities_come_from_the_nats_of_each_line(
    shared: Path, arm: str, word: float, byte: float, bits: float
) -> None:
    (path,) = (shared / "lm-eval-harness" / "v0.4.13" / f"fake__{arm}-7b").glob("samples_tiny_ppl_*.jsonl")
    run = read(path.name, path.read_bytes())
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    words, size = (np.array([line[name][1] for line in lines]) for name in ("word_perplexity", "byte_perplexity"))

    assert math.exp(np.average(run.metrics["nats_per_word"], weights=words)) == pytest.approx(word, abs=1e-6)
    assert math.exp(np.average(run.metrics["nats_per_byte"], weights=size)) == pytest.approx(byte, abs=1e-6)
    assert np.average(run.metrics["bits_per_byte"], weights=size) == pytest.approx(bits, abs=1e-6)
    assert set(run.directions.values()) == {Direction.LOWER}


def test_rows_without_the_name_of_a_filter_are_its_docs_first_and_second() -> None:
    strict, flexible = [row(n, old=True, acc=n % 2) for n in range(4)], [row(n, old=True, acc=1.0) for n in range(4)]
    run = of([*strict, *flexible])

    assert means(run) == {"acc,filter-1": (0.5, 4), "acc,filter-2": (1.0, 4)}
    assert run.trials == 1
    assert any("does not name its filters" in note for note in run.notes)


def test_filters_are_told_apart_where_several_machines_wrote_one_after_the_other() -> None:
    def machine(*docs: int) -> list[dict[str, object]]:
        return [row(n, old=True, acc=value) for value in (0.0, 1.0) for n in docs]

    assert means(of([*machine(0, 2, 4), *machine(1, 3)])) == {"acc,filter-1": (0.0, 5), "acc,filter-2": (1.0, 5)}


def test_a_single_filter_is_left_out_of_the_name() -> None:
    assert list(of([row(1, filter="strict-match", acc=1.0), row(2, filter="strict-match", acc=0.0)]).metrics) == ["acc"]
    assert list(of([row(1, old=True, acc=1.0), row(2, old=True, acc=0.0)]).metrics) == ["acc"]


def test_a_file_from_before_the_hashes_pairs_with_one_that_has_them() -> None:
    old, new = of([row(n, old=True, acc=1.0) for n in range(3)]), of([row(n, acc=1.0) for n in range(3)])

    assert (old.ids, old.content) == (new.ids, new.content)


def test_the_indented_list_that_the_first_versions_wrote_is_read() -> None:
    data = json.dumps([row(n, old=True, acc=n % 2) for n in range(4)], indent=2).encode()

    assert means(read("pretrained__x_sums.jsonl", data)) == {"acc": (0.5, 4)}


def test_equal_docs_are_told_apart_by_their_order_whatever_the_order_of_the_rows() -> None:
    rows = [row(3, "Twice?", gold=0, acc=0.25), row(12, "Twice?", gold=0, acc=0.75)]
    for one in rows:
        one["doc"], one["doc_hash"] = {"question": "Twice?"}, doc_hash({"question": "Twice?"})
    found = [values(of(order))["acc"] for order in (rows, rows[::-1])]

    assert found[0] == found[1]
    assert [value for _, value in sorted(found[0].items(), key=lambda one: len(one[0]))] == [0.25, 0.75]


def test_a_row_that_stands_there_twice_is_a_trial() -> None:
    run = of([row(1, acc=1.0), row(2, acc=0.0), row(1, acc=0.0)])

    assert means(run) == {"acc": (0.25, 2)}
    assert run.trials == 2
    assert any("further trials" in note for note in run.notes)


def test_doc_id_and_fields_of_the_doc_can_name_the_question() -> None:
    rows = [row(7, acc=1.0), row(9, acc=0.0)]

    assert of(rows, ReadOptions(id_field="doc_id")).ids == ("7", "9")
    assert of(rows, ReadOptions(id_field="doc.gold")).key == "doc.gold"
    error = refused(jsonl(rows), name="x.jsonl", id_field="doc.nothing")
    assert (error.where, "`doc_id`, `doc`, `target`" in (error.remedy or "")) == ("line 1", True)


def test_rows_without_doc_are_told_apart_by_position() -> None:
    rows = [{name: cell for name, cell in row(n, old=True, acc=1.0).items() if name != "doc"} for n in range(2)]
    run = of(rows)

    assert (run.ids, run.by_position, run.key, run.content) == (("0", "1"), True, "doc_id", (None, None))


def test_labels_come_from_the_doc() -> None:
    run = of([row(1, acc=1.0), row(2, acc=0.0)], ReadOptions(labels=("doc.gold", "doc.nothing", "target")))

    assert dict(run.labels) == {"doc.gold": ("1", "2"), "target": ("1", "2")}


def test_an_edited_target_is_another_content_under_the_same_key() -> None:
    one, other = of([row(1, acc=1.0)]), of([row(1, acc=1.0, target="other", metrics=["acc"])])

    assert one.ids == other.ids
    assert one.content != other.content


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (True, {"m": 1.0}),
        (3, {"m": 3.0}),
        (None, {}),
        ([True, False, True, True], {"m": 0.75}),
        ({"a": 1, "b": 0.5}, {"m.a": 1.0, "m.b": 0.5}),
    ],
)
def test_values_of_a_question(value: object, expected: dict[str, float]) -> None:
    found = values(of([row(1, acc=1.0, m=value)]))

    assert {name: next(iter(cells.values())) for name, cells in found.items() if name != "acc" and cells} == expected


@pytest.mark.parametrize("value", [[1, 0], ["reference", "answer"], [], [[1], [2]], "text"])
def test_ingredients_of_a_corpus_metric_are_no_values(value: object) -> None:
    run = of([row(1, acc=1.0, f1=value)])

    assert list(run.metrics) == ["acc"]
    assert any("`f1`" in note for note in run.notes)
    assert refused_rows(row(1, f1=value)).what.endswith("no metric of the task has a number for each question")


@pytest.mark.parametrize("length", [0, -3])
def test_a_perplexity_of_nothing_has_no_value(length: int) -> None:
    assert values(of([row(1, acc=1.0, word_perplexity=[-2.0, length])]))["nats_per_word"] == {}


def test_the_dummy_of_a_run_without_scores_is_refused() -> None:
    assert "--predict_only" in refused_rows(row(1, bypass=999)).what


def test_nan_is_no_value_and_infinity_is_refused() -> None:
    data = jsonl([row(1, acc=1.0), row(2, acc=0.0)])

    assert values(read("x", data.replace(b'"acc": 0.0', b'"acc": NaN')))["acc"].keys() == {
        "What is 1?… sha256:" + doc_hash(row(1)["doc"])[:16]
    }
    assert refused(data.replace(b'"acc": 0.0', b'"acc": Infinity')).where == "line 2"
    assert refused(data.replace(b'"acc": 0.0', b'"acc": 1e999')).where == "line 2"
