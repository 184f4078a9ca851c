"""deltagate on two JSON-lines files, every metric: the library has no command of its own."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from deltagate import reliability_report


def read(name: str) -> dict[str, dict[str, float]]:
    """Return metric to question to value."""
    columns: dict[str, dict[str, float]] = {}
    with Path(name).open("rb") as file:
        for line in file:
            row = json.loads(line)
            question = row.pop("id")
            for metric, value in row.items():
                columns.setdefault(metric, {})[question] = float(value)
    return columns


baseline, candidate = map(read, sys.argv[1:3])
print(reliability_report({name: (candidate[name], baseline[name]) for name in baseline}).render())
