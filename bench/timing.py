"""Commands run side by side: every round runs each of them once, so that what slows the machine slows them all."""

from __future__ import annotations

import json
import os
import signal
import statistics
import subprocess
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

PATIENCE: Final = 100.0
"""Seconds after which a command is given up."""
ENOUGH: Final = 25.0
"""Seconds of one command after which it is not repeated any more."""
MEMORY: Final = 6 * 2**30
"""Bytes of address space that a command may take."""
LAUNCH: Final = Path(__file__).parent / "work" / "launch.py"


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command under the name that stands in the tables."""

    name: str
    argv: tuple[str | Path, ...]
    may_end_with: frozenset[int] = frozenset({0, 1, 2})
    """Exit statuses of a verdict; any other one means that nothing was compared."""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Everything that was measured of one thing; `failed` says why there is less."""

    name: str
    size: int
    seconds: tuple[float, ...] = ()
    mebibytes: tuple[float, ...] = ()
    """Peak resident memory of each run; empty where it was not measured."""
    note: str = ""
    failed: str = ""
    amount: float = 0.0
    """What was worked through, in the unit that the part speaks of; 0 where it counts nothing."""

    @property
    def median(self) -> float:
        """Return the median of the seconds; not a number where nothing was measured."""
        return statistics.median(self.seconds) if self.seconds else float("nan")

    @property
    def memory(self) -> float:
        """Return the median peak in mebibytes."""
        return statistics.median(self.mebibytes) if self.mebibytes else float("nan")


@dataclass(slots=True)
class _Running:
    row: Row
    spent: float = 0.0
    seconds: list[float] = field(default_factory=list)
    mebibytes: list[float] = field(default_factory=list)


def interleaved(
    commands: Sequence[Command], *, size: int, repeats: int, say: Callable[[str], None], cwd: Path
) -> list[Row]:
    """Run the commands in rounds, and return a row for each.

    Before the first round each ran once unmeasured, to have files and caches warm for everybody.
    """
    running = [_Running(Row(name=command.name, size=size, note=command.note)) for command in commands]
    for turn in range(-1, repeats):
        for command, state in zip(commands, running, strict=True):
            if state.row.failed or state.spent > ENOUGH:
                continue
            seconds, mebibytes, failed = run(command, cwd=cwd)
            say(f"{size:>9,}  {command.name:<28} {failed or f'{seconds:8.3f} s {mebibytes:7.0f} MiB'}")
            state.row = replace(state.row, failed=failed)
            state.spent += seconds
            # A run of many seconds is not measured by cold files, and is not worth a run for nothing.
            if not failed and (turn >= 0 or seconds > ENOUGH):
                state.seconds.append(seconds)
                state.mebibytes.append(mebibytes)
    return [replace(state.row, seconds=tuple(state.seconds), mebibytes=tuple(state.mebibytes)) for state in running]


def run(command: Command, *, cwd: Path) -> tuple[float, float, str]:
    """Run a command to its end; return seconds, peak mebibytes, and why it failed or nothing."""
    launcher = [sys.executable, "-I", "-S", str(LAUNCH), str(MEMORY), str(PATIENCE)]
    done = subprocess.run(
        [*launcher, *map(str, command.argv)],
        capture_output=True,
        env=environment(),
        cwd=cwd,
        text=True,
        errors="replace",
        check=True,
    )
    seconds, kibibytes, status, stopped = json.loads(done.stdout)
    peak = kibibytes / 1024.0
    if stopped:
        return seconds, peak, f"stopped after {PATIENCE:.0f} s"
    if status not in command.may_end_with or "Traceback" in done.stderr:
        return seconds, peak, _why(status, done.stderr)
    return seconds, peak, ""


def environment() -> Mapping[str, str]:
    """Return the same environment for all: no Python settings of whoever measures, plain output."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    return {**kept, "NO_COLOR": "1", "COLUMNS": "100", "LC_ALL": "C.UTF-8"}


def _why(status: int, said: str) -> str:
    last = next((line.strip() for line in reversed(said.splitlines()) if line.strip()), "")
    if status == -signal.SIGKILL or "MemoryError" in said or "Unable to allocate" in said or "bad_alloc" in said:
        return f"needs more than {MEMORY // 2**30} GiB"
    return f"exit status {status}: {last[:120]}"
