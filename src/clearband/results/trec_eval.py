"""Output of ``trec_eval -q``: a measure, a query and a value on each line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from clearband.results import table, trec_eval_rows
from clearband.results.about import About
from clearband.results.outline import Shape
from clearband.results.table import Table, hashed
from clearband.results.trec_eval_rows import ALL, KEY, Order, Scores

if TYPE_CHECKING:
    from clearband.results.options import ReadOptions
    from clearband.results.outline import Outline
    from clearband.results.result_file import ResultFile
    from clearband.results.run import Run
    from clearband.results.table import Series

ABOUT = About(
    name="trec_eval",
    versions="10.0-rc3 (run for this project) and the test output of the repository",
    produce="`trec_eval -q -m map -m ndcg_cut.10 QRELS RUN > results.txt`",
    key="query id",
    metrics="every measure of a query that is a number, but for the counts `num_*`",
    direction="none",
    errors="a query without a line is lost; trec_eval leaves out queries for which the run retrieved nothing",
    measurement="the number of relevant documents of a query, which is compared like its content",
    traps=(
        "By convention a query without results scores 0, but its line is missing: have the system write one document.",
        "The lines of the query `all` are means and are left out; so are `runid` and `relstring`.",
        "Values have four decimals; ir_measures as JSON lines has all of them.",
    ),
)

_COUNT = "num_"
_RELEVANT = "num_rel"
_QUERIES = "num_q"
_TEXTS = frozenset({"runid", "relstring"})
_RUN_OR_QRELS = re.compile(
    rb"\S+[ \t]+(?:Q0[ \t]+\S+[ \t]+\d+[ \t]+[-+.\deE]+[ \t]+\S+|0[ \t]+\S+[ \t]+-?\d+)[ \t]*\r?"
)


def sniff(file: ResultFile, outline: Outline) -> bool:
    """Whether the lines are measure, query and value; also a run or relevance judgements, to say what to do."""
    if outline.shape is not Shape.OTHER:
        return False
    return _is_run_or_qrels(file.data) or trec_eval_rows.order(file.data) is Order.MEASURE


def read(file: ResultFile, options: ReadOptions) -> Run:
    """Read `file` into a run: a question for each query."""
    if _is_run_or_qrels(file.data):
        raise file.problem(
            "the file is a retrieval run or its relevance judgements, without scores",
            remedy="Score it: trec_eval -q -m map -m ndcg_cut.10 QRELS RUN > results.txt",
        )
    trec_eval_rows.refuse_other_id(file, options, KEY)
    scores = Scores(file=file)
    counted: float | None = None
    for line, measure, query, cell in trec_eval_rows.lines(file):
        if query == ALL:
            counted = trec_eval_rows.value_of(file, cell, line) if measure == _QUERIES else counted
        elif measure == _RELEVANT or (measure not in _TEXTS and not measure.startswith(_COUNT)):
            scores.add(query, measure, trec_eval_rows.value_of(file, cell, line), line)
    series = scores.series()
    relevant = next((one for one in series if one.name == _RELEVANT), None)
    if len(series) == (relevant is not None):
        raise file.problem(
            f"the file holds only means (query `{ALL}`) or counts",
            remedy="Run trec_eval with -q, which writes each query's values.",
        )
    ids = list(scores.queries)
    return table.to_run(
        Table(
            file=file,
            format="trec_eval/text",
            ids=ids,
            series=[one for one in series if one is not relevant],
            errored=np.zeros(len(ids), dtype=np.bool_),
            content=None if relevant is None else _content(relevant, len(ids)),
            key=KEY,
            notes=_missing(counted, len(ids)),
        )
    )


def _content(relevant: Series, count: int) -> list[str | None]:
    """Return a hash of what is known of each query's judgements: how many documents are relevant."""
    numbers: list[str | None] = [None] * count
    for row, value in zip(
        [] if relevant.rows is None else relevant.rows.tolist(), relevant.values.tolist(), strict=True
    ):
        numbers[row] = hashed(_RELEVANT, f"{value:g}")
    return numbers


def _missing(counted: float | None, found: int) -> tuple[str, ...]:
    """Say that the tool's own means are over more queries than have lines."""
    if counted is None or not counted > found:
        return ()
    missing = counted - found
    note = (
        f"The tool's own means are over {counted:,.0f} queries; {missing:,.0f} of them have no line and count as lost."
    )
    return (note,)


def _is_run_or_qrels(data: bytes) -> bool:
    first = data[:4096].lstrip().split(b"\n", 1)[0]
    return _RUN_OR_QRELS.fullmatch(first) is not None
