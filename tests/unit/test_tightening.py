"""A declaration can ask for more and never for less: every attempt to loosen the gate is refused with its reason."""

from __future__ import annotations

import pytest

from clearband.declaration import Declaration, DeclarationProblem, NotDeclared, parse
from clearband.errors import UnusableDeclaration
from clearband.policy import MetricPolicy, Policy
from clearband.terms import Options, Terms, settle
from clearband.vocabulary import Direction, Requirement, Role

POLICY = Policy(
    primary="recall",
    require=Requirement.NON_INFERIORITY,
    max_looks=3,
    metrics={
        "recall": MetricPolicy(effect=0.05, margin=0.02),
        "mrr": MetricPolicy(margin=0.01),
        "cost": MetricPolicy(direction=Direction.LOWER),
        "length": MetricPolicy(direction=Direction.NEUTRAL),
    },
)


def settled(*lines: str, policy: Policy = POLICY) -> Terms:
    body = "```clearband\nprimary_metric: mrr\n" + "".join(f"{line}\n" for line in lines) + "```\n"
    return settle(policy=policy, declaration=parse(body), options=Options(), needs_policy=True)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("looks: 100", "plans 100 looks, and the policy allows 3"),
        ("require: no-regression", "less than the policy's non-inferiority"),
        ("direction: lower", "`direction` is not the pull request's to set"),
        ("confidence: 0.5", "`confidence` is not the pull request's to set"),
        ("interval: bca", "`interval` is not the pull request's to set"),
        ("max_lost: 0.9", "`max_lost` is not the pull request's to set"),
        ("max_looks: 9", "`max_looks` is not the pull request's to set"),
        ("margin: 1", "`margin` is not the pull request's to set"),
        ("mode: report", "`mode` is not the pull request's to set"),
        ("anchor: none", "`anchor` is not the pull request's to set"),
        ("ledger: none", "`ledger` is not the pull request's to set"),
        ("override_by_author: true", "`override_by_author` is not the pull request's to set"),
        ("show_questions: ids", "`show_questions` is not the pull request's to set"),
        ("must_pass: []", "`must_pass` is not the pull request's to set"),
        ("primary_metric: recall", "`primary_metric` appears twice"),
        ("guardrails: recal", "The guardrail `recal` is not in the policy"),
        ("guardrails: length", "`length` cannot be a guardrail: its direction is neutral"),
    ],
)
def test_an_attempt_to_loosen_is_refused_with_the_reason(line: str, said: str) -> None:
    with pytest.raises(UnusableDeclaration) as refused:
        settled(line)
    assert said in str(refused.value)


def test_a_larger_effect_than_the_policys_is_refused() -> None:
    body = "```clearband\nprimary_metric: recall\neffect: 0.2\n```\n"
    with pytest.raises(UnusableDeclaration, match=r"The declared effect 0\.2 is larger than the policy's 0\.05"):
        settle(policy=POLICY, declaration=parse(body), options=Options(), needs_policy=True)


def test_a_second_suite_does_not_speak_for_this_one() -> None:
    body = "```clearband\nsuite: other\nprimary_metric: cost\n```\n"
    assert isinstance(parse(body), NotDeclared)
    terms = settle(policy=POLICY, declaration=parse(body), options=Options(), needs_policy=True)
    assert terms.primary == "recall"


def test_two_blocks_for_one_suite_that_differ_are_a_problem() -> None:
    body = "```clearband\nprimary_metric: cost\n```\n\n```clearband\nprimary_metric: mrr\n```\n"
    assert isinstance(parse(body), DeclarationProblem)


def test_what_asks_for_more_is_taken() -> None:
    terms = settled("require: improvement", "effect: 0.01", "looks: 2", "guardrails: cost")
    assert terms.require is Requirement.IMPROVEMENT
    assert terms.of("mrr").effect == 0.01
    assert terms.of("cost").role is Role.GUARDRAIL
    assert terms.of("recall").role is Role.GUARDRAIL
    assert terms.of("mrr").role is Role.PRIMARY


def test_naming_the_primary_as_a_guardrail_changes_nothing() -> None:
    assert settled("guardrails: mrr, cost").of("mrr").role is Role.PRIMARY


@pytest.mark.parametrize("written", ["cost, recall", "recall,cost", "`recall`, 'cost'  # both", "recall, cost, recall"])
def test_guardrails_are_a_set_however_they_are_written(written: str) -> None:
    read = parse(f"```clearband\nprimary_metric: mrr\nguardrails: {written}\n```\n")
    assert isinstance(read, Declaration)
    assert read.guardrails == ("cost", "recall")
    assert "guardrails: cost, recall\n" in read.canonical


def test_an_unfilled_list_of_guardrails_is_none() -> None:
    read = parse("```clearband\nprimary_metric: mrr\nguardrails: <metric>, ...\n```\n")
    assert isinstance(read, Declaration)
    assert read.guardrails == ()
