"""Writes the table of a LangSmith experiment, without the service; see trackers.sh."""

from __future__ import annotations

import sys
import uuid
from pathlib import Path

import arithmetic
from langsmith import evaluate
from langsmith.schemas import Example


def target(inputs: dict[str, str]) -> dict[str, str]:
    return {"answer": arithmetic.asked(inputs["question"])}


def exact(outputs: dict[str, str], reference_outputs: dict[str, str]) -> bool:
    return arithmetic.exact((outputs or {}).get("answer"), reference_outputs["answer"])


def closeness(outputs: dict[str, str], reference_outputs: dict[str, str]) -> float:
    return arithmetic.closeness(outputs["answer"], reference_outputs["answer"])


def main(folder: Path) -> None:
    examples = [
        Example(
            id=uuid.uuid5(uuid.NAMESPACE_URL, one.question),
            dataset_id=uuid.uuid5(uuid.NAMESPACE_URL, "sums"),
            inputs={"question": one.question},
            outputs={"answer": one.answer},
        )
        for one in arithmetic.SUMS
    ]
    results = evaluate(
        target, data=examples, evaluators=[exact, closeness], num_repetitions=2, upload_results=False, max_concurrency=1
    )
    frame = results.to_pandas()
    frame["error"] = [one.partition("Traceback")[0] if isinstance(one, str) else None for one in frame["error"]]
    frame.to_csv(folder / "experiment.csv", index=False)
    frame["example_id"], frame["id"] = frame["example_id"].astype(str), frame["id"].astype(str)
    frame.to_json(folder / "experiment.jsonl", orient="records", lines=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
