"""Looks at runs of experiment trackers, and rows such as they write."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from clearband.results import ReadOptions, read

from .shapes import jsonl

if TYPE_CHECKING:
    from clearband.results.run import Run

SAMPLES = Path(__file__).parent / "samples"
TIMES = {"execution_time", "latency_ms", "task_duration", "execution_duration", "latency"}


def sample(path: str, **options: object) -> Run:
    """Read a file that a tool wrote for this project."""
    return read(path, (SAMPLES / path).read_bytes(), ReadOptions(**options))  # type: ignore[arg-type]


def read_rows(*rows: object, **options: object) -> Run:
    return read("rows.jsonl", jsonl(rows), ReadOptions(**options))  # type: ignore[arg-type]


def means(run: Run) -> dict[str, float]:
    """Means without the run times, which no two files share."""
    return {
        name: round(float(np.nanmean(values)), 6)
        for name, values in run.metrics.items()
        if name not in TIMES and not np.isnan(values).all()
    }


def lost(run: Run) -> list[str]:
    return [run.ids[row] for row in np.flatnonzero(run.errored)]


def unscored(run: Run, metric: str) -> list[str]:
    return [run.ids[row] for row in np.flatnonzero(np.isnan(run.metrics[metric]))]
