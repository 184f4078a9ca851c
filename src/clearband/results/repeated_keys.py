"""Rows in which a field stands twice: JSON allows it, the fast parser keeps the last one and says nothing.

A row that says ``"score": 0`` and ``"score": 1`` has no score. Counting finds out that no row is like that: a name
stands in the file as often as the decoded rows have it. Only where it stands there more often, in a text or deep in an
object perhaps, those rows are parsed again, slowly. Names that JSON spells with escapes are not looked for.
"""

from __future__ import annotations

import json
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

from clearband.results import names
from clearband.results.result_file import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from clearband.results.result_file import ResultFile
    from clearband.results.rows import Cells

_SPACED = (b" :", b"\t:", b"\r:", b"\n:")
"""Where none of these is, a quote and a colon stand behind every key; texts may hold more of them, never fewer."""

_SCANNED = 2**33
"""Bytes that are searched through for names: seconds; a file with more names than that allows is not checked."""


def refuse(
    file: ResultFile,
    rows: Sequence[dict[str, object]],
    columns: Mapping[str, Cells],
    texts: Callable[[], Iterator[str]],
    place: Callable[[int], str],
) -> None:
    """Refuse a row with a field that stands in it twice, if the field may be an id, a trial or a metric.

    Parameters
    ----------
    file
        Where the rows come from.
    rows
        As decoded.
    columns
        The same, by field.
    texts
        Returns the JSON text of every row; only called where something looks wrong.
    place
        Where a row lies in the file, for people.

    """
    data = file.data
    if data.count(b'":') == sum(map(len, rows)) and not any(spaced in data for spaced in _SPACED):
        return
    expected = _occurrences(rows, columns)
    if len(expected) * len(data) > _SCANNED:
        return
    suspects = {
        name: spelled for name in expected if data.count((spelled := json.dumps(name)).encode()) > expected[name]
    }
    if not suspects:
        return
    for row, text in enumerate(texts()):
        if any(text.count(spelled) > 1 for spelled in suspects.values()):
            twice = _twice(text, suspects)
            if twice is not None:
                raise file.problem(
                    f"the field `{shown(twice)}` stands twice in one row",
                    where=place(row),
                    remedy="Which of the two counts cannot be told: write each field once.",
                )


def _occurrences(rows: Sequence[dict[str, object]], columns: Mapping[str, Cells]) -> Counter[str]:
    """Return how often each name that matters is a key of a row, or of an object that is a field of one."""
    if set(map(len, rows)) == {len(columns)}:
        found = Counter(dict.fromkeys(columns, len(rows)))
    else:
        found = Counter(chain.from_iterable(rows))
    wanted = {field for field in columns if _matters(field)}
    for field, cells in columns.items():
        objects = [cell for cell in cells if isinstance(cell, dict)]
        if objects:
            inner = Counter(chain.from_iterable(objects))
            found.update(inner)
            if field in wanted:
                wanted.discard(field)
                wanted.update(inner)
    return Counter({name: found[name] for name in wanted})


def _matters(field: str) -> bool:
    return not names.is_no_metric(field) or names.plain(field) in {*names.ID_NAMES, *names.TRIAL_NAMES}


def _twice(text: str, wanted: Collection[str]) -> str | None:
    """Return a wanted name that stands twice in the row or in one object inside it."""
    found: list[str] = []

    def look(pairs: list[tuple[str, object]]) -> None:
        keys = [key for key, _ in pairs]
        if len(set(keys)) < len(keys):
            found.extend(key for key, often in Counter(keys).items() if often > 1 and key in wanted)

    json.loads(text, object_pairs_hook=look, parse_int=str, parse_float=str)
    return found[0] if found else None
