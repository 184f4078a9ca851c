"""One small table in every shape that the readers know, and a way to look at what was read."""

from __future__ import annotations

import csv
import gzip
import io
import json
import math
from typing import TYPE_CHECKING

import pytest

from clearband.errors import UnusableResults
from clearband.results import ReadOptions, read

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from clearband.results.run import Run

Value = float | bool | None
Table = dict[str, dict[str, Value]]
"""Question to metric to value."""


def rows_of(table: Table) -> list[dict[str, object]]:
    return [{"id": question, **scores} for question, scores in table.items()]


def jsonl(rows: Sequence[object]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def delimited(rows: Sequence[Mapping[str, object]], *, delimiter: str = ",", end: str = "\r\n") -> bytes:
    text = io.StringIO(newline="")
    # Python's writer leaves a lone carriage return unquoted where lines end otherwise, and no reader could know.
    broken = any("\r" in str(cell) for row in rows for cell in row.values())
    quoting = csv.QUOTE_ALL if broken else csv.QUOTE_MINIMAL
    writer = csv.writer(text, delimiter=delimiter, lineterminator=end, quoting=quoting)
    fields = list(dict.fromkeys(field for row in rows for field in row))
    writer.writerow(fields)
    writer.writerows([["" if row.get(field) is None else row[field] for field in fields] for row in rows])
    return text.getvalue().encode()


def long_rows(table: Table) -> list[dict[str, object]]:
    return [
        {"id": question, "metric": metric, "value": value}
        for question, scores in table.items()
        for metric, value in scores.items()
    ]


def _decimal_comma(table: Table) -> bytes:
    rows = [
        {field: str(cell).replace(".", ",") if isinstance(cell, float) else cell for field, cell in row.items()}
        for row in rows_of(table)
    ]
    return delimited(rows, delimiter=";")


def _columns(table: Table) -> dict[str, dict[str, object]]:
    rows = rows_of(table)
    return {field: {str(index): row[field] for index, row in enumerate(rows)} for field in rows[0]}


def _split(table: Table) -> dict[str, object]:
    rows = rows_of(table)
    fields = list(rows[0])
    data = [[row[field] for field in fields] for row in rows]
    return {"columns": fields, "index": list(range(len(rows))), "data": data}


SHAPES: dict[str, Callable[[Table], bytes]] = {
    "generic/jsonl": lambda table: jsonl(rows_of(table)),
    "generic/json-list": lambda table: json.dumps(rows_of(table), indent=1).encode(),
    "generic/json-by-id": lambda table: json.dumps(table).encode(),
    "generic/json-wrapped": lambda table: json.dumps({"summary": {"n": 2}, "details": rows_of(table)}).encode(),
    "generic/json-split": lambda table: json.dumps(_split(table)).encode(),
    "generic/json-columns": lambda table: json.dumps(_columns(table)).encode(),
    "generic/csv": lambda table: delimited(rows_of(table)),
    "generic/tsv": lambda table: delimited(rows_of(table), delimiter="\t", end="\n"),
    "generic/semicolon": _decimal_comma,
    "generic/csv-long": lambda table: delimited(long_rows(table)),
    "generic/jsonl-long": lambda table: jsonl(long_rows(table)),
}
"""How each shape writes a table, by the name its reader gives to it."""

WRAPPED: dict[str, Callable[[bytes], bytes]] = {
    "plain": lambda data: data,
    "gzip": lambda data: gzip.compress(data, 1),
    "byte order mark": lambda data: b"\xef\xbb\xbf" + data,
}


def seen(run: Run) -> Table:
    """What a run says, with None for NaN."""
    return {
        question: {
            name: None if math.isnan(values[index]) else float(values[index]) for name, values in run.metrics.items()
        }
        for index, question in enumerate(run.ids)
    }


def score(run: Run, metric: str = "score") -> dict[str, Value]:
    return {question: values[metric] for question, values in seen(run).items()}


def read_jsonl(*rows: object, id_field: str | None = None) -> Run:
    return read("run.jsonl", jsonl(rows), ReadOptions(id_field=id_field))


def refused(data: bytes, *, name: str = "run.jsonl", id_field: str | None = None) -> UnusableResults:
    """The error with which `data` is refused; it names the file and says what to do."""
    with pytest.raises(UnusableResults) as caught:
        read(name, data, ReadOptions(id_field=id_field))
    error = caught.value
    assert error.what.startswith(f"{name}: ")
    assert error.remedy
    assert error.exit_status == 3
    return error


def refused_rows(*rows: object, id_field: str | None = None) -> UnusableResults:
    return refused(jsonl(rows), id_field=id_field)
