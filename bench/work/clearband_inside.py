"""Clearband's computing inside one process, in Clearband's own environment; prints JSON.

``clearband_inside.py ARRAYS TIMES`` repeats so often and prints seconds by stage:

- `compare`: the whole comparison of two runs in memory: pairing by id, every interval, state, size and p, the family;
- `measure`: the same for the metrics one after the other, already paired, by metric;
- `bootstrap`: the distribution and both ends alone, from the differences, by metric;
- `pass`: the values subtracted and added up, once: what reading so many numbers costs at least.
"""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING

import numpy as np

from clearband.comparing import compare_runs
from clearband.measure import measure
from clearband.pairing import pair
from clearband.results.run import Run
from clearband.stats.differences import paired_differences
from clearband.stats.interval import bootstrap_interval
from clearband.stats.units import units_of
from clearband.stats.weighted import ideal_distribution
from clearband.terms import Options, settle
from clearband.vocabulary import IntervalMethod

if TYPE_CHECKING:
    from clearband.pairing import MetricPairs


def run_of(arrays: dict[str, np.ndarray], arm: str) -> Run:
    """Return one arm as its reader would."""
    metrics = {name.removeprefix(f"{arm}/"): values for name, values in arrays.items() if name.startswith(f"{arm}/")}
    questions = next(iter(metrics.values())).size
    return Run(
        name=arm,
        sha256=arm,
        format="bench",
        ids=tuple(f"question-{number:08d}" for number in range(questions)),
        metrics=metrics,
        errored=np.zeros(questions, dtype=bool),
    )


def single_pass(metric: MetricPairs) -> float:
    """Return the seconds that one pass over both arms takes."""
    start = time.perf_counter()
    (metric.candidate - metric.baseline).sum()
    return time.perf_counter() - start


def bootstrap(metric: MetricPairs) -> float:
    """Return the seconds that distribution and interval take."""
    units = units_of(paired_differences(metric.baseline, metric.candidate), weights=None, clusters=None)
    start = time.perf_counter()
    bootstrap_interval(ideal_distribution(units), units, method=IntervalMethod.PERCENTILE, confidence=0.95)
    return time.perf_counter() - start


def main(path: str, times: int) -> None:
    """Measure every stage so often."""
    arrays = dict(np.load(path))
    baseline, candidate = run_of(arrays, "baseline"), run_of(arrays, "candidate")
    terms = settle(policy=None, declaration=None, options=Options(primary="right_0"), needs_policy=False)
    seconds: dict[str, list[float]] = {}
    paired = pair(baseline, candidate, rules=terms.metrics)
    for _ in range(times):
        start = time.perf_counter()
        compare_runs(baseline, candidate, terms)
        seconds.setdefault("compare", []).append(time.perf_counter() - start)
        for metric in paired.metrics:
            start = time.perf_counter()
            measure(metric, terms)
            seconds.setdefault(f"measure {metric.name}", []).append(time.perf_counter() - start)
            seconds.setdefault(f"bootstrap {metric.name}", []).append(bootstrap(metric))
            seconds.setdefault(f"pass {metric.name}", []).append(single_pass(metric))
    print(json.dumps(seconds))


main(sys.argv[1], int(sys.argv[2]))
