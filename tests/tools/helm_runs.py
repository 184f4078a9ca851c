"""Runs HELM's simple multiple choice with a made-up client, original and perturbed; see helm.sh."""

from __future__ import annotations

import re
import sys
from typing import Any

from helm.benchmark.run import main
from helm.clients.simple_client import SimpleClient


def answer(_client: SimpleClient, request: dict[str, Any]) -> dict[str, Any]:
    """Say whether the last number is even: wrong for those that end in 1, and on perturbed text, which has no capitals."""
    word, last = re.findall(r"(\w+) (\d+)", request["prompt"])[-1]
    is_even = int(last) % 2 == 0
    wrong = last.endswith("1") or word == "is"
    return {"completions": ["A" if is_even != wrong else "B"] * request["num_completions"]}


if __name__ == "__main__":
    SimpleClient.invoke_model = answer
    sys.argv[1:] = [
        "--run-entries", "simple_mcqa:model=simple/model1,data_augmentation=lower", "--suite", "made-up",
        "--max-eval-instances", "4", "--num-train-trials", "2", "--disable-cache",
    ]  # fmt: skip
    main()
