"""Ragas tables, saved from pandas in whatever form."""

from __future__ import annotations

import numpy as np
import pytest

from clearband.results import ragas, read
from clearband.results.outline import outline
from clearband.results.result_file import open_file

from .shapes import delimited, jsonl
from .tracker_files import means, sample


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
@pytest.mark.parametrize(("arm", "facts"), [("base", (0.593056, 0.55, 0.85)), ("cand", (0.9125, 0.9, 1.0))])
def test_files_that_ragas_wrote(kind: str, arm: str, facts: tuple[float, ...]) -> None:
    run = sample(f"ragas/{arm}.{kind}")
    assert len(run.ids) == 20
    assert tuple(means(run).values()) == facts
    assert run.format == f"ragas/{kind}"
    assert run.ids[0] == "What is the capital of France?"


def row(question: str, **scores: object) -> dict[str, object]:
    return {
        "user_input": question,
        "retrieved_contexts": "['c']",
        "response": "r",
        "reference": f"ref {question}",
        **scores,
    }


def test_a_metric_that_failed_is_lost_and_never_zero() -> None:
    rows = [row("a", faithfulness=0.5), row("b", faithfulness=None), row("c", faithfulness=1.0)]
    for data in (delimited(rows), jsonl(rows), jsonl(rows).replace(b"null", b"NaN")):
        assert read("r", data).metrics["faithfulness"].tolist() == pytest.approx([0.5, np.nan, 1.0], nan_ok=True)


def test_words_of_a_discrete_metric_are_scores() -> None:
    rows = [row("a", aspect="pass"), row("b", aspect="fail")]
    assert read("r.csv", delimited(rows)).metrics["aspect"].tolist() == [1.0, 0.0]


def test_the_columns_of_the_first_release() -> None:
    rows = [
        {
            "question": q,
            "answer": "a",
            "contexts": "['c']",
            "ground_truth": "g",
            "faithfulness": 0.5,
            "answer_relevancy": 0.25,
        }
        for q in ("one", "two")
    ]
    run = read("r.csv", delimited(rows))
    assert run.ids == ("one", "two")
    assert set(run.metrics) == {"faithfulness", "answer_relevancy"}


def test_inputs_that_repeat_with_another_reference_are_other_questions() -> None:
    rows = [{**row("a", m=1.0), "reference": "x"}, {**row("a", m=0.0), "reference": "y"}, row("b", m=1.0)]
    assert len(read("r.jsonl", jsonl(rows)).ids) == 3


def test_an_edited_reference_shows_in_the_content() -> None:
    first, second = (
        read("r.jsonl", jsonl([{**row("a", m=1.0), "reference": ref}, row("b", m=1.0)])) for ref in ("x", "y")
    )
    assert first.content is not None
    assert second.content is not None
    assert [one == other for one, other in zip(first.content, second.content, strict=True)] == [False, True]


@pytest.mark.parametrize(
    "data",
    [
        b"question,answer,score\na,b,1\n",
        b'{"user_input": "a", "score": 1}\n{"user_input": "b", "score": 0}\n',
        b'[{"id": "a", "response": "x", "score": 1}]',
    ],
)
def test_a_table_without_the_samples_columns_is_not_taken(data: bytes) -> None:
    file = open_file("r", data)
    assert not ragas.sniff(file, outline(file.data))
