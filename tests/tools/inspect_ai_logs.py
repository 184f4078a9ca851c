"""Writes small Inspect AI logs without any model: epochs, errors, odd scores; see inspect_ai.sh."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import arithmetic
from inspect_ai import Task
from inspect_ai import eval as run
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import write_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Score, Scorer, Target, accuracy, match, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver


@scorer(metrics=[mean()])
def closeness() -> Scorer:
    async def score(state: TaskState, target: Target) -> Score:
        answer = state.output.completion
        return Score(value=arithmetic.closeness(answer, target.text) if answer != "6" else float("nan"))

    return score


@scorer(metrics={"digits": [mean()], "even": [mean()]})
def detail() -> Scorer:
    async def score(state: TaskState, target: Target) -> Score:
        answer = state.output.completion
        return Score(value={"digits": len(answer), "even": int(answer) % 2 == 0})

    return score


@scorer(metrics=[accuracy()])
def grade() -> Scorer:
    async def score(state: TaskState, target: Target) -> Score:
        return Score(value="A" if state.output.completion == target.text else "B")

    return score


@scorer(metrics=[accuracy(), stderr()])
def answered() -> Scorer:
    async def score(state: TaskState, target: Target) -> Score:
        return Score(value="yes" if state.output.completion else "no")

    return score


@solver
def careless() -> Solver:
    """Fail on the one question on which the system fails."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        if state.epoch == 1:
            arithmetic.asked(state.input_text)
        return state

    return solve


def answers(epochs: int) -> list[ModelOutput]:
    """Return the mock model's outputs in the order in which one sample at a time asks for them."""
    outputs = []
    for epoch in range(1, epochs + 1):
        for one in arithmetic.SUMS:
            if epoch > 1 or (one.left, one.right) != (3, 5):
                wrong = (one.left, one.right) in {(2, 5), (3, 6)} and epoch < 3
                output = ModelOutput.from_content("mockllm/model", str(int(one.answer) + wrong))
                output.usage = ModelUsage(total_tokens=1)  # or it would be counted with a table from the network
                outputs.append(output)
    return outputs


def task(*, ids: bool) -> Task:
    samples = [
        Sample(
            id=f"sum-{one.left}-{one.right}" if ids else None,
            input=one.question,
            target=one.answer,
            metadata={"left": one.left, "topic": "low" if one.left == 2 else "high"},
        )
        for one in arithmetic.SUMS
    ]
    return Task(
        name="sums",
        dataset=MemoryDataset(samples, name="sums"),
        solver=[careless(), generate()],
        scorer=[match(numeric=True), closeness(), detail(), grade(), answered()],
        version=2,
    )


def write(folder: Path, name: str, *, epochs: int, ids: bool, fail: bool = False) -> None:
    (log,) = run(
        task(ids=ids),
        model=get_model("mockllm/model", custom_outputs=answers(epochs), memoize=False),
        epochs=epochs,
        max_samples=1,
        fail_on_error=fail,
        log_dir=tempfile.mkdtemp(),
        display="none",
    )
    for sample in log.samples:  # nothing of the machine stays in the file
        sample.events = []
        if sample.error is not None:
            sample.error.traceback = sample.error.traceback_ansi = "(trimmed)"
    log.eval.model_args = {}
    if log.error is not None:
        log.error.traceback = log.error.traceback_ansi = "(trimmed)"
    write_eval_log(log, str(folder / name))


def main(folder: Path) -> None:
    for form in ("eval", "json"):
        write(folder, f"1_epoch.{form}", epochs=1, ids=True)
        write(folder, f"3_epochs.{form}", epochs=3, ids=False)
        write(folder, f"failed.{form}", epochs=1, ids=True, fail=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
