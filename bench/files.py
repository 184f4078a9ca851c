"""The same questions as each tool wants them: its own file layout, written once per size."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from bench.data import Arm, Pair, generate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

ONE: Final = "score_5"
"""The metric for tools that take a single one: a continuous one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """How one tool wants its files."""

    name: str
    suffix: str
    lines: Callable[[Arm, str], Iterator[str]]
    """The file's lines, from the results and the arm's name."""


def _wide(arm: Arm, _: str) -> Iterator[str]:
    names = list(arm.metrics)
    columns = [_plain(arm, name) for name in names]
    for question, *values in zip(arm.ids, *columns, strict=True):
        yield json.dumps({"id": question, **dict(zip(names, values, strict=True))})


def _one(arm: Arm, _: str) -> Iterator[str]:
    for question, value in zip(arm.ids, _plain(arm, ONE), strict=True):
        yield json.dumps({"id": question, "score": value})


def _statgate(arm: Arm, _: str) -> Iterator[str]:
    for question, value in zip(arm.ids, _plain(arm, ONE), strict=True):
        yield json.dumps({"case_id": question, "score": value})


def _errorbars(arm: Arm, name: str) -> Iterator[str]:
    for question, value in zip(arm.ids, _plain(arm, ONE), strict=True):
        yield json.dumps({"question_id": question, "model": name, "score": value})


def _noisecheck(arm: Arm, name: str) -> Iterator[str]:
    for metric in arm.metrics:
        for question, value in zip(arm.ids, _plain(arm, metric), strict=True):
            yield json.dumps({"example_id": question, "variant": name, "metric": metric, "value": value})


def _evalsig(arm: Arm, name: str) -> Iterator[str]:
    items = [{"item_id": q, "score": value} for q, value in zip(arm.ids, _plain(arm, ONE), strict=True)]
    yield json.dumps({"run_id": name, "model_id": name, "task_id": "bench", "metric_name": ONE, "items": items})


WIDE: Final = Layout(name="wide", suffix=".jsonl", lines=_wide)
ONE_METRIC: Final = Layout(name="one", suffix=".jsonl", lines=_one)
STATGATE: Final = Layout(name="statgate", suffix=".jsonl", lines=_statgate)
ERRORBARS: Final = Layout(name="errorbars", suffix=".jsonl", lines=_errorbars)
NOISECHECK: Final = Layout(name="noisecheck", suffix=".jsonl", lines=_noisecheck)
EVALSIG: Final = Layout(name="evalsig", suffix=".json", lines=_evalsig)


def written(folder: Path, questions: int, layout: Layout) -> tuple[Path, Path]:
    """Return the baseline's and the candidate's file, written where they are not there yet."""
    place = folder / str(questions)
    place.mkdir(parents=True, exist_ok=True)
    paths = (
        place / f"{layout.name}-baseline{layout.suffix}",
        place / f"{layout.name}-candidate{layout.suffix}",
    )
    if not all(path.exists() for path in paths):
        pair = generate(questions)
        for path, arm, name in zip(paths, (pair.baseline, pair.candidate), ("baseline", "candidate"), strict=True):
            half = path.with_suffix(".part")
            with half.open("w", encoding="utf-8") as file:
                file.writelines(line + "\n" for line in layout.lines(arm, name))
            half.rename(path)
    return paths


def arrays(folder: Path, questions: int, *, metrics: int) -> Path:
    """Return a file with both runs as numbers alone, for what is measured inside a process."""
    place = folder / str(questions)
    place.mkdir(parents=True, exist_ok=True)
    path = place / f"arrays-{metrics}.npz"
    if not path.exists():
        pair = generate(questions, metrics=metrics)
        np.savez(path, **_columns(pair))
    return path


def _columns(pair: Pair) -> dict[str, Any]:
    both = (("baseline", pair.baseline), ("candidate", pair.candidate))
    return {f"{arm}/{name}": values for arm, run in both for name, values in run.metrics.items()}


def _plain(arm: Arm, name: str) -> list[float] | list[int]:
    """Return the values as JSON numbers: 0 and 1 without a point, as tools write them."""
    values = arm.metrics[name]
    whole: list[int] = values.astype(np.int64).tolist()
    exact: list[float] = values.tolist()
    return whole if name.startswith("right_") else exact
