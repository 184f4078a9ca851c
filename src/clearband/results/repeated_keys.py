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

import numpy as np

from clearband.results import names
from clearband.results.number_cells import NumberCells
from clearband.results.result_file import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from clearband.results.result_file import ResultFile
    from clearband.results.rows import Cells

_COLON, _QUOTE, _BACKSLASH, _SPACE = b':"\\ '
_LOOK_BACK = 3
_PIECE = 2**18  # what the processor holds close
_SCANNED = 2**33
"""Bytes that are searched through for names: seconds; a file with more names than that allows is not checked."""


def refuse(
    file: ResultFile,
    keys: Counter[str],
    columns: Mapping[str, Cells],
    texts: Callable[[], Iterator[str]],
    place: Callable[[int], str],
) -> None:
    """Refuse a row with a field that stands in it twice, if the field may be an id, a trial or a metric.

    Parameters
    ----------
    file
        Where the rows come from.
    keys
        How many of the decoded rows have each field; see `keys_of`.
    columns
        The decoded rows, by field.
    texts
        Returns the JSON text of every row; only called where something looks wrong.
    place
        Where a row lies in the file, for people.

    """
    if _colons(file) == keys.total():
        return
    expected = _occurrences(keys, columns)
    if len(expected) * len(file.content) > _SCANNED:
        return
    spelled = {name: json.dumps(name) for name in expected}
    found = _counted(file, [text.encode() for text in spelled.values()])
    suspects = {name: text for name, text in spelled.items() if found[text.encode()] > expected[name]}
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


def keys_of(rows: Iterable[dict[str, object]]) -> Counter[str]:
    """Return how many of the rows have each field."""
    found: Counter[str] = Counter()
    for shape, often in Counter(map(tuple, rows)).items():
        found.update(dict.fromkeys(shape, often))
    return found


def _colons(file: ResultFile) -> int | None:
    """Count the colons that stand behind a quote, as they do behind every key; None where a key may be spelled else.

    The quote of a key has no backslash before it, but for a key that ends in one; texts have their quotes behind
    backslashes. Counted in pieces that the processor's cache holds: this runs at the speed of the parser.
    """
    count = 0
    for piece in _overlapping(file, _LOOK_BACK):
        signs = np.frombuffer(piece, dtype=np.uint8)
        colons = np.flatnonzero(signs[_LOOK_BACK:] == _COLON) + _LOOK_BACK
        before = signs[colons - 1]
        if (before <= _SPACE).any():
            return None
        quoted = colons[before == _QUOTE]
        escaped = quoted[signs[quoted - 2] == _BACKSLASH]
        if (signs[escaped - 3] == _BACKSLASH).any():
            return None
        count += quoted.size - escaped.size
    return count


def _counted(file: ResultFile, texts: Sequence[bytes]) -> Counter[bytes]:
    """Count how often each text stands in the file."""
    found: Counter[bytes] = Counter()
    longest = max(map(len, texts), default=1) - 1
    for piece in _overlapping(file, longest):
        for text in texts:
            # What ends inside of the overlap has been counted in the piece before.
            found[text] += piece.count(text, longest - len(text) + 1)
    return found


def _overlapping(file: ResultFile, width: int) -> Iterator[bytes]:
    """Yield the file in pieces, each behind the last bytes of the one before, blanks at first."""
    before = b"\n" * width
    for piece in file.pieces(_PIECE):
        yield (whole := before + piece)
        before = whole[-width:] if width else b""


def _occurrences(keys: Counter[str], columns: Mapping[str, Cells]) -> Counter[str]:
    """Return how often each name that matters is a key of a row, or of an object that is a field of one."""
    found = keys.copy()
    wanted = {field for field in columns if _matters(field)}
    for field, cells in columns.items():
        if isinstance(cells, NumberCells):
            continue
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
