"""Sums for OpenAI evals: two systems, an eval that goes on after an error, and the samples; see openai_evals.sh."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import arithmetic
import evals
from evals.metrics import get_accuracy
from evals.record import RecorderBase, record_error, record_metrics, record_sampling

if TYPE_CHECKING:
    import random


class Answer:
    """What a system says."""

    def __init__(self, prompt: object, text: str) -> None:
        self.text = text
        record_sampling(prompt=prompt, sampled=text)

    def get_completions(self) -> list[str]:
        return [self.text]


class Sums:
    """Answer every question, two of them wrong."""

    def __init__(self, **_: object) -> None:
        pass

    def __call__(self, prompt: Any, **_: object) -> Answer:
        asked = prompt if isinstance(prompt, str) else prompt[-1]["content"]
        one = next(one for one in arithmetic.SUMS if one.question in asked)
        return Answer(prompt, self.answer(one))

    def answer(self, one: arithmetic.Sum) -> str:
        return str(int(one.answer) + ((one.left, one.right) in {(2, 5), (3, 6)}))


class Failing(Sums):
    """Fail on one question."""

    def answer(self, one: arithmetic.Sum) -> str:
        return arithmetic.asked(one.question)


class Careful(evals.Eval):
    """Write an error down and go on; score by two events of a sample, and give a number of its own."""

    def __init__(self, samples_jsonl: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.samples_jsonl = samples_jsonl

    def eval_sample(self, sample: dict[str, Any], _: random.Random) -> None:
        try:
            (answer,) = self.completion_fn(sample["input"]).get_completions()
        except RuntimeError as error:
            record_error("the system failed", error)
            return
        evals.record_and_check_match(sample["input"], answer, sample["ideal"])
        record_metrics(closeness=arithmetic.closeness(answer, sample["ideal"]))

    def run(self, recorder: RecorderBase) -> dict[str, float]:
        self.eval_all_samples(recorder, self.get_samples())
        return {"accuracy": get_accuracy(recorder.get_events("match"))}


if __name__ == "__main__":
    for one in arithmetic.SUMS:
        print(json.dumps({"input": [{"role": "user", "content": one.question}], "ideal": one.answer}))
