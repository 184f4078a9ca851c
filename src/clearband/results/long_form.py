"""Long files: a row per question *and* metric, with fields such as ``metric`` and ``value``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clearband.results import identity, names
from clearband.results.result_file import shown

if TYPE_CHECKING:
    from clearband.results.identity import Identity
    from clearband.results.rows import Cells, Rows

ALL = "all"
"""What retrieval tools write as the question of a row that holds a mean."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LongForm:
    """The two fields that make a file long."""

    metric: str
    value: str


def find(rows: Rows, known: Identity) -> LongForm | None:
    """Return the fields of a long file, None for a wide one.

    ``metric`` and ``measure`` beside ``value`` or ``score`` say so by themselves. ``name`` does only where rows of one
    question and trial differ in nothing else.
    """
    free = [field for field in rows.columns if field not in known.fields]
    value = names.find(free, names.VALUE_NAMES)
    metric = names.find(free, names.METRIC_NAME_NAMES)
    if value is None or metric is None or not _is_text(rows.columns[metric]):
        return None
    if names.plain(metric) == "name":
        apart = list(zip(known.ids, *(map(str, cells) for cells in known.trials.values()), strict=True))
        if len(set(apart)) == len(apart):
            return None
    return LongForm(metric=metric, value=value)


def groups(rows: Rows, known: Identity, form: LongForm) -> dict[str, list[int]]:
    """Return the rows of each metric, in the order in which metrics first appear."""
    cells = rows.columns[form.metric]
    identity.refuse_repeats(rows, known, (cells,))
    found: dict[str, list[int]] = {}
    for row, cell in enumerate(cells):
        if not isinstance(cell, str) or not cell:
            raise rows.file.problem(
                f'question "{shown(known.ids[row])}" has a value without a name in `{shown(form.metric)}`',
                where=rows.place(row),
                remedy="Every row of a long file names its metric.",
            )
        found.setdefault(cell, []).append(row)
    return found


def question_rows(ids: list[str]) -> int:
    """Return how many rows belong to questions, before the means that a retrieval tool wrote as question ``all``.

    A question may be called anything, so ``all`` is a mean only where it stands behind every question.
    """
    count = len(ids)
    while count and ids[count - 1] == ALL:
        count -= 1
    return len(ids) if ALL in ids[:count] else count


def _is_text(cells: Cells) -> bool:
    return any(isinstance(cell, str) for cell in cells)
