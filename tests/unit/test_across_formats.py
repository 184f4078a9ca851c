"""Two arms from different tools: they pair wherever they name the same questions."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearband.pipeline import Request, answer
from clearband.sources import Source
from clearband.terms import Options

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clearband.comparison import Comparison


def as_csv(scores: Mapping[str, float]) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerows([("id", "match"), *scores.items()])
    return text.getvalue().encode()


def as_inspect_log(scores: Mapping[str, float]) -> bytes:
    samples = [
        {
            "id": question,
            "epoch": 1,
            "input": f"What is {question}?",
            "target": "x",
            "scores": {"match": {"value": score}},
        }
        for question, score in scores.items()
    ]
    log = {
        "version": 2,
        "status": "success",
        "eval": {"task": "qa", "model": "mockllm/model", "dataset": {"name": "qa"}, "config": {"epochs": 1}},
        "samples": samples,
    }
    return json.dumps(log).encode()


def compared(baseline: Mapping[str, float], candidate: Mapping[str, float]) -> Comparison:
    done = answer(
        Request(
            baseline=Source(name="base.csv", data=as_csv(baseline)),
            candidate=Source(name="cand.json", data=as_inspect_log(candidate)),
            policy=None,
            declaration=None,
            options=Options(primary="match"),
        )
    )
    assert done.comparison is not None, done.problem
    return done.comparison


_QUESTIONS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=12)
_SCORES = st.sampled_from([0.0, 0.25, 0.5, 1.0])


@given(st.dictionaries(_QUESTIONS, st.tuples(_SCORES, _SCORES), min_size=12, max_size=40))
def test_a_table_and_a_log_pair_on_equal_ids(scores: dict[str, tuple[float, float]]) -> None:
    baseline = {question: pair[0] for question, pair in scores.items()}
    candidate = {question: pair[1] for question, pair in reversed(scores.items())}
    found = compared(baseline, candidate)

    assert (found.baseline.format, found.candidate.format) == ("generic/csv", "inspect-ai/json")
    (metric,) = found.metrics
    assert (found.questions.paired, metric.n, metric.name) == (len(scores), len(scores), "match")
    change = sum(after - before for before, after in scores.values()) / len(scores)
    assert metric.delta == pytest.approx(change, abs=1e-9)


def test_numbers_in_a_table_are_the_numbers_of_a_log() -> None:
    table = {str(number): float(number % 2) for number in range(1, 21)}
    log = as_inspect_log(table).replace(b'"id": "', b'"id": ').replace(b'", "epoch"', b', "epoch"')
    done = answer(
        Request(
            baseline=Source(name="base.csv", data=as_csv(table)),
            candidate=Source(name="cand.json", data=log),
            policy=None,
            declaration=None,
            options=Options(),
        )
    )
    assert done.comparison is not None, done.problem
    assert done.comparison.questions.paired == 20
