"""The declaration in a pull request's description: tolerant in form, strict in meaning."""

from __future__ import annotations

import hashlib

import pytest

from clearband.declaration import to_paste
from clearband.vocabulary import Requirement

from .declarations import block, declared, problem, undeclared

FULL = block(
    "primary_metric: nDCG@10",
    "effect: 0.03",
    "require: improvement",
    "hypothesis: synonyms are found",
    "looks: 2",
    "results_seen_before: no",
    "reason: the eval set grew",
    "suite: retrieval",
)


# The fenced block


def test_a_block_is_read_key_by_key() -> None:
    read = declared("Text\n\n" + FULL, suite="retrieval")
    assert read.suite == "retrieval"
    assert read.primary_metric == "nDCG@10"
    assert read.effect == 0.03
    assert read.require is Requirement.IMPROVEMENT
    assert read.hypothesis == "synonyms are found"
    assert read.looks == 2
    assert read.results_seen_before is False
    assert read.reason == "the eval set grew"
    assert read.line == 3


@pytest.mark.parametrize(
    "line",
    [
        "primary_metric: nDCG@10",
        "Primary Metric: nDCG@10",
        "  PRIMARY-METRIC :   nDCG@10   ",
        "- primary_metric: nDCG@10",
        "**Primary metric:** `nDCG@10`",
        "primary_metric: `nDCG@10`",
        'primary_metric: "nDCG@10"',
        "primary_metric: 'nDCG@10'",
        "primary_metric: “nDCG@10”",
        "primary_metric: `` nDCG@10 ``",
        "primary_metric: `nDCG@10` # the one users see",
        "# a note\n\nprimary_metric: nDCG@10\n<!-- another -->",
        "primary_metric:\tnDCG@10",
    ],
)
def test_the_form_of_a_line_does_not_matter(line: str) -> None:
    assert declared(block(line)) == declared(block("primary_metric: nDCG@10"))


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("```clearband", "```"),
        ("```clearband", "`````"),
        ("````clearband", "````"),
        ("~~~clearband", "~~~"),
        ("``` Clearband", "```"),
        ("   ```clearband v1", "  ```"),
    ],
)
def test_any_fence_named_clearband_is_one(opening: str, closing: str) -> None:
    assert declared(f"{opening}\nprimary_metric: a\n{closing}\nText").primary_metric == "a"


def test_a_block_may_stand_in_a_list_item_and_may_lack_its_end() -> None:
    assert declared("- <!-- ends with its item\n\n" + block("primary_metric: a")).line == 3
    assert declared("- Declaration:\n\n  ```clearband\n  primary_metric: a\n  ```\n").line == 3
    assert declared("```clearband\nprimary_metric: a").primary_metric == "a"


def test_a_hypothesis_may_go_on_over_indented_lines() -> None:
    body = block("hypothesis: recall rises,", "  because: synonyms", "  and more", "primary_metric: a")
    assert declared(body).hypothesis == "recall rises, because: synonyms and more"


@pytest.mark.parametrize("name", ["F1 (macro), 5-shot", "精度", "a:b", "p{1}|q", "x" * 200, "é", "e\u0301"])
def test_a_metric_name_is_any_text_character_by_character(name: str) -> None:
    assert declared(block(f"primary_metric: {name}")).primary_metric == name
    assert declared(f"**Primary metric:** `{name}`").primary_metric == name


# The Markdown form


@pytest.mark.parametrize(
    "line",
    [
        "**Primary metric:** `evidence_recall`",
        "**Primary metric**: `evidence_recall`",
        "**Primary metric: `evidence_recall`**",
        "__Primary metric:__ `evidence_recall`",
        "**primary_metric:** evidence_recall",
        "**Primary metric:** evidence\\_recall",
        "**Primary metric:** `evidence_recall` (higher is better)",
        "- **Primary metric:** `evidence_recall`",
        "3. **Primary metric:** `evidence_recall`",
        "- [x] **Primary metric:** `evidence_recall`",
        "### Primary metric: `evidence_recall`",
        "Primary metric: `evidence_recall`.",
        "**Primary metric:** <!-- one name --> `evidence_recall`",
        "Some prose before it.\n**Primary metric:** `evidence_recall`\nAnd after.",
    ],
)
def test_the_markdown_form_is_read_wherever_a_line_has_it(line: str) -> None:
    assert declared(line).primary_metric == "evidence_recall"


@pytest.mark.parametrize(
    "prose",
    [
        "Primary metric: we look at recall first",
        "Primary metric: `recall` dropped in the last release",
        "The primary metric: `recall`",
        "Our **primary metric:** `recall`",
        "Primary metric `recall`",
        "**Primary metrics:** `recall`",
        "| Primary metric: | `recall` |",
    ],
)
def test_prose_about_a_primary_metric_declares_nothing(prose: str) -> None:
    assert undeclared(prose).reason == "the description holds no declaration"


@pytest.mark.parametrize("value", ["`recall` or `mrr`", "recall or mrr", "whatever comes out best"])
def test_a_bold_label_without_one_name_is_a_problem(value: str) -> None:
    read = problem(f"Text\n\n**Primary metric:** {value}")
    assert read.lines == (3,)
    assert value in read.what
    assert "in backticks" in read.remedy


# What is not read


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (None, "the pull request has no description"),
        ("", "the pull request has no description"),
        (" \r\n\t\n", "the pull request has no description"),
        ("Only text.", "the description holds no declaration"),
        (f"<!--\n{block('primary_metric: a')}-->", "an HTML comment that begins on line 1"),
        (f"<!-- {block('primary_metric: a')}", "the description holds no declaration"),
        (f"````\n{block('primary_metric: a')}````", "another code fence, which begins on line 1"),
        (f"~~~text\n{block('primary_metric: a')}~~~", "another code fence, which begins on line 1"),
        (f"```\nnever closed\n\n{block('primary_metric: a')}", "another code fence, which begins on line 1"),
        ("    ```clearband\n    primary_metric: a\n    ```", "the description holds no declaration"),
        ("> ```clearband\n> primary_metric: a\n> ```", "a quote"),
        ("> **Primary metric:** `a`", "the description holds no declaration"),
        ("<!-- **Primary metric:** `a` -->", "the description holds no declaration"),
        ("Text <!--\n**Primary metric:** `a`\n-->", "the description holds no declaration"),
        ("```\n**Primary metric:** `a`\n```", "the description holds no declaration"),
        ("```text\nprimary_metric: a\n```", "the description holds no declaration"),
    ],
)
def test_what_a_reader_does_not_see_as_the_authors_text_declares_nothing(body: str | None, reason: str) -> None:
    assert reason in undeclared(body).reason


@pytest.mark.parametrize(
    "left",
    ["", "<metric>", "`<metric>`", "...", "…", "TODO", "tbd", "none", "N/A", "-", "___", "# fill in", "<!-- name -->"],
)
def test_a_placeholder_left_as_it_was_declares_nothing(left: str) -> None:
    assert undeclared(block(f"primary_metric: {left}", "effect: <number>")).reason == (
        "the placeholder on line 1 was left as it was"
    )
    assert "placeholder" in undeclared(f"**Primary metric:** {left.replace('# fill in', '')}").reason


def test_an_optional_placeholder_is_as_if_it_were_not_there() -> None:
    body = block("primary_metric: a", "effect: <number>", "hypothesis: ...", "looks:", "suite: <suite>", "require: n/a")
    assert declared(body) == declared(block("primary_metric: a"))


# Suites


def test_each_suite_has_its_own_declaration() -> None:
    body = block("primary_metric: a") + block("suite: retrieval", "primary_metric: b")
    assert declared(body).primary_metric == "a"
    assert declared(body, suite="retrieval").primary_metric == "b"
    assert undeclared(body, suite="retrieva").reason == (
        "the description declares for the suite `retrieval`, and nothing for `retrieva`"
    )


def test_a_problem_in_another_suite_is_not_this_suites() -> None:
    body = block("primary_metric: a") + block("suite: retrieval", "effect: x")
    assert declared(body).primary_metric == "a"


def test_a_block_whose_suite_is_unclear_concerns_every_suite() -> None:
    assert "unknown key `siute`" in problem(block("siute: retrieval", "primary_metric: a"), suite="retrieval").what


# The canonical block and its digest


def test_the_canonical_block_is_sorted_and_normalised() -> None:
    read = declared(FULL, suite="retrieval")
    assert read.canonical == (
        "effect: 0.03\nhypothesis: synonyms are found\nlooks: 2\nprimary_metric: nDCG@10\nreason: the eval set grew\n"
        "require: improvement\nresults_seen_before: no\nsuite: retrieval\n"
    )
    assert read.sha256 == hashlib.sha256(read.canonical.encode()).hexdigest()


@pytest.mark.parametrize(
    "body",
    [
        "**Primary metric:** `recall`",
        "Other words.\n\n- **Primary metric:** recall\n\nMore.",
        block("primary_metric: recall").replace("\n", "\r\n"),
        block("primary_metric: recall").replace("\n", "\r"),
        "text\r\n\r" + block("suite: default", "PRIMARY METRIC: 'recall'", fence="~~~~"),
    ],
)
def test_form_and_surroundings_do_not_change_the_digest(body: str) -> None:
    assert declared(body).sha256 == declared(block("primary_metric: recall")).sha256


@pytest.mark.parametrize("line", ["effect: 0.1", "require: improvement", "hypothesis: x", "looks: 1", "reason: x"])
def test_every_declared_key_changes_the_digest(line: str) -> None:
    assert declared(block("primary_metric: a", line)).sha256 != declared(block("primary_metric: a")).sha256


# The block to paste


def test_the_block_to_paste_declares_nothing_until_it_is_filled_in() -> None:
    paste = to_paste(suite="retrieval", metrics=["recall", "mrr"])
    assert "recall, mrr" in paste
    assert "placeholder" in undeclared(paste, suite="retrieval").reason
    assert declared(paste.replace("<metric>", "mrr"), suite="retrieval").primary_metric == "mrr"
