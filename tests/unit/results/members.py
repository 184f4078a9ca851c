"""Small result files of several tasks, and a way to look at what was read of them."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING

import numpy as np

from .shapes import jsonl

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clearband.results.run import Run


def rows(scores: Mapping[str, float | None], metric: str = "acc") -> bytes:
    return jsonl([{"id": question, metric: score} for question, score in scores.items()])


QA, MATHS = rows({"q1": 1, "q2": 0}), rows({"q1": 0.5, "q7": 1.0, "q8": 0.0})


def values(run: Run) -> dict[str, dict[str, float]]:
    """Metric to question to value, without the questions that have none."""
    return {
        name: {question: cell for question, cell in zip(run.ids, cells.tolist(), strict=True) if not np.isnan(cell)}
        for name, cells in run.metrics.items()
    }


def zipped(members: Mapping[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()
