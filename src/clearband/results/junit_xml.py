"""JUnit XML into test cases: streamed, without a DTD, and within limits of depth, length and number.

Expat walks through the bytes and hands over tags alone, so the text of failures and of captured output is never held.
A document type declaration is refused before anything in it is looked at: no entity is ever defined, none expands.
"""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from xml.parsers import expat

from clearband.results import limits
from clearband.results.result_file import first_sign, shown

if TYPE_CHECKING:
    from clearband.errors import UnusableResults
    from clearband.results.result_file import ResultFile

DEPTH = 64
"""Elements inside each other; suites of suites of suites reach about ten."""

TAG_BYTES = 8 * 2**20
"""Bytes of one tag or comment: expat looks at an unfinished one again with every piece that it gets."""

TESTS = 1_000_000
"""Test cases of one file."""

PROPERTIES = 1_000
"""Properties of one test case."""

_PIECE = 2**20
_HEAD = 2**16
_ROOTS = frozenset({"testsuites", "testsuite"})
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_SEVERAL_BYTES = frozenset({"gbk", "gb2312", "gb18030", "big5", "shift_jis", "cp932", "euc-jp", "euc-kr", "cp949"})
_DECLARED = re.compile(rb"""<\?xml[^>]{0,200}encoding\s*=\s*["']([\w.-]{1,40})["']""")
_NOT_RUN = frozenset({"notrun", "disabled", "skipped", "suppressed", "ignored"})
_CUT = frozenset({
    expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS],
    expat.errors.codes[expat.errors.XML_ERROR_UNCLOSED_TOKEN],
    expat.errors.codes[expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION],
    expat.errors.codes[expat.errors.XML_ERROR_PARTIAL_CHAR],
})  # fmt: skip


@dataclass(slots=True, kw_only=True)
class Case:
    """One test case, as its element says."""

    suite: str
    """Names of the suites around it."""
    classname: str
    name: str
    file: str
    time: str | None
    failed: bool = False
    """It has a ``failure``."""
    broke: bool = False
    """It has an ``error``."""
    skipped: bool = False
    earlier: int = 0
    """Attempts that failed before the one that counts."""
    properties: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class Report:
    """What a file says."""

    cases: list[Case] = field(default_factory=list)
    properties: dict[str, list[str]] = field(default_factory=dict)
    """Of the suites: each name with its values, without repeats."""


class _RootSeenError(Exception):
    """The first element, or a document type, was met."""


def root(data: bytes) -> str | None:
    """Return the name of the outermost element, if it shows near the beginning; None for what is no XML."""
    if first_sign(data[:_HEAD]) != b"<" and not data.startswith(_UTF_16):
        return None
    found: list[str] = []

    def stop(name: str, *_: object) -> None:
        found.append(name)
        raise _RootSeenError

    parser = expat.ParserCreate(_override(data))
    parser.StartElementHandler = stop
    parser.StartDoctypeDeclHandler = stop
    # Whatever is wrong with it, `read` says so where the root has the right name.
    with contextlib.suppress(_RootSeenError, expat.ExpatError, ValueError, LookupError):
        parser.Parse(_decoded(data[:_HEAD].lstrip(), final=False), False)
    return found[0] if found else None


def is_report(data: bytes) -> bool:
    """Whether the outermost element is one of JUnit's."""
    return root(data) in _ROOTS


def read(file: ResultFile) -> Report:
    """Read the test cases, or say where the XML is broken or beyond the limits."""
    reader = _Reader(file)
    try:
        data = _decoded(file.data, final=True)
        data = data.lstrip() if data[:1].isspace() else data
        reader.feed(data)
    except expat.ExpatError as error:
        cut = error.code in _CUT
        raise file.problem(
            f"the XML cannot be read: {expat.ErrorString(error.code)}",
            where=f"line {error.lineno}, column {error.offset + 1}",
            remedy="The test run or the upload was cut short; write the file again."
            if cut
            else "Write the file again with the test runner itself; it was edited, damaged or put together by hand.",
        ) from error
    except (LookupError, ValueError) as error:
        raise file.problem(
            f"the XML's encoding cannot be read: {shown(str(error))}", remedy="Write the file as UTF-8."
        ) from error
    return reader.report


class _Reader:
    """What expat calls, tag by tag."""

    def __init__(self, file: ResultFile) -> None:
        self.report = Report()
        self._file = file
        self._open: list[str] = []
        self._suites: list[str] = [""]
        self._case: Case | None = None
        self._case_depth = 0
        self._again = 0
        self._parser = expat.ParserCreate(_override(file.data))
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.StartDoctypeDeclHandler = self._doctype

    def feed(self, data: bytes) -> None:
        view = memoryview(data)
        for start in range(0, len(data), _PIECE):
            piece = view[start : start + _PIECE]
            self._parser.Parse(piece, False)
            if start + len(piece) - self._parser.CurrentByteIndex > TAG_BYTES:
                raise self._problem(
                    f"a tag or comment is longer than {TAG_BYTES >> 20} MiB",
                    "Keep the output of a test in the text of its element, or leave it out.",
                )
        self._parser.Parse(b"", True)

    def _doctype(self, name: str, *_: object) -> None:
        raise self._problem(
            f"the XML has a document type (`<!DOCTYPE {shown(name, width=40)}`), which is never read",
            "Take the line out: no test runner needs one, and it can define entities that swell without end.",
        )

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._open.append(tag)
        depth = len(self._open)
        if depth > DEPTH:
            raise self._problem(f"the XML nests deeper than {DEPTH} elements", "Write one `testsuite` inside another.")
        if self._case is None:
            self._outside(tag, attributes)
        elif depth == self._case_depth + 1:
            self._inside(self._case, tag)
        elif tag == "property" and "name" in attributes:
            # A test that records a property twice (once for each attempt) means the last one.
            self._case.properties[attributes["name"]] = attributes.get("value", "")
            if len(self._case.properties) > PROPERTIES:
                raise self._problem(f"a test case has more than {PROPERTIES:,} properties", "Keep the scores.")

    def _outside(self, tag: str, attributes: dict[str, str]) -> None:
        """Open whatever is no part of a test case."""
        match tag:
            case "testsuite":
                outer, own = self._suites[-1], attributes.get("name", "")[: limits.NAME_CHARACTERS]
                self._suites.append(f"{outer}/{own}" if outer and own else outer or own)
            case "testcase":
                self._begin(attributes)
            case "property":
                self._note(attributes)
            case _:
                pass

    def _inside(self, case: Case, tag: str) -> None:
        """Take the result of a test case from one of its children."""
        match tag:
            case "failure":
                case.failed = True
            case "error":
                case.broke = True
            case "skipped":
                case.skipped = True
            case "flakyFailure" | "flakyError" | "rerunFailure" | "rerunError":
                case.earlier += 1
                self._again += 1
                self._refuse_too_many()
            case _:
                pass

    def _end(self, tag: str) -> None:
        if self._case is not None and len(self._open) == self._case_depth:
            self._finish(self._case)
            self._case = None
        elif self._case is None and tag == "testsuite":
            self._suites.pop()
        self._open.pop()

    def _begin(self, attributes: dict[str, str]) -> None:
        classname, name = attributes.get("classname", "").strip(), attributes.get("name", "").strip()
        if not classname and not name:
            raise self._problem("a test case has no name", "Every `testcase` needs a `name`.")
        self._refuse_too_many()
        self._case_depth = len(self._open)
        self._case = Case(
            suite=self._suites[-1],
            classname=classname,
            name=name,
            file=attributes.get("file", ""),
            time=attributes.get("time"),
            skipped=attributes.get("status", "").lower() in _NOT_RUN or attributes.get("result") in _NOT_RUN,
        )

    def _refuse_too_many(self) -> None:
        if len(self.report.cases) + self._again >= TESTS:
            raise self._problem(f"the file has more than {TESTS:,} results", "Hand in a part of them.")

    def _note(self, attributes: dict[str, str]) -> None:
        """Keep a property of a suite."""
        known = self.report.properties
        name, value = attributes.get("name", ""), attributes.get("value", "")
        values = known.setdefault(name, []) if name in known or len(known) < PROPERTIES else []
        if value not in values and len(values) < PROPERTIES:
            values.append(value)

    def _finish(self, case: Case) -> None:
        """Keep a test case; pytest writes a failure and an error while tidying up as two of them."""
        last = self.report.cases[-1] if self.report.cases else None
        if last is not None and case.broke and not case.failed and last.failed and not last.broke:
            same = (last.suite, last.classname, last.name) == (case.suite, case.classname, case.name)
            if same:
                last.broke = True
                return
        self.report.cases.append(case)

    def _problem(self, what: str, remedy: str) -> UnusableResults:
        return self._file.problem(what, where=f"line {self._parser.CurrentLineNumber}", remedy=remedy)


def _encoding(data: bytes) -> str | None:
    """Return a declared encoding of several bytes a character, which expat does not know; None for all others."""
    found = _DECLARED.match(data[:512].lstrip())
    name = found[1].decode("ascii").lower().replace("euc_", "euc-") if found else ""
    return name if name in _SEVERAL_BYTES else None


def _override(data: bytes) -> str | None:
    return "utf-8" if _encoding(data) else None


def _decoded(data: bytes, *, final: bool) -> bytes:
    name = _encoding(data)
    return data if name is None else data.decode(name, "strict" if final else "ignore").encode()
