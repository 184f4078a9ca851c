"""Output of ``ir_measures -q``: tab-separated lines or JSON lines of query, measure and value."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from clearband.results import lenient_json, lookup, table, trec_eval_rows
from clearband.results.about import About
from clearband.results.outline import Shape
from clearband.results.result_file import shown
from clearband.results.table import Table
from clearband.results.trec_eval_rows import ALL, KEY, Order, Scores

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clearband.results.options import ReadOptions
    from clearband.results.outline import Outline
    from clearband.results.result_file import ResultFile
    from clearband.results.run import Run

ABOUT = About(
    name="ir_measures",
    versions="0.3.3 and 0.4.3 (run for this project)",
    produce="`ir_measures QRELS RUN 'nDCG@10 AP' -q -n -o jsonl > results.jsonl`",
    key="query_id",
    metrics="every measure, but for the counts `NumRet`, `NumRel` and `NumQ`",
    direction="none",
    errors="a query for which the run retrieved nothing is written with 0, unlike in trec_eval's own output",
    measurement="nothing",
    traps=(
        "Tab-separated output has four decimals (`-p` asks for more); JSON lines have all of them.",
        "The means (query `all`, in JSON lines without a query) are left out.",
    ),
)

_FIELDS = frozenset({"query_id", "measure", "value"})
_MEAN_FIELDS = _FIELDS - {"query_id"}
_COUNT = re.compile(r"Num(?:Ret|Rel|RelRet|Q)(?:\(.*\))?")
_BY_QUERY = "Run ir_measures with -q, which writes each query's values."


class _Row(msgspec.Struct):
    query_id: object = None
    measure: object = None
    value: float | None = None


def sniff(file: ResultFile, outline: Outline) -> bool:
    """Whether the lines are query, measure and value and nothing else; also means alone, to say what to do."""
    match outline.shape:
        case Shape.LINES:
            return outline.keys.keys() in (_FIELDS, _MEAN_FIELDS)
        case Shape.OTHER:
            return trec_eval_rows.order(file.data) is Order.QUERY or _are_means(file.data)
        case Shape.OBJECT | Shape.LIST:
            return False


def read(file: ResultFile, options: ReadOptions) -> Run:
    """Read `file` into a run: a question for each query."""
    is_json = file.head(4096).lstrip().startswith(b"{")
    if not is_json and _are_means(file.data):
        raise file.problem("the file holds only means", remedy=_BY_QUERY)
    trec_eval_rows.refuse_other_id(file, options, KEY)
    scores = Scores(file=file)
    for line, query, measure, value in _json_lines(file) if is_json else _text_lines(file):
        if not _COUNT.fullmatch(measure):
            scores.add(query, measure, value, line)
    if not scores.queries:
        raise file.problem("the file holds only means or counts", remedy=_BY_QUERY)
    return table.to_run(
        Table(
            file=file,
            format=f"ir_measures/{'jsonl' if is_json else 'tsv'}",
            ids=list(scores.queries),
            series=scores.series(),
            errored=np.zeros(len(scores.queries), dtype=np.bool_),
            key=KEY,
        )
    )


def _text_lines(file: ResultFile) -> Iterator[tuple[int, str, str, float]]:
    for line, query, measure, cell in trec_eval_rows.lines(file):
        if query != ALL:
            yield line, query, measure, trec_eval_rows.value_of(file, cell, line)


def _json_lines(file: ResultFile) -> Iterator[tuple[int, str, str, float]]:
    for line, row in lenient_json.lines(file, _Row, tool="ir_measures"):
        query = lookup.id_text(row.query_id)
        if query is None and row.query_id is not None:
            raise file.problem(
                f"`query_id` is {shown(row.query_id)}, which is no id",
                where=f"line {line}",
                remedy="A query's id is a text or a whole number.",
            )
        if not isinstance(row.measure, str):
            raise file.problem("this line names no measure", where=f"line {line}", remedy="Write the file again.")
        if query is not None and query != ALL:
            yield line, query, row.measure, np.nan if row.value is None else row.value


def _are_means(data: bytes) -> bool:
    """Whether a short text holds a measure and its mean on each line."""
    if len(data) > 4096 or b"\t" not in data:
        return False
    rows = [line.split("\t") for line in data.decode("utf-8", "replace").splitlines() if line.strip()]
    if not all(len(row) == 2 and trec_eval_rows.is_number(row[1].strip()) for row in rows):
        return False
    return any(trec_eval_rows.is_measure(row[0].strip()) for row in rows)
