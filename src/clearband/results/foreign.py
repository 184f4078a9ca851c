"""Files that are recognised only to say what to do instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clearband.results.result_file import first_sign

if TYPE_CHECKING:
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
