"""Zip archives: what lies in them, and what a hostile one can and cannot do."""

from __future__ import annotations

import io
import struct
import tracemalloc
import zipfile
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from backports import zstd
from backports.zstd import zipfile as zstd_zipfile

from clearband.errors import UnusableResults
from clearband.results import archive, limits
from clearband.results.result_file import ResultFile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clearband.results.archive import Member

TEXT = b'{"id": "q1", "score": 1}\n' * 40
ZSTD = 93


def packed(*members: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zstd_zipfile.ZipFile(file, "w", method) as made:
        for name, data in members:
            made.writestr(name, data)
    return file.getvalue()


def as_file(data: bytes) -> ResultFile:
    return ResultFile(name="log.eval", sha256="", content=data)


def unpacked(data: bytes) -> list[tuple[str, bytes]]:
    file = as_file(data)
    return [(member.name, content) for member, content in archive.contents(file, archive.members(file))]


def refused(data: bytes) -> str:
    with pytest.raises(UnusableResults) as caught:
        unpacked(data)
    assert caught.value.remedy
    return caught.value.what


def with_zstd_content(content: bytes, *, size: int, crc: int) -> bytes:
    """An archive with one zstd member, of which the directory says what we like."""
    data = packed(("a", content), method=zipfile.ZIP_STORED)
    return edited(data, method=ZSTD, size=size, crc=crc)


FIELDS = {
    "flags": ("<H", 8),
    "method": ("<H", 10),
    "crc": ("<I", 16),
    "packed": ("<I", 20),
    "size": ("<I", 24),
    "offset": ("<I", 42),
}


def edited(data: bytes, **claims: int) -> bytes:
    """Change what the directory says of the first member."""
    changed = bytearray(data)
    start = data.index(b"PK\x01\x02")
    for name, value in claims.items():
        form, offset = FIELDS[name]
        struct.pack_into(form, changed, start + offset, value)
    return bytes(changed)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, ZSTD])
def test_every_packing_is_read(method: int) -> None:
    assert unpacked(packed(("a.json", TEXT), ("b/c.json", b""), method=method)) == [("a.json", TEXT), ("b/c.json", b"")]


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_files_of_one_name_are_all_there_in_order_and_folders_are_not() -> None:
    data = packed(("s/", b""), ("s/1.json", b"first"), ("s/1.json", b"second"))

    assert unpacked(data) == [("s/1.json", b"first"), ("s/1.json", b"second")]


@pytest.mark.parametrize("cut", [1, 17, len(TEXT)])
def test_several_zstd_frames_are_one_file(cut: int) -> None:
    skippable = b"\x50\x2a\x4d\x18\x03\x00\x00\x00abc"
    frames = zstd.compress(TEXT[:cut]) + skippable + zstd.compress(TEXT[cut:])
    (crc,) = [one.crc for one in archive.members(as_file(packed(("a", TEXT))))]

    assert unpacked(with_zstd_content(frames, size=len(TEXT), crc=crc)) == [("a", TEXT)]


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, ZSTD])
def test_a_file_that_unpacks_to_more_than_it_says_is_dropped_before_it_costs_memory(method: int) -> None:
    bomb = edited(packed(("a", bytes(2**25)), method=method), size=1_000)
    file = as_file(bomb)
    tracemalloc.start()
    try:
        with pytest.raises(UnusableResults, match="is not what the archive's directory says"):
            archive.content(file, archive.members(file)[0])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert peak < 2**22


def test_a_file_that_claims_to_be_a_thousand_times_its_packed_size_is_not_unpacked() -> None:
    assert "more than 1,000 times" in refused(packed(("a", bytes(2**25)), method=ZSTD))


@pytest.mark.parametrize(
    "claims",
    [{"size": len(TEXT) - 1}, {"size": len(TEXT) + 1}, {"crc": 1}, {"offset": 9}, {"offset": 2**31}, {"packed": 2**30}],
)
@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, ZSTD])
def test_a_directory_that_lies_is_found_out(claims: dict[str, int], method: int) -> None:
    assert "the archive's directory says" in refused(edited(packed(("a", TEXT), ("b", TEXT), method=method), **claims))


def test_a_file_larger_than_any_result_is_not_unpacked() -> None:
    assert "unpacks to more than 512 MiB" in refused(edited(packed(("a", TEXT)), size=limits.FILE_BYTES + 1))


def test_all_files_together_have_a_limit() -> None:
    file = as_file(packed(("a", TEXT)))
    (member,) = archive.members(file)
    many: Sequence[Member] = [member, replace(member, size=limits.ARCHIVE_BYTES)]
    found = archive.contents(file, many)

    assert next(found) == (member, TEXT)
    with pytest.raises(UnusableResults, match="the archive unpacks to more than 2,048 MiB"):
        next(found)


def test_more_files_than_any_log_has_are_refused_before_they_are_listed() -> None:
    data = packed(("a", b"PK\x01\x02" * (limits.ARCHIVE_MEMBERS + 1)), method=zipfile.ZIP_STORED)

    assert "holds more than 200,000 files" in refused(data)


def test_endless_tiny_frames_are_refused() -> None:
    frames = zstd.compress(b"x") * 1_000

    assert "is packed in too many pieces" in refused(with_zstd_content(frames, size=1_000, crc=0))


@pytest.mark.parametrize(
    ("claims", "says"),
    [({"flags": 1}, "is encrypted"), ({"method": 12}, "packed with method 12"), ({"method": 8}, "cannot be unpacked")],
)
def test_what_cannot_be_read_is_named(claims: dict[str, int], says: str) -> None:
    assert says in refused(edited(packed(("notes.json", TEXT), method=ZSTD), **claims))


@pytest.mark.parametrize("share", [0.3, 0.9, 0.99])
def test_an_archive_that_was_cut_short_is_damaged(share: float) -> None:
    data = packed(*((f"{number}.json", TEXT) for number in range(20)))

    assert "the ZIP archive cannot be read" in refused(data[: int(len(data) * share)])


def test_a_file_without_a_name_is_listed_like_any_other() -> None:
    data = bytearray(packed(("a", TEXT)))
    struct.pack_into("<H", data, data.index(b"PK\x01\x02") + 28, 0)  # the name's length; its byte is read as a comment
    struct.pack_into("<H", data, data.index(b"PK\x01\x02") + 32, 1)

    assert unpacked(bytes(data)) == [("", TEXT)]
