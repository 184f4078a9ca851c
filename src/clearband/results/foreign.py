"""Files that are recognised only to say what to do instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clearband.results.result_file import first_sign

if TYPE_CHECKING:
    from collections.abc import Collection

    from clearband.results.result_file import ResultFile

_FOREIGN = (
    (b"PK\x03\x04", "a ZIP archive (or an Excel file)", "Unpack it and hand in the file inside."),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd", "Unpack it, or compress it with gzip."),
    (b"BZh", "compressed with bzip2", "Unpack it, or compress it with gzip."),
    (b"\xfd7zXZ", "compressed with xz", "Unpack it, or compress it with gzip."),
    (b"SQLite format 3", "a SQLite database", "Export one row per question as CSV or JSON lines."),
    (b"\xff\xfe", "UTF-16 text", "Save it as UTF-8."),
    (b"\xfe\xff", "UTF-16 text", "Save it as UTF-8."),
)

_DOCUMENTS = (
    (
        {"machine_info", "benchmarks"},
        "a report of pytest-benchmark, which holds statistics over rounds",
        "Write each round in `stats.data` (--benchmark-save-data) as a JSON line with `id`, `trial` and the seconds.",
    ),
    (
        {"feedback_stats", "run_count"},
        "the summary of a LangSmith experiment, without its runs",
        "Write `client.evaluate(...).to_pandas()` as CSV or JSON lines.",
    ),
)


def refuse_document(file: ResultFile, keys: Collection[str]) -> None:
    """Name the kind of a JSON object that looks like results and holds statistics alone; other objects pass."""
    for wanted, kind, remedy in _DOCUMENTS:
        if wanted.issubset(keys):
            raise file.problem(f"the file is {kind}", remedy=remedy)


def refuse(file: ResultFile) -> None:
    """Name the kind of a file that no reader takes, if it shows; other files pass."""
    for magic, kind, remedy in _FOREIGN:
        if file.data.startswith(magic):
            raise file.problem(f"the file is {kind}, which is not read", remedy=remedy)
    if first_sign(file.data) == b"<":
        raise file.problem(
            "the file is HTML, or XML other than JUnit's, and neither is read",
            remedy="JUnit XML has `testsuites` or `testsuite` outermost (pytest writes it with --junitxml). "
            "From anything else, export one row per question as CSV or JSON lines.",
        )
