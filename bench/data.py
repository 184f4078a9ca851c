"""The questions that everything is measured on: made from a seed, so that every machine compares the same numbers.

Half of the metrics are 0 or 1, half are continuous with six digits. Questions differ in difficulty and both systems
feel it, as in real evaluations; the candidate is better by 0.02.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

SEED: Final = 20_260_101
METRICS: Final = 10
GAIN: Final = 0.02
_NOISE: Final = 0.15


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """One system's results."""

    ids: tuple[str, ...]
    metrics: Mapping[str, NDArray[np.float64]]
    """Metric name to values of shape (questions,); `right_*` are 0 or 1, `score_*` are continuous."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two systems on the same questions."""

    baseline: Arm
    candidate: Arm


def generate(questions: int, *, metrics: int = METRICS, seed: int = SEED) -> Pair:
    """Return two runs on so many questions; the first half of the metrics is 0 or 1, rounded up."""
    random = np.random.default_rng([seed, questions, metrics])
    ids = tuple(f"question-{number:08d}" for number in range(questions))
    difficulty = random.random(questions)
    baseline, candidate = (
        Arm(ids=ids, metrics=_values(random, difficulty, metrics, gain=gain)) for gain in (0.0, GAIN)
    )
    return Pair(baseline=baseline, candidate=candidate)


def _values(
    random: np.random.Generator, difficulty: NDArray[np.float64], metrics: int, *, gain: float
) -> dict[str, NDArray[np.float64]]:
    binary = (metrics + 1) // 2
    values: dict[str, NDArray[np.float64]] = {}
    for number in range(metrics):
        ability = 1.0 - difficulty + gain + random.normal(0.0, _NOISE, difficulty.size)
        if number < binary:
            values[f"right_{number}"] = (ability > 0.4).astype(np.float64)
        else:
            values[f"score_{number}"] = np.clip(ability, 0.0, 1.0).round(6)
    return values
