"""ir_measures, pytrec_eval and ranx: the same scores of queries in three more shapes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from clearband.results import read

from .shapes import jsonl, refused, score

SAMPLES = Path(__file__).parent / "samples"
MEANS = {"nDCG@10": 0.326643, "AP": 0.208333, "RR": 0.25, "P@5": 0.15, "Judged@10": 0.333333}


@pytest.mark.parametrize("kind", ["tsv", "jsonl"])
def test_files_of_an_older_version(kind: str) -> None:
    run = read(f"x.{kind}", (SAMPLES / "ir_measures" / f"ir_measures.{kind}").read_bytes())

    assert run.format == f"ir_measures/{kind}"
    assert run.ids == ("1", "2", "3", "4")
    assert {name: float(np.mean(values)) for name, values in run.metrics.items()} == pytest.approx(MEANS, abs=5e-5)
    assert run.notes == ()


@pytest.mark.shared
@pytest.mark.parametrize(
    ("system", "means"),
    [("bm25_stem", {"AP": 0.2997, "nDCG@10": 0.3851, "RR": 0.5384, "P@10": 0.2338}),
     ("lsa200", {"AP": 0.3238, "nDCG@10": 0.4070, "RR": 0.5380, "P@10": 0.2600})],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["tsv", "jsonl"])
def test_files_of_a_newer_version(shared: Path, system: str, means: dict[str, float], kind: str) -> None:
    run = read(f"x.{kind}", (shared / "ir" / f"{system}.ir_measures.{kind}").read_bytes())

    assert len(run.ids) == 225
    assert {name: float(np.mean(values)) for name, values in run.metrics.items()} == pytest.approx(means, abs=1.001e-4)


@pytest.mark.parametrize(
    "data",
    [
        (SAMPLES / "ir_measures" / "ir_measures_means.tsv").read_bytes(),
        jsonl([{"measure": "nDCG@10", "value": 0.5}, {"measure": "AP", "value": 0.2}]),
        jsonl([{"query_id": "all", "measure": "AP", "value": 0.5}, {"query_id": "all", "measure": "RR", "value": 0.2}]),
        jsonl([{"query_id": "1", "measure": "NumRet", "value": 9}, {"query_id": "2", "measure": "NumRet", "value": 9}]),
    ],
)
def test_means_or_counts_alone_are_refused_with_the_option(data: bytes) -> None:
    error = refused(data, name="x")

    assert "holds only means" in error.what
    assert "ir_measures with -q" in str(error.remedy)


def test_means_without_a_query_are_left_out() -> None:
    rows = [{"query_id": q, "measure": "AP", "value": 0.5} for q in ("a", 2)] + [{"measure": "AP", "value": 0.9}]

    assert score(read("x", jsonl(rows)), "AP") == {"a": 0.5, "2": 0.5}


def test_null_and_nan_are_no_value() -> None:
    data = b'{"query_id":"1","measure":"AP","value":NaN}\n{"query_id":"2","measure":"AP","value":null}\n'

    assert score(read("x", data), "AP") == {"1": None, "2": None}


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ({"query_id": 1.5, "measure": "AP", "value": 1}, "`query_id` is 1.5, which is no id"),
        ({"query_id": " ", "measure": "AP", "value": 1}, "`query_id` is  , which is no id"),
        ({"query_id": "2", "measure": None, "value": 1}, "this line names no measure"),
    ],
)
def test_a_damaged_row_is_named(row: object, what: str) -> None:
    error = refused(jsonl([{"query_id": "1", "measure": "AP", "value": 1}, row]), name="x")

    assert what in error.what
    assert error.where == "line 2"


def test_rows_with_more_than_the_three_fields_are_read_as_any_long_file() -> None:
    rows = [{"query_id": q, "measure": "AP", "value": q / 4, "epoch": 1} for q in range(4)]

    assert read("x", jsonl(rows)).format == "generic/jsonl-long"


class TestPytrecEval:
    """Its object of queries needs no reader of its own."""

    def test_the_generic_reader_takes_it(self) -> None:
        run = read("x.json", (SAMPLES / "pytrec_eval" / "scores.json").read_bytes())

        assert run.format == "generic/json-by-id"
        assert run.ids == ("1", "2", "3")
        assert float(np.mean(run.metrics["map"])) == pytest.approx(0.277778, abs=1e-6)
        assert float(np.mean(run.metrics["ndcg_cut_10"])) == pytest.approx(0.435525, abs=1e-6)

    @pytest.mark.shared
    @pytest.mark.parametrize(("system", "mean"), [("bm25_stem", 0.2997), ("lsa200", 0.3238)])
    def test_real_files(self, shared: Path, system: str, mean: float) -> None:
        run = read("x.json", (shared / "ir" / f"{system}.pytrec_eval.json").read_bytes())

        assert len(run.ids) == 225
        assert float(np.mean(run.metrics["map"])) == pytest.approx(mean, abs=5e-5)


class TestRanx:
    def test_measures_outside_and_queries_inside(self) -> None:
        run = read("x.json", (SAMPLES / "ranx" / "scores.json").read_bytes())

        assert run.format == "ranx/json"
        assert run.ids == ("1", "2", "3", "4")
        assert {name: round(float(np.mean(values)), 6) for name, values in run.metrics.items()} == {
            "ndcg@10": 0.326643, "map@100": 0.208333, "mrr": 0.25, "hit_rate@1-l2": 0,
        }  # fmt: skip

    @pytest.mark.shared
    def test_its_report_is_refused_with_what_to_write(self, shared: Path) -> None:
        error = refused((shared / "ir" / "ranx_report.json").read_bytes(), name="report.json")

        assert "means and p-values" in error.what
        assert "run.scores" in str(error.remedy)

    @pytest.mark.parametrize(
        "document",
        [
            {"map": {"mean": 0.5, "std": 0.1}, "ndcg@10": {"mean": 0.5, "std": 0.2}},
            {"map": 0.5, "ndcg@10": 0.25},
            {"precision": {"q1": {"value": 1}}, "recall": {"q1": {"value": 1}}},
        ],
    )
    def test_means_are_none_of_its_scores(self, document: object) -> None:
        assert "looks like one of ranx" not in refused(json.dumps(document).encode(), name="x.json").what

    def test_questions_that_are_called_like_measures_are_still_no_measures(self) -> None:
        run = read("x.json", json.dumps({"q1": {"map": 0.5, "mrr": 1}, "q2": {"map": 1, "mrr": 1}}).encode())

        assert run.ids == ("q1", "q2")

    def test_a_query_that_lacks_a_measure(self) -> None:
        run = read("x.json", json.dumps({"map": {"1": 0.5, "2": None}, "mrr": {"2": 1}}).encode())

        assert score(run, "map") == {"1": 0.5, "2": None}
        assert score(run, "mrr") == {"1": None, "2": 1}
