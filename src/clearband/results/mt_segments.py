"""What files of segment scores share: segments without ids, told apart by their place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clearband.results import limits, table
from clearband.results.result_file import shown
from clearband.results.table import Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clearband.errors import UnusableResults
    from clearband.results.options import ReadOptions
    from clearband.results.result_file import ResultFile
    from clearband.results.run import Run
    from clearband.results.table import Series
    from clearband.vocabulary import MeasurementField

_KEY = "place"
_SYSTEMS = 10_000
_NOTE = "Segments have no ids: they are told apart by their place, and both files need as many, in the same order."


def to_run(
    file: ResultFile,
    kind: str,
    count: int,
    series: Sequence[Series],
    *,
    content: Sequence[str] | None = None,
    measurement: Mapping[MeasurementField, str] | None = None,
    series_names: tuple[str, ...] = (),
    notes: tuple[str, ...] = (),
) -> Run:
    """Return a run of `count` segments that are told apart by their place in the file, counted from 1."""
    return table.to_run(
        Table(
            file=file,
            format=kind,
            ids=[str(place + 1) for place in range(count)],
            series=series,
            errored=np.zeros(count, dtype=np.bool_),
            content=content,
            measurement=measurement or {},
            key=_KEY,
            by_position=True,
            series_names=series_names,
            notes=(_NOTE, *notes),
        )
    )


def first_line(data: bytes) -> bytes:
    """Return the first line that is not blank, without its end; of a very long one only the beginning."""
    return data[:4096].lstrip().split(b"\n", 1)[0].rstrip()


def refuse_id(file: ResultFile, options: ReadOptions) -> None:
    """Refuse an --id: these files have no fields."""
    if options.id_field is not None:
        raise file.problem(
            f"no field is called `{shown(options.id_field)}`",
            remedy="The segments of this file have no ids; leave --id out.",
        )


def refuse_too_many(file: ResultFile, line: int, systems: int) -> None:
    """Refuse more segments, systems or metrics than any file has, before they fill the memory."""
    if line > limits.QUESTIONS:
        raise file.problem(f"the file has more than {limits.QUESTIONS:,} segments", remedy="Compare a sample of them.")
    if systems > _SYSTEMS:
        raise file.problem(f"the file has more than {_SYSTEMS:,} systems", remedy="Keep the lines of those to compare.")


def odd_line(file: ResultFile, line: int, text: bytes) -> UnusableResults:
    """Return the problem of a line that is none of the tool's."""
    return file.problem(
        f'this line is no segment\'s score: "{shown(text[:200].decode("utf-8", "replace").strip())}"',
        where=f"line {line}",
        remedy="The file was cut, edited or mixed with other output; write it again.",
    )
