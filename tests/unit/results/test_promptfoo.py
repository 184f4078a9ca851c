"""promptfoo's rows: series, trials, breakdowns, and keys that outlive a reordered config."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from clearband.matching import match
from clearband.results import ReadOptions, read
from clearband.vocabulary import Direction, MeasurementField

from .shapes import jsonl, refused
from .tracker_files import lost, sample

if TYPE_CHECKING:
    from clearband.results.run import Run

SERIES = [
    "local:base / What is {{q}}?",
    "local:base / Compute {{q}}",
    "local:cand / What is {{q}}?",
    "local:cand / Compute {{q}}",
]


def row(vars_: dict[str, Any], *, score: float = 1.0, **fields: Any) -> dict[str, Any]:
    return {
        "success": score == 1.0, "score": score, "namedScores": {"accuracy": score}, "vars": vars_, "failureReason": 0,
        "testCase": {"vars": vars_, "assert": [{"type": "equals", "metric": "accuracy"}]}, "promptIdx": 0, "testIdx": 0,
        "gradingResult": {"pass": True}, "provider": {"id": "local", "label": ""}, "prompt": {"label": "p"}, "promptId": "x",
    } | fields  # fmt: skip


def read_rows(*rows: dict[str, Any], **options: Any) -> Run:
    return read("out.jsonl", jsonl(rows), ReadOptions(**options))


def document(*rows: dict[str, Any], **more: Any) -> bytes:
    return json.dumps({"evalId": "e", "results": {"version": 3, "results": rows, "stats": {}}, **more}).encode()


def mean(run: Run, metric: str) -> tuple[float, int]:
    values = run.metrics[metric]
    return round(float(np.nanmean(values)), 6), int(np.isfinite(values).sum())


@pytest.mark.parametrize(
    ("path", "facts"),
    [
        (
            "base.jsonl",
            {
                "success": (0.6, 25),
                "score": (0.805, 25),
                "accuracy": (0.6, 25),
                "closeness": (0.9, 25),
                "cheap": (0.72, 25),
            },
        ),
        (
            "cand.jsonl",
            {
                "success": (0.75, 24),
                "score": (0.872396, 24),
                "accuracy": (0.791667, 24),
                "closeness": (0.947917, 24),
                "cheap": (0.75, 24),
            },
        ),
    ],
)
def test_files_that_promptfoo_wrote(path: str, facts: dict[str, tuple[float, int]]) -> None:
    run = sample(f"promptfoo/{path}")
    assert len(run.ids) == 25
    assert {name: mean(run, name) for name in facts} == facts
    assert run.directions == {"latencyMs": Direction.LOWER, "cost": Direction.LOWER}


@pytest.mark.parametrize(
    ("place", "success", "score", "accuracy"),
    [(0, 0.8, 0.8875, 0.8), (1, 0.6, 0.775, 0.6), (2, 0.6, 0.8375, 0.8), (3, 0.6, 0.8375, 0.8)],
)
def test_each_series_of_two_providers_and_two_prompts(
    place: int, success: float, score: float, accuracy: float
) -> None:
    run = sample("promptfoo/matrix.json", series=SERIES[place])
    assert (len(run.ids), run.trials) == (5, 2)
    assert [mean(run, name)[0] for name in ("success", "score", "accuracy")] == [success, score, accuracy]
    assert run.series == (SERIES[place], *(name for name in SERIES if name != SERIES[place]))
    assert run.measurement[MeasurementField.MODEL] == SERIES[place].partition(" / ")[0]


def test_several_series_are_never_mixed_nor_guessed() -> None:
    with pytest.raises(Exception, match="holds 4 series") as error:
        sample("promptfoo/matrix.json")
    assert all(name in str(error.value) for name in SERIES)
    assert "--series" in str(error.value)
    assert sample("promptfoo/matrix.json", series="local:cand / C").series[0] == SERIES[3]
    with pytest.raises(Exception, match='2 series of the file begin with "local:cand"'):
        sample("promptfoo/matrix.json", series="local:cand")


def test_a_reordered_config_pairs_by_vars() -> None:
    matched = match(sample("promptfoo/base.jsonl"), sample("promptfoo/cand.jsonl"), allow_changed_questions=False)
    assert matched.ids.size == 25
    assert matched.edited == ()


def test_a_breakdown_is_lost_and_a_failed_assertion_is_a_score() -> None:
    run = read_rows(
        row({"q": "a"}, score=0.0, failureReason=1, error="Expected output to equal"),
        row({"q": "b"}, score=0.0, failureReason=2, error="429", namedScores={}, gradingResult=None),
        row({"q": "c"}),
    )
    assert lost(run) == ["b"]
    assert mean(run, "score") == (0.5, 2)


def test_older_rows_show_a_breakdown_by_an_error_that_nothing_graded() -> None:
    old = {
        key: value
        for key, value in row({"q": "a"}, score=0.0).items()
        if key not in {"failureReason", "promptIdx", "testIdx"}
    }
    del old["testCase"]  # version 2 keeps tests in its table alone
    broken = {**old, "vars": {"q": "b"}, "error": "time-out", "gradingResult": None}
    failed = {**old, "vars": {"q": "c"}, "error": "Expected", "gradingResult": {"pass": False}}
    run = read("out.json", document(old, broken, failed))
    assert lost(run) == ["b"]


def test_repeats_are_trials_and_equal_vars_with_other_assertions_are_not() -> None:
    other = {"vars": {"q": "a"}, "assert": [{"type": "contains", "metric": "accuracy"}]}
    run = read_rows(row({"q": "a"}), row({"q": "a"}, score=0.0), row({"q": "a"}, testCase=other), row({"q": "b"}))
    assert len(run.ids) == 3
    assert run.trials == 2
    assert any("told apart by a hash of what else belongs to them" in note for note in run.notes)


def test_an_id_among_the_vars_names_the_question() -> None:
    assert read_rows(row({"q": "long text", "id": "k1"}), row({"q": "other", "id": "k2"})).ids == ("k1", "k2")


def test_without_vars_only_the_place_of_a_test_names_it() -> None:
    run = read_rows(row({}, testIdx=1, score=0.0), row({}, testIdx=0))
    assert run.by_position
    assert run.metrics["score"].tolist() == [1.0, 0.0]


def test_labels_come_from_vars_and_metadata() -> None:
    case = {"vars": {"q": "a"}, "metadata": {"topic": "law"}, "assert": []}
    run = read_rows(
        row({"q": "a", "lang": "de"}, testCase=case), row({"q": "b"}), labels=("metadata.topic", "vars.lang")
    )
    assert run.labels == {"metadata.topic": ("law", None), "vars.lang": ("de", None)}


def test_what_was_measured_with_is_told() -> None:
    graded = {"vars": {"q": "b"}, "assert": [{"type": "llm-rubric", "provider": "judge-1"}]}
    run = read(
        "out.json",
        document(row({"q": "a"}), row({"q": "b"}, testCase=graded), metadata={"promptfooVersion": "0.121.20"}),
    )
    assert run.measurement == {
        MeasurementField.MODEL: "local",
        MeasurementField.PROMPT: "p (x)",
        MeasurementField.JUDGE: "judge-1",
        MeasurementField.TOOL: "promptfoo 0.121.20",
    }


def values(run: Run, metric: str) -> list[float | None]:
    return [None if np.isnan(value) else round(float(value), 6) for value in run.metrics[metric]]


@pytest.mark.parametrize("path", ["pair_0.80.3.json", "pair_0.121.1.jsonl", "pair_0.123.1.json"])
@pytest.mark.parametrize(
    ("arm", "correct", "success", "score", "broken"),
    [
        ("base", [1, 0, 1, 1, 1], [1, 0, 0, 1], [1, 0, 0.666667, 0.875], []),
        ("cand", [1, 1, None, 1, 1], [1, 1, None, 1], [1, 1, None, 0.875], ["2 + 2"]),
    ],
)
def test_files_of_every_version_agree(
    path: str, arm: str, correct: list[object], success: list[object], score: list[object], broken: list[str]
) -> None:
    """Five tests, twice each, by two providers; the last two share their vars, and the judge of the last one fails."""
    run = sample(f"promptfoo/{path}", series=arm)
    assert (len(run.ids), run.trials) == (5, 2)
    assert run.series == (f"{arm} / What is {{{{q}}}}?", f"{'base' if arm == 'cand' else 'cand'} / What is {{{{q}}}}?")
    assert values(run, "correct") == correct
    assert values(run, "success")[:4] == success
    assert values(run, "score")[:4] == score
    assert [json.loads(question)["q"] for question in lost(run)] == broken


def test_a_judge_that_failed_gives_no_score_where_the_file_says_so() -> None:
    new, old = (sample(f"promptfoo/pair_{version}", series="base") for version in ("0.123.1.json", "0.121.1.jsonl"))
    assert [values(new, name)[4] for name in ("judged", "score", "success", "correct")] == [None, None, None, 1]
    assert [values(old, name)[4] for name in ("judged", "score", "success", "correct")] == [0, 0.5, 0, 1]
    assert "2 of 10 rows had a judge that failed; promptfoo counts that as 0, here it is no score." in new.notes
    assert not new.errored.any()


@pytest.mark.parametrize(("path", "form"), [("0.80.3.json", 1), ("0.121.1.jsonl", 1), ("0.123.1.json", 0.5)])
def test_a_metric_of_two_assertions_was_a_sum_before_it_was_a_mean(path: str, form: float) -> None:
    assert values(sample(f"promptfoo/pair_{path}", series="base"), "form")[2] == form


def test_questions_of_two_versions_and_of_two_series_are_the_same() -> None:
    runs = [
        sample(f"promptfoo/pair_{path}", series=series)
        for path, series in (("0.121.1.jsonl", "base"), ("0.123.1.json", "base"), ("0.123.1.json", "cand"))
    ]
    assert runs[0].ids == runs[1].ids == runs[2].ids
    assert match(runs[1], runs[2], allow_changed_questions=False).edited == ()
    # Since 0.123 the text of `file://hint.txt` is not in the file any more.
    assert match(runs[0], runs[1], allow_changed_questions=True).edited == runs[0].ids[:1]


def test_the_file_tells_judge_commit_and_version() -> None:
    assert sample("promptfoo/pair_0.123.1.json", series="cand").measurement == {
        MeasurementField.MODEL: "cand (local:cand)",
        MeasurementField.PROMPT: "What is {{q}}? (133c80dba48b)",
        MeasurementField.COMMIT: "abc1234",
        MeasurementField.JUDGE: "file://judge.js",
        MeasurementField.TOOL: "promptfoo 0.123.1",
        MeasurementField.TRIALS: "repetitions, mean",
    }


def edited(first: dict[str, Any], second: dict[str, Any]) -> tuple[str, ...]:
    """The questions that are edited between two files of one row, and one more that stays."""
    runs = (read_rows(one, row({"q": "b"})) for one in (first, second))
    return match(*runs, allow_changed_questions=True).edited


def test_an_assertion_that_changed_makes_another_question_of_it() -> None:
    first, second = (
        row({"q": "a"}, testCase={"vars": {"q": "a"}, "assert": [{"type": "contains", "value": text}]})
        for text in ("Paris", "Par")
    )
    assert edited(first, second) == ("a",)
    assert edited(first, first) == ()


@pytest.mark.parametrize(("name", "found"), [("file://a.txt", 1), ("file://a.js", 0), ("file://a.py:made", 0)])
def test_the_text_of_a_file_that_vars_name_is_content_and_what_a_script_says_is_not(name: str, found: int) -> None:
    case = {"vars": {"q": name}, "assert": []}
    first, second = (row({"q": text}, testCase=case) for text in ("one", "two"))
    assert edited(first, second) == (name,) * found


def test_another_assertion_that_failed_decides_the_test_whatever_the_judge_says() -> None:
    def graded(*, threshold: float | None) -> dict[str, Any]:
        parts = [
            {"pass": False, "score": 0, "assertion": {"type": "equals", "metric": "accuracy"}},
            {
                "pass": False,
                "score": 0,
                "assertion": {"type": "llm-rubric", "metric": "judged"},
                "metadata": {"graderError": True},
            },
        ]
        case = {"vars": {"q": "a"}, "assert": [], **({} if threshold is None else {"threshold": threshold})}
        scores = {"accuracy": 0, "judged": 0}
        return row({"q": "a"}, score=0.0, gradingResult={"componentResults": parts}, testCase=case, namedScores=scores)

    plain, by_mean = (read_rows(graded(threshold=limit), row({"q": "b"})) for limit in (None, 0.5))
    assert [values(plain, name)[0] for name in ("success", "accuracy", "judged", "score")] == [0, 0, None, None]
    assert values(by_mean, "success")[0] is None


def test_answers_from_the_cache_were_not_timed() -> None:
    run = read_rows(
        row({"q": "a"}, latencyMs=900, cost=0.1), row({"q": "b"}, latencyMs=1, cost=0.1, response={"cached": True})
    )
    assert values(run, "latencyMs") == [900, None]
    assert values(run, "cost") == [0.1, 0.1]


@pytest.mark.parametrize("around", [None, {"version": 3, "stats": {}}])
def test_what_the_library_returned_is_read_as_well(around: dict[str, Any] | None) -> None:
    rows = [row({"q": "a"}), row({"q": "b"}, score=0.0)]
    run = read("out.json", json.dumps(rows if around is None else {**around, "results": rows}).encode())
    assert (run.format, run.ids, values(run, "accuracy")) == ("promptfoo/json", ("a", "b"), [1, 0])


def test_the_csv_is_refused_with_the_command_that_writes_json() -> None:
    header = b'Description,q,[local] p,Status,Score,Named Scores,Grader Reason,Comment\n,a,b,PASS,1.00,"{}",,\n'
    error = refused(header, name="out.csv")
    assert "rounds scores" in error.what
    assert "promptfoo eval -o results.json" in (error.remedy or "")


def test_an_evaluation_without_rows_is_refused() -> None:
    assert "holds no row" in refused(document(), name="out.json").what
