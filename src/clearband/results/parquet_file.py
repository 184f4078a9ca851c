"""A Parquet file, opened with DuckDB so that nothing but its columns can come of it.

The file is a pull request's own and DuckDB is a database with many doors. So: a database in memory, one file that may
be opened, no extensions, no settings that could be changed, bounded memory and threads, and only as much of each
column as is needed. No name of the file ever becomes part of a query: columns are asked for by their position.
"""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from clearband.results import identity, limits, scratch
from clearband.results.parquet_schema import Kind, Leaf, leaves_of, names_of
from clearband.results.result_file import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from duckdb import DuckDBPyConnection

    from clearband.errors import UnusableResults
    from clearband.results.result_file import ResultFile
    from clearband.results.rows import Cells

MAGIC = b"PAR1"
_OLDEST = 2
_SETTINGS = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "python_enable_replacements": "false",
    "temp_directory": "",
    "memory_limit": "2GiB",
    "threads": "1",
}
_AGAIN = "The evaluation or the upload was cut short or damaged; write the file again."
_PLACE = re.compile(r'"?[^\s"]*/(?:fd/\d+|clearband-\w+)"?')


@dataclass(frozen=True, slots=True, kw_only=True)
class ParquetFile:
    """The columns of an open file."""

    file: ResultFile
    count: int
    """Rows."""
    leaves: tuple[Leaf, ...]
    _connection: DuckDBPyConnection
    _path: str
    _source: str
    _spent: Counter[str] = field(default_factory=Counter)

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(dict.fromkeys(leaf.path[0] for leaf in self.leaves))

    def numbers(self, leaf: Leaf) -> Cells:
        """Return the values of a column of numbers, None for null."""
        (cells,) = self._ask(leaf.expression)
        return cells

    def is_short(self, leaf: Leaf, size: int) -> bool:
        """Whether no text of a column has more bytes than `size`."""
        return leaf.average <= size and self._most(leaf)[0] <= size

    def texts(self, leaf: Leaf, *, characters: int) -> Cells:
        """Return the texts of a column, cut to a number of characters, None for null."""
        self._spend(leaf, characters)
        (cells,) = self._ask(f"left({leaf.expression}, {characters:d})")
        return cells

    def text_keys(self, leaf: Leaf) -> Cells:
        """Return what `identity.text_key` makes of each text, without holding a long one."""
        if self._most(leaf)[1] > limits.ARCHIVE_BYTES:
            raise self._too_much(leaf.path)
        self._spend(leaf, identity.SHORT)
        text = leaf.expression
        is_line = (
            f"length({text}) <= {identity.SHORT} AND NOT contains({text}, chr(10)) AND NOT contains({text}, chr(13))"
        )
        heads, digests = self._ask(
            f"CASE WHEN {is_line} THEN {text} ELSE left({text}, {identity.HEAD}) END",
            f"CASE WHEN {is_line} THEN NULL ELSE left(sha256({text}), 16) END",
        )
        return [
            head if digest is None or head is None else identity.summary(str(head), str(digest))
            for head, digest in zip(heads, digests, strict=True)
        ]

    def digests(self, leaves: Sequence[Leaf]) -> list[str | None]:
        """Return 16 digits of the SHA-256 of all these columns together, row by row; None where there is no column."""
        if not leaves:
            return [None] * self.count
        texts = ", ".join(f"coalesce(CAST({leaf.expression} AS VARCHAR), '')" for leaf in leaves)
        whole = f"concat_ws(chr(31), {texts})"
        if self._one_row(f"sum(strlen({whole}))")[0] > limits.ARCHIVE_BYTES:
            raise self._too_much(leaves[0].path)
        (cells,) = self._ask(f"left(sha256({whole}), 16)")
        return [str(cell) for cell in cells]

    def _most(self, leaf: Leaf) -> tuple[int, int]:
        length = f"strlen({leaf.expression})"
        longest, total = self._one_row(f"max({length})", f"sum({length})")
        return longest, total

    def _spend(self, leaf: Leaf, characters: int) -> None:
        """Hold the texts that are taken into memory to what an unpacked file may have."""
        length = f"sum(least(strlen({leaf.expression}), {4 * characters:d}))"
        self._spent["bytes"] += self._one_row(length)[0]
        if self._spent["bytes"] > limits.FILE_BYTES:
            raise self._too_much(leaf.path)

    def _one_row(self, *expressions: str) -> list[int]:
        query = _query(*expressions, source=self._source)
        return [int(cell or 0) for cell in self._connection.execute(query, [self._path]).fetchall()[0]]

    def _ask(self, *expressions: str) -> list[Cells]:
        """Return one list of cells for each expression."""
        named = [f"{expression} AS v{number}" for number, expression in enumerate(expressions)]
        found = self._connection.execute(_query(*named, source=self._source), [self._path]).fetchnumpy()
        columns = [found[f"v{number}"].tolist() for number in range(len(expressions))]
        if any(len(cells) != self.count for cells in columns):
            raise self.file.problem("its columns have different numbers of rows", remedy=_AGAIN)
        return columns

    def _too_much(self, path: Sequence[str]) -> UnusableResults:
        return self.file.problem(
            f"the texts of `{shown('.'.join(path))}` unpack to more than is read",
            remedy="Give the questions short ids, and keep ids and scores alone.",
        )


@contextlib.contextmanager
def opened(file: ResultFile) -> Iterator[ParquetFile]:
    """Open a Parquet file; whatever goes wrong inside the `with`, also while reading, is said in its name."""
    duckdb = _library(file)
    _check_footer(file)
    try:
        with scratch.named(file.data) as path, duckdb.connect(":memory:", config=dict(_SETTINGS)) as connection:
            connection.execute("SET allowed_paths = ?", [[path]])
            connection.execute("SET enable_external_access = false")
            connection.execute("SET lock_configuration = true")
            yield _described(file, connection, path)
    except duckdb.OutOfMemoryException as error:
        raise file.problem(
            f"the Parquet file asks for more memory than {_SETTINGS['memory_limit']}",
            remedy="Write it with smaller row groups, or as CSV; keep ids and scores alone.",
        ) from error
    except (duckdb.Error, OSError, MemoryError, UnicodeError, RuntimeError) as error:
        raise file.problem(f"the Parquet file cannot be read: {_said(error)}", remedy=_AGAIN) from error


def _library(file: ResultFile) -> Any:
    missing = file.problem(
        f"the file is Parquet, for which DuckDB {_OLDEST} or newer is needed",
        remedy="pip install 'clearband[duckdb]', or write CSV instead, such as "
        "pandas.read_parquet(...).to_csv(..., index=False).",
    )
    try:
        import duckdb  # noqa: PLC0415  an extra, which only Parquet needs
    except ImportError as error:
        raise missing from error
    if int(duckdb.__version__.partition(".")[0]) < _OLDEST:  # hostile files crash it
        raise missing
    return duckdb


def _check_footer(file: ResultFile) -> None:
    data = file.data
    if len(data) < 12 or not data.endswith(MAGIC):
        raise file.problem("the Parquet file ends too early", remedy=_AGAIN)
    if int.from_bytes(data[-8:-4], "little") > limits.PARQUET_FOOTER_BYTES:
        raise file.problem(
            f"the Parquet file's table of contents is larger than {limits.PARQUET_FOOTER_BYTES // 2**20} MiB",
            remedy="Write fewer columns, or larger row groups.",
        )


def _described(file: ResultFile, connection: DuckDBPyConnection, path: str) -> ParquetFile:
    """Look at names and types, and refuse what is too wide or too long, before any value is read."""
    elements = connection.execute(
        "SELECT name, num_children FROM parquet_schema(?) LIMIT ?", [path, limits.PARQUET_FIELDS + 1]
    ).fetchall()
    if len(elements) > limits.PARQUET_FIELDS:
        raise file.problem(
            f"the Parquet file has more than {limits.PARQUET_FIELDS:,} fields",
            remedy="One row per question and one column per metric is what is read.",
        )
    table = connection.sql("FROM read_parquet($1, hive_partitioning = false) LIMIT 0", params=[path])
    names = names_of(file, elements, table.columns)
    leaves = tuple(
        leaf
        for position, (name, kind) in enumerate(zip(names, table.types, strict=True))
        for leaf in leaves_of((name,), kind, f"c{position}")
    )
    sizes = dict(
        connection.execute(
            "SELECT path_in_schema, sum(total_uncompressed_size) / sum(num_values) FROM parquet_metadata(?) GROUP BY 1",
            [path],
        ).fetchall()
    )
    leaves = tuple(replace(leaf, average=float(sizes.get(", ".join(leaf.path)) or 0.0)) for leaf in leaves)
    source = _source(len(names))
    ((count,),) = connection.execute(_query("count(*)", source=source), [path]).fetchall()
    numbers = sum(leaf.kind is Kind.NUMBER for leaf in leaves)
    if count * max(numbers, 1) > limits.PARQUET_CELLS:
        raise file.problem(
            f"the Parquet file says that it has {numbers:,} columns of numbers in {count:,} rows, more than is read",
            remedy="Keep one row per question, the id and the scores.",
        )
    return ParquetFile(file=file, count=count, leaves=leaves, _connection=connection, _path=path, _source=source)


def _source(columns: int) -> str:
    return f"FROM read_parquet(?, hive_partitioning = false) AS t({', '.join(f'c{i}' for i in range(columns))})"


def _query(*expressions: str, source: str) -> str:
    """Return a query that is made of positions: no text of the file is in it."""
    return f"SELECT {', '.join(expressions)} {source}"


def _said(error: Exception) -> str:
    """Return the first line of what DuckDB says, without the name that it was given for the file."""
    line = next(iter(str(error).splitlines()), "") or type(error).__name__
    return shown(_PLACE.sub("the file", line), width=160)
