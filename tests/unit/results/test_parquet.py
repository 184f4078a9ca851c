"""Parquet: the same table as in other shapes, only what is needed of it, and nothing that a file could want."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import duckdb
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clearband.errors import UnusableResults
from clearband.results import ReadOptions, limits, parquet_file, read, scratch
from clearband.results.identity import text_key
from clearband.results.result_file import open_file

from .parquet_bytes import BYTE_ARRAY, DOUBLE, element, file, one_value, written
from .shapes import seen

if TYPE_CHECKING:
    from pathlib import Path

    from clearband.results.run import Run

NAME = "run.parquet"


def rows(folder: Path, *values: str, columns: str = "id, score", **options: str) -> bytes:
    return written(folder, f"FROM (VALUES {', '.join(values)}) AS t({columns})", **options)


def refused(data: bytes, options: ReadOptions | None = None) -> UnusableResults:
    with pytest.raises(UnusableResults) as caught:
        read(NAME, data, options or ReadOptions())
    assert caught.value.what.startswith(f"{NAME}: ")
    assert caught.value.remedy
    assert str(caught.value).replace("\n", "").isprintable()
    return caught.value


def score(run: Run, metric: str = "score") -> dict[str, float | None]:
    return {question: values[metric] for question, values in seen(run).items()}


class TestWhatIsRead:
    @pytest.mark.parametrize("codec", ["snappy", "zstd", "gzip", "uncompressed"])
    def test_numbers_and_booleans_are_metrics_and_null_and_nan_are_no_value(self, tmp_path: Path, codec: str) -> None:
        data = rows(tmp_path, "('a', 0.5, true)", "('b', 'NaN'::double, null)", "('c', null, false)",
                    columns="id, score, correct", compression=codec)  # fmt: skip

        run = read(NAME, data)

        assert seen(run) == {
            "a": {"score": 0.5, "correct": 1}, "b": {"score": None, "correct": None}, "c": {"score": None, "correct": 0},
        }  # fmt: skip
        assert (run.format, run.key, run.notes) == ("generic/parquet", "id", ())

    @pytest.mark.parametrize(
        "kind", ["tinyint", "smallint", "integer", "bigint", "utinyint", "ubigint", "float", "double", "decimal(9, 2)"]
    )
    def test_every_kind_of_number(self, tmp_path: Path, kind: str) -> None:
        assert score(read(NAME, rows(tmp_path, f"('a', 3::{kind})", f"('b', 4::{kind})"))) == {"a": 3, "b": 4}

    @pytest.mark.parametrize(
        ("cell", "id_"),
        [("7::bigint", "7"), ("7.0::double", "7"), ("7::decimal(38, 0)", "7"), ("18446744073709551615::ubigint",
         "18446744073709551615"), ("'7'", "7"), ("DATE '2026-01-02'", "2026-01-02"),
         ("'0b2a4b8e-5a6d-4d7b-9a61-1e6d6a1f0a11'::uuid", "0b2a4b8e-5a6d-4d7b-9a61-1e6d6a1f0a11")],
    )  # fmt: skip
    def test_ids_of_any_kind_are_spelled_as_elsewhere(self, tmp_path: Path, cell: str, id_: str) -> None:
        assert read(NAME, rows(tmp_path, f"({cell}, 1)")).ids == (id_,)

    def test_structs_are_objects(self, tmp_path: Path) -> None:
        data = written(tmp_path, "SELECT 'a' AS id, {'recall': 0.5, 'f1': {'value': 1, 'reason': 'x'}} AS scores, "
                                 "{'hits': 3} AS retrieval")  # fmt: skip

        assert seen(read(NAME, data)) == {"a": {"recall": 0.5, "f1": 1, "retrieval.hits": 3}}

    def test_short_words_are_scores_and_long_texts_are_none(self, tmp_path: Path) -> None:
        data = rows(tmp_path, "('a', 'pass', repeat('x', 9999))", "('b', 'fail', 'y')", columns="id, verdict, answer_")

        assert seen(read(NAME, data)) == {"a": {"verdict": 1}, "b": {"verdict": 0}}

    def test_trials_errors_and_long_files_are_what_they_are_elsewhere(self, tmp_path: Path) -> None:
        trials = rows(tmp_path, "('a', 1, 0.0, null)", "('a', 2, 1.0, null)", "('b', 1, 0.0, repeat('timeout ', 999))",
                      columns="id, trial, score, error")  # fmt: skip
        long = rows(tmp_path, "('a', 'f1', 0.5)", "('a', 'em', 1)", "('b', 'f1', 0)", columns="qid, metric, value")

        run = read(NAME, trials)

        assert (score(run), run.trials, run.errored.tolist()) == ({"a": 0.5, "b": None}, 2, [False, True])
        assert seen(read(NAME, long)) == {"a": {"f1": 0.5, "em": 1}, "b": {"f1": 0, "em": None}}

    def test_labels_and_ids_may_lie_inside_structs(self, tmp_path: Path) -> None:
        data = written(tmp_path, "SELECT {'slug': 'a', 'topic': 'tax', 'n': 5} AS metadata, 1 AS score")

        run = read(NAME, data, ReadOptions(id_field="metadata.slug", labels=("metadata.topic",)))

        assert (run.ids, run.labels, list(run.metrics)) == (("a",), {"metadata.topic": ("tax",)}, ["score"])

    def test_the_index_that_pandas_adds_is_no_metric(self, tmp_path: Path) -> None:
        data = rows(tmp_path, "('a', 1.0, 0)", columns="id, score, __index_level_0__")

        assert list(read(NAME, data).metrics) == ["score"]

    def test_names_that_differ_in_case_alone_keep_their_spelling(self, tmp_path: Path) -> None:
        schema = [element(b"root", children=3), element(b"id", kind=BYTE_ARRAY, text=True),
                  *(element(name, kind=DOUBLE) for name in (b"Score", b"score"))]  # fmt: skip
        assert "two columns" not in refused(file(schema)).what
        twice = [element(b"root", children=2), *[element(b"score", kind=DOUBLE)] * 2]
        assert refused(file(twice)).what == "run.parquet: two columns are called `score`"

    def test_lists_and_maps_of_scores_are_mentioned(self, tmp_path: Path) -> None:
        run = read(NAME, written(tmp_path, "SELECT 'a' AS id, 1 AS score, [1, 2] AS metrics, MAP {'k': 1} AS scores"))

        assert run.notes == (
            "`metrics` is a list, a map or bytes and was not read.",
            "`scores` is a list, a map or bytes and was not read.",
        )

    def test_a_row_is_named_by_its_number(self, tmp_path: Path) -> None:
        error = refused(rows(tmp_path, "('a', 1.0)", "('b', 'inf'::double)"))

        assert (error.where, "beyond 1e+100" in error.what) == ("row 2", True)

    def test_an_id_that_is_no_field_is_refused_with_all_fields_also_those_not_read(self, tmp_path: Path) -> None:
        data = rows(tmp_path, "('a', 1, repeat('x', 999))", columns="id, score, answer_")

        remedy = refused(data, ReadOptions(id_field="none")).remedy

        assert remedy is not None
        assert "`id`, `score`, `answer_`" in remedy


class TestWhatIsHeld:
    @given(texts=st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")) | st.sampled_from(
        ["x" * 200, "x" * 201, "x" * 61 + "\n", "é" * 201, "🤦🏼‍♂️" * 70, " \t\u3000 " * 30 + "y" * 200]), min_size=1,
        max_size=5, unique=True))  # fmt: skip
    @settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    def test_the_keys_of_texts_are_those_of_every_other_format(self, tmp_path: Path, texts: list[str]) -> None:
        path = tmp_path / "texts.parquet"
        with duckdb.connect(":memory:") as connection:
            connection.execute("CREATE TABLE t (question VARCHAR)")
            connection.executemany("INSERT INTO t VALUES (?)", [[text] for text in texts])
            connection.execute(f"COPY t TO '{path}' (FORMAT parquet)")

        with parquet_file.opened(open_file(NAME, path.read_bytes())) as opened:
            assert opened.text_keys(opened.leaves[0]) == [text_key(text) for text in texts]

    @pytest.mark.skipif(sys.platform != "linux", reason="reads the peak of memory from /proc")
    def test_long_prompts_cost_no_memory(self, tmp_path: Path) -> None:
        query = "SELECT 'q' || i AS id, i % 2 AS score, repeat(chr(65 + (i % 26)::int), 200_000) AS prompt FROM range(3000) r(i)"
        path = tmp_path / "long.parquet"
        path.write_bytes(written(tmp_path, query, compression="zstd"))
        # 600 MB of prompts, which are not even unpacked; Python with numpy and DuckDB takes about 100 MB by itself.
        code = (
            "import sys, clearband.results; from pathlib import Path\n"
            f"run = clearband.results.read('x', Path({str(path)!r}).read_bytes())\n"
            "peak = next(line for line in Path('/proc/self/status').read_text().splitlines() if line.startswith('VmHWM'))\n"
            "print(len(run.ids), int(peak.split()[1]) // 1024)"
        )
        ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        count, mebibytes = map(int, ended.stdout.split())

        assert count == 3_000
        assert mebibytes < 200


class TestHostileFiles:
    @pytest.mark.parametrize("keep", [4, 11, 12, 60, 200, -1, -4, -9])
    def test_a_file_cut_short(self, tmp_path: Path, keep: int) -> None:
        refused(rows(tmp_path, "('a', 1)", "('b', 0)")[:keep])

    def test_a_thousand_million_rows_in_a_hundred_bytes(self) -> None:
        data = one_value(0.0, 10**9)

        assert len(data) < 200
        assert "1 columns of numbers in 1,000,000,000 rows" in refused(data).what

    def test_one_long_text_that_a_million_rows_share(self) -> None:
        assert "unpack to more than is read" in refused(one_value(b"x" * 10**6, 10**6)).what

    def test_rows_that_are_claimed_and_are_not_there(self) -> None:
        assert "cannot be read" in refused(one_value(b"q", 10, claimed=10**6)).what

    def test_a_page_that_claims_two_gigabytes(self) -> None:
        assert "asks for more memory than 2GiB" in refused(one_value(b"q", 10, page=2**31 - 1)).what

    def test_a_schema_that_is_too_wide(self) -> None:
        count = limits.PARQUET_FIELDS
        schema = [element(b"root", children=count), *(element(b"a%d" % n, kind=DOUBLE) for n in range(count))]

        assert "more than 5,000 fields" in refused(file(schema)).what

    @pytest.mark.parametrize("depth", [5, 100, 100_000])
    def test_a_schema_that_is_too_deep(self, depth: int) -> None:
        schema = [element(b"root", children=1), *[element(b"a", children=1)] * depth, element(b"x", kind=DOUBLE)]

        refused(file(schema))

    def test_a_table_of_contents_that_is_too_large(self) -> None:
        assert "larger than 4 MiB" in refused(file([element(b"x" * 5 * 2**20, children=0)])).what

    @pytest.mark.parametrize("name", [b"\xff\xfe", b"a\0b", b'"; DROP TABLE t; --', b"'", b"x" * 100_000, b""])
    def test_names_of_columns_never_reach_a_query(self, name: bytes) -> None:
        schema = [element(b"root", children=2), element(name, kind=DOUBLE), element(b"id", kind=BYTE_ARRAY, text=True)]

        assert "no rows" in refused(file(schema)).what or "cannot be read" in refused(file(schema)).what

    def test_no_text_that_is_no_text(self) -> None:
        assert "cannot be read" in refused(one_value(b"\xff\xfe", 3)).what


class TestTheDatabase:
    @pytest.mark.parametrize(
        "query",
        ["FROM read_text('/etc/hostname')", "FROM read_csv('/etc/passwd')", "FROM glob('/*')", "INSTALL httpfs",
         "LOAD httpfs", "COPY (SELECT 1) TO 'out.csv'", "ATTACH 'other.db'", "SET threads = 8", "SET memory_limit = '9GB'",
         "SET enable_external_access = true", "SET lock_configuration = false", "FROM 'https://example.org/a.parquet'"],
    )  # fmt: skip
    def test_opens_no_other_door(self, tmp_path: Path, query: str) -> None:
        with parquet_file.opened(open_file(NAME, rows(tmp_path, "('a', 1)"))) as opened:
            with pytest.raises(duckdb.Error):
                opened._connection.execute(query)
            assert opened.count == 1

    def test_is_not_needed_for_anything_else_and_its_absence_is_said(self, tmp_path: Path) -> None:
        path = tmp_path / NAME
        path.write_bytes(rows(tmp_path, "('a', 1)"))
        # None in sys.modules is how Python itself marks a module that cannot be imported.
        code = (
            "import sys; sys.modules['duckdb'] = None\n"
            "from clearband.errors import UnusableResults\n"
            "from clearband.results import read\n"
            "assert read('x', b'id,score\\na,1\\n').ids == ('a',)\n"
            "try:\n"
            f"    read('run.parquet', open({str(path)!r}, 'rb').read())\n"
            "except UnusableResults as error:\n"
            "    print(error)"
        )
        said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

        assert said.startswith("run.parquet: the file is Parquet, for which DuckDB 2 or newer is needed\n")
        assert "pip install 'clearband[duckdb]'" in said
        assert "to_csv" in said


class TestTheScratchFile:
    @pytest.mark.parametrize("way", [scratch.in_memory, scratch.on_disk, scratch.named])
    def test_is_there_while_it_is_needed_and_gone_afterwards(self, tmp_path: Path, way: type) -> None:
        data = rows(tmp_path, "('a', 1)")

        with way(data) as path:
            assert path is not None
            with duckdb.connect(":memory:") as connection:
                found = connection.execute("SELECT id FROM read_parquet(?)", [path]).fetchall()
            if way is scratch.on_disk:
                mode = (tmp_path / path).stat().st_mode & 0o777
                assert mode == 0o600

        assert found == [("a",)]
        assert not (tmp_path / path).exists()


def test_both_arms_may_be_in_different_formats(tmp_path: Path) -> None:
    table = read("run.csv", b"id,score\n1,0.5\n2,1\n")
    columns = read(NAME, rows(tmp_path, "(1::bigint, 0.5)", "(2::bigint, 1.0)"))

    assert columns.ids == table.ids
    assert np.array_equal(columns.metrics["score"], table.metrics["score"])
