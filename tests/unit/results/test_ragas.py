"""Ragas tables, saved from pandas in whatever form."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from clearband.results import ReadOptions, ragas, read
from clearband.results.outline import outline
from clearband.results.result_file import open_file

from .parquet_bytes import written
from .shapes import delimited, jsonl
from .tracker_files import means, sample

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
@pytest.mark.parametrize(("arm", "facts"), [("base", (0.593056, 0.55, 0.85)), ("cand", (0.9125, 0.9, 1.0))])
def test_files_that_ragas_wrote(kind: str, arm: str, facts: tuple[float, ...]) -> None:
    run = sample(f"ragas/{arm}.{kind}")
    assert len(run.ids) == 20
    assert tuple(means(run).values()) == facts
    assert run.format == f"ragas/{kind}"
    assert run.ids[0] == "What is the capital of France?"


@pytest.mark.parametrize("path", ["sums.csv", "sums.json", "sums.jsonl", "sums_columns.json", "sums.parquet"])
def test_every_way_of_saving_a_table_says_the_same(path: str) -> None:
    """The system gets 2 + 5 and 3 + 6 wrong, and a metric fails on the two sums that make 6."""
    run, other = sample(f"ragas/{path}"), sample("ragas/sums.csv")
    assert run.format.startswith("ragas/")
    assert run.ids[:2] == ("What is 2 + 3?", "What is 2 + 4?")
    assert run.metrics["exact_match"].tolist() == [1, 1, 0, 1, 1, 1, 1, 0]
    assert run.metrics["closeness"].tolist() == pytest.approx([1, np.nan, 0.75, 1, np.nan, 1, 1, 0.75], nan_ok=True)
    assert not run.errored.any()
    assert (run.ids, run.content) == (other.ids, other.content)


@pytest.mark.parametrize("path", ["talks.csv", "talks.jsonl", "talks_columns.json"])
def test_a_conversation_is_named_by_what_the_user_said(path: str) -> None:
    run = sample(f"ragas/{path}")
    assert run.format.startswith("ragas/")
    assert run.ids[2] == "What is 2 + 5?"
    assert run.metrics["right_in_the_end"].tolist() == [1, 1, 0, 1, 1, 1, 1, 0]


def test_conversations_in_parquet_are_refused() -> None:
    with pytest.raises(Exception, match="no field says which question"):
        sample("ragas/talks.parquet")


def talk(*texts: str, answer: str) -> list[dict[str, str]]:
    return [*({"content": text, "type": "human"} for text in texts), {"content": answer, "type": "ai"}]


@pytest.mark.parametrize(
    "texts", [('It\'s "so"\n\\ é\u200b',), ("one", "two"), ("a {'content': 'b', 'type': 'human'}",)]
)
def test_a_conversation_has_one_key_in_json_and_in_csv_whatever_was_answered(texts: tuple[str, ...]) -> None:
    found = set()
    for answer in ("yes", "no"):
        rows = [{"user_input": talk(*texts, answer=answer), "m": 1.0}, {"user_input": talk("x", answer="y"), "m": 0.0}]
        spelled = [{**row, "user_input": str(row["user_input"])} for row in rows]
        found |= {read("r", jsonl(rows)).ids, read("r", delimited(spelled)).ids}
    assert len(found) == 1


def test_parquet_takes_a_word_for_a_score_and_leaves_contexts_alone(tmp_path: Path) -> None:
    data = written(
        tmp_path,
        """SELECT user_input, [repeat('c', 9000)] AS retrieved_contexts, repeat('r', 9000) AS response, reference, aspect, topic
        FROM (VALUES ('a', 'x', 'pass', 'law'), ('b', 'y', 'fail', 'art')) AS t(user_input, reference, aspect, topic)""",
    )
    run = read("r.parquet", data, ReadOptions(labels=("topic",)))
    assert (run.format, run.ids) == ("ragas/parquet", ("a", "b"))
    assert {name: values.tolist() for name, values in run.metrics.items()} == {"aspect": [1, 0]}
    assert run.labels == {"topic": ("law", "art")}


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
    assert not ragas.sniff(file, outline(file))
