"""The policy file: what it may say, and that everything else is refused with the line and the way out."""

from __future__ import annotations

import hashlib
from dataclasses import fields

import pytest

from clearband.policy import MetricPolicy, Policy
from clearband.vocabulary import Direction, IntervalMethod, Mode, Requirement, Role

from .policies import metric_refusal, policy, refusal

# What a policy may say


def test_a_full_policy_is_read_key_by_key() -> None:
    text = """
        primary: "nDCG@10"
        require: improvement
        confidence: 0.99
        interval: percentile
        max_lost: 0
        min_questions: 30
        allow_changed_questions: true
        mode: report
        metrics:
          nDCG@10: {direction: higher, range: [0, 1], effect: 0.03}
          latency: {direction: lower, unit: ms, margin: 2e1, role: guardrail}
          tokens: {direction: neutral, role: exploratory}
          recall:
    """
    read = policy(text)
    assert read.primary == "nDCG@10"
    assert read.require is Requirement.IMPROVEMENT
    assert read.confidence == 0.99
    assert read.interval is IntervalMethod.PERCENTILE
    assert read.max_lost == 0
    assert read.min_questions == 30
    assert read.allow_changed_questions is True
    assert read.mode is Mode.REPORT
    assert read.metrics == {
        "nDCG@10": MetricPolicy(range=(0.0, 1.0), effect=0.03),
        "latency": MetricPolicy(direction=Direction.LOWER, unit="ms", margin=20.0, role=Role.GUARDRAIL),
        "tokens": MetricPolicy(direction=Direction.NEUTRAL),
        "recall": MetricPolicy(directed=False),
    }


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "---\n", "metrics:\n", "\ufeff", "{}"])
def test_what_a_file_does_not_say_has_its_default(text: str) -> None:
    defaults = Policy()
    read = policy(text)
    for field in fields(Policy):
        if field.name != "sha256":
            assert getattr(read, field.name) == getattr(defaults, field.name)


def test_the_digest_is_of_the_bytes() -> None:
    assert policy("primary: a\n").sha256 == hashlib.sha256(b"primary: a\n").hexdigest()


@pytest.mark.parametrize("name", ["no", "1e3", "12:30:45", "on", "2026-01-01", "012", "recall@5", "F1 (macro)", "精度"])
def test_a_metric_name_is_the_text_as_written(name: str) -> None:
    assert policy(f"primary: {name}").primary == name
    assert list(policy(f"metrics: {{{name}: {{}}}}").metrics) == [name]


def test_crlf_and_comments_change_nothing() -> None:
    plain = "primary: a # the one\nmetrics:\n  a: {direction: lower}\n"
    crlf = policy(plain.replace("\n", "\r\n"))
    assert (crlf.primary, crlf.metrics) == (policy(plain).primary, policy(plain).metrics)


@pytest.mark.parametrize(
    ("text", "value"),
    [("0.95", 0.95), ("9.5e-1", 0.95), (".95", 0.95), ("0.5", 0.5), ("+0.6", 0.6), ("0.9999", 0.9999)],
)
def test_numbers_are_plain_decimals(text: str, value: float) -> None:
    assert policy(f"confidence: {text}").confidence == value


# The primary metric


def test_a_primary_outside_the_listed_metrics_is_refused_with_the_nearest() -> None:
    error = refusal("primary: recal\nmetrics:\n  recall: {}\n")
    assert error.where == "line 1"
    assert "`recal`" in error.what
    assert "Did you mean `recall`?" in str(error.remedy)


def test_without_listed_metrics_any_primary_will_do() -> None:
    assert policy("primary: anything").primary == "anything"


def test_a_neutral_primary_is_refused() -> None:
    assert "neutral" in metric_refusal("direction: neutral").what


def test_non_inferiority_needs_a_margin() -> None:
    text = "primary: a\nrequire: non-inferiority\nmetrics: {a: {margin: %s}}"
    assert policy(text % "0.1").require is Requirement.NON_INFERIORITY
    assert "margin" in refusal(text % "0").what


# What is refused, and what the message says


def test_an_unknown_key_names_its_line_and_the_nearest_key() -> None:
    error = refusal("primary: a\nconfidense: 0.9\n")
    assert error.where == "line 2"
    assert "`confidense`" in error.what
    assert "Did you mean `confidence`?" in str(error.remedy)


def test_an_unknown_key_longer_than_any_word_is_not_compared_with_the_valid_ones() -> None:
    error = refusal(f"{'primary' * 100}: a\n")
    assert str(error.remedy).startswith("Valid keys: primary, ")
    assert len(error.what) < 120


def test_an_unknown_key_of_a_metric_names_the_metric() -> None:
    error = refusal("metrics:\n  recall:\n    directoin: lower\n")
    assert error.where == "line 3"
    assert "`metrics.recall`" in error.what
    assert "Did you mean `direction`?" in str(error.remedy)


@pytest.mark.parametrize(
    ("text", "place"), [("direction: lower", "under `metrics:`"), ("metrics: {a: {max_lost: 0}}", "whole policy")]
)
def test_a_key_in_the_wrong_place_is_told_where_it_belongs(text: str, place: str) -> None:
    assert place in str(refusal(text).remedy)


@pytest.mark.parametrize(
    ("text", "given", "remedy"),
    [
        ("confidence: 95", "`95`", "Write `confidence: 0.95`."),
        ("confidence: 95%", "`95%`", "Write `confidence: 0.95`."),
        ("confidence: 0,95", "`0,95`", "Write a decimal point: `confidence: 0.95`."),
        ("confidence: '0.95'", "`0.95`", "Remove the quotes."),
        ("confidence: 1", "`1`", "between 0.5 and 0.9999"),
        ("confidence: 0.4999", "`0.4999`", "between 0.5 and 0.9999"),
        ("confidence: 0", "`0`", "between 0.5 and 0.9999"),
        ("confidence: -0.95", "`-0.95`", "between 0.5 and 0.9999"),
        ("confidence: .nan", "`.nan`", "plain decimal number"),
        ("confidence: .inf", "`.inf`", "plain decimal number"),
        ("confidence: 1e999", "`1e999`", "plain decimal number"),
        ("confidence: 0x1", "`0x1`", "plain decimal number"),
        ("confidence: high", "`high`", "plain decimal number"),
        ("confidence: ٠.٩٥", "`٠.٩٥`", "plain decimal number"),
        ("confidence:", "``", "plain decimal number"),
        ("confidence: [0.95]", "a list", "one number"),
        ("max_lost: 2", "`2`", "Write `max_lost: 0.02`."),
        ("max_lost: 1", "`1`", "Write `max_lost: 0.01`."),
        ("max_lost: -0.01", "`-0.01`", "below 1"),
        ("min_questions: 1", "is 1", "from 2 to"),
        ("min_questions: 12.5", "is 12.5", "a whole number"),
        ("min_questions: 012", "`012`", "Write it without leading zeros: `min_questions: 12`."),
        ("min_questions: 1_000", "`1_000`", "plain decimal number"),
        ("min_questions: 12:30", "`12:30`", "plain decimal number"),
        ("allow_changed_questions: yes", "`yes`", "Write `allow_changed_questions: true`."),
        ("allow_changed_questions: NO", "`NO`", "Write `allow_changed_questions: false`."),
        ("allow_changed_questions: 'true'", "`true`", "Write `allow_changed_questions: true`."),
        ("allow_changed_questions: 1", "`1`", "Write true or false."),
        ("allow_changed_questions: []", "a list", "Write true or false."),
        ("mode: on", "`on`", "gate, report"),
        ("mode: Gate", "`Gate`", "Did you mean `gate`?"),
        ("require: no", "`no`", "no-regression, non-inferiority, improvement"),
        ("require: improvment", "`improvment`", "Did you mean `improvement`?"),
        ("interval: jackknife", "`jackknife`", ", ".join(IntervalMethod)),
        ("primary:", "no value", "remove the line"),
        ("primary: null", "no value", "remove the line"),
        ("primary: [a, b]", "a list", "one value"),
        ("primary: {a: b}", "a set of `key: value` lines", "one value"),
        ("metrics: [a, b]", "a list", "key: value"),
        ("metrics: recall", "`recall`", "key: value"),
        ("- primary", "a list", "primary: recall"),
        ("primary", "`primary`", "primary: recall"),
    ],
)  # fmt: skip
def test_a_value_that_is_not_allowed_is_quoted_with_what_is(text: str, given: str, remedy: str) -> None:
    error = refusal(text)
    assert error.what.startswith("clearband.yml")
    assert error.where == "line 1"
    assert given in error.what
    assert remedy in str(error)


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ('"a\\u202eb"', "contains the invisible character <U+202E>"),
        ('"a\\u200bb"', "contains the invisible character <U+200B>"),
        ('"a\\tb"', "contains the invisible character <U+0009>"),
        ('"\\ud800"', "contains the invisible character <U+D800>"),
        ('""', "is empty"),
        ("a" * 201, "is longer than 200 characters"),
    ],
)
def test_a_metric_name_that_cannot_be_seen_is_refused(name: str, fault: str) -> None:
    assert fault in refusal(f"primary: {name}").what
    assert fault in refusal(f"metrics:\n  ? {name}\n  : {{}}").what


def test_more_metrics_than_are_compared_are_refused() -> None:
    text = "metrics:\n" + "".join(f"  m{number}: {{}}\n" for number in range(201))
    assert "201 metrics" in refusal(text).what
