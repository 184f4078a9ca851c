"""Start-up: a gate that costs a moment is run on every push, so small files must cost little more than the imports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bench import files, peers
from bench.timing import Command, interleaved

if TYPE_CHECKING:
    from bench.context import Context
    from bench.timing import Row

QUESTIONS: Final = 1_000
_TIMES: Final = 4
"""So short a run is repeated more often than the others."""


def measure(context: Context) -> list[Row]:
    """Measure a comparison of 1,000 questions and 10 metrics beside the bare imports."""
    paths = files.written(context.data, QUESTIONS, files.WIDE)
    commands = [
        peers.import_floor(context.own),
        peers.clearband(context.own, paths, primary="right_0"),
        Command(name="Clearband --version", argv=(context.own.program("clearband"), "--version")),
        Command(name="Python alone", argv=(context.own.python, "-c", "pass")),
    ]
    return interleaved(commands, size=QUESTIONS, repeats=_TIMES * context.repeats, say=context.say, cwd=context.home)
