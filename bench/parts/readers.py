"""Each reader in MB/s beside the bare parser of its format, on files grown from what the tools really write."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bench import formats
from bench.inside import said
from bench.peers import WORK
from bench.timing import Row

if TYPE_CHECKING:
    from pathlib import Path

    from bench.context import Context

QUESTIONS: Final = 20_000
BARE: Final = "bare parser"


def measure(context: Context) -> list[Row]:
    """Measure readers and bare parsers in turn."""
    rows: list[Row] = []
    for name, path in formats.written(context.root, context.data, QUESTIONS).items():
        pair = [
            Row(name=name, size=QUESTIONS, amount=path.stat().st_size / 1e6),
            Row(name=f"{name}, {BARE}", size=QUESTIONS, amount=path.stat().st_size / 1e6),
        ]
        for _ in range(context.repeats):
            pair = [
                _once(context, row, script, path) for row, script in zip(pair, ("reader.py", "parser.py"), strict=True)
            ]
        rows += pair
    return rows


def _once(context: Context, row: Row, script: str, path: Path) -> Row:
    if row.failed:
        return row
    printed, failed = said(context.own, WORK / script, path)
    context.say(f"{row.size:>9,}  {row.name:<44} {failed or printed.strip()}")
    if failed:
        return replace(row, failed=failed)
    seconds, *read_as = printed.split()
    return replace(row, seconds=(*row.seconds, float(seconds)), note=" ".join(read_as[:1]) or row.note)
