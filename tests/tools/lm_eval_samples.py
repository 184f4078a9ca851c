"""Writes samples and results files with lm-evaluation-harness and a made-up model; see lm_eval.sh."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

CACHE = tempfile.mkdtemp()
os.environ |= {"HF_HOME": CACHE, "HF_DATASETS_OFFLINE": "1", "HF_HUB_OFFLINE": "1"}

import arithmetic  # noqa: E402  the library reads its settings while it is imported
from lm_eval.api.model import LM  # noqa: E402
from lm_eval.evaluator import simple_evaluate  # noqa: E402
from lm_eval.loggers import EvaluationTracker  # noqa: E402
from lm_eval.tasks import TaskManager  # noqa: E402

if TYPE_CHECKING:
    from lm_eval.api.instance import Instance

FILTERS = [
    {"name": name, "filter": [{"function": "regex", "regex_pattern": pattern}, {"function": "take_first"}]}
    for name, pattern in (("strict", r"#### (\d+)"), ("flexible", r"(\d+)"))
]


class Adder(LM):
    """Gets two sums wrong, and writes every other answer in a way that the strict filter does not see."""

    def answer(self, question: str) -> str:
        one = next(one for one in arithmetic.SUMS if one.question in question)
        wrong = (one.left, one.right) in {(2, 5), (3, 6)}
        return f"{'#### ' if one.left == 2 else ''}{int(one.answer) + wrong}"

    def generate_until(self, requests: list[Instance]) -> list[str]:
        return [self.answer(request.args[0]) for request in requests]

    def loglikelihood(self, requests: list[Instance]) -> list[tuple[float, bool]]:
        found = []
        for request in requests:
            said = self.answer(request.args[0]).removeprefix("#### ")
            found.append((-0.5 if request.args[1].strip() == said else -2.0, False))
        return found

    def loglikelihood_rolling(self, requests: list[Instance]) -> list[float]:
        return [-0.25 * len(request.args[0]) for request in requests]


def tasks(folder: Path) -> list[dict[str, object]]:
    rows = [
        {"question": one.question, "answer": one.answer, "choices": [str(int(one.answer) + off) for off in (0, 1)]}
        for one in arithmetic.SUMS
    ]
    (folder / "sums.jsonl").write_text("".join(json.dumps(row) + "\n" for row in [*rows, rows[0]]), encoding="utf-8")
    data = {"dataset_path": "json", "dataset_kwargs": {"data_files": {"test": str(folder / "sums.jsonl")}}}
    shared = {**data, "test_split": "test", "doc_to_text": "{{question}}", "metadata": {"version": 2}}
    generated = {"output_type": "generate_until", "doc_to_target": "{{answer}}", "generation_kwargs": {"until": ["\n"]}}
    exact = {"metric": "exact_match", "aggregation": "mean", "higher_is_better": True}
    chosen = [{"metric": "acc", "aggregation": "mean", "higher_is_better": True}, {"metric": "f1", "aggregation": "f1"}]
    return [
        {"task": "sums_gen", **shared, **generated, "metric_list": [exact], "filter_list": FILTERS},
        {"task": "sums_repeated", **shared, **generated, "metric_list": [exact], "repeats": 3},
        {"task": "sums_choice", **shared, "output_type": "multiple_choice", "doc_to_target": 0,
         "doc_to_choice": "{{choices}}", "metric_list": chosen},
        {"task": "sums_rolling", **shared, "output_type": "loglikelihood_rolling", "doc_to_text": "",
         "doc_to_target": "{{question}}", "metric_list": [{"metric": "word_perplexity"}, {"metric": "bits_per_byte"}]},
    ]  # fmt: skip


def main(folder: Path) -> None:
    tracker = EvaluationTracker(output_path=str(folder))
    tracker.general_config_tracker.model_name_sanitized = "adder"
    tracker.general_config_tracker.model_name = "adder"
    settings = Path(tempfile.mkdtemp())
    configs = tasks(settings)
    for config in configs:
        (settings / f"{config['task']}.yaml").write_text(json.dumps(config), encoding="utf-8")
    found = simple_evaluate(
        model=Adder(),
        tasks=[config["task"] for config in configs],
        task_manager=TaskManager(include_path=str(settings), include_defaults=False),
        log_samples=True,
        bootstrap_iters=0,
    )
    samples = found.pop("samples")
    for config in found["configs"].values():  # nothing of the machine stays in the file
        config["dataset_kwargs"] = {}
        config["metadata"].pop("config_source", None)
    found |= {"git_hash": None, "pretty_env_info": None, "upper_git_hash": None}
    tracker.save_results_aggregated(results=found, samples=samples)
    for name, rows in samples.items():
        tracker.save_results_samples(task_name=name, samples=rows)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
