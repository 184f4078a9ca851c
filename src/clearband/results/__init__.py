"""Readers of evaluation-result files: bytes in, a `Run` out, or an `UnusableResults` that says what to mend.

Which formats there are stands in `clearband.results.registry`, a line each.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from clearband.results import archive
from clearband.results.options import ReadOptions
from clearband.results.outline import outline
from clearband.results.registry import FORMATS, GENERIC, Format
from clearband.results.result_file import open_file, shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clearband.results.bundle import Formats
    from clearband.results.result_file import ResultFile
    from clearband.results.run import Run
    from clearband.results.snapshot import Content

__all__ = ["FORMATS", "Format", "ReadOptions", "read", "read_folder"]

_DEFAULTS = ReadOptions()


def read(
    name: str, data: Content, options: ReadOptions = _DEFAULTS, *, beside: Mapping[str, bytes] | None = None
) -> Run:
    """Read a result file, or a zip archive of a tool's files.

    Parameters
    ----------
    name
        The file's name, for messages and the record; it decides nothing.
    data
        The file's bytes, plain or gzip; of a large file a `Snapshot`.
    options
        The question's field, and which of several series or tasks to read.
    beside
        Files of the same folder by name, in which some tools say what a metric means.

    Raises
    ------
    UnusableResults
        Where the bytes cannot be read as one value per question and metric.

    """
    file = replace(open_file(name, data), beside=beside or {})
    seen = outline(file)
    reader = next(reader for reader in FORMATS if reader.sniff(file, seen))
    if reader in GENERIC and archive.is_archive(file.head(4)):
        from clearband.results import bundle  # noqa: PLC0415  most results are one file: 5 ms of a start-up

        return bundle.read(file, bundle.unpacked(file), options, _formats())
    return _read(reader, file, options)


def read_folder(name: str, members: Mapping[str, Content], options: ReadOptions = _DEFAULTS) -> Run:
    """Read the files of a folder: one result file, or all that a tool wrote for one run.

    Parameters
    ----------
    name
        The folder's name.
    members
        Path inside the folder, with forward slashes, to bytes.
    options
        The question's field, and which of several series or tasks to read.

    Raises
    ------
    UnusableResults
        Where the files cannot be read as one run.

    """
    from clearband.results import bundle  # noqa: PLC0415

    folder, kept = bundle.folder(name, members)
    if len(kept) == 1:
        return read(*next(iter(kept.items())), options)
    return bundle.read(folder, kept, options, _formats())


def _formats() -> Formats:
    from clearband.results.bundle import Formats  # noqa: PLC0415

    return Formats(all=FORMATS, generic=GENERIC, read=_read)


def _read(reader: Format, file: ResultFile, options: ReadOptions) -> Run:
    try:
        run = reader.read(file, options)
    except RecursionError as error:
        raise file.problem("the file nests deeper than any result", remedy="Keep the ids and the scores.") from error
    if options.series is not None and not run.series:
        raise file.problem(
            f"the file does not hold several series, so none is called `{shown(options.series)}`",
            remedy="Leave --series out; --baseline-series and --candidate-series are for one side alone.",
        )
    return run
