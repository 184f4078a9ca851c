"""JSON lines: one object per line, each a row."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from clearband.results import generic, long_texts, repeated_keys, row_chunks, strict_json
from clearband.results.about import About
from clearband.results.gathered import Gathered
from clearband.results.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clearband.results.options import ReadOptions
    from clearband.results.outline import Outline
    from clearband.results.result_file import ResultFile
    from clearband.results.run import Run

_TOGETHER = 2**19
"""Bytes of rows that are held as Python objects at once."""
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
    first, second = _first_lines(file)
    if not first.startswith(b"{") or not second:
        return False
    # A fault in the first line must not turn the file into a document: the second line tells.
    return isinstance(strict_json.attempt(first), dict) or (first.endswith(b"}") and second.startswith(b"{"))


def read(file: ResultFile, options: ReadOptions) -> Run:
    """Read `file` into a run."""
    return generic.to_run(rows(file, options), options)


def rows(file: ResultFile, options: ReadOptions) -> Rows:
    """Read `file`, naming the line of the first fault."""
    cut = long_texts.cutter(options)
    try:
        gathered = _gathered(file, row_chunks.decoded(_groups(file), cut))
    except strict_json.REFUSED:
        gathered = _gathered(file, row_chunks.chunked(_decoded_slowly(file)))
    columns = gathered.columns()

    def place(index: int) -> str:
        return _place(file, index)

    def texts() -> Iterator[str]:
        return (line.decode() for line in _filled(file))

    repeated_keys.refuse(file, gathered.occurrences, columns, texts, place)
    return Rows(file=file, format="generic/jsonl", count=gathered.count, columns=columns, place=place)


def _gathered(file: ResultFile, chunks: Iterable[row_chunks.Alike | list[object]]) -> Gathered:
    """Return the columns of all rows, or say which line is no object."""
    gathered = Gathered(file)
    for chunk in chunks:
        if isinstance(chunk, row_chunks.Alike):
            gathered.add_columns(chunk.fields, chunk.columns, chunk.count)
            continue
        bad = next((index for index, row in enumerate(chunk) if type(row) is not dict), None)
        if bad is not None:
            where = _place(file, gathered.count + bad)
            raise file.problem("this line is not an object", where=where, remedy=_REMEDY)
        gathered.add(cast("list[dict[str, object]]", chunk))
    return gathered


def _groups(file: ResultFile) -> Iterator[list[bytes]]:
    """Yield the lines that are not blank, as many together as are decoded together."""
    groups = [file.data.splitlines()] if _is_split_by_returns(file) else file.line_groups(_TOGETHER)
    return ([line for line in group if line and not line.isspace()] for group in groups)


def _filled(file: ResultFile) -> Iterator[bytes]:
    return (line for line in _lines(file) if not line.isspace())


def _decoded_slowly(file: ResultFile) -> Iterator[dict[str, object]]:
    """Decode again, line by line, until the fault is met."""
    start = 0
    for number, line in enumerate(_lines(file), 1):
        if not line.isspace():
            value = strict_json.attempt(line.rstrip(b"\r\n"))
            if isinstance(value, strict_json.Fault):
                raise file.problem(
                    f"this line cannot be read: {value.what}",
                    where=f"line {number}, byte {start + value.offset} of the file",
                    remedy=value.remedy,
                )
            yield cast("dict[str, object]", value)
        start += len(line)


def _first_lines(file: ResultFile) -> tuple[bytes, bytes]:
    if _is_split_by_returns(file):
        filled = (line.strip() for line in _filled(file))
        return next(filled, b""), next(filled, b"")
    return file.first_lines()


def _lines(file: ResultFile) -> Iterable[bytes]:
    """Lines with their ends; a lone carriage return ends a line only where nothing else does."""
    return file.data.splitlines(keepends=True) if _is_split_by_returns(file) else file.lines()


def _is_split_by_returns(file: ResultFile) -> bool:
    return isinstance(file.content, bytes) and b"\n" not in file.content and b"\r" in file.content


def _place(file: ResultFile, index: int) -> str:
    filled = (number for number, line in enumerate(_lines(file), 1) if not line.isspace())
    return next(f"line {number}" for position, number in enumerate(filled) if position == index)
