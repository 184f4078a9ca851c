"""Segment scores of the WMT metrics tasks (mt-metrics-eval's ``*.seg.score``): a system and a score on each line."""

from __future__ import annotations

import io
import math
import re
from array import array
from itertools import pairwise
from typing import TYPE_CHECKING

from clearband.results import mt_segments, series_choice
from clearband.results.about import About
from clearband.results.outline import Shape
from clearband.results.result_file import shown
from clearband.results.table import column

if TYPE_CHECKING:
    from clearband.results.options import ReadOptions
    from clearband.results.outline import Outline
    from clearband.results.result_file import ResultFile
    from clearband.results.run import Run

ABOUT = About(
    name="WMT segment scores",
    versions="the `*.seg.score` files of mt-metrics-eval, as its source code reads and writes them",
    produce="mt-metrics-eval's metric-scores and human-scores folders, or a metric's own submission",
    key="the place of the segment among those of its system",
    metrics="`score`; the metric's name is in the name of the file alone",
    direction="none",
    errors="`None` is no value",
    measurement="nothing",
    traps=(
        "Several systems are several series of one file: choose with --series.",
        "Human scores may cover some of the segments only; the others say None.",
    ),
)

_LINE = re.compile(rb"([^\t\n]+)\t[ ]*([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|None|nan)\s*")
_NO_VALUE = frozenset({b"None", b"nan"})
_METRIC = "score"
_LOOK = 2**16


def sniff(file: ResultFile, outline: Outline) -> bool:
    """Whether each of the first lines is a name, a tab and a score, without a header, and names come in blocks.

    A system with one line alone would be a table without a header, which is refused elsewhere.
    """
    if outline.shape is not Shape.OTHER:
        return False
    lines = file.data[:_LOOK].split(b"\n")
    whole = [line for line in (lines[:-1] if len(file.data) > _LOOK else lines) if line.strip()]
    found = [_LINE.fullmatch(line) for line in whole]
    names = [parts[1] for parts in found if parts is not None]
    changes = 1 + sum(one != other for one, other in pairwise(names))
    return len(names) == len(whole) > 1 and changes == len(set(names)) and changes * 2 <= len(names)


def read(file: ResultFile, options: ReadOptions) -> Run:
    """Read one system's scores into a run: a question for each segment."""
    mt_segments.refuse_id(file, options)
    found: dict[bytes, array[float]] = {}
    last = b""
    for line, text in enumerate(io.BytesIO(file.data), 1):
        parts = _LINE.fullmatch(text)
        if parts is None:
            if text.isspace():
                continue
            raise mt_segments.odd_line(file, line, text)
        system, score = parts.groups()
        if system != last and system in found:
            raise file.problem(
                f"the segments of {_shown(system)} stand in two places",
                where=f"line {line}",
                remedy="Each system's segments follow each other, in the order of the test set; write the file again.",
            )
        last = system
        mt_segments.refuse_too_many(file, line, len(found))
        found.setdefault(system, array("d")).append(math.nan if score in _NO_VALUE else float(score))
    names = series_choice.numbered([name.decode("utf-8", "replace") for name in found])
    chosen = series_choice.choose(file, names, options.series)
    values = list(found.values())[chosen]
    if len({len(scores) for scores in found.values()}) > 1:
        raise file.problem(
            "its systems do not have as many segments",
            remedy="Without ids, segments are told apart by their place: every system needs a line for each.",
        )
    return mt_segments.to_run(
        file,
        "wmt/seg-score",
        len(values),
        [column(_METRIC, values)],
        series_names=series_choice.first(names, chosen),
    )


def _shown(system: bytes) -> str:
    return shown(system.decode("utf-8", "replace"))
