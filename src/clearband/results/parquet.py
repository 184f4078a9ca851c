"""Parquet: a table with types, in which columns that no metric is made of are never taken into memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clearband.results import generic, limits, names, parquet_file
from clearband.results.about import About
from clearband.results.parquet_schema import Kind
from clearband.results.result_file import shown
from clearband.results.rows import Rows

if TYPE_CHECKING:
    from clearband.results.options import ReadOptions
    from clearband.results.outline import Outline
    from clearband.results.parquet_file import ParquetFile
    from clearband.results.parquet_schema import Leaf
    from clearband.results.result_file import ResultFile
    from clearband.results.rows import Cells
    from clearband.results.run import Run

ABOUT = About(
    name="Parquet",
    versions="written by pyarrow 26 (pandas, Ragas 0.4.3) and DuckDB 2.0",
    produce="`DataFrame.to_parquet(...)`, one row per question; reading it takes `pip install 'clearband[duckdb]'`, "
    "which the Action's container has",
    key="a column such as `id`, `qid`, `question_id`, else the question's text; `--id` names another, also inside a "
    "struct (`doc.id`)",
    metrics="every column of numbers or of true and false, also inside structs; short words for yes and no; long files",
    direction="none",
    errors="null and NaN are no value; a row whose `error` column is filled is lost",
    measurement="nothing",
    traps=(
        "Lists, maps and bytes are not read: a list of scores per question needs a column for each.",
        "The index of a DataFrame that has no name (`__index_level_0__`) is no id; give it one before writing.",
    ),
)

_WORD_BYTES = 256
"""A column with a longer text holds no words that are scores."""
_ERROR = "error"
_ERROR_CHARACTERS = 200


def sniff(file: ResultFile, outline: Outline) -> bool:  # noqa: ARG001  the formats' common signature
    """Whether the bytes begin as Parquet does."""
    return file.data.startswith(parquet_file.MAGIC)


def read(file: ResultFile, options: ReadOptions) -> Run:
    """Read `file` into a run."""
    return generic.to_run(rows(file, options), options)


def rows(file: ResultFile, options: ReadOptions) -> Rows:
    """Read the columns of `file` of which ids, labels, trials and metrics may be made."""
    with parquet_file.opened(file) as opened:
        columns: dict[tuple[str, ...], Cells] = {}
        unread: list[str] = []
        notes: list[str] = []
        key = _key(opened, options.id_field)
        for leaf in opened.leaves:
            cells = _cells(opened, leaf, key, options)
            if cells is not None:
                columns[leaf.path] = cells
                continue
            unread.append(".".join(leaf.path))
            if leaf.kind is Kind.OTHER and names.plain(leaf.path[-1]) in names.WRAPPERS:
                notes.append(f"`{shown(unread[-1])}` is a list, a map or bytes and was not read.")
        count = opened.count
    return Rows(
        file=file,
        format="generic/parquet",
        count=count,
        columns=nested(columns, count),
        place=lambda index: f"row {index + 1}",
        unread=tuple(unread),
        notes=tuple(notes),
    )


def nested(columns: dict[tuple[str, ...], Cells], count: int) -> dict[str, Cells]:
    """Turn fields by path into columns, whose cells are objects where a path has more than one name."""
    found: dict[str, Cells] = {}
    inside: dict[str, dict[tuple[str, ...], Cells]] = {}
    for (name, *rest), cells in columns.items():
        if rest:
            inside.setdefault(name, {})[tuple(rest)] = cells
            found.setdefault(name, [])  # the place in the order of the file
        else:
            found[name] = cells
    for name, fields in inside.items():
        inner = nested(fields, count)
        found[name] = [dict(zip(inner, cells, strict=True)) for cells in zip(*inner.values(), strict=True)]
    return found


def _key(opened: ParquetFile, id_field: str | None) -> str | None:
    """Return the field that names the questions, as `identity.identify` will choose it."""
    if id_field is not None:
        return id_field
    return names.find(opened.fields, names.ID_NAMES) or names.find(opened.fields, names.TEXT_NAMES)


def _cells(opened: ParquetFile, leaf: Leaf, key: str | None, options: ReadOptions) -> Cells | None:
    """Return the cells of a column that may matter, None for any other."""
    path = ".".join(leaf.path)
    asked = path == key or path in options.labels
    if leaf.kind is Kind.OTHER or (len(leaf.path) > 1 and names.is_no_metric(leaf.path[0]) and not asked):
        return None
    if leaf.kind is Kind.NUMBER:
        return opened.numbers(leaf)
    if path == key and options.id_field is None and names.plain(path) in names.TEXT_NAMES:
        return opened.text_keys(leaf)
    if asked or (len(leaf.path) == 1 and _has_meaning(path)):
        return opened.texts(leaf, characters=limits.ID_CHARACTERS + 1)
    if path == names.find(opened.fields, (_ERROR,)):
        return opened.texts(leaf, characters=_ERROR_CHARACTERS)
    return opened.texts(leaf, characters=_WORD_BYTES) if opened.is_short(leaf, _WORD_BYTES) else None


def _has_meaning(field: str) -> bool:
    return names.plain(field) in names.TRIAL_NAMES or names.plain(field) in names.METRIC_NAME_NAMES
