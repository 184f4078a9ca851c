"""Fields of nested rows, by dotted path, as text: what labels and a question's id are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def inside(row: object, path: str) -> object:
    """Return what lies at ``metadata.topic``; a key that has dots itself comes first; None where there is nothing."""
    if not isinstance(row, dict):
        return None
    if path in row:
        return row[path]
    outer, _, inner = path.partition(".")
    return inside(row.get(outer), inner) if inner else None


def labels(rows: Sequence[object], wanted: Sequence[str]) -> dict[str, list[str | None]]:
    """Return the text of each wanted field, row by row; fields that no row has are left out."""
    found: dict[str, list[str | None]] = {}
    for path in wanted:
        cells = [text(inside(row, path)) for row in rows]
        if any(cell is not None for cell in cells):
            found[path] = cells
    return found


def text(cell: object) -> str | None:
    """Return a label's text, the same for JSON and CSV: ``true`` and ``false``, whole numbers without a point."""
    match cell:
        case None | str():
            return cell
        case bool():
            return "true" if cell else "false"
        case float() if cell.is_integer():
            return str(int(cell))
        case _:
            return str(cell)


def id_text(cell: object) -> str | None:
    """Return the text of an id; None for what is none: nothing, white space, booleans, fractions, objects, lists."""
    if isinstance(cell, str):
        return cell if cell and not cell.isspace() else None
    return str(cell) if isinstance(cell, int) and not isinstance(cell, bool) else None
