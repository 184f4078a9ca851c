"""Two runs compare only where they were measured alike, as far as their files tell and the policy asks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from clearband.comparing import compare_runs
from clearband.gate import judge
from clearband.vocabulary import MeasurementField as Field
from clearband.vocabulary import Outcome, State

from .factories import run, terms


def outcome(before: dict[Field, str], after: dict[Field, str], **policy: Any) -> tuple[Outcome, State, str | None]:
    random = np.random.default_rng(0)
    scores = random.random(60)
    held = terms(**policy)
    baseline = run({"score": scores.tolist()}, measurement=before)
    candidate = run({"score": (scores + random.normal(0.1, 0.02, 60)).tolist()}, measurement=after)
    comparison = compare_runs(baseline, candidate, held)
    first = comparison.metrics[0]
    return judge(comparison, held).outcome, first.state, first.why


@pytest.mark.parametrize(
    "field", [Field.JUDGE, Field.JUDGE_PROMPT, Field.SCORER, Field.DATASET, Field.TRIALS, Field.TOOL]
)
def test_another_way_of_measuring_is_not_comparable(field: Field) -> None:
    found, state, why = outcome({field: "one"}, {field: "two"})
    assert found is Outcome.INVALID
    assert state is State.INVALID
    assert why == f"not comparable: another {field}"


@pytest.mark.parametrize("field", [Field.MODEL, Field.PROMPT, Field.COMMIT])
def test_the_evaluated_system_may_differ(field: Field) -> None:
    assert outcome({field: "one"}, {field: "two"})[:2] == (Outcome.PASS, State.IMPROVED)


def test_unknown_is_not_different_and_not_the_same() -> None:
    assert outcome({Field.JUDGE: "one"}, {})[1] is State.IMPROVED
    scores = [1.0] * 40
    comparison = compare_runs(run({"score": scores}, measurement={Field.JUDGE: "one"}), run({"score": scores}), terms())
    line = comparison.measurement[0]
    assert (line.baseline, line.candidate, line.differs) == ("one", None, False)


def test_the_policy_may_let_a_field_vary_and_then_only_what_it_names() -> None:
    varies = frozenset({Field.JUDGE})
    assert outcome({Field.JUDGE: "one"}, {Field.JUDGE: "two"}, varies=varies)[0] is Outcome.PASS
    assert outcome({Field.MODEL: "one"}, {Field.MODEL: "two"}, varies=varies)[0] is Outcome.INVALID


@pytest.mark.parametrize(
    ("before", "after", "state"),
    [
        ("recall: exact", "recall: exact; tone: judge", State.IMPROVED),
        ("recall: exact; tone: judge 1", "tone: judge 2; recall: exact", State.INVALID),
        ("match; includes", "match", State.IMPROVED),
        ("match", "includes", State.INVALID),
    ],
)
def test_only_scorers_that_both_runs_name_can_contradict_each_other(before: str, after: str, state: State) -> None:
    assert outcome({Field.SCORER: before}, {Field.SCORER: after})[1] is state
