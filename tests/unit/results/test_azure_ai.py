"""azure-ai-evaluation's files: what is a metric, which way is better, what names a question."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from clearband.results import ReadOptions, read
from clearband.vocabulary import Direction, MeasurementField

from .shapes import refused, score
from .tracker_files import sample, unscored

if TYPE_CHECKING:
    from clearband.results.run import Run


def row(query: str, **fields: object) -> dict[str, object]:
    return {"inputs.query": query, "inputs.response": f"answer to {query}", "inputs.ground_truth": "5"} | fields


def document(*rows: dict[str, object]) -> bytes:
    return json.dumps({"rows": rows, "metrics": {}, "studio_url": None}).encode()


def read_file(*rows: dict[str, object], **options: object) -> Run:
    return read("results.json", document(*rows), ReadOptions(**options))  # type: ignore[arg-type]


def judged(value: float | None, verdict: str, **more: object) -> dict[str, object]:
    name = "outputs.relevance.relevance"
    return {
        name: value, f"{name}_score": value, f"{name}_result": verdict, f"{name}_passed": verdict == "pass",
        f"{name}_threshold": 3, f"{name}_reason": "because", f"{name}_status": "completed", f"{name}_model": "judge-1",
        f"{name}_total_tokens": 900, f"{name}_properties": None,
    } | more  # fmt: skip


def test_metrics_are_called_as_the_tool_calls_their_means_and_bookkeeping_is_none() -> None:
    run = read_file(row("a", **judged(5, "pass")), row("b", **judged(2, "fail")))

    assert score(run, "relevance.relevance") == {"a": 5.0, "b": 2.0}
    assert score(run, "relevance.relevance_result") == {"a": 1.0, "b": 0.0}
    assert set(run.metrics) == {"relevance.relevance", "relevance.relevance_result"}


def test_judge_and_threshold_belong_to_the_measurement() -> None:
    run = read_file(row("a", **judged(5, "pass")), row("b", **judged(2, "fail")))

    assert run.measurement == {
        MeasurementField.SCORER: "relevance.relevance threshold 3",
        MeasurementField.JUDGE: "relevance.relevance: judge-1",
    }


def test_what_passes_says_which_way_is_better() -> None:
    high = read_file(row("a", **judged(5, "pass")), row("b", **judged(2, "fail")))
    low = read_file(row("a", **judged(5, "fail")), row("b", **judged(2, "pass")))
    neither = read_file(row("a", **judged(3, "pass")), row("b", **judged(3, "pass")))

    assert high.directions["relevance.relevance"] is Direction.HIGHER
    assert low.directions["relevance.relevance"] is Direction.LOWER
    assert "relevance.relevance" not in neither.directions
    assert low.directions["relevance.relevance_result"] is Direction.HIGHER


def test_a_severity_in_words_has_its_number_beside_it() -> None:
    safe = {"outputs.violence.violence": "Very low", "outputs.violence.violence_score": 0, "outputs.violence.violence_result": "pass",
            "outputs.violence.violence_threshold": 3}  # fmt: skip
    bad = safe | {"outputs.violence.violence_score": 6, "outputs.violence.violence_result": "fail"}
    run = read_file(row("a", **safe), row("b", **bad))

    assert score(run, "violence.violence_score") == {"a": 0.0, "b": 6.0}
    assert run.directions["violence.violence_score"] is Direction.LOWER


def test_a_number_that_the_evaluated_system_gives_is_no_metric() -> None:
    run = read_file(row("a", **{"outputs.total": 5, "outputs.sums.exact": 1}), row("b", **{"outputs.total": 6}))

    assert set(run.metrics) == {"sums.exact"}


def test_the_old_name_beside_the_new_one_is_left_out() -> None:
    both = {"outputs.relevance.relevance": 4, "outputs.relevance.gpt_relevance": 4}
    alone = {"outputs.relevance.gpt_relevance": 4}

    assert set(read_file(row("a", **both), row("b")).metrics) == {"relevance.relevance"}
    assert set(read_file(row("a", **alone), row("b")).metrics) == {"relevance.gpt_relevance"}


def test_nan_of_an_evaluator_that_failed_is_no_value() -> None:
    run = sample("azure-ai-evaluation/results.json")

    assert unscored(run, "sums.close") == ["What is 2 + 4?", "What is 3 + 3?"]
    assert unscored(run, "f1.f1_score") == []


def test_the_answer_changes_neither_id_nor_content() -> None:
    run = read_file(row("a", **judged(5, "pass")), row("b", **judged(2, "fail")))
    other = read_file(row("a", **judged(5, "pass") | {"inputs.response": "else"}), row("b", **judged(2, "fail")))

    assert (run.ids, run.content) == (other.ids, other.content)


def test_what_names_a_question() -> None:
    scored = {"outputs.sums.exact": 1}
    own = read_file(row("a", **scored | {"inputs.id": "q1"}), row("b", **scored | {"inputs.id": "q2"}))
    plain = read_file(*({"inputs.city": city, "inputs.response": "x", **scored} for city in ("Bonn", "Ulm")))
    talk = read_file(*({"inputs.conversation": {"messages": [{"content": word}]}, **scored} for word in "ab"))

    assert (own.ids, own.key) == (("q1", "q2"), "id")
    assert plain.ids == ("Bonn", "Ulm")
    assert talk.by_position
    assert read_file(row("a", **scored), row("b"), id_field="inputs.query").key == "inputs.query"


def test_questions_in_the_same_words_keep_ids_of_their_own() -> None:
    run = read_file(*(row("a", **{"inputs.id": number, "outputs.x.y": number}) for number in (1, 2)))

    assert score(run, "x.y") == {"1": 1.0, "2": 2.0}


def test_means_alone_are_refused_with_what_to_do() -> None:
    error = refused(
        json.dumps({"rows": [], "metrics": {"f1.f1_score": 0.5}, "studio_url": None}).encode(), name="r.json"
    )

    assert "only means" in error.what
    assert "output_path" in (error.remedy or "")


def test_rows_without_an_evaluators_number_are_refused() -> None:
    assert "evaluator" in (refused(document(row("a"), row("b")), name="r.json").remedy or "")


def test_a_threshold_beyond_every_number_is_no_part_of_the_measurement() -> None:
    absurd = {"outputs.x.y": 1, "outputs.x.y_result": "pass", "outputs.x.y_threshold": 10**400}
    run = read("r.json", document(row("a", **absurd)).replace(b"null", b"NaN"))

    assert (score(run, "x.y"), dict(run.measurement)) == ({"a": 1.0}, {})
