"""A million questions in JSON lines: time beside the bare parser, memory beside the numbers themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bench import files, peers
from bench.data import METRICS
from bench.timing import Row, interleaved

if TYPE_CHECKING:
    from bench.context import Context

QUESTIONS: Final = 1_000_000
HELD: Final = "numbers and ids alone"


def measure(context: Context) -> list[Row]:
    """Measure one comparison, both bare parsers, and what the values take as float64 with their ids."""
    paths = files.written(context.data, QUESTIONS, files.WIDE)
    commands = [
        peers.bare_read(context.own, paths, "msgspec"),
        peers.bare_read(context.libraries, paths, "orjson"),
        peers.clearband(context.own, paths, primary="right_0"),
    ]
    rows = interleaved(commands, size=QUESTIONS, repeats=min(3, context.repeats), say=context.say, cwd=context.home)
    return [*rows, Row(name=HELD, size=QUESTIONS, mebibytes=(held_mebibytes(QUESTIONS),))]


def held_mebibytes(questions: int) -> float:
    """Return what both runs' values take as float64, with each run's ids as Python strings in a tuple."""
    values = 2 * questions * METRICS * 8
    # A short ASCII string of CPython: 49 bytes of head and end, rounded up to 8; and the tuple's pointer.
    ids = 2 * questions * (-(-(49 + len("question-00000000")) // 8) * 8 + 8)
    return (values + ids) / 2**20
