"""The policy's rules on questions: lost ones, clusters, slices, must-pass questions, and how they were measured."""

from __future__ import annotations

import pytest

from clearband.policy import DEFAULT_VARIES, MustPass, Policy
from clearband.vocabulary import MeasurementField, OnLost

from .policies import policy, refusal

RULE = "must_pass:\n  - metric: recall\n    {}\n"


def rule(settings: str, metrics: str = "") -> MustPass:
    (read,) = policy(f"{RULE.format(settings)}{metrics}").must_pass
    return read


# What may be said


def test_lost_questions_are_left_out_unless_the_policy_holds_them_against_the_candidate() -> None:
    assert policy("").on_lost is OnLost.COMPLETE_PAIRS
    assert policy("on_lost: worst-case").on_lost is OnLost.WORST_CASE


def test_clusters_and_slices_are_named_by_their_field() -> None:
    read = policy("cluster: metadata.document\nslices: [no, topic, 'a b', \"1\"]\nmin_slice: 2\nslice_guardrails: true")
    assert read.cluster == "metadata.document"
    assert read.slices == ("no", "topic", "a b", "1")
    assert (read.min_slice, read.slice_guardrails) == (2, True)


def test_slice_guardrails_may_be_off_without_slices() -> None:
    assert policy("slice_guardrails: false").slice_guardrails is False


def test_must_pass_questions_are_named_by_id_or_by_a_slice() -> None:
    read = policy("must_pass:\n- {metric: recall, ids: [q1, 007, 'two words']}\n- {metric: mrr, slice: {topic: no}}")
    assert read.must_pass == (
        MustPass(metric="recall", ids=("q1", "007", "two words")),
        MustPass(metric="mrr", field="topic", value="no"),
    )


def test_a_rule_may_say_from_which_value_a_question_passes() -> None:
    higher, lower = "metrics: {recall: {range: [0, 1]}}", "metrics: {recall: {direction: lower, range: [0, 1]}}"
    for value, metrics in [(1, higher), (0.5, higher), (0, lower), (0.5, lower), (-3, "")]:
        assert rule(f"ids: [a]\n    passes_at: {value}", metrics).passes_at == value


def test_what_may_vary_replaces_the_default() -> None:
    assert policy("").varies == DEFAULT_VARIES
    assert policy("varies: []").varies == frozenset()
    assert policy("varies: [judge-prompt, tool]").varies == {MeasurementField.JUDGE_PROMPT, MeasurementField.TOOL}
    assert policy(f"varies: [{', '.join(MeasurementField)}]").varies == frozenset(MeasurementField)


def test_readers_keep_each_field_that_a_rule_needs_once_and_in_order() -> None:
    assert Policy().labels == ()
    read = policy(
        "cluster: document\nslices: [topic, document, language]\nmust_pass:\n"
        "- {metric: a, slice: {severity: high}}\n- {metric: a, ids: [x]}\n- {metric: a, slice: {topic: safety}}"
    )
    assert read.labels == ("document", "topic", "language", "severity")


# What is refused


@pytest.mark.parametrize(
    ("text", "given", "remedy"),
    [
        ("on_lost: worst case", "`worst case`", "Did you mean `worst-case`?"),
        ("on_lost: ignore", "`ignore`", "complete-pairs, worst-case"),
        ("cluster: [a, b]", "a list", "Write one value"),
        ("cluster:", "no value", "remove the line"),
        ("cluster: ''", "is empty", "as the result files spell it"),
        ('cluster: "a\\u200bb"', "<U+200B>", "as the result files spell it"),
        ("slices: topic", "`topic`", "slices: [category]"),
        ("slices: {topic: a}", "a set of `key: value` lines", "slices: [category]"),
        ("slices:", "is empty", "slices: [category]"),
        ("slices: []", "is empty", "Remove the line"),
        ("slices: [a, b, a]", "`slices[3]` is `a` again, as on line 1", "Keep one"),
        ("slices: [a, [b]]", "`slices[2]` is a list", "one value"),
        ("slices: [a, b, c, d, e, f]", "6 fields; at most 5", "fewer"),
        ("min_slice: 1\nslices: [a]", "is 1", "from 2 to"),
        ("min_slice: 50", "the policy names none", "Add `slices: [FIELD]`."),
        ("slice_guardrails: true", "the policy names none", "Add `slices: [FIELD]`."),
        ("slice_guardrails: yes", "`yes`", "Write `slice_guardrails: true`."),
        ("interval: bounded\ncluster: a", "`cluster` draws them together", "Write `interval: percentile`"),
        ("varies: model", "`model`", "varies: [model, prompt]"),
        ("varies:", "is empty", "varies: [model, prompt]"),
        ("varies: [judge_prompt]", "`judge_prompt`", "Did you mean `judge-prompt`?"),
        ("varies: [model, everything]", "`varies[2]` is `everything`", ", ".join(MeasurementField)),
        ("varies: [tool, tool]", "`varies[2]` is `tool` again", "Keep one"),
        ("must_pass: recall", "`recall`", "must_pass:\n  - metric: NAME"),
        ("must_pass: {metric: recall, ids: [a]}", "a set of `key: value` lines", "must_pass:\n  - metric: NAME"),
        ("must_pass:", "is empty", "must_pass:\n  - metric: NAME"),
        ("must_pass: []", "is empty", "Remove the line"),
        ("must_pass: [recall]", "`must_pass[1]` is not a rule", "must_pass:\n  - metric: NAME"),
        ("must_pass: [{ids: [a]}]", "`must_pass[1]` does not name its metric", "metric: NAME"),
    ],
)
def test_a_rule_that_is_not_one_is_quoted_with_what_is(text: str, given: str, remedy: str) -> None:
    error = refusal(text)
    assert error.what.startswith("clearband.yml: `")
    assert given in error.what
    assert remedy in str(error)
    assert error.where == "line 1"


@pytest.mark.parametrize(
    ("settings", "line", "given", "remedy"),
    [
        ("passes_at: 1", 2, "names no questions", "`slice: {FIELD: VALUE}`"),
        ("ids: [a]\n    slice: {b: c}", 2, "names its questions twice", "either way"),
        ("ids: a", 3, "`a`", "ids: [ID, ID]"),
        ("ids: []", 3, "is empty", "a list of question ids"),
        ("ids: [a, '']", 3, "`must_pass[1].ids[2]`", "as the result files spell it"),
        ("ids: [a, null]", 3, "no value", "Give it a value"),
        ('ids: ["\\ud800"]', 3, "<U+D800>", "as the result files spell it"),
        ("ids: [" + "x" * 1_001 + "]", 3, "1 to 1,000 characters", "as the result files spell it"),
        ("ids:\n    - a\n    - b\n    - a", 6, "`must_pass[1].ids[3]` is `a` again, as on line 4", "Keep one"),
        ("slice: safety", 3, "`safety`", "slice:\n  key: value"),
        ("slice: {}", 3, "holds 0 fields", "{FIELD: VALUE}"),
        ("slice: {a: b, c: d}", 3, "holds 2 fields", "{FIELD: VALUE}"),
        ("slice: {a: [b, c]}", 3, "`must_pass[1].slice.a` is a list", "one value"),
        ("slice: {a: }", 3, "no value", "Give it a value"),
        ('slice: {"": a}', 3, "the field `` is empty", "as the result files spell it"),
        ("ids: [a]\n    passes_at: good", 4, "`good`", "plain decimal number"),
        ("ids: [a]\n    slices: {b: c}", 4, "unknown key `slices` in `must_pass[1]`", "Did you mean `slice`?"),
    ],
)  # fmt: skip
def test_a_must_pass_rule_that_is_not_one_names_its_line(settings: str, line: int, given: str, remedy: str) -> None:
    error = refusal(RULE.format(settings))
    assert given in error.what
    assert remedy in str(error.remedy)
    assert error.where == f"line {line}"


@pytest.mark.parametrize(
    ("settings", "metrics", "fault"),
    [
        ("ids: [a]", "{recal: {}}", "`recall`, which is not listed under `metrics`"),
        ("ids: [a]", "{recall: {direction: neutral}}", "neutral"),
        ("ids: [a]\n    passes_at: 50", "{recall: {range: [0, 1]}}", "outside the metric's range from 0 to 1"),
        ("ids: [a]\n    passes_at: 0", "{recall: {range: [0, 1]}}", "no question could ever fail"),
        ("ids: [a]\n    passes_at: 1", "{recall: {direction: lower, range: [0, 1]}}", "no question could ever fail"),
    ],
)
def test_a_must_pass_rule_that_could_not_decide_is_refused(settings: str, metrics: str, fault: str) -> None:
    error = refusal(f"{RULE.format(settings)}metrics: {metrics}\n")
    assert fault in error.what
    assert error.where in {"line 2", "line 4"}
    assert error.remedy


def test_a_misspelt_must_pass_metric_names_the_nearest() -> None:
    assert "Did you mean `recal`?" in str(refusal(f"{RULE.format('ids: [a]')}metrics: {{recal: {{}}}}").remedy)


def test_as_many_questions_can_be_listed_as_a_rule_may_hold() -> None:
    ids = ",".join(map(str, range(10_000)))
    assert len(rule(f"ids: [{ids}]").ids) == 10_000
    error = refusal(RULE.format(f"ids: [{ids},x]"))
    assert "10,001 questions; at most 10,000" in error.what
    assert "`slice: {FIELD: VALUE}`" in str(error.remedy)


@pytest.mark.parametrize("key", ["statistic: p95", "budget: 0.1", "reducer: mean", "k: 4"])
def test_a_metrics_rule_at_the_top_of_the_file_is_told_where_it_belongs(key: str) -> None:
    assert "under `metrics:`" in str(refusal(key).remedy)


@pytest.mark.parametrize(
    "key", ["on_lost", "cluster", "slices", "min_slice", "slice_guardrails", "must_pass", "varies"]
)
def test_a_rule_for_all_metrics_inside_one_is_told_where_it_belongs(key: str) -> None:
    assert "whole policy" in str(refusal(f"metrics: {{a: {{{key}: 1}}}}").remedy)
