"""Real result files, against facts that were established without this program."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from clearband.results import read

from .shapes import refused

if TYPE_CHECKING:
    from pathlib import Path

    from clearband.results.run import Run

pytestmark = pytest.mark.shared

GENERIC = {
    "base": {"pass_rate": 0.719167, "first_correct": 0.725, "answer_chars": 12.575},
    "cand": {"pass_rate": 0.823333, "first_correct": 0.85, "answer_chars": 12.241667},
}
ALL_THREE = [
    "flat.jsonl", "flat.jsonl.gz", "nested.jsonl", "list.json", "dict_by_id.json", "wide.csv", "wide.tsv", "wide.parquet",
    "long.csv",
]  # fmt: skip


def _read(path: Path) -> Run:
    return read(path.name, path.read_bytes())


def _means(run: Run) -> dict[str, float]:
    return {name: round(float(np.nanmean(values)), 6) for name, values in run.metrics.items()}


@pytest.mark.parametrize("arm", GENERIC)
@pytest.mark.parametrize("shape", ALL_THREE)
def test_generic_shapes(shared: Path, arm: str, shape: str) -> None:
    run = _read(shared / "generic" / f"{arm}_{shape}")

    assert len(run.ids) == 120
    assert set(run.ids) == {f"sample_{number}" for number in range(120)}
    assert _means(run) == GENERIC[arm]


@pytest.mark.parametrize("arm", GENERIC)
def test_generic_shapes_with_other_metrics(shared: Path, arm: str) -> None:
    facts, folder = GENERIC[arm], shared / "generic"
    repeats = _read(folder / f"{arm}_repeats.csv")

    assert _means(_read(folder / f"{arm}_dict_scalar.json")) == {"score": facts["pass_rate"]}
    assert _means(repeats) == {"correct": facts["pass_rate"]}
    assert (len(repeats.ids), repeats.trials) == (120, 10)
    wrapped = _means(_read(folder / f"{arm}_wrapped.json"))
    assert wrapped.pop("latency_sec") > 0
    assert wrapped == {"sample_passed": facts["first_correct"], "pass_rate": facts["pass_rate"]}


def test_a_data_frame_that_ragas_filled(shared: Path) -> None:
    run = _read(shared / "ragas" / "base.parquet")

    assert (len(run.ids), run.format) == (20, "ragas/parquet")
    assert _means(run) == {"non_llm_string_similarity": 0.593056, "exact_match": 0.55, "non_llm_context_recall": 0.85}


@pytest.mark.parametrize(("arm", "accuracy"), [("base", 0.633333), ("cand", 0.766667)])
def test_details_of_lighteval(shared: Path, arm: str, accuracy: float) -> None:
    run = _read(shared / "lighteval" / arm / "details_arith_mc.parquet")

    assert (run.format, len(run.ids), _means(run)) == ("lighteval", 30, {"acc": accuracy})


@pytest.mark.parametrize("name", ["hard_aggregate_only.json", "hard_aggregate_only.csv"])
def test_totals_are_refused(shared: Path, name: str) -> None:
    error = refused((shared / "generic" / name).read_bytes(), name=name)

    assert error.remedy is not None
    assert "one row per question" in error.remedy


def test_every_fault_of_the_hard_file_is_met_in_turn(shared: Path) -> None:
    """Mend one fault after the other; the next one is named, and the last mending makes the file readable."""
    data = (shared / "generic" / "hard_missing_nan.jsonl").read_bytes()
    met: list[str | None] = []
    mendings = [
        (b"NaN", b"null"),
        (b'8", "score": 1.0', b'9", "score": 1.0'),
        (b'"0.5"', b"0.5"),
        (b'"N/A"', b"null"),
    ]
    for bad, good in mendings:
        met.append(refused(data, name="hard.jsonl").where)
        data = data.replace(bad, good)
    run = read("hard.jsonl", data)

    assert met == ["line 5, byte 161 of the file", "line 9 and line 10", "line 7", "line 8"]
    assert len(run.ids) == 20
    scores = dict(zip(run.ids, run.metrics["score"].tolist(), strict=True))
    assert [question for question, value in scores.items() if np.isnan(value)] == [
        f"sample_{n}" for n in (3, 4, 5, 7, 8)
    ]
    assert scores["sample_10"] == 1.0
    assert [run.ids[index] for index in np.flatnonzero(run.errored)] == ["sample_8"]


@pytest.mark.parametrize(
    ("name", "mean"),
    [("gpt-4-0613", 68.7), ("gpt-4-0613+cot", 77.1125), ("gpt-3.5-turbo-0613", 49.4125),
     ("deepseek-instruct-33b", 49.9), ("gpt-4-turbo-2024-04-09", 67.7083), ("claude-3-opus-20240229", 65.75),
     ("claude-3-opus-20240229+cot", 82.0)],
)  # fmt: skip
def test_published_pass_rates(shared: Path, name: str, mean: float) -> None:
    run = _read(shared / "paired" / "cruxeval_output" / f"{name}.jsonl")

    assert list(run.metrics) == ["pass_at_1"]
    assert len(run.ids) == 800
    assert run.metrics["pass_at_1"].mean() * 100 == pytest.approx(mean, abs=5e-5)


@pytest.mark.parametrize(
    ("name", "resolved", "n"),
    [("claude-45sonnet-10132025", 319, 730), ("gpt-5-250-turns-10132025", 265, 729),
     ("kimi-k2-instruct-10132025", 202, 729), ("gptoss-paper", 118, 728), ("claude-4sonnet-10132025", 240, 562)],
)  # fmt: skip
def test_resolved_counts(shared: Path, name: str, resolved: int, n: int) -> None:
    run = _read(shared / "paired" / "swebench_pro" / f"{name}.csv")

    assert len(run.ids) == n
    assert run.metrics["resolved"].sum() == resolved


@pytest.mark.parametrize("system", ["bm25_stem", "lsa200"])
def test_one_retrieval_run_in_three_files(shared: Path, system: str) -> None:
    """The same scores as a wide table, as pytrec_eval's object by id and as ir_measures' long lines."""
    names = {"nDCG@10": "ndcg_cut_10", "AP": "map", "RR": "recip_rank", "P@10": "P_10"}
    table = _read(shared / "paired" / "cranfield_ir" / f"{system}.csv")
    by_id = _read(shared / "ir" / f"{system}.pytrec_eval.json")
    long = _read(shared / "ir" / f"{system}.ir_measures.jsonl")

    assert set(table.ids) == set(by_id.ids) == set(long.ids)
    assert len(table.ids) == 225
    for name, other in names.items():
        expected = dict(zip(table.ids, table.metrics[name].tolist(), strict=True))
        assert dict(zip(by_id.ids, by_id.metrics[other].tolist(), strict=True)) == pytest.approx(expected, abs=1e-7)
        assert dict(zip(long.ids, long.metrics[name].tolist(), strict=True)) == pytest.approx(expected, abs=1e-4)
