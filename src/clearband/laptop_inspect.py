"""One look at a result file on a laptop: a file, archive or folder in, what it was read as on standard output."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO

from clearband.inspection import inspect
from clearband.laptop import output_width, put, read_source, takes_colour
from clearband.report.inspect_text import inspect_text

if TYPE_CHECKING:
    from pathlib import Path

    from clearband.inspection import Inspection
    from clearband.results.options import ReadOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectArguments:
    """What `clearband inspect` was asked."""

    file: Path
    reading: ReadOptions
    as_json: bool


def inspect_file(arguments: InspectArguments, *, stdout: TextIO, stderr: TextIO) -> int:
    """Read the file, say what it was read as, and return the exit status.

    Raises
    ------
    ClearbandError
        If the file cannot be used.

    """
    inspection = inspect(read_source(arguments.file, "result").run(arguments.reading))
    if arguments.as_json:
        text = json.dumps(as_data(inspection), indent=2, allow_nan=False)
    else:
        text = inspect_text(inspection, colour=takes_colour(stdout), width=output_width(stdout))
    put(text + "\n", stdout, stderr)
    return 0


def as_data(inspection: Inspection) -> dict[str, Any]:
    """Return what was read as plain data."""
    run = inspection.run
    return {
        "format": run.format,
        "questions": len(run.ids),
        "key": run.key,
        "series": list(run.series),
        "metrics": {
            metric.name: {
                "n": metric.n,
                "mean": metric.mean,
                "kind": metric.kind,
                "missing": metric.missing,
                "direction": metric.direction,
            }
            for metric in inspection.metrics
        },
        "notes": list(run.notes),
    }
