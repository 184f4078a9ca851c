"""Writes a Phoenix experiment as the server exports it; the server's address is the second argument. See trackers.sh."""

from __future__ import annotations

import sys
from pathlib import Path

import arithmetic
import httpx
from phoenix.client import Client


def target(input: dict[str, str]) -> str:  # noqa: A002  Phoenix hands arguments over by name
    return arithmetic.asked(input["question"])


def exact(output: str | None, expected: dict[str, str]) -> float:
    return float(arithmetic.exact(output, expected["answer"]))


def closeness(output: str | None, expected: dict[str, str]) -> float:
    if expected["answer"] == "6":
        message = "the judge failed"
        raise RuntimeError(message)
    return arithmetic.closeness(output, expected["answer"])


def verdict(output: str | None, expected: dict[str, str]) -> str:
    return "correct" if arithmetic.exact(output, expected["answer"]) else "incorrect"


def tone(output: str | None) -> str:
    return "silent" if output is None else "dry"


def main(folder: Path, server: str) -> None:
    client = Client(base_url=server)
    dataset = client.datasets.create_dataset(
        name="sums",
        inputs=[{"question": one.question} for one in arithmetic.SUMS],
        outputs=[{"answer": one.answer} for one in arithmetic.SUMS],
        metadata=[{"left": one.left} for one in arithmetic.SUMS],
    )
    experiment = client.experiments.run_experiment(
        dataset=dataset, task=target, evaluators=[exact, closeness, verdict, tone], repetitions=2, retries=0
    )
    for kind in ("json", "csv"):
        answer = httpx.get(f"{server}/v1/experiments/{experiment['experiment_id']}/{kind}")
        (folder / f"experiment.{kind}").write_bytes(answer.raise_for_status().content)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
