"""Arbitrary and adversarial policies and descriptions: one clear answer, in linear time, and GitHub's own reading."""

from __future__ import annotations

import html
import re
import time
from typing import TYPE_CHECKING

import cmarkgfm
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from clearband.declaration import BODY_LIMIT, Declaration, DeclarationProblem, NotDeclared, parse
from clearband.errors import UnusablePolicy
from clearband.markdown import Fence, blocks
from clearband.policy import Policy
from clearband.policy_file import load
from clearband.policy_yaml import SIZE_LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable

# Policies

FULL_POLICY = b"""\
primary: recall
require: non-inferiority
confidence: 0.95
interval: percentile
max_lost: 0.02
on_lost: worst-case
min_questions: 10
allow_changed_questions: false
cluster: document
slices: [language, metadata.topic]
min_slice: 20
slice_guardrails: true
must_pass:
  - {metric: recall, ids: [q1, "2"], passes_at: 0.5}
  - metric: solved
    slice: {topic: safety}
varies: [model, judge-prompt]
mode: gate
metrics:
  recall: {direction: higher, range: [0, 1], unit: "points", margin: 0.01, effect: 0.02, role: guardrail}
  latency:
    direction: lower
    statistic: p95
  cost: {direction: lower, statistic: relative, budget: 0.1, effect: 0.05}
  solved: {reducer: pass_at_k, k: 4}
"""
YAML_PIECES = [
    "primary", "metrics", "range", "confidence", "slices", "must_pass", "ids", "slice", "varies", "k", "budget", ":", ": ", "- ", "\n", "\n  ", "{", "}", "[", "]", ",", "&a ", "*a", "!!x ", "<<: ",
    "|", ">", "'", '"', "\\", "#", "? ", "---\n", "...\n", "%YAML 1.2\n", "\t", "1e999", "0.5", "null", "~", "@", "`", "\u2028",
    "\x00", "\ufeff", "9" * 5000, "12:59:59", "2026-13-45", "0x1", "é", "\\ud800",
]  # fmt: skip


def is_policy_or_clear_refusal(data: bytes) -> None:
    read = loaded(data)
    if isinstance(read, UnusablePolicy):
        assert read.what.startswith("clearband.yml")
        assert read.remedy
        assert len(str(read)) < 2_000


def loaded(data: bytes) -> Policy | UnusablePolicy:
    try:
        return load(data, name="clearband.yml")
    except UnusablePolicy as error:
        return error


@given(st.binary(max_size=400))
@example(b"\xff\xfep\x00")
def test_any_bytes_are_a_policy_or_a_clear_refusal(data: bytes) -> None:
    is_policy_or_clear_refusal(data)


@given(st.lists(st.sampled_from(YAML_PIECES), max_size=30))
@settings(max_examples=400)
def test_any_pieces_of_yaml_are_a_policy_or_a_clear_refusal(pieces: list[str]) -> None:
    is_policy_or_clear_refusal("".join(pieces).encode())


@given(st.integers(0, len(FULL_POLICY)), st.integers(0, 20), st.text(max_size=8))
@settings(max_examples=400)
def test_any_edit_of_a_valid_policy_is_a_policy_or_a_clear_refusal(at: int, cut: int, text: str) -> None:
    is_policy_or_clear_refusal(FULL_POLICY[:at] + text.encode("utf-8", "surrogatepass") + FULL_POLICY[at + cut :])


def test_the_policy_that_is_edited_is_one() -> None:
    assert isinstance(loaded(FULL_POLICY), Policy)


@given(st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=200))
def test_any_visible_name_comes_through_byte_for_byte(name: str) -> None:
    quoted = name.replace("'", "''")
    assert load(f"metrics: {{'{quoted}': {{}}}}".encode(), name="p").metrics.keys() == {name}


# Descriptions

BODY_PIECES = [
    "```clearband", "```", "````", "~~~", "~~~clearband", "primary_metric: a", "primary_metric: b", "primary_metric: <metric>",
    "effect: 0.1", "effect: x", "suite: s", "suite: !", "confidence: 0.5", "hypothesis: x", "  and more", "**Primary metric:** `a`",
    "**Primary metric:** b", "**Primary metric:** `<metric>`", "- Primary metric: `a`", "<!--", "-->", "<!-- x -->", "text", "> text",
    "    code", "- item", "1. item", "* * *", "# head", "", "", "\t", "<pre>", "</pre>", "a: b", "\u202e", "\x00", "\ud800", "|",
]  # fmt: skip
BODIES = st.lists(st.tuples(st.sampled_from(BODY_PIECES), st.sampled_from(["\n", "\r\n", "\r", ""])), max_size=25).map(
    lambda pieces: "".join(line + end for line, end in pieces)
)


@given(BODIES | st.text(max_size=300), st.sampled_from(["default", "s"]))
@settings(max_examples=600)
def test_any_description_has_one_clear_answer(body: str, suite: str) -> None:
    read = parse(body, suite=suite)
    lines = re.split("\r\n|\r|\n", body)
    match read:
        case Declaration():
            assert 1 <= read.line <= len(lines)
            assert read.primary_metric.strip()
        case DeclarationProblem():
            assert read.what
            assert read.remedy
            assert all(1 <= line <= len(lines) for line in read.lines)
            assert len(read.what) < 1_000
        case NotDeclared():
            assert read.reason
    assert read.suite == suite
    assert parse(body, suite=suite) == read


@given(BODIES)
@settings(max_examples=300)
def test_line_endings_never_matter(body: str) -> None:
    normal = body.replace("\r\n", "\n").replace("\r", "\n")
    for newline in ("\r\n", "\r"):
        assert parse(normal.replace("\n", newline)) == parse(normal)


@given(
    st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=190), st.sampled_from(['"', "'", "`"])
)
def test_any_visible_name_in_quotes_is_declared_byte_for_byte(name: str, quote: str) -> None:
    name = f"m{name.replace(quote, '')}"
    for body in (
        f"```clearband\nprimary_metric: {quote}{name}{quote}\n```",
        f"**Primary metric:** {quote}{name}{quote}",
    ):
        read = parse(body)
        assert isinstance(read, Declaration)
        assert read.primary_metric == name


# GitHub's own reading of the same text

CLEARBAND_OR_QUOTE = re.compile(r'<blockquote>|</blockquote>|<pre lang="clearband"><code>(.*?)</code></pre>', re.DOTALL)
STRUCTURE = [
    "```clearband", "```", "````", "~~~", "~~~clearband", "````clearband", "primary_metric: a", "<!--", "-->", "<!-- note -->", "text",
    "text <!--", "text -->", "", "", "- item", "- ", "1. one", "2. two", "10. ten", "1)", "*", "# head", "* * *", "---", "-", "===",
    "`code` <!-- x", "    code", "<pre>", "x </pre>", "```clearband x```", "<?php", "?>", "* ```clearband", "- - ```clearband",
    "-     ```clearband", "-\t```clearband", "<!-->", "<!--->", "<!DOCTYPE", "<script>", "x </SCRIPT>", "`` ` ``",
]  # fmt: skip
INDENTS = ["", "", "", " ", "  ", "   ", "    ", "      ", "\t"]
STRUCTURED = st.lists(
    st.builds(str.__add__, st.sampled_from(INDENTS), st.sampled_from(STRUCTURE)) | st.sampled_from(["> quote", ">"]),
    max_size=12,
).map("\n".join)


def seen_on_github(body: str) -> list[list[str]]:
    found, quotes = [], 0
    for match in CLEARBAND_OR_QUOTE.finditer(cmarkgfm.github_flavored_markdown_to_html(body)):
        quotes += {"<blockquote>": 1, "</blockquote>": -1}.get(match[0], 0)
        if match[1] is not None and quotes == 0:
            found.append(words_by_line(html.unescape(match[1]).split("\n")[:-1]))
    return found


def words_by_line(lines: list[str]) -> list[str]:
    return [" ".join(line.split()) for line in lines]


@given(STRUCTURED)
@settings(max_examples=800)
def test_the_fences_that_are_read_are_those_that_github_shows(body: str) -> None:
    fences = [part for part in blocks(body) if isinstance(part, Fence) and part.info.split()[:1] == ["clearband"]]
    assert [words_by_line(list(fence.content)) for fence in fences] == seen_on_github(body)


# Time

WORST_BODIES = {
    "one long line": lambda n: "a" * n,
    "empty lines": lambda n: "\n" * n,
    "open comments": lambda n: "<!--" * (n // 4),
    "open comments in text": lambda n: "a <!--\n" * (n // 7),
    "closed comments": lambda n: "a <!---->" * (n // 9),
    "backticks": lambda n: "`" * n,
    "fences of other lengths": lambda n: "".join(f"{'`' * (i % 50 + 3)}\n" for i in range(n // 29)),
    "list markers on one line": lambda n: "- " * (n // 2),
    "deeper and deeper lists": lambda n: "".join(" " * (2 * i) + "- a\n" for i in range(int(n**0.5))),
    "lazy lines below a deep list": lambda n: "- " * 100 + "a\n" * ((n - 200) // 2),
    "tabs": lambda n: "a" + "\t" * n,
    "stars": lambda n: "*" * n,
    "half a bold label": lambda n: "**Primary metric:" * (n // 17),
    "bold labels": lambda n: "**Primary metric** a\n" * (n // 21),
    "one block of wrong lines": lambda n: "```clearband\n" + "x: y\n" * (n // 5),
    "one block of comments": lambda n: "```clearband\n" + "# y\n" * (n // 4),
    "one long hypothesis": lambda n: "```clearband\nhypothesis: a\n" + "  b\n" * (n // 4),
    "a long key": lambda n: "```clearband\n" + "k" * n + ": x\n```",
    "a long separator": lambda n: "```clearband\n" + "-_ " * (n // 3) + ": x\n```",
    "empty blocks": lambda n: "```clearband\n```\n" * (n // 17),
    "placeholder lines": lambda n: "**Primary metric:** `<m>`\n" * (n // 26),
    "quotes": lambda n: "> " * (n // 2),
    "raw html": lambda n: "<pre\n<?\n" * (n // 8),
}
WORST_POLICIES = {
    "deep lists": lambda n: "[" * n,
    "deep blocks": lambda n: "- " * n,
    "keys": lambda n: "".join(f"k{i}: 1\n" for i in range(n // 9)),
    "long scalar": lambda n: "a: " + "b" * (n - 3),
    "long digits": lambda n: "confidence: " + "9" * (n - 12),
    "sexagesimal": lambda n: "confidence: 1" + ":59" * (n // 3 - 5),
    "anchors": lambda n: "a: &a\n" * (n // 6),
    "flow pairs": lambda n: "{" + "a," * (n // 2 - 1),
    "comments": lambda n: "#\n" * (n // 2),
    "spaces": lambda n: " " * n,
    "quotes": lambda n: "'" * n,
    "escapes": lambda n: '"' + "\\x41" * (n // 4 - 1),
    "question ids": lambda n: "must_pass: [{metric: a, ids: [" + ",".join(str(i) for i in range(n // 7)) + "]}]",
    "must-pass rules": lambda n: "must_pass:\n" + "- {metric: a, ids: [b]}\n" * (n // 24),
}


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def is_linear(short: Callable[[], object], long: Callable[[], object]) -> bool:
    """Whether four times the input takes clearly less than sixteen times as long, in one of three tries."""
    return any(seconds(long) < 9 * max(seconds(short), 2e-3) for _ in range(3))


@pytest.mark.parametrize("shape", WORST_BODIES)
def test_the_time_for_a_description_grows_in_step_with_its_length(shape: str) -> None:
    short, long = (WORST_BODIES[shape](length)[:length] for length in (BODY_LIMIT // 4, BODY_LIMIT))
    assert is_linear(lambda: parse(short), lambda: parse(long))


@pytest.mark.parametrize("shape", WORST_POLICIES)
def test_the_time_for_a_policy_grows_in_step_with_its_length(shape: str) -> None:
    short, long = (WORST_POLICIES[shape](length).encode()[:length] for length in (SIZE_LIMIT // 4, SIZE_LIMIT))
    assert is_linear(lambda: loaded(short), lambda: loaded(long))
