"""Scores of COMET (``comet-score``): its JSON file, or the lines that it prints."""

from __future__ import annotations

import io
import math
import re
from array import array
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from clearband.results import lenient_json, mt_segments, question_keys, series_choice, table
from clearband.results.about import About
from clearband.results.identity import text_key
from clearband.results.outline import Shape, keys_of, opens
from clearband.results.result_file import shown
from clearband.results.table import Table, column, hashed

if TYPE_CHECKING:
    from clearband.results.options import ReadOptions
    from clearband.results.outline import Outline
    from clearband.results.result_file import ResultFile
    from clearband.results.run import Run

ABOUT = About(
    name="COMET",
    versions="the JSON file and the printed lines of comet-score 1.x and 2.x, as its source code writes them",
    produce="`comet-score -s SRC -t HYP -r REF --to_json comet.json`",
    key="the source, with the reference where sources repeat; the place in the file where both do",
    metrics="`COMET`",
    direction="none",
    errors="every segment is scored; null is no value",
    measurement="nothing",
    traps=(
        "Two translations in one call are two series of one file: choose with --series, by the translation's file.",
        "The model is not in the file, and scores of two models do not compare.",
        "Printed lines have four decimals and no text.",
    ),
)

_METRIC = "COMET"
_PRINTED = re.compile(rb"([^\t\n]+)\tSegment (\d{1,9})\tscore: (-?\d+\.\d+|nan)(?:\tvariance: \S+)?\s*")
_MEAN = re.compile(rb"[^\t\n]+\tscore: \S+\s*|Predictions saved in: .*\s*")


class _Segment(msgspec.Struct):
    src: object = None
    ref: object = None
    score: float | None = msgspec.field(default=None, name=_METRIC)


def sniff(file: ResultFile, outline: Outline) -> bool:
    """Whether the file is an object of lists with source, translation and score, or lines that comet-score prints."""
    match outline.shape:
        case Shape.OBJECT:
            first = next(iter(outline.keys.values()), None)
            is_list = first is not None and opens(first) == b"["
            return is_list and first is not None and {"src", "mt", _METRIC} <= keys_of(first).keys()
        case Shape.OTHER:
            return _PRINTED.fullmatch(mt_segments.first_line(file.data)) is not None
        case Shape.LIST | Shape.LINES:
            return False


def read(file: ResultFile, options: ReadOptions) -> Run:
    """Read one system's scores into a run: a question for each segment."""
    mt_segments.refuse_id(file, options)
    if not file.head(4096).lstrip().startswith(b"{"):
        return _read_printed(file, options)
    found = lenient_json.document(file, dict[str, msgspec.Raw], tool=_METRIC)
    names = series_choice.numbered(list(found))
    chosen = series_choice.choose(file, names, options.series)
    segments = lenient_json.part(file, list(found.values())[chosen], list[_Segment], tool=_METRIC)
    sources, references = [_text(one.src) for one in segments], [_text(one.ref) for one in segments]
    keys = [text_key(key) for key in question_keys.refined(sources, references)]
    scores = [column(_METRIC, [one.score for one in segments])]
    content = [hashed(*pair) for pair in zip(sources, references, strict=True)]
    series = series_choice.first(names, chosen)
    if len(set(keys)) < len(keys) or not all(key.strip() for key in keys):
        return mt_segments.to_run(file, "comet/json", len(keys), scores, content=content, series_names=series)
    return table.to_run(
        Table(
            file=file,
            format="comet/json",
            ids=keys,
            series=scores,
            errored=np.zeros(len(keys), dtype=np.bool_),
            content=content,
            key="source",
            series_names=series,
        )
    )


def _read_printed(file: ResultFile, options: ReadOptions) -> Run:
    """Read the lines of standard output, which hold a system's segments in order, system by system or in turn."""
    found: dict[bytes, array[float]] = {}
    for line, text in enumerate(io.BytesIO(file.data), 1):
        parts = _PRINTED.fullmatch(text)
        if parts is None:
            if text.isspace() or _MEAN.fullmatch(text):
                continue
            raise mt_segments.odd_line(file, line, text)
        system, place, score = parts.groups()
        scores = found.setdefault(system, array("d"))
        if int(place) != len(scores):
            raise file.problem(
                f"segment {int(place)} of {shown(system.decode('utf-8', 'replace'))} stands where "
                f"segment {len(scores)} belongs",
                where=f"line {line}",
                remedy="The output of two calls is in one file, or it was cut; write each into a file of its own.",
            )
        mt_segments.refuse_too_many(file, line, len(found))
        scores.append(math.nan if score == b"nan" else float(score))
    names = series_choice.numbered([name.decode("utf-8", "replace") for name in found])
    chosen = series_choice.choose(file, names, options.series)
    values = list(found.values())[chosen]
    return mt_segments.to_run(
        file, "comet/text", len(values), [column(_METRIC, values)], series_names=series_choice.first(names, chosen)
    )


def _text(cell: object) -> str:
    return cell if isinstance(cell, str) else "" if cell is None else question_keys.canonical(cell)
