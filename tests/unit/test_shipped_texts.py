"""What is shipped for people to copy works as it is, and the documentation says what the code does."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from clearband.declaration import Declaration, NotDeclared, parse
from clearband.declaration_block import KEYS
from clearband.policy import Anchor, MetricPolicy, MustPass, Policy
from clearband.policy_file import load
from clearband.vocabulary import (
    Direction,
    IntervalMethod,
    LedgerMode,
    MeasurementField,
    Mode,
    OnLost,
    Reducer,
    Requirement,
    Role,
    ShowQuestions,
    Statistic,
)

if TYPE_CHECKING:
    from enum import StrEnum

ROOT = Path(__file__).parents[2]
POLICIES = ["templates/policy.yml", "examples/cranfield/clearband.yml", ".github/clearband.yml"]
PULL_REQUESTS = ["templates/pull_request_template.md", ".github/pull_request_template.md"]


@pytest.mark.parametrize("path", POLICIES)
def test_shipped_policies_load_as_they_are(path: str) -> None:
    read = load((ROOT / path).read_bytes(), name=path)
    assert read.primary in read.metrics
    assert read.mode is Mode.GATE


def test_the_starter_also_loads_with_every_suggestion_taken() -> None:
    text = (ROOT / "templates/policy.yml").read_text("utf-8")
    suggestion = re.compile(r"^( *)# ( *)((?:- )?\w+:(?: .*)?)$", re.MULTILINE)
    taken, count = suggestion.subn(r"\1\2\3", text)
    read = load(taken.encode(), name="policy.yml")
    assert count == 33
    assert read.metrics["latency_ms"] == MetricPolicy(
        direction=Direction.LOWER, unit="ms", statistic=Statistic.P95, margin=20.0, role=Role.GUARDRAIL
    )
    assert read.metrics["cost_usd"] == MetricPolicy(direction=Direction.LOWER, budget=0.1)
    assert read.metrics["solved"] == MetricPolicy(reducer=Reducer.PASS_AT_K, k=4)
    assert read.must_pass == (MustPass(metric="accuracy", field="category", value="safety"),)
    assert (read.anchor, read.ledger) == (Anchor(name="v1.4", gate=True), LedgerMode.BRANCH)
    assert (read.cluster, read.slices, read.slice_guardrails) == ("document", ("language",), True)
    assert (read.on_lost, read.varies) == (OnLost.WORST_CASE, Policy().varies)


def test_the_documented_policies_load_and_say_what_the_text_says() -> None:
    first, full, suites, rules, anchor = re.findall(
        r"^```yaml\n(.*?)^```$", text_of("docs/policy.md"), re.MULTILINE | re.DOTALL
    )
    read = load(full.encode() + rules.encode() + anchor.encode(), name="clearband.yml")
    assert read.anchor == Anchor(name="v1.4", gate=True)
    assert load(first.encode(), name="clearband.yml").primary == "accuracy"
    assert read.metrics["cost_usd"].budget == 0.1
    assert read.metrics["latency_ms"].statistic is Statistic.P95
    assert (read.cluster, read.slices) == ("document", ("language", "metadata.topic"))
    assert read.labels == ("document", "language", "metadata.topic", "category")
    assert [rule.passes_at for rule in read.must_pass] == [None, 0.5]
    retrieval = load(suites.encode(), name="clearband.yml", suite="retrieval")
    assert (retrieval.primary, retrieval.min_questions) == ("nDCG@10", 50)


def test_the_example_is_the_story_that_is_told_of_it() -> None:
    read = load((ROOT / "examples/cranfield/clearband.yml").read_bytes(), name="clearband.yml")
    header = (ROOT / "examples/cranfield/bm25_stem.csv").read_text("utf-8").splitlines()[0]
    assert list(read.metrics) == header.split(",")[1:]
    assert all(item.range == (0.0, 1.0) and item.direction is Direction.HIGHER for item in read.metrics.values())
    assert (read.primary, read.metrics["nDCG@10"].effect) == ("nDCG@10", 0.03)


def test_the_documentation_lists_every_key_with_its_default() -> None:
    text = (ROOT / "docs/policy.md").read_text("utf-8")
    documented = dict(re.findall(r"^\| `(\w+)` \| `?(.+?)`? \|", text, re.MULTILINE))
    for kind in (Policy(), MetricPolicy()):
        for field in fields(kind):
            if field.name not in {"sha256", "directed"}:
                assert documented.pop(field.name) == spelled(getattr(kind, field.name))
    for key in ("metric", "ids", "slice", "passes_at", "suites"):
        assert documented.pop(key) == "none"
    assert documented == {}


@pytest.mark.parametrize(
    "words",
    [
        Direction,
        Requirement,
        IntervalMethod,
        Mode,
        Statistic,
        Reducer,
        OnLost,
        MeasurementField,
        LedgerMode,
        ShowQuestions,
    ],
)
def test_the_documentation_names_every_word_of_a_choice(words: type[StrEnum]) -> None:
    documented = set(re.findall(r"`([\w-]+)`", (ROOT / "docs/policy.md").read_text("utf-8")))
    assert {word.value for word in words} <= documented


def spelled(default: object) -> str:
    if default is None or default in ({}, ()):
        return "none"
    if isinstance(default, frozenset):
        return f"[{', '.join(field for field in MeasurementField if field in default)}]"
    return (
        str(default).lower()
        if isinstance(default, bool)
        else f"{default:g}"
        if isinstance(default, float)
        else str(default)
    )


# The pull request's description


def text_of(path: str) -> str:
    return (ROOT / path).read_text("utf-8")


def filled(template: str, *, metric: str, effect: str, hypothesis: str) -> str:
    """Return the template as a person fills it in: each <...> of the block replaced, in order."""
    before, fence, after = template.rpartition("```clearband")
    for value in (metric, effect, hypothesis):
        after = re.sub("<[^>]*>", lambda _, value=value: value, after, count=1)
    return before + fence + after


@pytest.mark.parametrize("path", PULL_REQUESTS)
def test_a_template_left_as_it_was_declares_nothing(path: str) -> None:
    read = parse(text_of(path))
    assert isinstance(read, NotDeclared)
    assert "placeholder" in read.reason


@pytest.mark.parametrize("path", PULL_REQUESTS)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_template_filled_in_declares(path: str, newline: str) -> None:
    body = filled(text_of(path), metric="nDCG@10", effect="0.02", hypothesis="fewer misses").replace("\n", newline)
    read = parse(body)
    assert isinstance(read, Declaration)
    assert (read.primary_metric, read.effect, read.hypothesis) == ("nDCG@10", 0.02, "fewer misses")
    assert body.splitlines()[read.line - 1] == "```clearband"


def test_in_a_template_only_the_metric_has_to_be_filled_in() -> None:
    body = filled(text_of(PULL_REQUESTS[0]), metric="`recall`", effect="", hypothesis="")
    read = parse(body)
    assert isinstance(read, Declaration)
    assert (read.primary_metric, read.effect, read.hypothesis) == ("recall", None, None)


def test_the_example_declares_the_primary_metric_of_its_policy() -> None:
    read = parse(text_of("examples/cranfield/pull_request.md"))
    policy = load((ROOT / "examples/cranfield/clearband.yml").read_bytes(), name="clearband.yml")
    assert isinstance(read, Declaration)
    assert read.primary_metric == policy.primary
    assert read.effect == policy.metrics[read.primary_metric].effect
    assert read.hypothesis


def test_the_documentation_lists_every_key_of_a_declaration() -> None:
    keys = re.findall(r"^\| `(\w+)` \|", text_of("docs/declaration.md"), re.MULTILINE)
    assert sorted(keys) == sorted(KEYS)


def test_the_documented_forms_mean_the_same() -> None:
    block, line = re.findall(
        r"^`{3,4}markdown\n(.*?)^`{3,4}$", text_of("docs/declaration.md"), re.MULTILINE | re.DOTALL
    )
    fenced, short = parse(block), parse(line)
    assert isinstance(fenced, Declaration)
    assert isinstance(short, Declaration)
    assert fenced.primary_metric == short.primary_metric
    assert fenced.effect == 0.03


def test_a_text_about_declarations_declares_nothing() -> None:
    assert isinstance(parse(text_of("docs/declaration.md")), NotDeclared)
