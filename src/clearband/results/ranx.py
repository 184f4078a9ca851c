"""Scores of ranx, query by query: an object of measures with an object of queries in each."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from clearband.results import lenient_json, names, table, trec_eval_rows
from clearband.results.about import About
from clearband.results.outline import Shape, opens
from clearband.results.table import Table
from clearband.results.trec_eval_rows import KEY, Scores

if TYPE_CHECKING:
    from clearband.results.options import ReadOptions
    from clearband.results.outline import Outline
    from clearband.results.result_file import ResultFile
    from clearband.results.run import Run

ABOUT = About(
    name="ranx",
    versions="0.3.19 (run for this project); the report of 0.3.21",
    produce="`evaluate(qrels, run, metrics)`, then `json.dump(run.scores, file)`",
    key="query id",
    metrics="every measure",
    direction="none",
    errors="null is no value; a query that the run lacks scores 0",
    measurement="nothing",
    traps=(
        "The file is turned on its side: measures outside, queries inside.",
        "The report of `compare(...)` holds means and p-values and is refused.",
    ),
)

_MEASURE = re.compile(
    r"(?:hits|hit_rate|precision|recall|f1|r-precision|bpref|rbp|mrr|map|dcg|dcg_burges|ndcg|ndcg_burges)"
    r"(?:\.\d+)?(?:@\d+)?(?:-l\d+)?"
)
_REPORT = ("stat_test", "metrics", "model_names")
_STARTS = (b"{", b"[", b'"', b"t", b"f")


def sniff(file: ResultFile, outline: Outline) -> bool:  # noqa: ARG001  the formats' common signature
    """Whether the outer keys are measures of ranx over objects of numbers; also a report, to say what to do."""
    if outline.shape is not Shape.OBJECT or not outline.keys:
        return False
    if outline.has(*_REPORT):
        return True
    if not all(map(_MEASURE.fullmatch, outline.keys)):
        return False
    inner = outline.inside(next(iter(outline.keys)))
    numbers = not any(opens(raw) in _STARTS for raw in inner.values())
    return bool(inner) and numbers and names.aggregate_among(inner.keys()) is None


def read(file: ResultFile, options: ReadOptions) -> Run:
    """Read `file` into a run: a question for each query."""
    found = lenient_json.document(file, dict[str, msgspec.Raw], tool="ranx")
    if all(name in found for name in _REPORT):
        raise file.problem(
            "the file is ranx's report, which holds means and p-values",
            remedy="Write json.dump(run.scores, file) after evaluate(qrels, run, metrics): run.scores has every query.",
        )
    trec_eval_rows.refuse_other_id(file, options, KEY)
    scores = Scores(file=file)
    for measure, raw in found.items():
        for query, value in lenient_json.part(file, raw, dict[str, float | None], tool="ranx").items():
            scores.add(query, measure, np.nan if value is None else value, 1)
    return table.to_run(
        Table(
            file=file,
            format="ranx/json",
            ids=list(scores.queries),
            series=scores.series(),
            errored=np.zeros(len(scores.queries), dtype=np.bool_),
            key=KEY,
        )
    )
