"""Readers of evaluation-result files: bytes in, a `Run` out, or an `UnusableResults` that says what to mend.

A format is a module with `sniff` (is it mine? by content, never by name) and `read`. A new one is its module and one
line in `FORMATS`, before the generic ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from clearband.results import delimited, json_document, jsonl
from clearband.results.result_file import open_file

if TYPE_CHECKING:
    from clearband.results.result_file import ResultFile
    from clearband.results.run import Run

__all__ = ["FORMATS", "Format", "read"]


class Format(Protocol):
    """What a module of this package offers."""

    def sniff(self, data: bytes) -> bool:
        """Whether `data`, unpacked and not empty, is in this format."""

    def read(self, file: ResultFile, *, id_field: str | None) -> Run:
        """Read `file`, or raise `UnusableResults`."""


FORMATS: tuple[Format, ...] = (jsonl, json_document, delimited)
"""Asked in this order; the last one takes everything that is left and explains itself."""


def read(name: str, data: bytes, *, id_field: str | None = None) -> Run:
    """Read a result file.

    Parameters
    ----------
    name
        The file's name, for messages and the record; it decides nothing.
    data
        The file's bytes, plain or gzip.
    id_field
        The field that names the question; None to find it.

    Raises
    ------
    UnusableResults
        Where the bytes cannot be read as one value per question and metric.

    """
    file = open_file(name, data)
    reader = next(reader for reader in FORMATS if reader.sniff(file.data))
    try:
        return reader.read(file, id_field=id_field)
    except RecursionError as error:
        raise file.problem("the file nests deeper than any result", remedy="Keep the ids and the scores.") from error
