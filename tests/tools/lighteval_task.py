"""A task for lighteval, over the sums of `arithmetic`; see lighteval.sh."""

from __future__ import annotations

import os

from lighteval.metrics.metrics import Metrics
from lighteval.tasks.lighteval_task import LightevalTaskConfig
from lighteval.tasks.requests import Doc


def prompt(line: dict[str, str], task_name: str | None = None) -> Doc:
    return Doc(task_name=task_name, query=line["question"], choices=[line["answer"]], gold_index=0)


FOLDER = os.environ["LIGHTEVAL_SUMS"]
TASKS_TABLE = [
    LightevalTaskConfig(
        name="sums",
        prompt_function=prompt,
        hf_repo=FOLDER,
        hf_subset="default",
        hf_avail_splits=["test"],
        evaluation_splits=["test"],
        metric=[Metrics.exact_match, Metrics.rouge1, Metrics.bleu],  # the last one is over the whole corpus
        generation_size=8,
        stop_sequence=["\n"],
        suite=["custom"],
    )
]
