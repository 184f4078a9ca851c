"""What is handed in for one arm: a file or folder as it was read, filled from a second one, or pooled from several."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from clearband.results import read, read_folder

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clearband.results.options import ReadOptions
    from clearband.results.run import Run
    from clearband.results.snapshot import Content


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A result file as handed in, or a folder of them."""

    name: str
    data: Content = b""
    """What the file holds; nothing for a folder."""
    beside: Mapping[str, bytes] = field(default_factory=dict)
    """Files beside a single one that its reader may want to see, by name."""
    members: Mapping[str, Content] | None = None
    """The files of a folder by their path in it; None for a single file."""

    def run(self, reading: ReadOptions) -> Run:
        """Read it."""
        if self.members is None:
            return read(self.name, self.data, reading, beside=self.beside)
        return read_folder(self.name, self.members, reading)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """A result file and a second one that fills what it lost."""

    source: Source
    filler: Source

    def run(self, reading: ReadOptions) -> Run:
        """Read both, and fill."""
        from clearband.filling import fill  # noqa: PLC0415  few comparisons fill or pool

        return fill(self.source.run(reading), self.filler.run(reading))


@dataclass(frozen=True, slots=True, kw_only=True)
class Pooled:
    """Several runs of one system."""

    sources: tuple[Source, ...]

    def run(self, reading: ReadOptions) -> Run:
        """Read them all, and pool."""
        from clearband.pooling import pool  # noqa: PLC0415

        return pool([source.run(reading) for source in self.sources])
