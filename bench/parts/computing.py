"""The computing alone, from arrays in memory: what a bootstrap costs when nothing has to be read."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bench import files
from bench.data import METRICS
from bench.inside import said
from bench.peers import WORK
from bench.timing import ENOUGH, Row

if TYPE_CHECKING:
    from pathlib import Path

    from bench.context import Context

SIZES: Final = (1_000, 10_000)
LIBRARIES: Final = {
    "scipy percentile": "scipy-percentile",
    "scipy percentile, default batch": "scipy-percentile-at-once",
    "scipy BCa": "scipy-bca",
    "arch percentile": "arch-percentile",
}
_TIMES: Final = 5
"""Comparisons of Clearband per process: the first ones of a process find cold caches, as in every real run."""


def measure(context: Context) -> list[Row]:
    """Measure Clearband's whole comparison beside the libraries' intervals, 10 metrics each."""
    rows: list[Row] = []
    for size in SIZES:
        path = files.arrays(context.data, size, metrics=METRICS)
        own = Row(name="Clearband", size=size, note="pairing, intervals, states, sizes, p-values, family")
        others = [Row(name=name, size=size, note="intervals alone, 9,999 resamples") for name in LIBRARIES]
        for _ in range(context.repeats):
            own = _own(context, own, path)
            others = [_other(context, row, path) for row in others]
        rows += [own, *others]
    return rows


def _own(context: Context, row: Row, path: Path) -> Row:
    printed, failed = said(context.own, WORK / "clearband_inside.py", path, str(_TIMES))
    context.say(f"{row.size:>9,}  {row.name:<28} inside  {failed}")
    if failed:
        return replace(row, failed=failed)
    return replace(row, seconds=(*row.seconds, *json.loads(printed)["compare"]))


def _other(context: Context, row: Row, path: Path) -> Row:
    if row.failed or sum(row.seconds) > ENOUGH:
        return row
    printed, failed = said(context.libraries, WORK / "library_bootstrap.py", LIBRARIES[row.name], "--inside", path)
    context.say(f"{row.size:>9,}  {row.name:<28} inside  {failed or printed.strip()}")
    return replace(row, failed=failed) if failed else replace(row, seconds=(*row.seconds, float(printed)))
