"""JUnit files as XML: encodings, and what wants to harm or is harmed itself, refused by name and place, quickly."""

from __future__ import annotations

import time

import pytest

from clearband.results import junit_xml, limits, read

from .shapes import WRAPPED, refused, score
from .test_junit import case, prop, xml

LAUGHS = (
    '<!DOCTYPE testsuites [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>'
    '<testsuites><testcase name="&c;"/></testsuites>'
)


@pytest.mark.parametrize(
    "data",
    [
        LAUGHS,
        LAUGHS.replace('"ha"', 'SYSTEM "file:///etc/passwd"'),
        '<!DOCTYPE testsuites SYSTEM "http://127.0.0.1:1/junit.dtd"><testsuites><testcase name="t"/></testsuites>',
        '<!DOCTYPE testsuite><testsuite><testcase name="t"/></testsuite>',
        '<?xml version="1.0"?><!-- x --><!DOCTYPE testsuites [<!ENTITY % p SYSTEM "file:///etc/passwd">%p;]><testsuites/>',
    ],
)
def test_a_document_type_is_never_read(data: str) -> None:
    for text in (data.encode(), data.encode("utf-16")):
        error = refused(text, name="r.xml")

        assert "has a document type (`<!DOCTYPE testsuite" in error.what
        assert error.where == "line 1"


def test_an_entity_that_nothing_defines() -> None:
    assert "undefined entity" in refused(xml(case("&nothing;")), name="r.xml").what


def test_nesting_without_end() -> None:
    inside = "<testsuite>" * 10_000

    error = refused(f"<testsuites>{inside}".encode(), name="r.xml")

    assert "deeper than 64" in error.what


def test_as_deep_as_allowed() -> None:
    depth = junit_xml.DEPTH - 1
    data = "<testsuite>" * depth + '<testcase name="t"/>' + "</testsuite>" * depth

    assert read("r.xml", data.encode()).ids == ("t",)


@pytest.mark.parametrize(
    "data",
    [
        b'<testsuite><testcase name="' + b"x" * (20 << 20) + b'"/></testsuite>',
        b"<testsuite><!--" + b"x" * (20 << 20) + b'--><testcase name="t"/></testsuite>',
        b"<testsuite><?x " + b"x" * (20 << 20),
    ],
)
def test_a_tag_without_end_is_stopped_before_it_costs_time(data: bytes) -> None:
    started = time.perf_counter()
    error = refused(data, name="r.xml")

    assert error.what == "r.xml: a tag or comment is longer than 8 MiB"
    assert time.perf_counter() - started < 5


def test_much_output_is_passed_over() -> None:
    output = "<system-out><![CDATA[" + "x" * (20 << 20) + "]]></system-out>"

    assert read("r.xml", xml(case(body=output))).ids == ("c::t",)


@pytest.mark.slow
def test_too_many_results() -> None:
    again = "<flakyFailure/>"

    two = xml(case(body=again * (junit_xml.TESTS - 2)), case("u"), case("v"))
    assert "more than 1,000,000 results" in refused(two, name="r.xml").what


def test_too_many_properties() -> None:
    many = "".join(prop(f"p{number}", "1") for number in range(junit_xml.PROPERTIES + 1))

    assert (
        "more than 1,000 properties" in refused(xml(case(body=f"<properties>{many}</properties>")), name="r.xml").what
    )


def test_too_many_metrics() -> None:
    many = "".join(prop(f"p{number}", "1") for number in range(limits.METRICS))

    assert "201 metrics" in refused(xml(case(body=f"<properties>{many}</properties>")), name="r.xml").what


@pytest.mark.parametrize("end", [0, 30, 70, 85])
def test_a_file_that_was_cut(end: int) -> None:
    whole = xml(case(), case("u"))

    error = refused(whole[: len("<testsuites>") + end], name="r.xml")

    assert "the XML cannot be read" in error.what
    assert "cut short" in str(error.remedy)


@pytest.mark.parametrize(
    ("data", "where"),
    [
        (b"<testsuites>\n</testsuite>", "line 2, column 3"),
        (b"<testsuites>\n<testcase name='\x01'/></testsuites>", "line 2, column 17"),
        (b"<testsuites/>\nmore", "line 2, column 1"),
        (b"<testsuites>\n<testcase name='\xff'/></testsuites>", "line 2, column 17"),
        (b'<testsuites>\n<testcase name="1" name="2"/></testsuites>', "line 2, column 20"),
    ],
)
def test_broken_xml_is_named_by_its_place(data: bytes, where: str) -> None:
    error = refused(data, name="r.xml")

    assert error.where == where
    assert "cut short" not in str(error.remedy)


@pytest.mark.parametrize("encoding", ["nonsense", "gbk", "utf-7"])
def test_an_encoding_that_is_not_what_it_says(encoding: str) -> None:
    data = xml(case("x"), head=f'<?xml version="1.0" encoding="{encoding}"?>').replace(b'"x"', b'"\xff"')

    assert "r.xml: " in refused(data, name="r.xml").what


@pytest.mark.parametrize(
    "data",
    [
        b"<!DOCTYPE html><html><body>404</body></html>",
        b'<?xml version="1.0"?><robot generator="x"/>',
        b"<html><testsuites/></html>",
        b"< not xml",
        b"<!-- only a comment -->",
    ],
)
def test_other_xml_and_html_are_refused_as_such(data: bytes) -> None:
    error = refused(data, name="r.xml")

    assert error.what == "r.xml: the file is HTML, or XML other than JUnit's, and neither is read"
    assert "--junitxml" in str(error.remedy)


@pytest.mark.parametrize("wrap", WRAPPED)
def test_packed_and_marked_files(wrap: str) -> None:
    assert score(read("r.xml", WRAPPED[wrap](xml(case()))), "passed") == {"c::t": 1}


@pytest.mark.parametrize(
    ("encoding", "name"),
    [("utf-8", "é"), ("utf-16", "é"), ("iso-8859-1", "é"), ("windows-1252", "“é”"), ("koi8-r", "ж"), ("gbk", "测试"),
     ("Shift_JIS", "試験"), ("euc-jp", "試験"), ("us-ascii", "e")],
)  # fmt: skip
def test_encodings(encoding: str, name: str) -> None:
    text = xml(case(name), head=f'<?xml version="1.0" encoding="{encoding}"?>').decode()

    assert read("r.xml", text.encode(encoding)).ids == (f"c::{name}",)


def test_blank_lines_and_a_comment_before_the_root() -> None:
    assert read("r.xml", b"\n\n<!-- made by hand -->" + xml(case())).ids == ("c::t",)
