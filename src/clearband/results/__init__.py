"""Readers of evaluation-result files: bytes in, a `Run` out, or an `UnusableResults` that says what to mend.

A format is a module with `ABOUT`, `sniff` (is it mine? by content, never by name) and `read`. A new one is its module
and one line in `FORMATS`, before the generic ones. Where a tool writes several files, a module may also have `task_of`
(see `bundle.NamesTasks`): which task a file of a folder is about, or that its name says it is no result.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from clearband.results import (
    archive,
    azure_ai,
    braintrust,
    bundle,
    deepeval,
    delimited,
    helm,
    inspect_ai,
    ir_measures,
    json_document,
    jsonl,
    junit,
    langsmith,
    lighteval,
    lm_eval,
    mlflow,
    mt_comet,
    mt_sacrebleu,
    mt_seg_score,
    openai_evals,
    parquet,
    phoenix,
    promptfoo,
    pydantic_evals,
    pytest_json,
    ragas,
    ranx,
    swe_bench,
    trec_eval,
)
from clearband.results.options import ReadOptions
from clearband.results.outline import outline
from clearband.results.result_file import open_file, shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clearband.results.about import About
    from clearband.results.outline import Outline
    from clearband.results.result_file import ResultFile
    from clearband.results.run import Run

__all__ = ["FORMATS", "Format", "ReadOptions", "read", "read_folder"]


class Format(Protocol):
    """What a module of this package offers."""

    ABOUT: About

    def sniff(self, file: ResultFile, outline: Outline) -> bool:
        """Whether the file, unpacked and not empty, is in this format."""

    def read(self, file: ResultFile, options: ReadOptions) -> Run:
        """Read `file`, or raise `UnusableResults`."""


FORMATS: tuple[Format, ...] = (
    inspect_ai,
    lighteval,
    promptfoo,
    deepeval,
    openai_evals,
    junit,
    swe_bench,
    pytest_json,
    mt_comet,
    ranx,
    ir_measures,
    trec_eval,
    mt_sacrebleu,
    mt_seg_score,
    azure_ai,
    pydantic_evals,
    mlflow,
    phoenix,
    langsmith,
    braintrust,
    ragas,
    helm,
    lm_eval,
    parquet,
    jsonl,
    json_document,
    delimited,
)
"""Asked in this order; the last one takes everything that is left and explains itself."""

GENERIC: tuple[Format, ...] = (parquet, jsonl, json_document, delimited)
"""Those of `FORMATS` that are no tool's own."""

_DEFAULTS = ReadOptions()


def read(name: str, data: bytes, options: ReadOptions = _DEFAULTS, *, beside: Mapping[str, bytes] | None = None) -> Run:
    """Read a result file, or a zip archive of a tool's files.

    Parameters
    ----------
    name
        The file's name, for messages and the record; it decides nothing.
    data
        The file's bytes, plain or gzip.
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
    seen = outline(file.data)
    reader = next(reader for reader in FORMATS if reader.sniff(file, seen))
    if reader in GENERIC and archive.is_archive(file.data):
        return bundle.read(file, bundle.unpacked(file), options, _formats())
    return _read(reader, file, options)


def read_folder(name: str, members: Mapping[str, bytes], options: ReadOptions = _DEFAULTS) -> Run:
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
    folder, kept = bundle.folder(name, members)
    if len(kept) == 1:
        return read(*next(iter(kept.items())), options)
    return bundle.read(folder, kept, options, _formats())


def _formats() -> bundle.Formats:
    return bundle.Formats(all=FORMATS, generic=GENERIC, read=_read)


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
