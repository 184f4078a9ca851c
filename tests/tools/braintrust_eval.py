"""Writes the results of a Braintrust evaluation, without the service; see trackers.sh."""

from __future__ import annotations

import sys
from pathlib import Path

import arithmetic
from braintrust import Eval, EvalCase


def exact(output: str | None, expected: str) -> float:
    return float(arithmetic.exact(output, expected))


def closeness(output: str | None, expected: str) -> float:
    if expected == "6":
        message = "the judge failed"
        raise RuntimeError(message)
    return arithmetic.closeness(output, expected)


def main(folder: Path) -> None:
    result = Eval(
        "sums",
        data=lambda: [
            EvalCase(input=one.question, expected=one.answer, metadata={"left": one.left}, tags=["sum"])
            for one in arithmetic.SUMS
        ],
        task=arithmetic.asked,
        scores=[exact, closeness],
        trial_count=2,
        no_send_logs=True,
    )
    rows = [one.as_dict() for one in result.results]
    for row in rows:
        row["error"] = None if row["error"] is None else repr(row["error"])
        row["exc_info"] = None if row["exc_info"] is None else "(trimmed)"
        failed = row["metadata"].get("scorer_errors", {})
        failed.update(dict.fromkeys(failed, "(trimmed)"))
    arithmetic.write_lines(folder / "results.jsonl", sorted(rows, key=lambda row: row["input"]))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
