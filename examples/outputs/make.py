"""Make the example's data: whether a reader of code can say what a small program prints.

    python examples/outputs/make.py

Two readers predict the output of 300 little programs, three times each. Neither is a language model; both make the
kind of mistake that one makes, so that the numbers behave like real ones:

- *at once*: reads the program in one go and loses track, the more often the longer it runs;
- *step by step*: writes every step down, loses track far more rarely, and pays for it in tokens.

Every prediction is compared with what Python prints. The seed is fixed: the files come out the same again.
"""

from __future__ import annotations

import contextlib
import io
import json
import random
from pathlib import Path

HERE = Path(__file__).parent
PROGRAMS, TRIALS = 300, 3


def program(chance: random.Random) -> list[str]:
    """Return the lines of one program: assignments to `x`, with loops, and a print at the end."""
    lines = [f"x = {chance.randint(1, 9)}"]
    for _ in range(chance.randint(2, 9)):
        change = f"x = {chance.choice(['x + 3', 'x * 2', 'x - 4', 'x % 7 + 1', 'abs(x - 10)', 'x * x % 11'])}"
        times = chance.choice([1, 1, 1, 2, 3, 5])
        lines.append(change if times == 1 else f"for _ in range({times}): {change}")
    return [*lines, "print(x)"]


def printed(lines: list[str]) -> int:
    """Return what the program really prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec("\n".join(lines), {})  # noqa: S102  our own lines, made above
    return int(out.getvalue())


def steps(lines: list[str]) -> list[str]:
    """Return the statements in the order in which they run."""
    run: list[str] = []
    for line in lines[1:-1]:
        times, _, change = line.partition(": ")
        run += [change] * int(times.split("(")[1][:-1]) if change else [line]
    return run


def predict(lines: list[str], chance: random.Random, *, slip: float) -> int:
    """Follow the program, and with the chance `slip` get a step wrong by a little."""
    known: dict[str, int] = {}
    exec(lines[0], {}, known)  # noqa: S102  likewise
    for step in steps(lines):
        exec(step, {"abs": abs}, known)  # noqa: S102  likewise
        if chance.random() < slip:
            known["x"] += chance.choice([-1, 1, 2])
    return known["x"]


def main() -> None:
    """Write baseline.jsonl and candidate.jsonl."""
    chance = random.Random(20_26)
    programs = [program(chance) for _ in range(PROGRAMS)]
    for name, slip, tokens_a_step in (("baseline", 0.06, 2), ("candidate", 0.035, 5)):
        rows = []
        for number, lines in enumerate(programs):
            for trial in range(TRIALS):
                tokens = 40 + sum(map(len, lines)) // 4 + tokens_a_step * len(steps(lines)) + chance.randint(0, 6)
                right = predict(lines, chance, slip=slip) == printed(lines)
                row = {"id": f"program-{number:03d}", "trial": trial, "correct": int(right), "tokens": tokens}
                rows.append({**row, "length": "long" if len(steps(lines)) > 8 else "short"})
        (HERE / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


if __name__ == "__main__":
    main()
