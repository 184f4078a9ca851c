"""What cannot be used in a declaration, and that two of them may not contradict each other."""

from __future__ import annotations

from dataclasses import fields

import pytest

from clearband.declaration import BODY_LIMIT
from clearband.policy import MetricPolicy, Policy

from .declarations import block, declared, problem

TO_DECLARE = {"primary", "require", "effect"}
"""What a pull request may choose or tighten."""
NO_KEYS = {"sha256", "directed"}
"""Fields that no line of a policy sets."""


@pytest.mark.parametrize(
    ("line", "what", "remedy"),
    [
        ("effct: 0.1", "unknown key `effct`", "Did you mean `effect`?"),
        ("owner: me", "unknown key `owner`", "Valid keys: suite, primary_metric"),
        ("just some text", "`just some text` is not `key: value`", "a colon and its value"),
        ("primary_metric: b", "`primary_metric` appears twice, on lines 4 and 5", "Keep one"),
        ("require: `improvement` or `none`", "which is not one value", "Write one value"),
        ("effect: 0,03", "`effect` is `0,03`", "effect: 0.02"),
        ("effect: 3%", "`effect` is `3%`", "Per cent could mean points or a relative change"),
        ("effect: 0", "`effect` is `0`", "own units"),
        ("effect: -0.1", "`effect` is `-0.1`", "size"),
        ("effect: 0.1 points", "`effect` is `0.1 points`", "own units"),
        ("effect: 1e999", "`effect` is `1e999`", "own units"),
        ("effect: nan", "`effect` is `nan`", "own units"),
        ("effect: ٣", "`effect` is `٣`", "own units"),
        ("require: improvment", "`require` is `improvment`", "Did you mean `improvement`?"),
        ("require: yes", "`require` is `yes`", "no-regression, non-inferiority, improvement"),
        ("looks: 0", "`looks` is `0`", "looks: 2"),
        ("looks: 1.5", "`looks` is `1.5`", "looks: 2"),
        ("results_seen_before: a bit", "`results_seen_before` is `a bit`", "`reason:`"),
        ("suite: two words", "`suite` is `two words`", "remove the line"),
        ("hypothesis: " + "x" * 2_001, "longer than 2,000 characters", "Shorten"),
        ("hypothesis: a\x00b", "<U+0000>", "Remove"),
        ("hypothesis: a\ud800b", "<U+D800>", "Remove"),
    ],
)  # fmt: skip
def test_a_line_that_cannot_be_meant_is_a_problem_with_its_line(line: str, what: str, remedy: str) -> None:
    read = problem("Text\n\n" + block("primary_metric: a", line))
    assert what in read.what
    assert remedy in read.remedy
    assert read.lines == (5,)


@pytest.mark.parametrize(
    "key",
    [
        *sorted({field.name for kind in (Policy, MetricPolicy) for field in fields(kind)} - TO_DECLARE - NO_KEYS),
        *("Lower is better", "seed"),
    ],
)
def test_what_could_loosen_the_rules_cannot_be_declared(key: str) -> None:
    read = problem(block("primary_metric: a", f"{key}: 0.5"))
    assert "not the pull request's to set" in read.what
    assert "for more, never for less" in read.remedy


@pytest.mark.parametrize("name", ["a\u202eb", "a\u200bb", "\u2066a", "a\x07", "a\ud800", "x" * 201])
def test_a_metric_name_that_cannot_be_seen_is_a_problem(name: str) -> None:
    for body in (block(f"primary_metric: {name}"), f"**Primary metric:** `{name}`"):
        read = problem(body)
        assert "invisible character <U+" in read.what or "longer than 200" in read.what
        assert all(char.isprintable() for char in read.what)


def test_a_note_after_a_bare_name_is_not_guessed_away() -> None:
    read = problem(block("primary_metric: recall #5"))
    assert "`recall #5`" in read.what
    assert declared(block('primary_metric: "recall #5"')).primary_metric == "recall #5"
    assert declared(block("hypothesis: closes #5 and #6", "primary_metric: a")).hypothesis == "closes #5 and #6"
    assert declared(block("effect: 0.5 # points", "primary_metric: a")).effect == 0.5


def test_every_problem_of_a_block_is_named_at_once() -> None:
    read = problem(block("primary_metric: a", "effect: x", "looks: y"))
    assert read.lines == (3, 4)
    assert "line 3: `effect`" in read.what
    assert "line 4: `looks`" in read.what


def test_a_block_without_its_metric_is_a_problem() -> None:
    assert "does not name its primary metric" in problem(block("effect: 0.02")).what


def test_text_swallowed_by_a_block_that_is_never_closed_says_so() -> None:
    read = problem("```clearband\nprimary_metric: a\n\nThanks for the review!")
    assert "never closed" in read.what
    assert read.lines == (1, 4)


def test_a_description_too_long_to_be_read_is_a_problem() -> None:
    body = block("primary_metric: a")
    assert declared(body + "x" * (BODY_LIMIT - len(body))).primary_metric == "a"
    assert "262,144 bytes" in problem(body + "x" * (BODY_LIMIT + 1 - len(body))).what
    assert "262,144 bytes" in problem("é" * (BODY_LIMIT // 2 + 1)).what


def test_more_blocks_than_anyone_needs_are_a_problem() -> None:
    assert "more than 20" in problem(block("primary_metric: a") * 21).what


# Several declarations


def test_two_different_declarations_are_a_problem_that_names_both_lines() -> None:
    read = problem(block("primary_metric: a") + block("primary_metric: b"))
    assert read.lines == (1, 4)
    assert "on lines 1 and 4" in read.what
    assert "`primary_metric`" in read.what


def test_two_declarations_that_differ_in_any_key_are_different() -> None:
    assert "`effect`" in problem(block("primary_metric: a") + block("primary_metric: a", "effect: 1")).what


def test_two_identical_declarations_are_one() -> None:
    assert declared(block("primary_metric: a", "effect: 0.1") + block("effect: 1e-1", "Primary metric: `a`")).line == 1


@pytest.mark.parametrize("order", [1, -1])
def test_block_and_markdown_form_may_agree_but_not_differ(order: int) -> None:
    fenced, same, other = (
        block("primary_metric: a", "effect: 1"),
        "**Primary metric:** `a`\n",
        "**Primary metric:** `b`\n",
    )
    assert declared("".join([fenced, same][::order])).effect == 1
    assert "contradict" in problem("".join([fenced, other][::order])).what


def test_a_filled_declaration_beside_an_empty_template_counts() -> None:
    assert declared(block("primary_metric: <metric>") + block("primary_metric: a")).line == 4
