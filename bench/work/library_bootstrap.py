"""A paired bootstrap written with a library, as one would for a notebook; whole process, or the computing alone.

``library_bootstrap.py METHOD BASELINE CANDIDATE`` reads two JSON-lines files and prints the intervals.
``library_bootstrap.py METHOD --inside ARRAYS`` computes from arrays and prints the seconds it took.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Interval = Callable[[NDArray[np.float64]], tuple[float, float]]

RESAMPLES: Final = 9_999
CELLS: Final = 2_000_000
"""Values that are resampled together where scipy is told to; all together is its default."""


def scipy_interval(method: str, *, in_batches: bool = True) -> Interval:
    """Return scipy's interval of a mean."""
    from scipy.stats import bootstrap  # noqa: PLC0415  only one of the two libraries is measured

    def interval(differences: NDArray[np.float64]) -> tuple[float, float]:
        batch = max(1, CELLS // differences.size) if in_batches else None
        found = bootstrap(
            (differences,), np.mean, n_resamples=RESAMPLES, batch=batch, method=method, rng=np.random.default_rng(1)
        )
        return float(found.confidence_interval.low), float(found.confidence_interval.high)

    return interval


def arch_interval(method: str) -> Interval:
    """Return arch's interval of a mean."""
    from arch.bootstrap import IIDBootstrap  # noqa: PLC0415

    def interval(differences: NDArray[np.float64]) -> tuple[float, float]:
        found = IIDBootstrap(differences, seed=1).conf_int(np.mean, reps=RESAMPLES, method=method)
        return float(found[0, 0]), float(found[1, 0])

    return interval


METHODS: Final = {
    "scipy-percentile": lambda: scipy_interval("percentile"),
    "scipy-percentile-at-once": lambda: scipy_interval("percentile", in_batches=False),
    "scipy-bca": lambda: scipy_interval("BCa"),
    "arch-percentile": lambda: arch_interval("percentile"),
}


def read(name: str) -> dict[str, NDArray[np.float64]]:
    """Return metric to values, sorted by question."""
    import orjson  # noqa: PLC0415  the computing alone does not need it

    with Path(name).open("rb") as file:
        rows = [orjson.loads(line) for line in file]
    rows.sort(key=lambda row: str(row["id"]))
    return {metric: np.array([row[metric] for row in rows], dtype=float) for metric in rows[0] if metric != "id"}


def main(method: str, first: str, second: str) -> None:
    """Compute every metric's interval."""
    interval = METHODS[method]()
    if first == "--inside":
        arrays = dict(np.load(second))
        names = [name.removeprefix("baseline/") for name in arrays if name.startswith("baseline/")]
        start = time.perf_counter()
        for name in names:
            interval(arrays[f"candidate/{name}"] - arrays[f"baseline/{name}"])
        print(time.perf_counter() - start)
        return
    baseline, candidate = read(first), read(second)
    for name, values in baseline.items():
        low, high = interval(candidate[name] - values)
        print(f"{name} {low:+.6f} {high:+.6f}")


main(*sys.argv[1:4])
