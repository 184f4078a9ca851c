"""Readers of evaluation-result files: bytes in, a `Run` out, or an `UnusableResults` that says what to mend.

A format is a module with `ABOUT`, `sniff` (is it mine? by content, never by name) and `read`. A new one is its module
and one line in `FORMATS`, before the generic ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from clearband.results import delimited, json_document, jsonl
from clearband.results.options import ReadOptions
from clearband.results.outline import outline
from clearband.results.result_file import open_file

if TYPE_CHECKING:
    from clearband.results.about import About
    from clearband.results.outline import Outline
    from clearband.results.result_file import ResultFile
    from clearband.results.run import Run

__all__ = ["FORMATS", "Format", "ReadOptions", "read"]


class Format(Protocol):
    """What a module of this package offers."""

    ABOUT: About

    def sniff(self, file: ResultFile, outline: Outline) -> bool:
        """Whether the file, unpacked and not empty, is in this format."""

    def read(self, file: ResultFile, options: ReadOptions) -> Run:
        """Read `file`, or raise `UnusableResults`."""


FORMATS: tuple[Format, ...] = (
    jsonl,
    json_document,
    delimited,
)
"""Asked in this order; the last one takes everything that is left and explains itself."""

_DEFAULTS = ReadOptions()


def read(name: str, data: bytes, options: ReadOptions = _DEFAULTS) -> Run:
    """Read a result file.

    Parameters
    ----------
    name
        The file's name, for messages and the record; it decides nothing.
    data
        The file's bytes, plain or gzip.
    options
        The question's field, and which of several series or tasks to read.

    Raises
    ------
    UnusableResults
        Where the bytes cannot be read as one value per question and metric.

    """
    file = open_file(name, data)
    seen = outline(file.data)
    reader = next(reader for reader in FORMATS if reader.sniff(file, seen))
    try:
        return reader.read(file, options)
    except RecursionError as error:
        raise file.problem("the file nests deeper than any result", remedy="Keep the ids and the scores.") from error
