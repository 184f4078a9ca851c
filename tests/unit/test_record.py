"""The record: pure, canonical, and as its published schema says."""

from __future__ import annotations

import hashlib
import json
from dataclasses import fields
from importlib import resources
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from clearband.audit.asked import Asked, asked_of, asked_part
from clearband.audit.record import canonical_bytes, digest
from clearband.declaration import NotDeclared
from clearband.errors import UnusableResults
from clearband.pipeline import Request, answer, unusable
from clearband.policy import Anchor, MetricPolicy, MustPass, Policy
from clearband.results.options import PairOptions, ReadOptions
from clearband.sources import Source
from clearband.terms import Options
from clearband.vocabulary import (
    BaselineCommit,
    BaselineMissing,
    BaselineRuns,
    Direction,
    IntervalMethod,
    LedgerMode,
    MeasurementField,
    Mode,
    OnLost,
    Reducer,
    Requirement,
    ShowQuestions,
    Statistic,
)

if TYPE_CHECKING:
    from clearband.answers import Answer

SCHEMA = json.loads(resources.files("clearband.audit").joinpath("record.schema.json").read_text(encoding="utf-8"))


def rows(values: list[float | None], *, start: int = 0, shuffled: bool = False) -> bytes:
    lines = [json.dumps({"id": f"q{start + index}", "score": value}) for index, value in enumerate(values)]
    return "\n".join(reversed(lines) if shuffled else lines).encode()


def answered(baseline: bytes, candidate: bytes, **changes: Any) -> Answer:
    request: dict[str, Any] = {
        "baseline": Source(name="base.jsonl", data=baseline),
        "candidate": Source(name="cand.jsonl", data=candidate),
        "policy": None,
        "declaration": None,
        "options": Options(primary="score"),
    }
    return answer(Request(**{**request, **changes}))


BASE = [0.0, 1.0, 0.5, 0.25] * 20
CAND = [0.5, 1.0, 0.5, 0.0] * 15 + [1.0] * 20


def valid(record: dict[str, Any]) -> None:
    jsonschema.validate(record, SCHEMA, cls=jsonschema.Draft202012Validator)


@pytest.mark.parametrize("n_boot", [None, 999])
def test_a_record_satisfies_its_published_schema(n_boot: int | None) -> None:
    policy = Policy(primary="score", metrics={"score": MetricPolicy(range=(0, 1), effect=0.05)}, sha256="a" * 64)
    valid(answered(rows(BASE), rows(CAND), policy=policy, options=Options(n_boot=n_boot)).record)
    valid(answered(rows([*BASE, None, 1.0]), rows([*CAND, 1.0, None]), policy=policy, options=Options()).record)


def test_the_record_of_a_problem_satisfies_the_schema_and_holds_no_numbers() -> None:
    record = unusable(
        UnusableResults("x.csv is empty"), declaration=NotDeclared(suite="default", reason="empty")
    ).record
    valid(record)
    assert record["metrics"] == []
    assert record["verdict"]["exit_status"] == 3


def test_the_same_files_give_the_same_bytes() -> None:
    first, second = answered(rows(BASE), rows(CAND)), answered(rows(BASE), rows(CAND))
    assert canonical_bytes(first.record) == canonical_bytes(second.record)
    assert digest(first.record) == digest(second.record)


@pytest.mark.parametrize("n_boot", [None, 1_999])
def test_shuffled_rows_give_the_same_metrics_to_the_last_digit(n_boot: int | None) -> None:
    options = Options(primary="score", n_boot=n_boot)
    plain = answered(rows(BASE), rows(CAND), options=options).record
    shuffled = answered(rows(BASE, shuffled=True), rows(CAND, shuffled=True), options=options).record
    assert canonical_bytes({"metrics": plain["metrics"]}) == canonical_bytes({"metrics": shuffled["metrics"]})
    assert plain["inputs"] != shuffled["inputs"]


def test_bytes_are_sorted_ascii_of_twelve_digits_with_a_newline_at_the_end() -> None:
    record = answered(rows([value / 3 for value in BASE]), rows([value / 7 for value in CAND])).record
    text = canonical_bytes(record).decode("ascii")
    assert text.endswith("}\n")
    assert json.loads(text) == record
    for value in _floats(record):
        assert value == float(f"{value:.12g}")


def test_long_lists_of_ids_are_cut_and_counted() -> None:
    record = answered(rows(BASE), rows([*BASE, *([0.5] * 1_500)])).record
    assert record["questions"]["added"]["count"] == 1_500
    assert len(record["questions"]["added"]["ids"]) == 1_000


def test_a_record_has_no_negative_zero_and_refuses_what_json_cannot_hold() -> None:
    assert b"-0.0" not in canonical_bytes(answered(rows(BASE), rows(BASE)).record)
    with pytest.raises(ValueError, match="JSON"):
        canonical_bytes({"x": float("nan")})


def _floats(value: Any) -> list[float]:
    match value:
        case float():
            return [value]
        case dict():
            return [found for inner in value.values() for found in _floats(inner)]
        case list():
            return [found for inner in value for found in _floats(inner)]
        case _:
            return []


def test_what_was_asked_comes_back_out_of_the_record() -> None:
    policy = Policy(
        primary="score",
        require=Requirement.NON_INFERIORITY,
        confidence=0.9,
        interval=IntervalMethod.EXPANDED,
        max_lost=0.5,
        min_questions=12,
        allow_changed_questions=True,
        on_lost=OnLost.WORST_CASE,
        cluster="doc",
        slices=("kind",),
        min_slice=20,
        slice_guardrails=True,
        must_pass=(
            MustPass(metric="score", ids=tuple(f"q{n}" for n in range(1_200)), passes_at=0.5),
            MustPass(metric="score", field="kind", value="a"),
        ),
        varies=frozenset({MeasurementField.MODEL}),
        mode=Mode.REPORT,
        max_looks=3,
        paths=("prompts/**",),
        anchor=Anchor(name="v1", sha256="b" * 64),
        baseline_commit=BaselineCommit.NEAREST_ANCESTOR,
        baseline_runs=BaselineRuns.ALL,
        baseline_missing=BaselineMissing.RECORD,
        comment_template=".github/clearband.md.j2",
        ledger=LedgerMode.BRANCH,
        override_by_author=True,
        show_questions=ShowQuestions.COUNTS,
        metrics={
            "score": MetricPolicy(direction=Direction.LOWER, range=(0.0, 1.0), unit="s", margin=0.1, effect=0.05),
            "time": MetricPolicy(statistic=Statistic.P95, reducer=Reducer.PASS_AT_K, k=2, budget=0.1, directed=False),
        },
        sha256="a" * 64,
    )
    asked = Asked(
        policy=policy,
        options=Options(
            primary="score",
            effect=0.1,
            confidence=0.8,
            interval=IntervalMethod.BCA,
            n_boot=999,
            seed=7,
            reading=PairOptions(baseline=ReadOptions(id_field="id", series="a", task="t"), candidate=ReadOptions()),
            metrics=("score", "time"),
            lower_is_better=("time",),
        ),
        needs_policy=True,
        pairwise=True,
        show_questions=ShowQuestions.COUNTS,
        look=2,
    )
    default = MetricPolicy()
    untold = [name.name for name in fields(Policy) if getattr(policy, name.name) == getattr(Policy(), name.name)]
    assert untold == []
    assert {name.name for name in fields(MetricPolicy)} == {
        name.name
        for name in fields(MetricPolicy)
        if any(getattr(rules, name.name) != getattr(default, name.name) for rules in policy.metrics.values())
    } | {"role"}
    assert asked_of(json.loads(json.dumps(asked_part(asked)))) == asked


def test_the_eval_set_is_named_by_its_questions_in_whatever_order() -> None:
    one, shuffled = answered(rows(BASE), rows(CAND)).record, answered(rows(BASE, shuffled=True), rows(CAND)).record
    ids = json.dumps(sorted(f"q{number}" for number in range(len(BASE))), separators=(",", ":"))
    assert one["questions"]["set_sha256"] == hashlib.sha256(ids.encode()).hexdigest()
    assert shuffled["questions"]["set_sha256"] == one["questions"]["set_sha256"]
    assert answered(rows(BASE[1:]), rows(CAND)).record["questions"]["set_sha256"] != one["questions"]["set_sha256"]


def test_everything_a_policy_can_say_is_in_the_record() -> None:
    record = answered(rows(BASE), rows(CAND), policy=Policy(primary="score", metrics={"score": MetricPolicy()})).record
    assert {field.name for field in fields(Policy)} == set(record["policy"])
    assert {field.name for field in fields(MetricPolicy)} == set(record["policy"]["metrics"]["score"])


def test_clusters_slices_trials_must_pass_and_measurement_are_recorded_as_the_schema_says() -> None:
    def arm(values: list[float]) -> bytes:
        lines = [
            {
                "id": f"q{place // 2}",
                "trial": place % 2,
                "score": value,
                "doc": f"d{place // 8}",
                "kind": "abc"[place // 80],
            }
            for place, value in enumerate(values)
        ]
        return "\n".join(map(json.dumps, lines)).encode()

    policy = Policy(
        primary="score",
        metrics={"score": MetricPolicy(range=(0, 1), effect=0.05)},
        cluster="doc",
        slices=("kind",),
        slice_guardrails=True,
        min_slice=20,
        must_pass=(MustPass(metric="score", ids=("q0", "gone")), MustPass(metric="score", field="kind", value="a")),
        max_lost=0.5,
        on_lost=OnLost.WORST_CASE,
    )
    record = answered(arm(BASE * 2), arm([*CAND * 2][:-4]), policy=policy, options=Options()).record
    valid(record)
    metric = record["metrics"][0]
    assert metric["clusters"]["clusters"] == 20
    assert metric["trials"]["baseline"] == 2.0
    assert metric["worst_case"]["state"]
    assert record["method"]["cluster"] == "doc"
    assert [part["value"] for part in record["slices"]] == ["a", "b"]
    assert record["must_pass"][0]["cannot_tell"] == {"count": 1, "ids": ["gone"]}
    assert {reason["outcome"] for reason in record["verdict"]["reasons"]} >= {"cannot-tell"}
