"""Growth: what happens to the computing when questions become ten times as many, again and again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from bench import files
from bench.inside import said
from bench.peers import WORK
from bench.timing import Row

if TYPE_CHECKING:
    from bench.context import Context

SIZES: Final = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
STAGES: Final = {
    "pass score_1": "one pass over the values",
    "bootstrap right_0": "bootstrap, 0 or 1",
    "bootstrap score_1": "bootstrap, continuous",
    "measure right_0": "one metric, 0 or 1",
    "measure score_1": "one metric, continuous",
    "compare": "comparison of both",
}
_ONCE_FROM: Final = 1_000_000


def measure(context: Context) -> list[Row]:
    """Measure one metric of each kind at every size."""
    seconds: dict[tuple[str, int], list[float]] = {}
    problems: dict[int, str] = {}
    for turn in range(context.repeats):
        for size in SIZES:
            if size in problems or (size > _ONCE_FROM and turn > 0):
                continue
            path = files.arrays(context.data, size, metrics=2)
            times = 1 if size >= _ONCE_FROM else 3
            printed, failed = said(context.own, WORK / "clearband_inside.py", path, str(times))
            context.say(f"{size:>12,}  growth  {failed}")
            if failed:
                problems[size] = failed
                continue
            for stage, found in json.loads(printed).items():
                seconds.setdefault((stage, size), []).extend(found)
    return [
        Row(name=name, size=size, seconds=tuple(seconds.get((stage, size), ())), failed=problems.get(size, ""))
        for stage, name in STAGES.items()
        for size in SIZES
    ]
