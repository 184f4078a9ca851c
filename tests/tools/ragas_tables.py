"""Writes tables of Ragas without any model: a metric that fails on some samples, and a conversation; see ragas.sh."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import arithmetic
from ragas import EvaluationDataset, evaluate
from ragas.dataset_schema import MultiTurnSample, SingleTurnSample
from ragas.messages import AIMessage, HumanMessage
from ragas.metrics import ExactMatch
from ragas.metrics.base import MetricType, MultiTurnMetric, SingleTurnMetric

if TYPE_CHECKING:
    import pandas as pd


@dataclass
class Closeness(SingleTurnMetric):
    """Fail where the reference is 6, as a judge does that is not reached."""

    name: str = "closeness"
    _required_columns: dict[MetricType, set[str]] = field(
        default_factory=lambda: {MetricType.SINGLE_TURN: {"response", "reference"}}
    )

    def init(self, run_config: Any) -> None:
        """Nothing to prepare."""

    async def _single_turn_ascore(self, sample: SingleTurnSample, callbacks: Any) -> float:
        if sample.reference == "6":
            message = "the judge failed"
            raise RuntimeError(message)
        return arithmetic.closeness(sample.response, sample.reference)


@dataclass
class RightInTheEnd(MultiTurnMetric):
    """Whether the last message is the reference."""

    name: str = "right_in_the_end"
    _required_columns: dict[MetricType, set[str]] = field(
        default_factory=lambda: {MetricType.MULTI_TURN: {"user_input", "reference"}}
    )

    def init(self, run_config: Any) -> None:
        """Nothing to prepare."""

    async def _multi_turn_ascore(self, sample: MultiTurnSample, callbacks: Any) -> float:
        return float(sample.user_input[-1].content == sample.reference)


def answered(one: arithmetic.Sum) -> str:
    return str(int(one.answer) + ((one.left, one.right) in {(2, 5), (3, 6)}))


def write(table: pd.DataFrame, folder: Path, name: str) -> None:
    table.to_csv(folder / f"{name}.csv", index=False)
    table.to_json(folder / f"{name}_columns.json")
    table.to_json(folder / f"{name}.json", orient="records")
    table.to_json(folder / f"{name}.jsonl", orient="records", lines=True)
    table.to_parquet(folder / f"{name}.parquet")


def main(folder: Path) -> None:
    singles = [
        SingleTurnSample(
            user_input=one.question,
            retrieved_contexts=[f"{one.left} and {one.right} make {one.answer}."],
            response=answered(one),
            reference=one.answer,
        )
        for one in arithmetic.SUMS
    ]
    result = evaluate(EvaluationDataset(singles), [ExactMatch(), Closeness()], show_progress=False)
    write(result.to_pandas(), folder, "sums")
    talks = [
        MultiTurnSample(
            user_input=[HumanMessage(content=one.question), AIMessage(content=answered(one))], reference=one.answer
        )
        for one in arithmetic.SUMS
    ]
    result = evaluate(EvaluationDataset(talks), [RightInTheEnd()], show_progress=False)
    write(result.to_pandas(), folder, "talks")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
