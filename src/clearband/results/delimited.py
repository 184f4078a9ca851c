"""CSV, TSV and semicolon-separated text with a header line."""

from __future__ import annotations

import contextlib
import csv
import io
import re
from itertools import islice
from typing import TYPE_CHECKING

from clearband.results import foreign, generic, limits
from clearband.results.about import About
from clearband.results.result_file import first_sign, shown
from clearband.results.rows import Rows, refuse_too_wide

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clearband.errors import UnusableResults
    from clearband.results.options import ReadOptions
    from clearband.results.outline import Outline
    from clearband.results.result_file import ResultFile
    from clearband.results.run import Run

_FORMATS = {",": "generic/csv", "\t": "generic/tsv", ";": "generic/semicolon"}
_SPOKEN = {",": "a comma", "\t": "a tab", ";": "a semicolon"}
_DOT_NUMBER = re.compile(r'(?:^|;)[ "]*[+-]?\d*\.\d+[ "]*(?:;|$)', re.MULTILINE)
_NUMBER = re.compile(r"[+-]?\d*[.,]?\d+")
_NOT_TEXT = "The file is none of JSON, JSON lines, CSV, TSV or semicolon-separated text."


ABOUT = About(
    name="CSV, TSV, semicolon",
    versions="written by pandas, spreadsheets, DuckDB and by hand",
    produce="`DataFrame.to_csv(..., index=False)`, one row per question",
    key="a column such as `id`, `qid`, `question_id`, else the question's text; `--id` names another",
    metrics="every column of numbers, or of words for yes and no; long files (`metric`, `value`)",
    direction="none",
    errors="an empty cell is no value; a row whose `error` column is filled is lost",
    measurement="nothing",
    traps=(
        "A semicolon file may have decimal commas; where any number has a point, a comma cannot be the decimal sign.",
        "One text among the numbers of a column is refused, never read as 0.",
    ),
)


def sniff(file: ResultFile, outline: Outline) -> bool:  # noqa: ARG001  the formats' common signature
    """Whether the bytes may be a table: everything that does not start like JSON; `rows` says why it is none."""
    return first_sign(file.data) not in {b"{", b"["}


def read(file: ResultFile, options: ReadOptions) -> Run:
    """Read `file` into a run."""
    return generic.to_run(rows(file), options)


def rows(file: ResultFile) -> Rows:
    """Read `file`: the first line names the fields, every other line has a cell for each."""
    foreign.refuse(file)
    text = _text(file)
    with _large_cells():
        delimiter = _delimiter(file, text)
        fields, lines, records = _table(file, text, delimiter)
    refuse_too_wide(file, fields, len(records))
    cells = zip(*records, strict=True) if records else ([] for _ in fields)
    return Rows(
        file=file,
        format=_FORMATS[delimiter],
        count=len(records),
        columns={field: [cell.strip() or None for cell in column] for field, column in zip(fields, cells, strict=True)},
        place=lambda index: f"line {lines[index]}",
        text_cells=True,
        # Where any number has a point, a comma cannot be the decimal sign.
        decimal_comma=delimiter == ";" and not _DOT_NUMBER.search(text),
    )


def _table(file: ResultFile, text: str, delimiter: str) -> tuple[list[str], list[int], list[list[str]]]:
    """Return the fields, and of every record the line and the cells."""
    lines: list[int] = []
    records: list[list[str]] = []
    found = _records(text, delimiter)
    try:
        fields = _fields(file, next(found)[1])
        for line, record in found:
            if len(record) != len(fields):
                raise _uneven(file, line, record, fields, delimiter)
            lines.append(line)
            records.append(record)
    except csv.Error as error:
        raise file.problem(
            f"the table cannot be read: {shown(str(error))}",
            where=f"behind line {lines[-1] if lines else 1}",
            remedy="A quoted cell is not closed, or the file was cut short. Write it with a CSV library.",
        ) from error
    return fields, lines, records


def _uneven(file: ResultFile, line: int, record: list[str], fields: list[str], delimiter: str) -> UnusableResults:
    cut = len(record) < len(fields)
    return file.problem(
        f"this row has {len(record)} cells, the header has {len(fields)}",
        where=f"line {line}",
        remedy="The file was cut short there, or a cell is missing; write it again."
        if cut
        else f"Quote cells that contain {_SPOKEN[delimiter]} or a line break.",
    )


def _text(file: ResultFile) -> str:
    try:
        text = file.data.decode()
    except UnicodeDecodeError as error:
        line = file.data.count(b"\n", 0, error.start) + 1
        raise file.problem(
            f"byte 0x{file.data[error.start]:02x} is not UTF-8 text",
            where=f"line {line}, byte {error.start}",
            remedy=f"{_NOT_TEXT} If it is such text in another encoding, save it as UTF-8.",
        ) from error
    if "\0" in text:
        raise file.problem("the file contains zero bytes", where=f"byte {file.data.index(0)}", remedy=_NOT_TEXT)
    return text


def _delimiter(file: ResultFile, text: str) -> str:
    """Choose what splits the header and the first row into the same number of cells, and into most cells."""

    def fit(delimiter: str) -> tuple[bool, int]:
        widths: list[int] = []
        with contextlib.suppress(csv.Error):  # `_table` meets it again and says where
            widths.extend(len(record) for _, record in islice(_records(text, delimiter), 2))
        width = max(widths[:1], default=0)
        return width > 1 and len(set(widths)) == 1, width

    best = max(_FORMATS, key=fit)
    if fit(best)[1] < 2:
        raise file.problem(
            "the first line is not the header of a table",
            where="line 1",
            remedy=f"{_NOT_TEXT} A table starts with a line such as: id,score",
        )
    return best


def _records(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the line on which each record starts, and its cells; empty records are left out."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    for record in reader:
        if any(map(str.strip, record)):
            yield line, record
        line = reader.line_num + 1


@contextlib.contextmanager
def _large_cells() -> Iterator[None]:
    """Lift the csv module's limit of 128 KiB per cell, which is one for the whole process, for as long as we read."""
    before = csv.field_size_limit(limits.CELL_CHARACTERS)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _fields(file: ResultFile, header: list[str]) -> list[str]:
    fields = [cell.strip() or f"unnamed: {position}" for position, cell in enumerate(header, 1)]
    refuse_too_wide(file, fields, 1)
    if any(_NUMBER.fullmatch(cell.strip()) for cell in header[1:]):
        raise file.problem(
            "the first line holds numbers where the names of the fields belong",
            where="line 1",
            remedy="Add a header line such as: id,score",
        )
    twice = next((field for position, field in enumerate(fields) if field in fields[:position]), None)
    if twice is not None:
        raise file.problem(
            f"two columns are called `{shown(twice)}`", where="line 1", remedy="Give each column a name of its own."
        )
    return fields
