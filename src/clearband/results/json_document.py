"""One JSON document: a list of rows, an object by id, a list wrapped in an object, or a DataFrame's own shapes.

| shape | example |
|---|---|
| list | ``[{"id": "q1", "score": 1}, ...]`` |
| by id | ``{"q1": {"score": 1}, ...}`` or ``{"q1": 1, ...}``, whose metric is called ``score`` |
| wrapped | ``{"summary": {...}, "results": [{"id": "q1", "score": 1}, ...]}``: the longest list of rows with an id |
| split | ``{"columns": ["id", "score"], "data": [["q1", 1], ...]}`` |
| columns | ``{"id": {"0": "q1"}, "score": {"0": 1}}`` |

An object of means looks much like an object by id; names of metrics where the ids would be tell them apart.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import chain, islice
from typing import TYPE_CHECKING, TypeGuard

from clearband.results import foreign, generic, lenient_json, limits, long_texts, names, repeated_keys, strict_json
from clearband.results.about import About
from clearband.results.outline import LIST, OBJECT
from clearband.results.result_file import first_sign, shown
from clearband.results.rows import Rows, columns_of, refuse_too_wide

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clearband.results.options import ReadOptions
    from clearband.results.outline import Outline
    from clearband.results.result_file import ResultFile
    from clearband.results.rows import Cells
    from clearband.results.run import Run

_Object = dict[str, object]
_Objects = list[_Object]
_DEPTH = 4  # objects around a wrapped list
_SEVERAL = 2  # an object with one entry is a wrapping, not a table of one question
_SCALAR_METRIC = "score"


ABOUT = About(
    name="JSON document",
    versions="written by scripts and by `DataFrame.to_json` (`orient` columns, split, records)",
    produce="`json.dump` of a list of rows, of an object by question id, or of an object that wraps one list",
    key="a field such as `id`, `qid`, `question_id`, else the question's text, or the keys of an object by id",
    metrics="every numeric or true/false field, also inside `scores`, `metrics` and the like",
    direction="none",
    errors="null is no value, and NaN is none where only pandas writes so (`orient` columns and split) but refused "
    "elsewhere; a row whose `error` is filled is lost",
    measurement="nothing",
    traps=("A file of means looks much like one of questions; it is refused with the hint to write rows.",),
)


def sniff(file: ResultFile, outline: Outline) -> bool:  # noqa: ARG001  the formats' common signature
    """Whether the bytes start like a JSON object or list (JSON lines were asked before)."""
    return first_sign(file.buffer) in {b"{", b"["}


def read(file: ResultFile, options: ReadOptions) -> Run:
    """Read `file` into a run."""
    return generic.to_run(rows(file, options), options)


def rows(file: ResultFile, options: ReadOptions) -> Rows:
    """Read `file`, whichever of the shapes it has."""
    id_field = options.id_field
    document = long_texts.document(file, options)
    if isinstance(document, strict_json.Fault):
        table = _with_nan(file, id_field)
        if table is not None:
            return table
        raise file.problem(
            f"the file cannot be read: {document.what}",
            where=f"{strict_json.place(file.buffer, document.offset)} (byte {document.offset})",
            remedy=document.remedy,
        )
    if not isinstance(document, dict):  # a list: `sniff` saw the bracket
        return _list(file, document if isinstance(document, list) else [], (), "generic/json-list")
    foreign.refuse_document(file, document)
    found = _frame(file, document, id_field) or _object(file, document, id_field)
    if found is None:
        total = names.aggregate_among(document)
        example = f' (such as "{shown(total)}")' if total else ""
        raise file.problem(f"the file holds no rows, only totals or settings{example}", remedy=names.PER_QUESTION_HINT)
    return found


def _with_nan(file: ResultFile, id_field: str | None) -> Rows | None:
    """Read a DataFrame's shapes with null for NaN: pandas means a missing value by it, and Python's json writes it."""
    if len(file.content) > limits.FILE_BYTES:
        return None
    data = file.data
    repaired = lenient_json.without_nan(data)
    document = None if repaired is data else strict_json.attempt(repaired)
    found = _frame(file, document, id_field) if isinstance(document, dict) else None
    return None if found is None else replace(found, notes=("NaN was read as no value, which pandas means by it.",))


def _frame(file: ResultFile, document: _Object, id_field: str | None) -> Rows | None:
    """Read the shapes that DataFrame.to_json writes."""
    split = _split_parts(document)
    if split is not None:
        return _split(file, *split)
    return _columns(file, document) if _is_columns(document, id_field) else None


def _object(file: ResultFile, document: _Object, id_field: str | None) -> Rows | None:
    """Read the shapes that people write."""
    is_row = names.find(document, (*_wanted(id_field), *_wanted(None))) is not None
    if _is_by_id(document) and not is_row:
        return _by_id(file, document)
    wrapped = _wrapped(file, document, id_field)
    if wrapped is not None:
        path, items = wrapped
        return _list(file, items, path, "generic/json-wrapped")
    if is_row:
        columns = columns_of(file, [document])
        return Rows(file=file, format="generic/json-row", count=1, columns=columns, place=lambda _: "line 1")
    return _by_id(file, document) if _is_scalars_by_id(document) else None


def _list(file: ResultFile, items: list[object], path: tuple[str, ...], kind: str) -> Rows:
    of_list = f" of `{shown('.'.join(path))}`" if path else ""

    def place(index: int) -> str:
        if len(file.content) > limits.FILE_BYTES:
            return f"item {index + 1}{of_list}"
        text = file.data.decode()
        offset = next(islice(strict_json.entries(text, path), index, None))[1]
        return f"item {index + 1}{of_list}, line {strict_json.line_of(text, offset)}"

    if not items:
        raise file.problem("the list of results is empty", remedy=names.PER_QUESTION_HINT)
    if not _all_objects(items):
        bad = next(index for index, item in enumerate(items) if not isinstance(item, dict))
        raise file.problem("this item is not an object", where=place(bad), remedy=names.PER_QUESTION_HINT)
    columns = columns_of(file, items)

    def texts() -> Iterator[str]:
        data = file.buffer
        for name in path:
            data = memoryview(OBJECT.decode(data)[name])
        return (str(memoryview(raw), "utf-8") for raw in LIST.decode(data))

    repeated_keys.refuse(file, repeated_keys.keys_of(items), columns, texts, place)
    return Rows(file=file, format=kind, count=len(items), columns=columns, place=place)


def _by_id(file: ResultFile, document: _Object) -> Rows:
    text = file.data.decode()
    found = list(strict_json.spans(text))

    def place(index: int) -> str:
        return f"line {strict_json.line_of(text, found[index][1])}"

    first: dict[str, int] = {}
    for index, (key, _, _) in enumerate(found):
        if first.setdefault(key, index) != index:
            raise file.problem(
                f'question "{shown(key)}" stands twice in the object',
                where=f"{place(first[key])} and {place(index)}",
                remedy="Give every question one entry; write trials as rows with a `trial` field.",
            )
    items = list(document.values())
    keys: list[str] | None = list(document)
    objects = [item for item in items if isinstance(item, dict)]
    if not objects:
        columns: dict[str, Cells] = {_SCALAR_METRIC: items}
    elif len(objects) == len(items):
        columns = columns_of(file, objects)
        keys_there = repeated_keys.keys_of(objects)
        repeated_keys.refuse(file, keys_there, columns, lambda: (text[start:end] for _, start, end in found), place)
        if keys == [str(index) for index in range(len(items))] and names.find(columns, _wanted(None)):
            keys = None  # row numbers of a DataFrame, whose own column names the questions
    else:
        most = len(objects) * 2 > len(items)
        bad = next(index for index, item in enumerate(items) if isinstance(item, dict) != most)
        raise file.problem(
            f'question "{shown(found[bad][0])}" has {"no object" if most else "an object"}, unlike the others',
            where=place(bad),
            remedy="Write an object of metrics for every question, {} where it was not scored.",
        )
    return Rows(file=file, format="generic/json-by-id", count=len(items), columns=columns, place=place, keys=keys)


def _split(file: ResultFile, fields: list[object], data: list[object]) -> Rows:
    texts = [str(field) for field in fields]
    refuse_too_wide(file, texts, len(data))
    if len(set(texts)) != len(texts):
        raise file.problem("two of `columns` have the same name", remedy="Give each column a name of its own.")
    records = [row for row in data if isinstance(row, list) and len(row) == len(texts)]
    if len(records) != len(data):
        bad = next(i for i, row in enumerate(data) if not isinstance(row, list) or len(row) != len(texts))
        raise file.problem(
            f"row {bad + 1} of `data` does not have {len(texts)} cells",
            where=f"row {bad + 1}",
            remedy="The file may have been cut or edited by hand; write it again.",
        )
    return Rows(
        file=file,
        format="generic/json-split",
        count=len(records),
        columns={text: [record[position] for record in records] for position, text in enumerate(texts)},
        place=lambda index: f"row {index + 1} of `data`",
    )


def _columns(file: ResultFile, document: _Object) -> Rows:
    columns = {field: cells for field, cells in document.items() if isinstance(cells, dict)}
    numbers = list(next(iter(columns.values())))
    refuse_too_wide(file, columns, len(numbers))
    return Rows(
        file=file,
        format="generic/json-columns",
        count=len(numbers),
        columns={field: [cells[number] for number in numbers] for field, cells in columns.items()},
        place=lambda index: f'row "{shown(numbers[index])}"',
    )


def _wanted(id_field: str | None) -> tuple[str, ...]:
    """Return the plain names of the fields that may tell questions apart."""
    return (names.plain(id_field),) if id_field else (*names.ID_NAMES, *names.TEXT_NAMES)


def _split_parts(document: _Object) -> tuple[list[object], list[object]] | None:
    fields, data = document.get("columns"), document.get("data")
    return (fields, data) if isinstance(fields, list) and isinstance(data, list) else None


def _is_columns(document: _Object, id_field: str | None) -> bool:
    """Whether the outer keys are fields, one of them naming the questions, over the same row numbers."""
    first = next(iter(document.values()), None)
    if not isinstance(first, dict) or names.find(document, _wanted(id_field)) is None:
        return False
    keys = first.keys()
    return all(isinstance(cells, dict) and cells.keys() == keys for cells in document.values()) and bool(keys)


def _is_by_id(document: _Object) -> bool:
    """Whether the values are rows of one kind: some field is common to half of them."""
    inner = [value for value in document.values() if isinstance(value, dict)]
    if len(document) < _SEVERAL or len(inner) * 3 < len(document) * 2 or names.aggregate_among(document):
        return False
    if any(_is_rows(value) for value in document.values()):
        return False
    common = Counter(chain.from_iterable(islice(inner, 100))).most_common(1)
    return not common or common[0][1] * 2 >= min(len(inner), 100)


def _is_scalars_by_id(document: _Object) -> bool:
    scores = sum(value is None or isinstance(value, (bool, int, float)) for value in document.values())
    return len(document) >= _SEVERAL and scores * 3 >= len(document) * 2 and names.aggregate_among(document) is None


def _wrapped(file: ResultFile, document: _Object, id_field: str | None) -> tuple[tuple[str, ...], list[object]] | None:
    """Return the longest list of rows that have an id, with its path; refuse to choose between equals."""
    wanted = _wanted(id_field)
    found = list(_lists(document, (), _DEPTH))
    named = [pair for pair in found if isinstance(pair[1][0], dict) and names.find(pair[1][0], wanted)] or found
    named.sort(key=lambda pair: -len(pair[1]))
    if len(named) > 1 and len(named[0][1]) == len(named[1][1]):
        both = " and ".join(f"`{shown('.'.join(path))}`" for path, _ in named[:2])
        raise file.problem(
            f"{both} are equally long lists, and either may hold the results",
            remedy="Keep the one that holds the scores, or write it to a file of its own.",
        )
    return named[0] if named else None


def _lists(value: _Object, path: tuple[str, ...], depth: int) -> Iterator[tuple[tuple[str, ...], list[object]]]:
    for name, inner in value.items():
        if isinstance(inner, list) and _is_rows(inner):
            yield (*path, name), inner
        elif isinstance(inner, dict) and depth:
            yield from _lists(inner, (*path, name), depth - 1)


def _is_rows(value: object) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _all_objects(items: list[object]) -> TypeGuard[_Objects]:
    return set(map(type, items)) == {dict}
