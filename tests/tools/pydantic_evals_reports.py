"""Writes reports of pydantic-evals; see trackers.sh."""

from __future__ import annotations

import inspect
import json
import sys
from dataclasses import dataclass
from pathlib import Path

from arithmetic import SUMS, asked, closeness, exact
from pydantic import TypeAdapter
from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import Evaluator, EvaluatorContext
from pydantic_evals.reporting import EvaluationReport


@dataclass
class Right(Evaluator):
    """An assertion."""

    def evaluate(self, ctx: EvaluatorContext) -> bool:
        return exact(ctx.output, ctx.expected_output)


@dataclass
class Close(Evaluator):
    """A score with an argument, which fails on one question."""

    slack: float = 0.0

    def evaluate(self, ctx: EvaluatorContext) -> float:
        if ctx.expected_output == "6":
            message = "the judge failed"
            raise RuntimeError(message)
        return min(1.0, closeness(ctx.output, ctx.expected_output) + self.slack)


@dataclass
class Word(Evaluator):
    """A label."""

    def evaluate(self, ctx: EvaluatorContext) -> str:
        return "good" if exact(ctx.output, ctx.expected_output) else "bad"


def main(folder: Path) -> None:
    cases = [
        Case(
            name=f"add-{one.left}-{one.right}",
            inputs=one.question,
            expected_output=one.answer,
            metadata={"left": one.left},
        )
        for one in SUMS
    ]
    dataset = Dataset(cases=cases, evaluators=[Right(), Close(slack=0.125), Word()], **_named(Dataset))
    adapter = TypeAdapter(EvaluationReport)
    repeated = "repeat" in inspect.signature(dataset.evaluate_sync).parameters
    report = dataset.evaluate_sync(asked, **({"repeat": 2} if repeated else {}))
    path = folder / ("repeated.json" if repeated else "report.json")
    document = adapter.dump_python(report, mode="json")
    for one in (*document["failures"], *(bad for case in document["cases"] for bad in case["evaluator_failures"])):
        one["error_stacktrace"] = "(trimmed)"
    path.write_text(json.dumps(document) + "\n", encoding="utf-8")


def _named(kind: type) -> dict[str, str]:
    return {"name": "sums"} if "name" in inspect.signature(kind.__init__).parameters else {}


if __name__ == "__main__":
    main(Path(sys.argv[1]))
