"""The documented Python calls, in a process of their own, as a person would make them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_compare_can_be_called_after_load() -> None:
    code = (
        "import clearband\n"
        "arms = [clearband.load(f'examples/cranfield/{name}.csv') for name in ('bm25_stem', 'lsa200')]\n"
        "for _ in range(2):\n"
        "    found = clearband.compare(*arms, primary='nDCG@10').primary\n"
        "print(found.state.value, *(f'{end:+.3f}' for end in found.interval))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "inconclusive -0.003 +0.046\n"
