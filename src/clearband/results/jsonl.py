"""JSON lines: one object per line, each a row."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from clearband.results import generic, repeated_keys, strict_json
from clearband.results.about import About
from clearband.results.rows import Rows, columns_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clearband.results.options import ReadOptions
    from clearband.results.outline import Outline
    from clearband.results.result_file import ResultFile
    from clearband.results.run import Run

_REMEDY = "Write one object per line, such as with json.dumps(row); blank lines are fine."


ABOUT = About(
    name="JSON lines",
    versions="written by scripts, tools and pandas",
    produce="`json.dumps(row)` on a line of its own for each question",
    key="a field such as `id`, `qid`, `question_id`, else the question's text; `--id` names another",
    metrics="every numeric or true/false field, also inside `scores` and the like; long rows (`metric`, `value`)",
    direction="none",
    errors="null is no value; a row whose `error` is filled is lost",
    measurement="nothing",
    traps=(
        "Two rows of one question need a `trial` (or `epoch`, `repeat`, `run`) that tells them apart.",
        "NaN and Infinity are refused, and so is a row in which an id or a metric stands twice.",
    ),
)


def sniff(file: ResultFile, outline: Outline) -> bool:  # noqa: ARG001  the formats' common signature
    """Whether the first line is an object of its own and another line follows."""
    lines = (line.strip() for line in _lines(file.data))
    filled = (line for line in lines if line)
    first, second = next(filled, b""), next(filled, b"")
    if not first.startswith(b"{") or not second:
        return False
    # A fault in the first line must not turn the file into a document: the second line tells.
    return isinstance(strict_json.attempt(first), dict) or (first.endswith(b"}") and second.startswith(b"{"))


def read(file: ResultFile, options: ReadOptions) -> Run:
    """Read `file` into a run."""
    return generic.to_run(rows(file), options)


def rows(file: ResultFile) -> Rows:
    """Read `file`, naming the line of the first fault."""
    decode = strict_json.decode
    try:
        objects = [decode(line) for line in _lines(file.data) if not line.isspace()]
    except strict_json.REFUSED:
        objects = list(_decoded_slowly(file))
    if set(map(type, objects)) != {dict}:
        bad = next(index for index, row in enumerate(objects) if not isinstance(row, dict))
        raise file.problem("this line is not an object", where=_place(file.data, bad), remedy=_REMEDY)
    columns = columns_of(file, objects)

    def place(index: int) -> str:
        return _place(file.data, index)

    def texts() -> Iterator[str]:
        return (line.decode() for line in _lines(file.data) if not line.isspace())

    repeated_keys.refuse(file, objects, columns, texts, place)
    return Rows(file=file, format="generic/jsonl", count=len(objects), columns=columns, place=place)


def _decoded_slowly(file: ResultFile) -> Iterator[object]:
    """Decode again, line by line, until the fault is met."""
    start = 0
    for number, line in enumerate(_lines(file.data), 1):
        if not line.isspace():
            value = strict_json.attempt(line.rstrip(b"\r\n"))
            if isinstance(value, strict_json.Fault):
                raise file.problem(
                    f"this line cannot be read: {value.what}",
                    where=f"line {number}, byte {start + value.offset} of the file",
                    remedy=value.remedy,
                )
            yield value
        start += len(line)


def _lines(data: bytes) -> Iterable[bytes]:
    """Lines with their ends; a lone carriage return ends a line only where nothing else does."""
    if b"\n" not in data and b"\r" in data:
        return data.splitlines(keepends=True)
    return io.BytesIO(data)


def _place(data: bytes, index: int) -> str:
    filled = (number for number, line in enumerate(_lines(data), 1) if not line.isspace())
    return next(f"line {number}" for position, number in enumerate(filled) if position == index)
