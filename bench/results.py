"""What was measured, kept as JSON per part: a part can be measured again alone, and the page is written from all."""

from __future__ import annotations

import json
import os
import platform
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from bench.timing import Row

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One part, as it was measured in one run."""

    part: str
    rows: tuple[Row, ...]
    machine: str
    repeats: int
    versions: Mapping[str, str]


def machine() -> str:
    """Return the machine in words that name nobody: system, architecture, cores, Python."""
    cores = len(os.sched_getaffinity(0))
    return f"{platform.system()} {platform.machine()}, {cores} cores, Python {platform.python_version()}"


def keep(measured: Measured, folder: Path) -> None:
    """Write one part's results."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{measured.part}.json").write_text(json.dumps(asdict(measured), indent=1), encoding="utf-8")


def kept(folder: Path, part: str) -> Measured | None:
    """Return a part's results; None where it was never measured here."""
    path = folder / f"{part}.json"
    if not path.exists():
        return None
    found = json.loads(path.read_text("utf-8"))
    rows = tuple(
        Row(**{**row, "seconds": tuple(row["seconds"]), "mebibytes": tuple(row["mebibytes"])})
        for row in found.pop("rows")
    )
    return Measured(rows=rows, **found)
