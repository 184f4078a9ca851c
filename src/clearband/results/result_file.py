"""A result file as bytes: unpacked, within limits, and able to say what is wrong with it."""

from __future__ import annotations

import hashlib
import re
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from clearband.errors import UnusableResults
from clearband.results import limits

if TYPE_CHECKING:
    from collections.abc import Mapping

_GZIP = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"
_SIGN = re.compile(rb"\S")
_SLICE = 2**16
_CHUNK = 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultFile:
    """One result file, ready to be recognised and read."""

    name: str
    sha256: str
    """Of the bytes as they were handed in."""
    data: bytes
    """Unpacked and without a byte order mark."""
    beside: Mapping[str, bytes] = field(default_factory=dict)
    """The other files of its folder or archive, by name: some tools say there what a metric means."""

    def problem(self, what: str, *, where: str | None = None, remedy: str | None = None) -> UnusableResults:
        """Return the error that says `what` is wrong with this file."""
        return UnusableResults(f"{shown(self.name)}: {what}", where=where, remedy=remedy)


def open_file(name: str, data: bytes) -> ResultFile:
    """Unpack `data` and refuse what cannot be a result file."""
    short = name.replace("\\", "/").rsplit("/", 1)[-1] or name
    sealed = ResultFile(name=short, sha256="", data=b"")
    if len(data) > limits.FILE_BYTES:
        raise sealed.problem(
            f"the file is larger than {_mebibytes(limits.FILE_BYTES)}",
            remedy="Keep the ids and the scores; prompts, answers and traces are not needed.",
        )
    content = _inflated(sealed, data) if data.startswith(_GZIP) else data
    content = content.removeprefix(_BOM)
    if not content or content.isspace():
        raise sealed.problem(
            "the file is empty", remedy="The evaluation wrote nothing; look at its own log before this step."
        )
    if content.startswith(_GZIP):
        raise sealed.problem("the file is compressed twice", remedy="Compress it once.")
    return ResultFile(name=short, sha256=hashlib.sha256(data).hexdigest(), data=content)


def first_sign(data: bytes) -> bytes:
    """Return the first byte that is no white space, without copying the file."""
    found = _SIGN.search(data)
    return found[0] if found else b""


def shown(value: object, *, width: int = 80) -> str:
    """Return untrusted text short enough and plain enough for one line of an error."""
    text = value if isinstance(value, str) else repr(value)
    cut = text if len(text) <= width else f"{text[: width - 1]}…"
    return "".join(letter if letter.isprintable() else f"\\u{ord(letter):04x}" for letter in cut)


def _inflated(sealed: ResultFile, data: bytes) -> bytes:
    """Gunzip all members, never holding more than the limit."""
    out = bytearray()
    position = 0
    for _ in range(limits.GZIP_MEMBERS):
        position = _inflate_member(sealed, data, position, out)
        if not data[position : position + 2].strip(b"\0") and not data[position:].strip(b"\0"):
            return bytes(out)
        if not data.startswith(_GZIP, position):
            raise sealed.problem(
                "something follows the gzip data", where=f"byte {position}", remedy="Compress the file again."
            )
    raise sealed.problem(f"the file has more than {limits.GZIP_MEMBERS:,} gzip parts", remedy="Compress it in one go.")


def _inflate_member(sealed: ResultFile, data: bytes, start: int, out: bytearray) -> int:
    """Append one gzip member to `out` and return where the next one would begin."""
    inflater = zlib.decompressobj(wbits=31)  # 31: gzip framing, with its checksum
    try:
        for position in range(start, len(data), _SLICE):
            piece = data[position : position + _SLICE]
            while True:
                chunk = inflater.decompress(piece, _CHUNK)
                out += chunk
                if len(out) > limits.FILE_BYTES:
                    raise sealed.problem(
                        f"the file unpacks to more than {_mebibytes(limits.FILE_BYTES)}",
                        remedy="Keep the ids and the scores; prompts, answers and traces are not needed.",
                    )
                if inflater.eof:
                    return min(position + _SLICE, len(data)) - len(inflater.unused_data)
                piece = inflater.unconsumed_tail
                if not piece and len(chunk) < _CHUNK:
                    break
    except zlib.error as error:
        raise sealed.problem(
            f"the gzip data are damaged: {error}", remedy="The upload may have been cut; write the file again."
        ) from error
    raise sealed.problem(
        "the gzip data end too early", remedy="The evaluation or the upload was cut short; write the file again."
    )


def _mebibytes(count: int) -> str:
    return f"{count // 2**20:,} MiB"
