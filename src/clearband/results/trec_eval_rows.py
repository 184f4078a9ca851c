"""Values of retrieval measures, query by query, as several tools write them in three columns."""

from __future__ import annotations

import io
import math
import re
from array import array
from collections import Counter
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING

import numpy as np

from clearband.results import limits, values
from clearband.results.result_file import shown
from clearband.results.table import Series

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clearband.errors import UnusableResults
    from clearband.results.options import ReadOptions
    from clearband.results.result_file import ResultFile

ALL = "all"
"""What the tools write as the query of a mean."""

KEY = "query_id"
"""What names the questions."""

_HEAD = 2**16
_TAIL = 2**12
_SPELLINGS = 1_000_000
_MEASURES = 10 * limits.METRICS
_TEXT_MEASURES = frozenset({"runid", "relstring"})
_KNOWN = re.compile(
    r"(?i:11pt_avg|map|gm_map|ap|rr|rprec|bpref|recip_rank|iprec_at_recall|ndcg|err|rbp|infap|success|recall|judged|mrr|"
    r"precision|accuracy|compat|unj|rndcg)(?![A-Za-z0-9])|set_|[PR][_@]\d"
)
_NO_VALUE = frozenset({"nan", "-nan"})


class Order(Enum):
    """Which column comes first."""

    MEASURE = auto()
    QUERY = auto()


@dataclass(slots=True, kw_only=True)
class Scores:
    """Values by measure and query, as they are met."""

    file: ResultFile
    queries: dict[str, int] = field(default_factory=dict)
    """Query to its place."""
    measures: dict[str, tuple[array[int], array[float]]] = field(default_factory=dict)
    """Measure to places of queries, and values."""

    def add(self, query: str, measure: str, value: float, line: int) -> None:
        """Keep one value; NaN is none."""
        found = self.measures.get(measure)
        if found is None:
            self._check_measure(measure, line)
            found = self.measures[measure] = (array("q"), array("d"))
        place = self.queries.get(query)
        if place is None:
            self._check_query(query, line)
            place = self.queries[query] = len(self.queries)
        found[0].append(place)
        found[1].append(value)

    def series(self) -> list[Series]:
        """Return the metrics; refuse two values of one measure for one query."""
        found = []
        for measure, (places, cells) in self.measures.items():
            rows = np.array(places, dtype=np.intp)
            if np.unique(rows).size < rows.size:
                twice = Counter(places).most_common(1)[0][0]
                query = next(query for query, place in self.queries.items() if place == twice)
                raise self.file.problem(
                    f'query "{shown(query)}" has two values of `{shown(measure)}`',
                    remedy="Is it the output of two runs? Write each into a file of its own.",
                )
            found.append(Series(name=measure, values=np.array(cells, dtype=np.float64), rows=rows))
        return found

    def _check_measure(self, measure: str, line: int) -> None:
        if not measure.strip():
            raise _damaged(self.file, line, "names no measure")
        if len(self.measures) >= _MEASURES:
            raise self.file.problem(
                f"the file has more than {_MEASURES:,} measures",
                where=f"line {line}",
                remedy="Choose the ones to keep.",
            )

    def _check_query(self, query: str, line: int) -> None:
        if not query.strip():
            raise _damaged(self.file, line, "names no query")
        if len(query) > limits.ID_CHARACTERS:
            raise _damaged(self.file, line, f"names a query in more than {limits.ID_CHARACTERS:,} characters")
        if len(self.queries) >= limits.QUESTIONS:
            raise self.file.problem(
                f"the file has more than {limits.QUESTIONS:,} queries", where=f"line {line}", remedy="Compare a sample."
            )


def order(data: bytes) -> Order | None:
    """Tell from the first and last lines which column holds the measures; None for any other file.

    A table with a header is never taken: its first line has no number in the third column.
    """
    sample = _sample(data)
    rows = [cells(line) for line in sample]
    if not rows or not all(len(row) == 3 and (is_number(row[2]) or row[0] in _TEXT_MEASURES) for row in rows):
        return None
    first, second = [row[0] for row in rows], [row[1] for row in rows]
    if ALL in first or ALL in second:
        return None if ALL in first and ALL in second else Order.QUERY if ALL in first else Order.MEASURE
    if any(line.partition("\t")[0].endswith(" ") for line in sample):
        return Order.MEASURE if all(map(_may_be_measure, first)) else None  # trec_eval pads it
    likely = tuple(all(map(_may_be_measure, column)) and _repeats(column) for column in (first, second))
    known = tuple(any(map(is_measure, column)) and all(map(_may_be_measure, column)) for column in (first, second))
    if likely == (True, True):
        likely = len(set(first)) < len(set(second)), len(set(first)) > len(set(second))
    match known if known[0] != known[1] else likely:
        case (True, False):
            return Order.MEASURE
        case (False, True):
            return Order.QUERY
        case _:
            return None


def lines(file: ResultFile) -> Iterator[tuple[int, str, str, float | str]]:
    """Return of every line that is not blank its number and its cells; the third is a text where it is no value.

    Cells repeat: names on every line, values of four decimals every few lines. Each spelling is looked at once.
    """
    texts: dict[bytes, str] = {}
    found: dict[bytes, float | str] = {}
    for number, line in enumerate(io.BytesIO(file.data), 1):
        parts = line.split(b"\t")
        if len(parts) != 3:
            if line.isspace():
                continue
            raise _damaged(file, number, f"has {len(parts)} cells instead of 3")
        first, second, third = parts
        if len(texts) >= _SPELLINGS:
            texts.clear()
        if len(found) >= _SPELLINGS:
            found.clear()
        try:
            value = found.get(third)
            if value is None:
                value = found[third] = _value(third.decode().strip())
            one = texts.get(first)
            if one is None:
                one = texts[first] = first.decode().strip()
            other = texts.get(second)
            if other is None:
                other = texts[second] = second.decode().strip()
        except UnicodeDecodeError as error:
            what = f"holds byte 0x{error.object[error.start]:02x}, which is not UTF-8"
            raise _damaged(file, number, what) from error
        yield number, one, other, value


def cells(line: str) -> list[str]:
    """Split a line at its tabs; trec_eval pads the measure with spaces."""
    return [cell.strip() for cell in line.split("\t")]


def value_of(file: ResultFile, cell: float | str, line: int) -> float:
    """Return the value in the third column; NaN where the tool found none."""
    if isinstance(cell, str):
        raise _damaged(file, line, f'has "{shown(cell, width=40)}" where its value belongs')
    return cell


def refuse_other_id(file: ResultFile, options: ReadOptions, key: str) -> None:
    """Refuse an --id that these lines cannot have."""
    if options.id_field not in {None, key}:
        raise file.problem(
            f"no field is called `{shown(options.id_field)}`",
            remedy=f"Its lines have no fields; questions are told apart by the {key}. Leave --id out.",
        )


def _damaged(file: ResultFile, line: int, what: str) -> UnusableResults:
    return file.problem(
        f"this line {what}", where=f"line {line}", remedy="The file was cut, edited or mixed with other output."
    )


def is_measure(text: str) -> bool:
    """Return whether a cell is a measure by its name; others there are too."""
    return _KNOWN.match(text) is not None


def _sample(data: bytes) -> list[str]:
    """Return the lines of the head and the tail of a file, without those that are cut."""
    head = data[:_HEAD].decode("utf-8", "replace").split("\n")
    tail = data[max(_HEAD, len(data) - _TAIL) :].decode("utf-8", "replace").split("\n")
    whole = [*head[:-1], *tail[1:]] if len(data) > _HEAD else head
    return [line for line in whole if line.strip()]


def is_number(text: str) -> bool:
    """Return whether a cell is a value."""
    return isinstance(_value(text), float)


def _value(text: str) -> float | str:
    value = values.number(text)
    if value is None:
        return math.nan if text.lower() in _NO_VALUE else text
    return value


def _repeats(column: list[str]) -> bool:
    """Whether a column has the same few names again and again, as measures are for every query."""
    return len(set(column)) * 2 <= len(column)


def _may_be_measure(text: str) -> bool:
    return text[:1].isalpha() or text.startswith("11pt")
