"""Write docs/calibration.md: what the intervals and the states do on populations whose truth is known."""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from clearband.vocabulary import IntervalMethod

from .cases import CASES, METHODS, SIZES, Case, Result, simulate

PAGE = Path(__file__).parents[2] / "docs" / "calibration.md"
HEAD = """# Calibration

Written by `make calibration`; every number is a simulation of the shipped code, 95 % intervals, with fixed seeds. A population's true mean
difference is known, samples of n questions are drawn from it, and each sample is measured as a pull request would be.

- **covers**: share of intervals that hold the truth. 95 % is right; two standard errors are 0.7 points at 4,000 runs,
  1.4 at 1,000, 2.2 at 400, 10 at 20.
- **width**: mean width of the interval, in the metric's units.
- **false clear** / **false block**: state `improved` / `regressed` although the truth is no gain / no loss. 2.5 % each is the promise.
- **power**: cleared in the direction of the truth.
- **guarded**: `too-sparse` or `identical`, which never clear nor block.

What to read out of it: where few questions change, the percentile interval covers far too little (it cannot see what did not happen), and the
guards are what keeps it from deciding there. `bounded` covers everywhere and pays in width and power. Expanded helps on small, well-filled
samples; BCa does not help on sparse ones. Rare large losses are invisible to every method that reads only the differences seen.
"""


def repetitions(case: Case, n: int, method: IntervalMethod) -> int:
    """Fewer where one repetition is long; the page says how many."""
    if method is IntervalMethod.BOUNDED:
        return {207: 200, 812: 60, 5_000: 20}.get(n, 400)
    return 4_000 if case.on_a_lattice and n < 1_000 else 1_000


def row(n: int, method: IntervalMethod, result: Result, runs: int) -> str:
    def share(value: float | None) -> str:
        return "–" if value is None else f"{100 * value:.1f} %"

    return (
        f"| {n:,} | `{method}` | {share(result.coverage)} | {result.width:.3f} | {share(result.false_clear)} "
        f"| {share(result.false_block)} | {share(result.power)} | {share(result.undecidable)} | {runs:,} |"
    )


def section(place: int) -> list[str]:
    """Return the lines of one case; by place, as a population cannot be sent to another process."""
    case = CASES[place]
    lines = [
        f"\n## {case.name}\n",
        f"True mean difference {case.truth:+.4g}.\n",
        "| n | interval | covers | width | false clear | false block | power | guarded | runs |",
        "|--:|:--|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for n in SIZES:
        for method in METHODS:
            runs = repetitions(case, n, method)
            lines.append(row(n, method, simulate(case, n, method, repetitions=runs), runs))
            sys.stderr.write(f"{case.name}  {n}  {method}\n")
    return lines


if __name__ == "__main__":
    with ProcessPoolExecutor() as pool:
        sections = list(pool.map(section, range(len(CASES))))
    PAGE.write_text(HEAD + "\n".join(line for lines in sections for line in lines) + "\n", encoding="utf-8")
