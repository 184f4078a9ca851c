"""Broken and hostile files: always refused, with file, place and remedy; never half read."""

from __future__ import annotations

import gzip
import json
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearband.errors import UnusableResults
from clearband.results import limits, read

from .shapes import SHAPES, Table, jsonl, read_jsonl, refused, refused_rows, score

TABLE: Table = {f"q{number}": {"recall": number / 8, "f1": None} for number in range(6)}
GOOD = '{"id": "q1", "score": 1}\n{"id": "q2", "score": 0}\n'


def _with_line(line: str) -> bytes:
    """A good file with one bad line, the third of four."""
    return f'{GOOD}{line}\n{{"id": "q4", "score": 1}}\n'.encode()


class TestWholeFiles:
    @pytest.mark.parametrize("data", [b"", b" \n\r\n\t ", b"\xef\xbb\xbf", b"\xef\xbb\xbf \n", gzip.compress(b"")])
    def test_empty(self, data: bytes) -> None:
        assert refused(data).what == "run.jsonl: the file is empty"

    @pytest.mark.parametrize("data", [b"[]", b'{"results": []}', b"{}", b"id,score\n", b'{"columns":["id"],"data":[]}'])
    def test_no_rows(self, data: bytes) -> None:
        refused(data)

    @pytest.mark.parametrize(
        ("magic", "kind"),
        [(b"PK\x03\x04", "archive"), (b"PAR1", "Parquet"), (b"\x28\xb5\x2f\xfd", "zstd"), (b"BZh9", "bzip2"),
         (b"\xff\xfei\0", "UTF-16"), (b"\xfe\xff\0i", "UTF-16"), (b"SQLite format 3\0", "SQLite"), (b" <?xml", "XML"),
         (b"<!DOCTYPE html>", "HTML")],
    )  # fmt: skip
    def test_known_kinds_are_named(self, magic: bytes, kind: str) -> None:
        assert kind in refused(magic + b"rest\n1").what

    def test_binary_garbage(self) -> None:
        error = refused(bytes(range(128, 256)))

        assert error.what == "run.jsonl: byte 0x80 is not UTF-8 text"
        assert error.where == "line 1, byte 0"

    def test_zero_bytes(self) -> None:
        assert refused(b"id,score\nq1,1\nq\0,0\n").where == "byte 15"

    @pytest.mark.parametrize("data", [b"hello", b"42", b"null", b'"text"', b"score\n1\n2\n"])
    def test_text_that_is_no_table(self, data: bytes) -> None:
        error = refused(data)

        assert error.what == "run.jsonl: the first line is not the header of a table"

    def test_a_table_without_a_header(self) -> None:
        assert "holds numbers where the names" in refused(b"q1,0.5\nq2,0.25\n").what

    def test_twice_compressed(self) -> None:
        assert "compressed twice" in refused(gzip.compress(gzip.compress(jsonl([{"id": 1, "score": 1}])))).what

    def test_the_name_is_shown_without_its_folder_and_without_control_characters(self) -> None:
        with pytest.raises(UnusableResults) as caught:
            read("/home/me/out\x1b[31m.json", b"")
        assert caught.value.what == "out\\u001b[31m.json: the file is empty"


class TestTotals:
    @pytest.mark.parametrize(
        "document",
        [
            {"scores": {"faithfulness": 0.91, "answer_relevancy": 0.688}, "questions_tested": 5},
            {"accuracy": 0.8, "f1": 0.7, "n": 100},
            {"accuracy": {"mean": 0.8, "std": 0.1}, "f1": {"mean": 0.7, "std": 0.1}},
            {"ndcg@10": {"q1": 0.5, "q2": 0.5}, "AP(rel=2)@100": {"q1": 0.5, "q2": 0.5}},
            {"q1": 0.5, "q2": 0.5, "q3": 0.5, "overall": 0.5},
            {"config": {"model": "m"}, "summary": {"mean_score": 0.5}},
            {"model": "m", "date": "today"},
            [{"name": "accuracy", "value": 0.8}, {"name": "f1", "value": 0.7}],
            {"metric": "accuracy", "value": 0.8},
        ],
    )
    def test_files_of_means_are_refused_with_the_way_to_rows(self, document: object) -> None:
        error = refused(json.dumps(document).encode())

        assert error.remedy is not None
        assert "one row per question" in error.remedy

    @pytest.mark.parametrize("text", ["metric,score\nfaithfulness,1.0\n", "faithfulness,recall\n0.9,0.5\n"])
    def test_tables_of_means_too(self, text: str) -> None:
        error = refused(text.encode())

        assert error.remedy is not None
        assert "one row per question" in error.remedy

    def test_a_long_file_of_means(self) -> None:
        assert "only means" in refused(b"query_id,measure,value\nall,map,0.5\nall,ndcg,0.25\n").what

    def test_a_file_without_numbers(self) -> None:
        assert "no field holds a number" in refused_rows({"id": "q1", "text": "x"}).what

    def test_two_lists_that_may_both_be_the_results(self) -> None:
        document = {"a": [{"id": 1, "score": 1}], "b": [{"id": 1, "score": 0}]}

        assert "`a` and `b` are equally long lists" in refused(json.dumps(document).encode()).what


class TestLines:
    @pytest.mark.parametrize(
        ("line", "what"),
        [
            ('{"id": "q3", "score": NaN}', "NaN is not a value"),
            ('{"id": "q3", "score": Infinity}', "Infinity is not a value"),
            ('{"id": "q3", "score": -Infinity}', "-Infinity is not a value"),
            ('{"id": "q3", "score": 1e999}', "1e999 is beyond every finite number"),
            ('{"id": "q3", "score": -1e999}', "-1e999 is beyond every finite number"),
            ('{"id": "q3", "score": ' + "9" * 6_000 + "}", f"{'9' * 20}… is beyond every finite number"),
            ('{"id": "1e999", "n": 7e7, "score": 2E+999}', "2E+999 is beyond every finite number"),
            ('{"id": "q3", "score": 1', "it ends in the middle of a value"),
            ('{"id": "q3", "sco', "it ends in the middle of a value"),
            ('{"id": "\\ud800", "score": 1}', "half a character (a lone surrogate) stands in a text"),
            ('{"id": "\\ud800abc", "score": 1}', "half a character (a lone surrogate) stands in a text"),
            ('{"id": "\\ude00\\ud83d", "score": 1}', "half a character (a lone surrogate) stands in a text"),
            ('{"id": "q3", "score": ' + "[" * 200_000, "it nests deeper than any result"),
            ('{"id": "q3", "score": 01}', "it is not JSON: invalid number"),
            ("{'id': 'q3'}", "it is not JSON: object keys must be strings"),
            ('{"id": "q3"} {"id": "q5"}', "it is not JSON: trailing characters"),
            ('{"id": "q\0"}', "it is not JSON: invalid character"),
            ("garbage", "it is not JSON: invalid character"),
        ],
    )
    def test_one_bad_line_of_many_is_named(self, line: str, what: str) -> None:
        error = refused(_with_line(line))

        assert error.what == f"run.jsonl: this line cannot be read: {what}"
        assert error.where is not None
        assert error.where.startswith("line 3, byte ")

    def test_the_byte_is_that_of_the_file(self) -> None:
        error = refused(GOOD.encode() + b'{"id": "q3\xff"}\n')

        assert error.where == f"line 3, byte {len(GOOD) + 10} of the file"
        assert "byte 0xff is not UTF-8" in error.what

    @pytest.mark.parametrize("line", ["[1]", "1", '"text"', "null"])
    def test_a_line_that_is_no_object(self, line: str) -> None:
        error = refused(_with_line(line))

        assert error.what == "run.jsonl: this line is not an object"
        assert error.where == "line 3"

    def test_blank_lines_are_counted(self) -> None:
        assert refused(b'{"id": 1, "score": 1}\n\n\n{"id": 2, "score": "x"}\n{"id": 3, "score": 1}').where == "line 4"

    @pytest.mark.parametrize("number", ["1" * 400, "-" + "1" * 400, "1e101", "-1e200"])
    def test_a_number_too_large_to_reckon_with(self, number: str) -> None:
        error = refused(_with_line(f'{{"id": "q3", "score": {number}}}'))

        assert error.what.endswith("beyond 1e+100")
        assert error.where == "line 3"

    @pytest.mark.parametrize("number", ["1" * 6_000, "1e999", "-1e999", "1e101"])
    def test_a_number_too_large_in_a_table(self, number: str) -> None:
        error = refused(f"id,score\nq1,1\nq2,{number}\n".encode())

        assert error.what.endswith("beyond 1e+100")
        assert error.where == "line 3"

    def test_escaped_pairs_are_whole_characters(self) -> None:
        assert read_jsonl({"id": "😀", "score": 1}).ids == ("😀",)


class TestDocuments:
    def test_the_fault_has_line_and_column(self) -> None:
        error = refused(b'[\n {"id": "q1", "score": 1},\n {"id": "q2", "score": NaN}\n]')

        assert error.what == "run.jsonl: the file cannot be read: NaN is not a value"
        assert error.where == "line 3, column 24 (byte 52)"

    @pytest.mark.parametrize("opening", ['{"a":', "["])
    def test_deep_nesting(self, opening: str) -> None:
        assert "nests deeper" in refused(opening.encode() * 200_000).what

    @pytest.mark.parametrize("depth", [*range(900, 1_020, 3), 2_000, 5_000, 20_000])
    def test_nesting_near_the_limit_is_read_or_refused(self, depth: int) -> None:
        deep = f'"x": {"[" * depth}{"]" * depth}'

        for data in (f'{{"q1": {{"s": 1, {deep}}}, "q2": {{"s": 1}}}}', f'[{{"id": "a", "s": 1, {deep}}}, 5]'):
            try:
                outcome = " ".join(read("run.json", data.encode()).ids)
            except UnusableResults as error:
                outcome = error.what.removeprefix("run.json: ")
            assert outcome in {
                "q1 q2",
                "this item is not an object",
                "the file nests deeper than any result",
                "the file cannot be read: it nests deeper than any result",
            }

    def test_objects_nested_beyond_any_metric_are_not_looked_into(self) -> None:
        row = {"id": "q1", "score": 1, "a": {"b": {"c": {"d": {"e": {"f": {"g": {"h": 1}}}}}}}}

        assert list(read_jsonl(row).metrics) == ["score"]

    @pytest.mark.parametrize("shape", ["generic/json-list", "generic/json-by-id", "generic/json-wrapped"])
    @given(data=st.data())
    def test_a_document_cut_anywhere_is_refused(self, shape: str, data: st.DataObject) -> None:
        whole = SHAPES[shape](TABLE)

        refused(whole[: data.draw(st.integers(1, len(whole) - 1))])

    def test_an_item_that_is_no_object_is_named(self) -> None:
        error = refused(b'[{"id": "q1", "score": 1},\n 5]')

        assert error.what == "run.jsonl: this item is not an object"
        assert error.where == "item 2, line 2"

    def test_an_item_of_a_wrapped_list_is_named(self) -> None:
        data = b'{"n": 2,\n"out": {"rows": [\n{"id": "q1", "score": 1},\n{"id": "q2", "score": "N/A"}]}}'

        assert refused(data).where == "item 2 of `out.rows`, line 4"

    def test_the_name_of_a_wrapped_list_may_hold_braces(self) -> None:
        assert refused(b'{"{0}": [{"id": "q1"}, 5]}').where == "item 2 of `{0}`, line 1"

    @pytest.mark.parametrize("odd", ["5", "null", '"x"', "[]"])
    def test_a_question_without_an_object_among_objects(self, odd: str) -> None:
        error = refused(f'{{"q1": {{"s": 1}},\n"q2": {odd},\n"q3": {{"s": 1}}, "q4": {{"s": 1}}}}'.encode())

        assert error.what == 'run.jsonl: question "q2" has no object, unlike the others'
        assert error.where == "line 2"

    def test_an_object_among_numbers(self) -> None:
        error = refused(b'{"q1": 1, "q2": 0, "q3": {"a": 1}}')

        assert error.what == 'run.jsonl: question "q3" has an object, unlike the others'

    def test_a_text_among_numbers_by_id(self) -> None:
        assert '`score` of question "q2" is N/A' in refused(b'{"q1": 1, "q2": "N/A", "q3": 1}').what

    def test_a_short_row_of_a_frame(self) -> None:
        error = refused(b'{"columns": ["id", "score"], "data": [["q1", 1], ["q2"]]}')

        assert error.where == "row 2"

    def test_two_columns_of_a_frame_with_one_name(self) -> None:
        assert "same name" in refused(b'{"columns": ["id", "id"], "data": [["q1", 1]]}').what


class TestTables:
    def test_a_last_row_cut_short(self) -> None:
        error = refused(b"id,recall,f1\nq1,0.5,1\nq2,0.2")

        assert error.what == "run.jsonl: this row has 2 cells, the header has 3"
        assert error.where == "line 3"

    def test_a_row_with_too_many_cells(self) -> None:
        error = refused(b"id,answer,score\nq1,a,1\nq2,a, b,0\n")

        assert error.where == "line 3"
        assert error.remedy == "Quote cells that contain a comma or a line break."

    def test_lines_are_counted_through_quoted_line_breaks(self) -> None:
        assert refused(b'id,note_,score\nq1,"a\nb\nc",1\nq2,x\n').where == "line 5"

    @pytest.mark.parametrize("tail", ['q2,"0.5', 'q2,"a"b'])
    def test_an_open_or_broken_quote(self, tail: str) -> None:
        error = refused(f"id,score\nq1,1\n{tail}".encode())

        assert error.where == "behind line 2"

    def test_two_columns_with_one_name(self) -> None:
        assert "two columns are called `score`" in refused(b"id,score,score\nq1,1,0\n").what

    def test_another_encoding_is_named_by_its_byte(self) -> None:
        error = refused("id,score,note_\nq1,1,café\n".encode("latin-1"))

        assert error.where == "line 2, byte 23"


class TestGzip:
    @given(data=st.data())
    def test_cut_anywhere(self, data: st.DataObject) -> None:
        whole = gzip.compress(SHAPES["generic/jsonl"](TABLE))

        refused(whole[: data.draw(st.integers(2, len(whole) - 1))])

    def test_damaged(self) -> None:
        whole = bytearray(gzip.compress(SHAPES["generic/jsonl"](TABLE)))
        whole[-6] ^= 1  # in the checksum

        assert "damaged" in refused(bytes(whole)).what

    def test_something_behind_it(self) -> None:
        assert "something follows" in refused(gzip.compress(jsonl([{"id": 1, "score": 1}])) + b"more").what

    @pytest.mark.slow
    def test_a_bomb_is_stopped_at_the_limit(self) -> None:
        packer = zlib.compressobj(1, wbits=31)
        block = b" " * 2**24
        bomb = b"".join(packer.compress(block) for _ in range(limits.FILE_BYTES // len(block) + 1)) + packer.flush()

        assert refused(bomb).what == "run.jsonl: the file unpacks to more than 512 MiB"

    def test_endless_empty_parts_are_stopped(self) -> None:
        assert "gzip parts" in refused(gzip.compress(b"") * (limits.GZIP_MEMBERS + 1)).what


class TestSizes:
    def test_too_many_metrics(self) -> None:
        error = refused_rows({"id": "q1", "scores": {f"m{number}": 1 for number in range(limits.METRICS + 1)}})

        assert error.what == "run.jsonl: the file has 201 metrics, more than 200"

    def test_as_many_metrics_as_allowed(self) -> None:
        run = read_jsonl({"id": "q1", **{f"m{number}": 1 for number in range(limits.METRICS)}})

        assert len(run.metrics) == limits.METRICS

    @pytest.mark.parametrize(
        "data",
        [
            json.dumps([{"id": "q1", **{f"m{number}": "x" for number in range(1_001)}}]).encode(),
            (",".join(f"m{number}" for number in range(1_002)) + "\n" + "1," * 1_001 + "1").encode(),
            json.dumps({"columns": [f"m{number}" for number in range(1_002)], "data": []}).encode(),
        ],
    )
    def test_too_many_fields(self, data: bytes) -> None:
        assert "more than is read" in refused(data).what

    def test_a_name_that_is_too_long(self) -> None:
        assert "is longer than 200 characters" in refused_rows({"id": "q1", "m" * 201: 1}).what
        assert list(read_jsonl({"id": "q1", "m" * 200: 1}).metrics) == ["m" * 200]

    def test_a_name_that_is_blank(self) -> None:
        assert "has no name" in refused_rows({"id": "q1", "scores": {" ": 1}}).what

    @pytest.mark.parametrize("question", ["q" * 1_001, 10**1_001])
    def test_an_id_that_is_too_long(self, question: object) -> None:
        error = refused_rows({"id": "q1", "score": 1}, {"id": question, "score": 1})

        assert "is longer than 1,000 characters" in error.what
        assert error.where == "line 2"
        assert len(error.what) < 200

    def test_a_cell_that_is_too_long(self) -> None:
        cell = "x" * (limits.CELL_CHARACTERS + 1)

        assert "field limit" in refused(f"id,text,score\nq1,{cell},1\n".encode()).what

    def test_a_file_that_is_too_large(self) -> None:
        assert refused(bytes(limits.FILE_BYTES + 1)).what == "run.jsonl: the file is larger than 512 MiB"

    def test_a_few_wide_rows_among_many_short_ones(self) -> None:
        wide = {"id": "w", **{f"f{number}": "x" for number in range(900)}}
        rows = jsonl([wide]) + b"".join(b'{"id":%d}\n' % number for number in range(300_000))

        assert "more than is read" in refused(rows).what


def test_a_good_file_is_good() -> None:
    assert score(read("run.jsonl", GOOD.encode())) == {"q1": 1, "q2": 0}
