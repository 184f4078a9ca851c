"""Writes small test runs of DeepEval without any model; see deepeval.sh, which also gives it to `deepeval test run`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arithmetic import SUMS, Sum, closeness, exact
from deepeval import assert_test, evaluate
from deepeval.evaluate import AsyncConfig, DisplayConfig, ErrorConfig
from deepeval.metrics import BaseConversationalMetric, BaseMetric
from deepeval.test_case import ConversationalTestCase, LLMTestCase

try:
    from deepeval.errors import MissingTestCaseParamsError
except ImportError:  # version 2
    from deepeval.metrics.utils import MissingTestCaseParamsError

if TYPE_CHECKING:
    from collections.abc import Callable


class Judge:
    """What the metrics below have in common: a score by a rule, and a judge that breaks on one question."""

    def __init__(self, name: str, score: Callable[[Any], float], threshold: float, *, lower: bool = False) -> None:
        self.name, self.rule, self.threshold, self.lower = name, score, threshold, lower
        self.async_mode = False
        self.evaluation_model = "none"

    @property
    def __name__(self) -> str:
        return self.name

    def measure(self, test_case: Any, *_: object, **__: object) -> float:
        self.error = None
        self.score = self.rule(test_case)
        self.success = self.score <= self.threshold if self.lower else self.score >= self.threshold
        return self.score

    async def a_measure(self, test_case: Any, *_: object, **__: object) -> float:
        return self.measure(test_case)

    def is_successful(self) -> bool:
        return self.error is None and bool(self.success)


class Metric(Judge, BaseMetric):
    """Of a question."""


class ConversationalMetric(Judge, BaseConversationalMetric):
    """Of a conversation."""


def answered(one: Sum) -> str:
    return str(int(one.answer) + ((one.left, one.right) in {(2, 5), (3, 6)}))


def close(case: LLMTestCase) -> float:
    if case.expected_output == "6":
        message = "the judge failed"
        raise RuntimeError(message)
    return closeness(case.actual_output, case.expected_output)


def grounded(case: LLMTestCase) -> float:
    if not case.retrieval_context:
        message = "'retrieval_context' cannot be None"
        raise MissingTestCaseParamsError(message)
    return float(case.actual_output in case.retrieval_context)


def metrics() -> list[Metric]:
    return [
        Metric("Exact", lambda case: float(exact(case.actual_output, case.expected_output)), 0.5),
        Metric("Closeness", close, 0.8),
        Metric("Off", lambda case: 1 - float(exact(case.actual_output, case.expected_output)), 0.5, lower=True),
        Metric("Grounded", grounded, 0.5),
    ]


def case_of(one: Sum, name: str | None = None) -> LLMTestCase:
    """Return a test case; the questions that begin with 3 have no context."""
    context = [one.answer] if one.left == 2 else None
    return LLMTestCase(
        name=name,
        input=one.question,
        actual_output=answered(one),
        expected_output=one.answer,
        retrieval_context=context,
        additional_metadata={"left": one.left},
    )


def conversation(one: Sum) -> ConversationalTestCase:
    from deepeval.test_case import Turn

    turns = [Turn(role="user", content=one.question), Turn(role="assistant", content=answered(one))]
    return ConversationalTestCase(
        scenario=f"asks for {one.left} + {one.right}", expected_outcome=one.answer, turns=turns
    )


def right_in_the_end(case: ConversationalTestCase) -> float:
    return float(case.turns[-1].content == case.expected_outcome)


def main(kind: str) -> None:
    lenient: dict[str, Any] = {
        "hyperparameters": {"model": "sums", "commit": "abc1234"},
        "error_config": ErrorConfig(ignore_errors=True, skip_on_missing_params=True),
        "async_config": AsyncConfig(run_async=False),
        "display_config": DisplayConfig(show_indicator=False, print_results=False),
    }
    if kind == "conversations":
        evaluate([conversation(one) for one in SUMS], [ConversationalMetric("Right", right_in_the_end, 0.5)], **lenient)
        return
    named = [case_of(one, f"add-{one.left}-{one.right}" if one.left == 2 else None) for one in SUMS]
    result = evaluate(named, metrics(), **lenient)
    Path("returned.json").write_text(json.dumps(result.model_dump(mode="json")), encoding="utf-8")


def test_sums() -> None:
    """Run by ``deepeval test run``: one question."""
    assert_test(case_of(SUMS[0]), metrics()[:1], run_async=False)


def test_differences() -> None:
    """Run by ``deepeval test run``: a question that fails."""
    assert_test(case_of(SUMS[2]), metrics()[:1], run_async=False)


if __name__ == "__main__":
    main(sys.argv[1])
