"""What judgements between two systems say, cell by cell: which of the two was preferred, and how clearly."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clearband.results import names, values
from clearband.results.result_file import shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clearband.results.rows import Cells, Rows

FIELDS = (
    "winner", "preference", "preferred", "preferred_system", "preferred_model", "verdict", "judgement", "judgment",
    "pairwise_choice",
)  # fmt: skip
"""Fields that hold a judgement, most telling first."""

GAMES = (("g1_winner", "g2_winner"),)
"""Fields that hold two judgements of one row, the second with the answers shown in the other order."""

SYSTEMS = (
    ("model_a", "model_b"), ("model_1", "model_2"), ("system_a", "system_b"), ("system_1", "system_2"),
    ("generator_1", "generator_2"), ("assistant_a", "assistant_b"),
)  # fmt: skip
"""Fields that name the two systems of a row."""

SWAPS = frozenset({
    "swapped", "is_swapped", "position_swapped", "positions_swapped", "swap", "order", "flipped", "is_flipped",
    "switched", "is_switched",
})  # fmt: skip
"""Fields that say that the answers were shown in the other order."""

OWN_WORDS = ("baseline", "candidate")
LETTERS = ("A", "B")

_SIDE = re.compile(
    r"\[*(?:(?:the )?(?:model|system|assistant|answer|response|output|option)[ _]?)?"
    r"(?:(?P<first>a|1|first|left)|(?P<second>b|2|second|right))\]*"
)
_BASELINE = frozenset({"baseline", "base", "control", "old"})
_CANDIDATE = frozenset({"candidate", "treatment", "new"})
_TIES = frozenset({
    "tie", "tied", "draw", "equal", "same", "both", "neither", "c", "[[c]]", "tie (bothbad)", "tie (both bad)",
    "bothbad", "both bad", "both_bad", "both good", "no preference",
})  # fmt: skip
_LOST = names.NO_VALUE_WORDS | {"", "error", "invalid", "unparsed", "unknown", "abstain", "$error$"}
_OWN = dict.fromkeys(_BASELINE, -1.0) | dict.fromkeys(_CANDIDATE, 1.0)
_MEANINGS: dict[str, float | None] = {**dict.fromkeys(_LOST), **dict.fromkeys(_TIES, 0.0), **_OWN}
_MENTIONED = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdicts:
    """Judgements, one per row."""

    preference: list[float | None]
    """1 where the row's second system was preferred, -1 for its first, 0 for a tie, None without a judgement."""
    systems: tuple[str, str] | None
    """The systems that the judgements themselves name, first and second; None where only a place is named."""
    by_place: bool = False
    """Whether a judgement means a place, so that it matters whether places were swapped."""


def find(rows: Rows) -> tuple[str, ...]:
    """Return the fields that hold judgements; none where the rows are no judgements between two systems."""
    by_name = {names.plain(field): field for field in reversed(list(rows.columns))}
    for games in GAMES:
        if all(game in by_name for game in games):
            return tuple(by_name[game] for game in games)
    one = names.find(rows.columns, FIELDS)
    return () if one is None else (one,)


def read(rows: Rows, field: str, systems: Sequence[tuple[str, str]] | None) -> Verdicts:
    """Read a field of judgements: words, or numbers with a sign.

    Parameters
    ----------
    rows
        The rows.
    field
        The field.
    systems
        The names of the two systems, row by row, where fields tell them.

    """
    cells = rows.columns[field]
    numbers = values.read(cells, text_cells=rows.text_cells, decimal_comma=rows.decimal_comma)
    if isinstance(numbers, values.Numbers) and not numbers.empty:
        found = [None if math.isnan(value) else value for value in numbers.values.tolist()]
        return _signed(rows, field, found)
    return _words(rows, field, cells, systems)


def _signed(rows: Rows, field: str, found: list[float | None]) -> Verdicts:
    there = {value for value in found if value is not None}
    if all(value == 0 or 1 <= value <= 2 for value in there) and max(there) > 1 and _has_outputs(rows):
        # AlpacaEval's numbers: 1 for the first output, 2 for the second, 0 or 1.5 for a tie, and what lies between.
        spread = [None if value is None else 0.0 if value == 0 else 2.0 * (value - 1.5) for value in found]
        return Verdicts(preference=spread, systems=None)
    if min(there) >= 0:
        row = next(row for row, value in enumerate(found) if value is not None)
        raise rows.file.problem(
            f"no number in `{shown(field)}` is below 0, so which system a number speaks for cannot be told",
            where=rows.place(row),
            remedy="Write -1 where the baseline was preferred, 0 for a tie and 1 for the candidate, or the words "
            '"baseline", "tie" and "candidate".',
        )
    return Verdicts(preference=found, systems=None, by_place=True)


def _has_outputs(rows: Rows) -> bool:
    """Whether the row has two outputs or systems that are numbered 1 and 2."""
    plain = {names.plain(field) for field in (*rows.columns, *rows.unread)}
    return any({f"{name}_1", f"{name}_2"} <= plain for name in ("generator", "output", "model", "system"))


def _words(rows: Rows, field: str, cells: Cells, systems: Sequence[tuple[str, str]] | None) -> Verdicts:
    first_row: dict[str, int] = {}
    for row, cell in enumerate(cells):
        word = _folded(cell)
        if word is not None:
            first_row.setdefault(word, row)
    called = {_folded(name) for pair in systems or () for name in pair}
    known = {word: _MEANINGS[word] for word in first_row if word in _MEANINGS and word not in called}
    sides = {
        word: side
        for word in first_row
        if word not in known and word not in called and (side := _side(word)) is not None
    }
    strange = sorted(word for word in first_row if word not in known and word not in sides)
    if systems is not None and strange:
        by_name = _by_name(rows, field, cells, systems, known | sides)
        return Verdicts(preference=by_name, systems=None, by_place=bool(sides))
    own = not known.keys().isdisjoint(_OWN)
    if own + bool(sides) + bool(strange) > 1 or len(strange) > 2:
        listed = ", ".join(f'"{shown(word, width=40)}"' for word in list(first_row)[:_MENTIONED])
        raise rows.file.problem(
            f"`{shown(field)}` does not name the preferred one of two systems in one way: it holds {listed}",
            where=rows.place(first_row[strange[0]]) if strange else None,
            remedy='Write "baseline", "candidate" or "tie" in every row, and nothing where there is no judgement.',
        )
    named = {word: 1.0 if word == strange[-1] else -1.0 for word in strange}
    return Verdicts(
        preference=_looked_up(cells, known | sides | named),
        systems=_names(cells, strange, own=own),
        by_place=bool(sides),
    )


def _side(word: str) -> float | None:
    found = _SIDE.fullmatch(word)
    return None if found is None else 1.0 if found["second"] else -1.0


def _names(cells: Cells, named: Sequence[str], *, own: bool) -> tuple[str, str] | None:
    if own:
        return OWN_WORDS
    if not named:
        return None
    spelled = {_folded(cell): str(cell).strip() for cell in cells}
    first, second = spelled[named[0]], spelled[named[-1]]
    return (f"not {second}", second) if len(named) == 1 else (first, second)


def _by_name(
    rows: Rows, field: str, cells: Cells, systems: Sequence[tuple[str, str]], known: Mapping[str, float | None]
) -> list[float | None]:
    """Read judgements of which some name a system as the row's own fields do."""
    found: list[float | None] = []
    for row, (cell, pair) in enumerate(zip(cells, systems, strict=True)):
        word = _folded(cell)
        first, second = map(_folded, pair)
        if word is None or (word in known and word not in {first, second}):
            found.append(None if word is None else known[word])
        elif word in {first, second}:
            found.append(1.0 if word == second else -1.0)
        else:
            raise rows.file.problem(
                f'`{shown(field)}` is "{shown(word)}", which is neither "{shown(pair[0])}" nor "{shown(pair[1])}"',
                where=rows.place(row),
                remedy='Write the name of one of the row\'s two systems, or "tie".',
            )
    return found


def _looked_up(cells: Cells, known: Mapping[str, float | None]) -> list[float | None]:
    words = map(_folded, cells)
    return [None if word is None else known[word] for word in words]


def _folded(cell: object) -> str | None:
    return None if cell is None else str(cell).strip().casefold()
