"""The whole process: JSON lines in, every interval out, by every tool as far as it goes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bench import files, peers
from bench.timing import Command, Row, interleaved

if TYPE_CHECKING:
    from bench.context import Context
    from bench.peers import Peer

SIZES: Final = (207, 812, 10_000, 100_000)


def measure(context: Context) -> list[Row]:
    """Measure every size, the tools side by side."""
    rows: list[Row] = []
    for size in SIZES:
        wide = files.written(context.data, size, files.WIDE)
        one = files.written(context.data, size, files.ONE_METRIC)
        commands = [
            peers.import_floor(context.own),
            peers.bare_read(context.libraries, wide, "orjson"),
            peers.clearband(context.own, wide, primary="right_0"),
            peers.clearband(context.own, one, name="Clearband, 1 metric", primary="score"),
        ]
        for peer in peers.PEERS:
            ready = context.peers[peer.environment.name]
            if ready.missing:
                rows.append(Row(name=peer.name, size=size, failed=f"not installed: {ready.missing}"))
            elif size > peer.largest:
                rows.append(Row(name=peer.name, size=size, failed=f"not run: {peer.why_largest}"))
            else:
                commands.append(_command(context, peer, size))
        rows += interleaved(commands, size=size, repeats=context.repeats, say=context.say, cwd=context.home)
    return rows


def _command(context: Context, peer: Peer, size: int) -> Command:
    paths = files.written(context.data, size, peer.layout)
    argv = peer.argv(context.peers[peer.environment.name], *paths)
    # noisecheck and statgate have a verdict of their own for a drop; 3 and above is an error for every one of them.
    return Command(name=peer.name, argv=argv, note=peer.does)
