"""Write docs/calibration.md and its picture: what the intervals and the states do where the truth is known."""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from clearband.vocabulary import IntervalMethod

from .cases import CASES, SIZES, Case, Result, simulate
from .picture import Panel, picture

DOCS = Path(__file__).parents[2] / "docs"
HEAD = """# Calibration

Written by `make calibration`; every number is a simulation of the shipped code, 95 % intervals, with fixed seeds. A population's true mean
difference is known, samples of n questions are drawn from it, and each sample is measured as a pull request would be.

- **covers**: share of intervals that hold the truth. 95 % is right; two standard errors are 1.1 points at
  1,500 runs, 1.4 at 1,000, 2.2 at 400, 3 at 200.
- **width**: mean width of the interval, in the metric's units.
- **false clear** / **false block**: state `improved` / `regressed` although the truth is no gain / no loss. 2.5 % each is the promise.
- **power**: cleared in the direction of the truth.
- **guarded**: `too-sparse` or `identical`, which never clear nor block.

What to read out of it: where few questions change, the percentile interval covers far too little (it cannot see what did not happen), and the
guards are what keeps it from deciding there. `bounded` covers everywhere and pays in width and power. Expanded helps on small, well-filled
samples; BCa does not help on sparse ones. Rare large losses are invisible to every method that reads only the differences seen.
Questions that share a document are not independent: resampled one by one they look more certain than they are.

![Coverage of each interval against the number of questions, one panel a population](images/calibration.svg)
"""


def repetitions(case: Case, n: int, method: IntervalMethod) -> int:
    """Fewer where one repetition is long; the page says how many."""
    if method is IntervalMethod.BOUNDED:
        return {20: 1_500, 50: 1_500, 100: 1_000, 207: 1_000, 812: 400, 5_000: 200}[n]
    if case.clusters is not None:
        return 400
    if n >= 5_000:
        return 1_000
    return 1_500 if case.on_a_lattice else 1_000


def row(n: int, method: IntervalMethod, result: Result, runs: int) -> str:
    """Return one line of a table."""

    def share(value: float | None) -> str:
        return "–" if value is None else f"{100 * value:.1f} %"

    return (
        f"| {n:,} | `{method}` | {share(result.coverage)} | {result.width:.3f} | {share(result.false_clear)} "
        f"| {share(result.false_block)} | {share(result.power)} | {share(result.undecidable)} | {runs:,} |"
    )


def simulated(task: tuple[int, int, IntervalMethod]) -> tuple[Result, int]:
    """Simulate one line; by place, as a population cannot be sent to another process."""
    place, n, method = task
    runs = repetitions(CASES[place], n, method)
    result = simulate(CASES[place], n, method, repetitions=runs)
    sys.stderr.write(f"{CASES[place].name}  {n}  {method}\n")
    return result, runs


def main() -> None:
    """Simulate everything, on every core, and write the page and the picture."""
    tasks = [(place, n, method) for place, case in enumerate(CASES) for n in SIZES for method in case.methods]
    slowest_first = sorted(tasks, key=lambda task: -task[1])
    with ProcessPoolExecutor() as pool:
        done = dict(zip(slowest_first, pool.map(simulated, slowest_first), strict=True))
    lines, panels = [], []
    for place, case in enumerate(CASES):
        lines += [
            f"\n## {case.name}\n",
            f"True mean difference {case.truth:+.4g}.\n",
            "| n | interval | covers | width | false clear | false block | power | guarded | runs |",
            "|--:|:--|--:|--:|--:|--:|--:|--:|--:|",
        ]
        own = [task for task in tasks if task[0] == place]
        lines += [row(n, method, *done[place, n, method]) for _, n, method in own]
        curves = {method.value: [(n, done[place, n, method][0].coverage) for n in SIZES] for method in case.methods}
        panels.append(Panel(title=case.name, curves=curves))
    (DOCS / "images" / "calibration.svg").write_text(picture(panels), encoding="utf-8")
    (DOCS / "calibration.md").write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
