"""Several suites in one policy: each has its own rules, and the rest in common."""

from __future__ import annotations

import hashlib

import pytest

from clearband.policy_suites import SUITE_LIMIT, names
from clearband.vocabulary import LedgerMode, Requirement

from .policies import policy, refusal

TWO = """\
require: improvement
min_questions: 30
ledger: branch
metrics:
  accuracy: {range: [0, 1], effect: 0.03}
suites:
  answers:
    primary: accuracy
  retrieval:
    primary: recall
    require: no-regression
    metrics: {recall: {range: [0, 1]}}
    paths: [search/**]
"""


def test_a_suite_takes_what_it_leaves_out_from_the_whole_policy() -> None:
    answers = policy(TWO, suite="answers")
    assert (answers.primary, answers.require, answers.min_questions) == ("accuracy", Requirement.IMPROVEMENT, 30)
    assert list(answers.metrics) == ["accuracy"]
    assert answers.ledger is LedgerMode.BRANCH


def test_a_suites_own_key_takes_the_whole_place_of_the_common_one() -> None:
    retrieval = policy(TWO, suite="retrieval")
    assert (retrieval.primary, retrieval.require) == ("recall", Requirement.NO_REGRESSION)
    assert list(retrieval.metrics) == ["recall"]
    assert retrieval.paths == ("search/**",)
    assert retrieval.min_questions == 30


def test_both_have_the_digest_of_the_one_file() -> None:
    digest = hashlib.sha256(TWO.encode()).hexdigest()
    assert {policy(TWO, suite=suite).sha256 for suite in ("answers", "retrieval")} == {digest}


def test_the_suites_are_listed_in_the_files_order() -> None:
    assert names(TWO.encode(), name="clearband.yml") == ("answers", "retrieval")
    assert names(b"primary: accuracy\n", name="clearband.yml") == ()
    assert names(b"", name="clearband.yml") == ()


def test_a_file_without_suites_holds_for_any() -> None:
    assert policy("primary: accuracy", suite="whatever").primary == "accuracy"


def test_a_suite_with_nothing_of_its_own_is_one() -> None:
    assert policy("primary: accuracy\nsuites:\n  a:\n  b: {}\n", suite="b").primary == "accuracy"


def test_a_suite_that_is_not_listed_is_refused_and_the_nearest_named() -> None:
    error = refusal(TWO, suite="retreival")
    assert "lists the suites `answers`, `retrieval`, and `retreival` is none of them" in error.what
    assert error.where == "line 7"
    assert "Did you mean `retrieval`?" in str(error.remedy)


@pytest.mark.parametrize("key", ["ledger: branch", "override_by_author: true", "show_questions: ids", "suites: {}"])
def test_what_holds_for_all_cannot_be_said_for_one(key: str) -> None:
    error = refusal(f"suites:\n  a:\n    {key}\n", suite="a")
    assert f"unknown key `{key.partition(':')[0]}` in `suites.a`" in error.what
    assert error.where == "line 3"
    assert "It holds for all suites" in str(error.remedy)


def test_a_mistake_in_a_suite_is_named_with_its_line_and_place() -> None:
    error = refusal("suites:\n  a:\n    primary: x\n    confidence: 95\n", suite="a")
    assert "suites.a.confidence" in error.what
    assert error.where == "line 4"


def test_keys_of_both_places_are_held_against_each_other() -> None:
    error = refusal("metrics: {recall: {}}\nsuites:\n  a: {primary: recal}\n", suite="a")
    assert "suites.a.primary" in error.what
    assert "`recall`" in str(error.remedy) + error.what


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("suites:\n", "is empty"),
        ("suites: {}\n", "is empty"),
        ("suites: [a, b]\n", "not `key: value` lines"),
        ("suites: {'a b': {}}\n", "cannot be a suite's name"),
        ("suites: {a: [x]}\n", "not `key: value` lines"),
        ("suites: {" + ", ".join(f"s{number}: {{}}" for number in range(SUITE_LIMIT + 1)) + "}", "at most 50"),
    ],
)
def test_what_is_no_list_of_suites_is_refused(text: str, what: str) -> None:
    assert what in refusal(text, suite="a").what
