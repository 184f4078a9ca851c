"""A result file as bytes: unpacked, within limits, and able to say what is wrong with it."""

from __future__ import annotations

import hashlib
import io
import re
import zlib
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, BinaryIO

from clearband.errors import UnusableResults
from clearband.results import limits
from clearband.results.snapshot import copied

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from clearband.results.snapshot import Content, Snapshot

_GZIP = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"
_SIGN = re.compile(rb"\S")
_SMALLER = "Keep the ids and the scores; prompts, answers and traces are not needed."
_SLICE = 2**16
_PIECE = 2**18
_CHUNK = 2**20
_FIRST_LINE = 2**24
"""Bytes beyond which the first line of a large file is taken for a document without line ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultFile:
    """One result file, ready to be recognised and read."""

    name: str
    sha256: str
    """Of the bytes as they were handed in."""
    content: Content
    """Unpacked and without a byte order mark."""
    beside: Mapping[str, bytes] = field(default_factory=dict)
    """The other files of its folder or archive, by name: some tools say there what a metric means."""

    @property
    def data(self) -> bytes:
        """All of it in memory; a file too large for that is refused, and only JSON is read without."""
        if isinstance(self.content, bytes):
            return self.content
        if len(self.content) > limits.FILE_BYTES:
            raise self.problem(
                f"the file is larger than {_mebibytes(limits.FILE_BYTES)}, and only JSON lines and the JSON of tools "
                "are read beyond that",
                remedy=f"{_SMALLER} JSON lines may have {_mebibytes(limits.PLAIN_BYTES)}.",
            )
        return bytes(self.content.view)

    @property
    def buffer(self) -> bytes | memoryview:
        """All of it, to be parsed in one go; a large file stays where it is."""
        return self.content if isinstance(self.content, bytes) else self.content.view

    def held(self) -> ResultFile:
        """Return the same file in memory."""
        return self if isinstance(self.content, bytes) else replace(self, content=self.data)

    def head(self, count: int) -> bytes:
        """Return the first bytes."""
        return self.content[:count] if isinstance(self.content, bytes) else self.content.head(count)

    def lines(self) -> Iterable[bytes]:
        """Return the lines with their ends; of a large file one is held at a time."""
        return io.BytesIO(self.content) if isinstance(self.content, bytes) else self._lines(self.content)

    def line_groups(self, size: int) -> Iterator[list[bytes]]:
        """Yield the lines without their ends, about `size` bytes together; one by one they take longer than parsing."""
        held: list[bytes] = []
        number = 1
        for piece in self.pieces(size):
            end = piece.rfind(b"\n")
            if end >= 0:
                lines = b"".join((*held, piece[:end])).split(b"\n")
                yield lines
                number += len(lines)
                held = []
            held.append(piece[end + 1 :])
            if sum(map(len, held)) > limits.LINE_BYTES:
                raise self._long_line(number)
        last = b"".join(held)
        if last:
            yield [last]

    def pieces(self, size: int) -> Iterator[bytes]:
        """Yield the bytes, at most so many at a time."""
        if isinstance(self.content, bytes):
            return (self.content[at : at + size] for at in range(0, len(self.content), size))
        reader = self.content.reader()
        return iter(lambda: reader.read(size), b"")

    def first_lines(self) -> tuple[bytes, bytes]:
        """Return the first two lines that are not blank, stripped; nothing where there is none, or none so short."""
        if isinstance(self.content, bytes):
            lines: Iterator[bytes] = io.BytesIO(self.content)
        else:
            reader = self.content.reader()
            lines = iter(lambda: reader.readline(_FIRST_LINE), b"")
        filled = filter(None, (line.strip() for line in lines))
        return next(filled, b""), next(filled, b"")

    def _lines(self, content: Snapshot) -> Iterator[bytes]:
        reader = content.reader()
        number = 1
        while line := reader.readline(limits.LINE_BYTES + 1):
            if len(line) > limits.LINE_BYTES:
                raise self._long_line(number)
            yield line
            number += 1

    def _long_line(self, number: int) -> UnusableResults:
        return self.problem(
            f"the line is longer than {_mebibytes(limits.LINE_BYTES)}", where=f"line {number}", remedy=_SMALLER
        )

    def problem(self, what: str, *, where: str | None = None, remedy: str | None = None) -> UnusableResults:
        """Return the error that says `what` is wrong with this file."""
        return UnusableResults(f"{shown(self.name)}: {what}", where=where, remedy=remedy)


def take(handle: BinaryIO, name: str) -> Content:
    """Read a file: into memory where it is small, else into a copy of its own on the disk.

    Parameters
    ----------
    handle
        The open file; it may be a pipe, and it may change while it is read.
    name
        What it is called, for messages.

    """
    sealed = _sealed(name)
    head = handle.read(limits.HELD_BYTES + 1)
    return head if len(head) <= limits.HELD_BYTES else copied(_bounded(sealed, head, handle))


def open_file(name: str, content: Content) -> ResultFile:
    """Unpack `content` and refuse what cannot be a result file."""
    sealed = _sealed(name)
    file = replace(sealed, sha256=sha256(content), content=content)
    if file.head(len(_GZIP)) == _GZIP:
        file = replace(file, content=_inflated(sealed, file.data))
    elif isinstance(content, bytes) and len(content) > limits.FILE_BYTES:
        raise sealed.problem(f"the file is larger than {_mebibytes(limits.FILE_BYTES)}", remedy=_SMALLER)
    if file.head(len(_BOM)) == _BOM:
        file = replace(file, content=_behind(file.content, len(_BOM)))
    if file.head(4096).lstrip()[:1] not in {b"{", b"["}:
        file = file.held()  # only JSON is read where it lies
    if not first_sign(file.buffer):
        raise sealed.problem(
            "the file is empty", remedy="The evaluation wrote nothing; look at its own log before this step."
        )
    if file.head(len(_GZIP)) == _GZIP:
        raise sealed.problem("the file is compressed twice", remedy="Compress it once.")
    return file


def _sealed(name: str) -> ResultFile:
    return ResultFile(name=name.replace("\\", "/").rsplit("/", 1)[-1] or name, sha256="", content=b"")


def _behind(content: Content, count: int) -> Content:
    return content[count:] if isinstance(content, bytes) else content.behind(count)


def _bounded(sealed: ResultFile, head: bytes, handle: BinaryIO) -> Iterator[bytes]:
    total = 0
    piece = head
    while piece:
        total += len(piece)
        if total > limits.PLAIN_BYTES:
            raise sealed.problem(f"the file is larger than {_mebibytes(limits.PLAIN_BYTES)}", remedy=_SMALLER)
        yield piece
        piece = handle.read(_PIECE)


def sha256(content: Content) -> str:
    """Return the hex digest of a file's bytes."""
    return hashlib.sha256(content).hexdigest() if isinstance(content, bytes) else content.sha256


def first_sign(data: bytes | memoryview) -> bytes:
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
                        remedy=_SMALLER,
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
