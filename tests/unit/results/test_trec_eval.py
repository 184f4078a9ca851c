"""trec_eval -q: a measure, a query and a value on each line; and what must not be taken for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from clearband.errors import UnusableResults
from clearband.results import ReadOptions, read
from clearband.results.result_file import open_file
from clearband.results.trec_eval_rows import Order, order

from .shapes import refused, score

if TYPE_CHECKING:
    from pathlib import Path

    from clearband.results.run import Run


def lines(*rows: tuple[str, str, object], end: str = "\n") -> bytes:
    return "".join(f"{measure:<22}\t{query}\t{value}{end}" for measure, query, value in rows).encode()


def run_of(*rows: tuple[str, str, object]) -> Run:
    return read("results.txt", lines(*rows))


MAP = [("map", "q1", "0.5000"), ("map", "q2", "0.2500")]
MEAN = [("runid", "all", "tag"), ("num_q", "all", "2"), ("map", "all", "0.3750")]


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "count", "means"),
    [
        (
            "bm25_stem.trec_eval_q.txt",
            225,
            {"map": 0.2997, "ndcg_cut_10": 0.3851, "recip_rank": 0.5384, "P_10": 0.2338},
        ),
        ("lsa200.trec_eval_q.txt", 225, {"map": 0.3238, "ndcg_cut_10": 0.4070, "recip_rank": 0.5380, "P_10": 0.2600}),
        ("trec_eval_repo_out.test.aq", 3, {"map": 0.1785, "ndcg_cut_10": 0.3016, "recip_rank": 0.4064, "P_10": 0.3000}),
    ],
)
def test_real_files(shared: Path, name: str, count: int, means: dict[str, float]) -> None:
    run = read(name, (shared / "ir" / name).read_bytes())

    assert (run.format, len(run.ids), run.key) == ("trec_eval/text", count, "query_id")
    assert not any(metric.startswith("num_") for metric in run.metrics)
    for metric, mean in means.items():
        assert float(np.mean(run.metrics[metric])) == pytest.approx(mean, abs=1.001e-4)


@pytest.mark.shared
def test_all_measures_at_once(shared: Path) -> None:
    run = read("all.txt", (shared / "ir" / "bm25_stem.all_measures_first20.txt").read_bytes())

    assert len(run.ids) == 20
    assert len(run.metrics) > 80
    assert not {"relstring", "runid", "num_rel"} & run.metrics.keys()
    assert run.content is not None
    assert run.notes == ("The tool's own means are over 225 queries; 205 of them have no line and count as lost.",)


def test_means_are_left_out() -> None:
    run = run_of(*MAP, *MEAN)

    assert score(run, "map") == {"q1": 0.5, "q2": 0.25}
    assert run.notes == ()


def test_ids_stay_text() -> None:
    assert run_of(("map", "007", 1), ("map", "7", 0)).ids == ("007", "7")


def test_counts_are_no_metrics_and_the_judgements_are_the_content() -> None:
    rows = [("num_ret", "1", 10), ("num_rel", "1", 3), ("map", "1", 0.5), ("map", "2", 1), ("num_rel", "2", 3)]
    run = run_of(*rows)
    other = run_of(*[row if row[:2] != ("num_rel", "1") else ("num_rel", "1", 4) for row in rows])

    assert list(run.metrics) == ["map"]
    assert run.content is not None
    assert other.content is not None
    assert run.content[0] != other.content[0]
    assert run.content[1] == other.content[1]


def test_a_query_without_one_of_the_measures_has_no_value_there() -> None:
    run = run_of(*MAP, ("P_10", "q1", 1), ("infAP", "q2", "nan"))

    assert score(run, "P_10") == {"q1": 1, "q2": None}
    assert score(run, "infAP") == {"q1": None, "q2": None}


def test_windows_line_ends() -> None:
    assert score(read("results.txt", lines(*MAP, *MEAN, end="\r\n")), "map") == {"q1": 0.5, "q2": 0.25}


def test_two_runs_in_one_file_are_refused() -> None:
    error = refused(lines(*MAP, *MAP), name="results.txt")

    assert error.what == 'results.txt: query "q1" has two values of `map`'


def test_means_alone_are_refused_with_the_option() -> None:
    error = refused(lines(*MEAN), name="results.txt")

    assert "holds only means" in error.what
    assert "-q" in str(error.remedy)


@pytest.mark.parametrize(
    "data",
    [b"301 Q0 FR940202-2-00150 1 2.129133 STANDARD\n301 Q0 d2 2 1.9 STANDARD\n", b"301\tQ0\td1\t1\t-2.1e-5\tx\r\n",
     b"301 0 FBIS3-10082 1\n301 0 FBIS3-10169 0\n", b"q1\t0\td1\t-1\n"],
)  # fmt: skip
def test_a_run_or_its_judgements_are_refused_with_the_command(data: bytes) -> None:
    error = refused(data, name="run.txt")

    assert "without scores" in error.what
    assert "trec_eval -q" in str(error.remedy)


@pytest.mark.parametrize(
    ("bad", "what"),
    [
        ("map\tq3", "has 2 cells instead of 3"),
        ("map\tq3\t0.5\t1", "has 4 cells instead of 3"),
        ("map\tq3\tgood", 'has "good" where its value belongs'),
        ("map\t\t0.5", "names no query"),
        ("\tq3\t0.5", "names no measure"),
        (f"map\t{'q' * 1_001}\t0.5", "names a query in more than 1,000 characters"),
    ],
)
def test_a_damaged_line_is_named(bad: str, what: str) -> None:
    many = lines(*[("map", f"q{number}", "0.5000") for number in range(4_000)])
    error = refused(many + f"{bad}\n".encode() + many.replace(b"q", b"p"), name="results.txt")

    assert error.what == f"results.txt: this line {what}"
    assert error.where == "line 4001"


def test_bytes_that_are_no_text() -> None:
    many = lines(*[("map", f"q{number}", "0.5000") for number in range(4_000)])

    assert "byte 0xff" in refused(many + b"map\tq\xff\t1\n" + many.replace(b"q", b"p"), name="results.txt").what


def test_an_id_field_that_lines_cannot_have() -> None:
    assert "no field is called `topic`" in refused(lines(*MAP), name="results.txt", id_field="topic").what
    assert read("results.txt", lines(*MAP), ReadOptions(id_field="query_id")).ids == ("q1", "q2")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"map                   \t1\t0.5\n", Order.MEASURE),
        (b"map\tq1\t0.5\nmap\tq2\t0.5\n", Order.MEASURE),
        (b"q1\tmap\t0.5\nq2\tmap\t0.5\n", Order.QUERY),
        (b"1\tnDCG@10\t0.5\n", Order.QUERY),
        (b"q1\tmap\t0.5\nall\tmap\t0.5\n", Order.QUERY),
        (b"11pt_avg\t1\t0.5\n", Order.MEASURE),
        (b"q1\tmap\t0.5\n", Order.QUERY),
        (b"q1\tnDCG@10\t1\nq1\tAP\t1\nq1\tRR\t1\nq2\tnDCG@10\t1\nq2\tAP\t1\nq2\tRR\t1\n", Order.QUERY),
        (b"binG                  \tq1\t0.5\nG                     \tq2\t0.5\n", Order.MEASURE),
        (b"q1\t0.5\t0.25\nq2\t0.5\t0.25\n", None),
        (b"x\ty\t0.5\nx\tz\t0.5\n", Order.MEASURE),
        (b"1\t2\t0.5\n", None),
        (b"id\tmetric\tvalue\nq1\tmap\t0.5\n", None),
        (b"id\tscore\tnote\nq1\t0.5\t1\n", None),
        (b"all\tall\t0.5\n", None),
        (b"map\tq1\t0.5\nq2\t0.5\n", None),
        (b"map q1 0.5\nmap q2 0.5\n", None),
        (b"\n", None),
    ],
)
def test_which_column_comes_first(data: bytes, expected: Order | None) -> None:
    assert order(data) is expected


@pytest.mark.parametrize("header", ["id\tscore\tcost", "id\tmetric\tvalue", "question\tfaithfulness\tlatency_ms"])
def test_an_ordinary_table_is_none_of_these(header: str) -> None:
    rows = "".join(f"q{number}\t{'map' if 'metric' in header else 0.5}\t0.25\n" for number in range(30))

    assert read("t.tsv", f"{header}\n{rows}".encode()).format.startswith("generic/tsv")


def test_a_table_without_a_header_is_still_told_to_have_one() -> None:
    with pytest.raises(UnusableResults, match="where the names of the fields belong"):
        read("t.tsv", b"q1\t0.5\t0.25\nq2\t0.5\t0.25\n")


def test_the_look_at_a_large_file_is_short() -> None:
    """Only head and tail are looked at: a fault between them is met by the reader, with its line."""
    rows = lines(*[("map", str(number), "0.5") for number in range(20_000)], ("map", "all", "0.5"))

    assert order(open_file("x", rows).data) is Order.MEASURE
    assert len(read("x", rows).ids) == 20_000
