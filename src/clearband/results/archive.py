"""Zip archives that may be hostile: what lies in them, and its bytes, within limits.

The directory at the end is read by Python's ``zipfile``; unpacking is done here, because a member's size is only what
somebody claims, several members may have one name, and Python reads zstd (which Inspect AI writes) from 3.14 only.
"""

from __future__ import annotations

import io
import struct
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clearband.results import limits
from clearband.results.result_file import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clearband.errors import UnusableResults
    from clearband.results.result_file import ResultFile

_MAGIC = (b"PK\x03\x04", b"PK\x05\x06")
_ENTRY = b"PK\x01\x02"
_LOCAL = struct.Struct("<4s22xHH")
_ENCRYPTED = 0x1
_AGAIN = "The archive or its upload was cut short or damaged; write it again."
_SMALLER = "Keep the result files alone; prompts, traces and attachments are not needed."


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One file of an archive; several may have the same name."""

    name: str
    """As the archive spells it, folders included; it decides nothing and opens nothing."""
    size: int
    """Bytes, unpacked; a claim that `content` holds it to."""
    packed: int
    """Bytes in the archive."""
    offset: int
    method: int
    encrypted: bool
    crc: int
    mode: int
    """Kind and permissions as Unix has them; 0 where the archive was packed elsewhere."""


def is_archive(data: bytes) -> bool:
    """Whether the bytes start like a zip archive."""
    return data.startswith(_MAGIC)


def members(file: ResultFile) -> tuple[Member, ...]:
    """Return the files of an archive in its own order, folders left out; duplicates are kept."""
    import zipfile  # noqa: PLC0415  6 ms that a start without an archive does not pay (measured)

    if file.data.count(_ENTRY) > limits.ARCHIVE_MEMBERS:
        raise file.problem(f"the archive holds more than {limits.ARCHIVE_MEMBERS:,} files", remedy=_SMALLER)
    try:
        with zipfile.ZipFile(io.BytesIO(file.data)) as opened:
            infos = opened.infolist()
    except (zipfile.BadZipFile, NotImplementedError, struct.error, ValueError, OverflowError, OSError) as error:
        raise file.problem(f"the ZIP archive cannot be read: {shown(str(error))}", remedy=_AGAIN) from error
    return tuple(
        Member(
            name=info.filename,
            size=info.file_size,
            packed=info.compress_size,
            offset=info.header_offset,
            method=info.compress_type,
            encrypted=bool(info.flag_bits & _ENCRYPTED),
            crc=info.CRC,
            mode=info.external_attr >> 16,
        )
        for info in infos
        if not info.filename.endswith("/")
    )


def contents(file: ResultFile, chosen: Iterable[Member]) -> Iterator[tuple[Member, bytes]]:
    """Yield each chosen member with its bytes, one at a time; together they have a limit as well."""
    total = 0
    for member in chosen:
        total += member.size
        if total > limits.ARCHIVE_BYTES:
            raise file.problem(f"the archive unpacks to more than {limits.ARCHIVE_BYTES >> 20:,} MiB", remedy=_SMALLER)
        yield member, content(file, member)


def content(file: ResultFile, member: Member) -> bytes:
    """Return the bytes of one member; never holds more than the member claims, and no more than a file may have."""
    if member.encrypted:
        raise _problem(file, member, "is encrypted", "Write the archive without a password.")
    if member.size > limits.FILE_BYTES:
        raise _problem(file, member, f"unpacks to more than {limits.FILE_BYTES >> 20:,} MiB", _SMALLER)
    if member.size > limits.ARCHIVE_FREE_BYTES + limits.ARCHIVE_RATIO * member.packed:
        raise _problem(file, member, f"claims to be more than {limits.ARCHIVE_RATIO:,} times its packed size", _SMALLER)
    match member.method:
        case 0:
            data = bytes(_packed(file, member))
        case 8:
            data = _inflated(file, member)
        case 93:
            data = _unzstd(file, member)
        case other:
            raise _problem(file, member, f"is packed with method {other}, which is not read", "Use deflate or zstd.")
    if len(data) != member.size or zlib.crc32(data) != member.crc:
        raise _problem(file, member, "is not what the archive's directory says", _AGAIN)
    return data


def _packed(file: ResultFile, member: Member) -> memoryview:
    """Return the member's bytes as they lie in the archive, found through the header before them."""
    data = memoryview(file.data)
    if 0 <= member.offset <= len(data) - _LOCAL.size:
        magic, name, extra = _LOCAL.unpack_from(data, member.offset)
        start = member.offset + _LOCAL.size + name + extra
        if magic == _MAGIC[0] and start + member.packed <= len(data):
            return data[start : start + member.packed]
    raise _problem(file, member, "is not where the archive's directory says", _AGAIN)


def _inflated(file: ResultFile, member: Member) -> bytes:
    try:
        return zlib.decompressobj(wbits=-15).decompress(_packed(file, member), member.size + 1)  # -15: no framing
    except zlib.error as error:
        raise _problem(file, member, f"cannot be unpacked: {error}", _AGAIN) from error


def _unzstd(file: ResultFile, member: Member) -> bytes:
    """Unpack all frames of a member; a frame's own claim about its size is not asked."""
    from backports import zstd  # noqa: PLC0415  only logs that are packed with zstd need it

    packed = _packed(file, member)
    frames_left = 10 + member.size // limits.ZSTD_FRAME_BYTES
    out = bytearray()
    try:
        while packed and len(out) <= member.size and frames_left:
            frame, packed = packed[: (size := zstd.get_frame_size(packed))], packed[size:]
            out += zstd.ZstdDecompressor().decompress(frame, member.size + 1 - len(out))
            frames_left -= 1
    except zstd.ZstdError as error:
        raise _problem(file, member, f"cannot be unpacked: {shown(str(error))}", _AGAIN) from error
    if packed and len(out) <= member.size:
        raise _problem(file, member, "is packed in too many pieces", "Write the archive again.")
    return bytes(out)


def _problem(file: ResultFile, member: Member, what: str, remedy: str) -> UnusableResults:
    return file.problem(f"`{shown(member.name)}` in the archive {what}", remedy=remedy)
