"""Which question a row belongs to, and which of its trials it is."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeGuard

import numpy as np

from clearband.results import limits, names
from clearband.results.result_file import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clearband.errors import UnusableResults
    from clearband.results.rows import Cells, Rows

_FLOATED = re.compile(r"-?\d+\.0")
_EXACT = 2**53
HEAD = 60
"""Characters of a long text that stay readable in its key."""
SHORT = 200
"""Characters of a text that is its own key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """The questions of the rows."""

    ids: list[str]
    """One per row."""
    fields: frozenset[str]
    """Fields that were used up: ids and trials."""
    trials: dict[str, Cells]
    """The fields that number trials, and their cells."""
    notes: tuple[str, ...]
    key: str
    """What names the questions, for people."""


def identify(rows: Rows, id_field: str | None) -> Identity:
    """Find the question of every row; refuse rows without one."""
    trials = {
        field: cells
        for field, cells in rows.columns.items()
        if names.plain(field) in names.TRIAL_NAMES and field != id_field
    }
    if rows.keys is not None and id_field is None:
        ids = _texts(rows, "key", list(rows.keys))
        _refuse_long_ids(rows, ids)
        return Identity(ids=ids, fields=frozenset(trials), trials=trials, notes=(), key="the object's keys")
    field, cells = _choose(rows, id_field)
    notes: list[str] = []
    ids = _texts(rows, field, cells)
    if names.plain(field) in names.TEXT_NAMES and id_field is None:
        notes.append(f"Questions are told apart by their text, the field `{shown(field)}`.")
        ids = list(map(text_key, ids))
    _refuse_long_ids(rows, ids)
    if rows.text_cells and all(map(_FLOATED.fullmatch, ids)):
        notes.append(f"All ids in `{shown(field)}` end in .0, as pandas writes whole numbers; the .0 was left out.")
        ids = [text[:-2] for text in ids]
    total = names.aggregate_among(set(ids)) if names.plain(field) in {"key", "name"} and id_field is None else None
    if total is not None:
        raise rows.file.problem(
            f'`{shown(field)}` names metrics (such as "{shown(total)}"), not questions: the file holds only totals',
            remedy=names.PER_QUESTION_HINT,
        )
    return Identity(ids=ids, fields=frozenset([field, *trials]), trials=trials, notes=tuple(notes), key=shown(field))


def refuse_repeats(rows: Rows, identity: Identity, further: Sequence[Cells] = ()) -> None:
    """Refuse two rows for one question and trial (and whatever else, `further`, tells rows apart)."""
    if not identity.trials and not further and len(set(identity.ids)) == len(identity.ids):
        return
    codes = numbered(identity.ids)
    for cells in (*identity.trials.values(), *further):
        own = numbered(_as_texts(cells))
        # Numbered anew after each field, or the product of their sizes could pass 2**63.
        codes = np.unique(codes * (own.max() + 1) + own, return_inverse=True)[1]
    if np.unique(codes).size == codes.size:
        return
    seen: dict[int, int] = {}
    for second, code in enumerate(codes.tolist()):
        first = seen.setdefault(code, second)
        if first != second:
            raise _repeated(rows, identity, first, second)


def numbered(texts: Sequence[str]) -> NDArray[np.int64]:
    """Return a number for each text, equal for equal texts, in the order in which they first appear."""
    distinct = dict.fromkeys(texts)
    if len(distinct) == len(texts):
        return np.arange(len(texts), dtype=np.int64)
    index = {text: position for position, text in enumerate(distinct)}
    return np.fromiter(map(index.__getitem__, texts), dtype=np.int64, count=len(texts))


def text_key(text: str) -> str:
    """Return the key of a question that is told apart by its text: the text itself where it is short and one line."""
    return text if len(text) <= SHORT and "\n" not in text and "\r" not in text else digested(text)


def digested(text: str) -> str:
    """Shorten a text to its beginning and a hash, so that it stays readable and different texts stay different."""
    return summary(text[:HEAD], hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16])


def summary(head: str, digest: str) -> str:
    """Return the key of a text of which only the first characters and 16 digits of its SHA-256 are at hand."""
    return f"{' '.join(head.split())}… sha256:{digest}"


def _repeated(rows: Rows, identity: Identity, first: int, second: int) -> UnusableResults:
    text = shown(identity.ids[first])
    where = f"{rows.place(first)} and {rows.place(second)}"
    raw = [
        {type(cells[first]), type(cells[second])}
        for field, cells in rows.columns.items()
        if field in identity.fields and names.plain(field) not in names.TRIAL_NAMES
    ]
    if {int, str} in raw:
        return rows.file.problem(
            f'the ids {text} and "{text}" (number and text) name one question twice',
            where=where,
            remedy="Write all ids the same way, and each once.",
        )
    what = f'question "{text}" has two rows' + (" for the same trial" if identity.trials else "")
    return rows.file.problem(
        what,
        where=where,
        remedy="If these are trials of one question, number them in a field called `trial`; "
        "if they are different questions, give them different ids or name another field with --id.",
    )


def _choose(rows: Rows, id_field: str | None) -> tuple[str, Cells]:
    if id_field is not None:
        named = cells_of(rows, id_field)
        if named is not None:
            return id_field, named
        raise rows.file.problem(
            f"no field is called `{shown(id_field)}`", remedy=f"The fields are {listed(rows)}; name one with --id."
        )
    field = names.find(rows.columns, names.ID_NAMES) or names.find(rows.columns, names.TEXT_NAMES)
    if field is None:
        raise rows.file.problem(
            "no field says which question a row belongs to",
            remedy=f"The fields are {listed(rows)}. Add an `id`, or name the field with --id. "
            f"If these are means: {names.PER_QUESTION_HINT}",
        )
    return field, rows.columns[field]


def cells_of(rows: Rows, field: str) -> Cells | None:
    """Return the cells of a field, or of one inside an object (``metadata.topic``); None where there is none."""
    if field in rows.columns:
        return rows.columns[field]
    outer, *inner = field.split(".")
    if outer in rows.columns and inner:
        return [_inside(cell, inner) for cell in rows.columns[outer]]
    return None


def _texts(rows: Rows, field: str, cells: Cells) -> list[str]:
    """Return ids as text: integers in decimal, whole floats as their integer."""
    if _all_texts(cells) and all(map(str.strip, cells)):
        return cells
    texts: list[str] = []
    for row, cell in enumerate(cells):
        text = cell if isinstance(cell, str) else _number_text(cell)
        if text is None or not text or text.isspace():
            missing = cell is None or isinstance(cell, str)
            what = f"`{shown(field)}` is missing" if missing else f"`{shown(field)}` is {shown(cell)}, which is no id"
            raise rows.file.problem(
                what,
                where=rows.place(row),
                remedy="Every row needs the id of its question, as text or as a whole number.",
            )
        texts.append(text)
    return texts


def _number_text(cell: object) -> str | None:
    """Return the text of a whole number; None for what is no id: booleans, fractions, objects, lists."""
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < _EXACT:
        return str(int(cell))
    return str(cell) if isinstance(cell, int) and not isinstance(cell, bool) else None


def _as_texts(cells: Cells) -> list[str]:
    """Return cells as text, for comparison; the cells themselves where all are text."""
    if _all_texts(cells):
        return cells
    return [cell if isinstance(cell, str) else _number_text(cell) or str(cell) for cell in cells]


def _all_texts(cells: Cells) -> TypeGuard[list[str]]:
    return set(map(type, cells)) == {str}


def _refuse_long_ids(rows: Rows, ids: list[str]) -> None:
    if max(map(len, ids), default=0) > limits.ID_CHARACTERS:
        row = next(row for row, text in enumerate(ids) if len(text) > limits.ID_CHARACTERS)
        raise rows.file.problem(
            f'the id "{shown(ids[row])}" is longer than {limits.ID_CHARACTERS:,} characters',
            where=rows.place(row),
            remedy="Use short ids; a hash of the text will do.",
        )


def _inside(cell: object, path: list[str]) -> object:
    for name in path:
        cell = cell.get(name) if isinstance(cell, dict) else None
    return cell


def listed(rows: Rows) -> str:
    """Name the fields there are, for a person to choose from."""
    there = [*rows.columns, *rows.unread]
    fields = [f"`{shown(field, width=40)}`" for field in there[:20]]
    return ", ".join(fields) + (" …" if len(there) > len(fields) else "")
