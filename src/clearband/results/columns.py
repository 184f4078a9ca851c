"""Metrics that come to light row by row: a value here, none there, and a limit on how many there are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from clearband.results import limits
from clearband.results.result_file import shown
from clearband.results.table import Series

if TYPE_CHECKING:
    from collections.abc import Callable

    from clearband.results.result_file import ResultFile


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """A collector, for the length of one reading."""

    file: ResultFile
    """For messages."""
    cells: dict[str, tuple[list[int], list[float]]] = field(default_factory=dict)
    """Metric to the rows that have a value, and the values; a row's later value counts."""
    faults: dict[str, str] = field(default_factory=dict)
    """Metric to why it is none after all: what one of its values is."""

    def put(self, name: str, row: int, value: float | str) -> None:
        """Take a value (NaN for none) of a row, or a text that says what stands there instead of a number."""
        if isinstance(value, str):
            if len(self.faults) < limits.METRICS:
                self.faults.setdefault(name, value)
            return
        found = self.cells.get(name)
        if found is None:
            if len(self.cells) == limits.METRICS:
                raise self.file.problem(
                    f"the file has more than {limits.METRICS} metrics",
                    where=f"`{shown(name)}`, row {row + 1}",
                    remedy="Keep the ones you decide by; a metric has the same name on every question.",
                )
            found = self.cells[name] = ([], [])
        found[0].append(row)
        found[1].append(value)

    def series(self, count: int, *, named: Callable[[str], str] = lambda name: name) -> list[Series]:
        """Return the metrics over `count` rows, without those that have a fault."""
        kept = []
        for name, (rows, found) in self.cells.items():
            if name not in self.faults:
                values = np.full(count, np.nan)
                values[rows] = found
                kept.append(Series(name=named(name), values=values))
        return kept

    def left_out(self, *, named: Callable[[str], str] = lambda name: name) -> tuple[str, ...]:
        """Return a note about the metrics that have a fault."""
        if not self.faults:
            return ()
        listed = "; ".join(f"`{shown(named(name), width=40)}` {why}" for name, why in list(self.faults.items())[:10])
        more = f"; and {len(self.faults) - 10} more" if len(self.faults) > 10 else ""
        return (f"No metrics, because not every value is one number: {listed}{more}.",)


def number(value: object) -> float | str:
    """Return a value of JSON as a number, NaN for none; what it is instead where it is none."""
    match value:
        case None:
            return np.nan
        case int() | float():  # bool as well; what no run can hold becomes infinite, which the table refuses
            return float(value) if abs(value) <= limits.MAGNITUDE else np.inf
        case str():
            return f"says “{shown(value, width=20)}”"
        case list():
            return "gives a list"
        case _:
            return "gives an object"
