"""A small evaluation that needs no model: sums, a system that gets some wrong, and one that fails on some."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class Sum:
    """One question."""

    left: int
    right: int

    @property
    def question(self) -> str:
        return f"What is {self.left} + {self.right}?"

    @property
    def answer(self) -> str:
        return str(self.left + self.right)


SUMS = [Sum(left, right) for left in (2, 3) for right in (3, 4, 5, 6)]
"""Eight questions; 2 + 5 and 3 + 6 are answered one too high, and the system fails on 3 + 5."""


def asked(question: str) -> str:
    """Return the system's answer; raise where it fails."""
    one = next(one for one in SUMS if one.question == question)
    if (one.left, one.right) == (3, 5):
        message = "the system failed"
        raise RuntimeError(message)
    return str(int(one.answer) + ((one.left, one.right) in {(2, 5), (3, 6)}))


def exact(answer: str | None, expected: str) -> bool:
    return answer == expected


def closeness(answer: str | None, expected: str) -> float:
    """Return 1 for the right answer and less the further off; raise for no answer, as careless scorers do."""
    return 1 - abs(int(answer) - int(expected)) / 4  # type: ignore[arg-type]  the carelessness is the point


def write_lines(path: Path, rows: list[dict[str, object]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
