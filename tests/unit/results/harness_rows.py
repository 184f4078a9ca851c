"""Rows as lm-evaluation-harness writes them, and a way to look at what was read."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

import numpy as np

from clearband.results import ReadOptions, read

from .shapes import jsonl

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clearband.results.run import Run

DEFAULTS = ReadOptions()
NOTHING: Mapping[str, object] = {}
Row = dict[str, object]


def row(number: int, question: str | None = None, *, old: bool = False, **scores: object) -> Row:
    """A line; `old` ones have neither hashes nor the name of their filter."""
    doc = {"question": question or f"What is {number}?", "gold": number}
    kept: Row = {
        "doc_id": number,
        "doc": doc,
        "target": str(number),
        "arguments": {},
        "resps": [["x"]],
        "filtered_resps": ["x"],
    }
    if not old:
        names = [name for name in scores if name != "filter"]
        kept |= {"filter": "none", "metrics": names, "doc_hash": doc_hash(doc)}
    return kept | scores


def doc_hash(doc: object) -> str:
    return hashlib.sha256(json.dumps(doc, indent=2, ensure_ascii=False).encode()).hexdigest()


def of(rows: Iterable[Row], options: ReadOptions = DEFAULTS, *, beside: Mapping[str, object] = NOTHING) -> Run:
    others = {name: json.dumps(document).encode() for name, document in beside.items()}
    return read("samples_sums_2026-01-01T00-00-00.000001.jsonl", jsonl(list(rows)), options, beside=others)


def means(run: Run) -> dict[str, tuple[float, int]]:
    return {
        name: (round(float(np.nanmean(cells)), 6), int(np.count_nonzero(~np.isnan(cells))))
        for name, cells in run.metrics.items()
    }
