"""What Clearband is held to, as ratios within one run: met or missed, with the number. Pure."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.parts.large import HELD
from bench.table import median_of, row_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bench.timing import Row

    Rows = Mapping[str, Sequence[Row]]
    """Part to its rows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One ratio and its bound."""

    what: str
    found: float
    bound: float
    at_least: bool
    """Whether the ratio should be at least the bound; otherwise below it."""

    @property
    def is_met(self) -> bool | None:
        """Whether it is met; None where it was not measured."""
        if math.isnan(self.found):
            return None
        return self.found >= self.bound if self.at_least else self.found < self.bound


def targets(rows: Rows) -> list[Target]:
    """Return every target with what was measured."""
    start, process, large = rows.get("startup", ()), rows.get("process", ()), rows.get("large", ())
    computing, growth = rows.get("computing", ()), rows.get("growth", ())
    ten, million = 10_000, 1_000_000
    ours = median_of(process, "Clearband", ten)
    inside = median_of(computing, "Clearband", ten)
    held, used = row_of(large, HELD), row_of(large, "Clearband")
    return [
        _below("1,000 × 10, whole process, beside the imports", median_of(start, "Clearband"),
               median_of(start, "import floor"), 2.0),
        _above("10,000 × 10, whole process: noisecheck beside Clearband", median_of(process, "noisecheck", ten),
               ours, 30.0),
        _above("10,000, whole process: statgate on one metric beside Clearband on ten",
               median_of(process, "statgate", ten), ours, 1.0),
        _above("10,000 × 10, computing: scipy percentile beside Clearband",
               median_of(computing, "scipy percentile", ten), inside, 300.0),
        _above("10,000 × 10, computing: scipy BCa beside Clearband", median_of(computing, "scipy BCa", ten),
               inside, 1000.0),
        _below("1,000,000 × 10 JSON lines, whole process beside the bare parser (msgspec)",
               median_of(large, "Clearband"), median_of(large, "bare read (msgspec)"), 1.5),
        _below("1,000,000 × 10 JSON lines, peak memory beside the numbers and ids alone",
               math.nan if used is None else used.memory, math.nan if held is None else held.memory, 2.5),
        *(
            _below(f"bootstrap of one metric ({kind}), n = 1,000,000 beside n = 1,000",
                   median_of(growth, f"bootstrap, {kind}", million), median_of(growth, f"bootstrap, {kind}", 1_000),
                   2.0)
            for kind in ("0 or 1", "continuous")
        ),
        *(
            _below(f"everything about one paired metric ({kind}), n = 1,000,000 beside n = 1,000",
                   median_of(growth, f"one metric, {kind}", million), median_of(growth, f"one metric, {kind}", 1_000),
                   2.0)
            for kind in ("0 or 1", "continuous")
        ),
    ]  # fmt: skip


def _below(what: str, value: float, base: float, bound: float) -> Target:
    return Target(what=what, found=value / base, bound=bound, at_least=False)


def _above(what: str, value: float, base: float, bound: float) -> Target:
    return Target(what=what, found=value / base, bound=bound, at_least=True)
