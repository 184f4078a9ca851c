"""`clearband audit adopt`: write down that a run became the baseline; small changes are summed up from there on."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

from clearband.audit.entry import adoption
from clearband.clock import stamp
from clearband.laptop import put, read_source
from clearband.ledger_folder import append
from clearband.results.options import ReadOptions

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class AdoptArguments:
    """What `clearband audit adopt` was asked."""

    ledger: Path
    """A folder of entries."""
    baseline: Path
    suite: str | None
    by: str | None
    reason: str | None


def adopt(arguments: AdoptArguments, *, stdout: TextIO, stderr: TextIO) -> int:
    """Append the adoption and say which entry it is; the file is read first, so that no broken one is adopted.

    Raises
    ------
    ClearbandError
        The file cannot be read as a run, or the ledger cannot be written.

    """
    run = read_source(arguments.baseline, "baseline").run(ReadOptions())
    draft = adoption(
        sha256=run.sha256,
        suite=arguments.suite,
        author=arguments.by,
        author_id=None,
        reason=arguments.reason,
        recorded_at=stamp(time.time()),
    )
    entry = append(arguments.ledger, draft)
    put(f"entry {entry.seq}  {entry.sha256}\n{run.name} is the baseline from here on.\n", stdout, stderr)
    return 0
