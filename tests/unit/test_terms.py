"""What a comparison is held to: who may choose the primary metric, and that a declaration only ever asks for more."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearband.declaration import Declaration, DeclarationProblem, NotDeclared, parse
from clearband.errors import ClearbandError, UnusableDeclaration, UnusablePolicy, UsageError
from clearband.policy import MetricPolicy, Policy
from clearband.terms import Options, Terms, settle
from clearband.vocabulary import Direction, IntervalMethod, Mode, Requirement, Role, Statistic

UNIT = (0.0, 1.0)
METRICS = {
    "recall": MetricPolicy(range=UNIT, effect=0.02, margin=0.01),
    "mrr": MetricPolicy(range=UNIT),
    "latency": MetricPolicy(direction=Direction.LOWER, role=Role.GUARDRAIL, statistic=Statistic.P95),
    "cost": MetricPolicy(direction=Direction.LOWER, budget=0.1, directed=False),
    "tokens": MetricPolicy(direction=Direction.NEUTRAL),
}
NOT_DECLARED = NotDeclared(suite="default", reason="the description holds no declaration")
PROBLEM = DeclarationProblem(suite="default", what="unknown key `x`", remedy="Remove it.", lines=(4, 7))


def policy(**settings: Any) -> Policy:
    return Policy(**{"metrics": METRICS, **settings})


def declaration(**values: Any) -> Declaration:
    return Declaration(**{"suite": "default", "primary_metric": "recall", "line": 3, "sha256": "0" * 64, **values})


def settled(
    policy: Policy | None = None,
    declaration: Declaration | NotDeclared | DeclarationProblem | None = None,
    *,
    needs_policy: bool = False,
    **options: Any,
) -> Terms:
    return settle(policy=policy, declaration=declaration, options=Options(**options), needs_policy=needs_policy)


def refusal(kind: type[ClearbandError], *arguments: Any, **options: Any) -> ClearbandError:
    with pytest.raises(kind) as caught:
        settled(*arguments, **options)
    assert caught.value.exit_status == 3
    assert caught.value.remedy
    return caught.value


# Who names the primary metric


def test_the_declaration_names_the_primary_metric() -> None:
    terms = settled(policy(primary="recall"), declaration(primary_metric="mrr"))
    assert terms.primary == "mrr"
    assert terms.of("mrr").role is Role.PRIMARY
    assert terms.declaration is not None
    assert terms.gated
    assert terms.ungated_reason is None


def test_the_policy_names_it_where_nothing_is_declared() -> None:
    for silent in (None, NOT_DECLARED):
        terms = settled(policy(primary="recall"), silent)
        assert (terms.primary, terms.of("recall").role, terms.declaration) == ("recall", Role.PRIMARY, None)


def test_the_command_line_names_it_without_a_declaration() -> None:
    assert settled(policy(primary="recall"), primary="mrr").primary == "mrr"
    assert settled(primary="anything").primary == "anything"


def test_command_line_and_declaration_may_agree_but_not_differ() -> None:
    assert settled(policy(), declaration(), primary="recall").primary == "recall"
    error = refusal(UsageError, policy(), declaration(), primary="mrr")
    assert "`mrr`" in error.what
    assert "`recall`" in error.what


def test_the_policys_own_primary_stays_a_guardrail() -> None:
    rules = policy(primary="recall")
    for terms in (settled(rules, declaration(primary_metric="mrr")), settled(rules, primary="mrr")):
        assert terms.of("recall").role is Role.GUARDRAIL
        assert [name for name, rules in terms.metrics.items() if rules.role is Role.PRIMARY] == ["mrr"]


def test_other_roles_and_the_policy_itself_stay_as_they_are() -> None:
    given_policy = policy(primary="recall")
    terms = settled(given_policy, declaration())
    assert terms.of("latency").role is Role.GUARDRAIL
    assert terms.of("mrr").role is Role.EXPLORATORY
    assert terms.of("unheard of") == MetricPolicy(directed=False)
    assert given_policy.metrics["recall"].role is Role.EXPLORATORY
    assert terms.policy == given_policy


def test_a_primary_outside_the_policys_metrics_is_refused_with_the_nearest() -> None:
    error = refusal(UnusableDeclaration, policy(), declaration(primary_metric="recal"))
    assert "`recal`" in error.what
    assert error.where == "line 3 of the description"
    assert "Did you mean `recall`?" in str(error.remedy)
    assert "`mrr`" in str(refusal(UsageError, policy(), primary="unlike any").remedy)


def test_without_listed_metrics_any_primary_will_do() -> None:
    assert settled(Policy(primary="a"), declaration(primary_metric="b")).primary == "b"


def test_a_neutral_metric_cannot_be_primary_whoever_names_it() -> None:
    for kind, arguments, options in [
        (UnusableDeclaration, (policy(), declaration(primary_metric="tokens")), {}),
        (UsageError, (policy(),), {"primary": "tokens"}),
        (UnusablePolicy, (policy(primary="tokens"),), {}),
    ]:
        assert "neutral" in refusal(kind, *arguments, **options).what


# Where nothing names one


def test_with_neither_primary_nor_policy_nothing_is_gated() -> None:
    for silent in (None, NOT_DECLARED):
        terms = settled(None, silent)
        assert (terms.gated, terms.primary) == (False, None)
        assert terms.ungated_reason == "Neither a primary metric nor a policy was given."


def test_a_policy_without_primary_needs_a_declaration_and_gives_the_block_to_paste() -> None:
    error = refusal(UnusableDeclaration, policy(), NotDeclared(suite="retrieval", reason="the description is empty"))
    assert "the description is empty" in error.what
    block = str(error.remedy).partition("\n")[2]
    assert "recall, mrr, latency" in block
    assert "tokens" not in block
    filled = parse(block.replace("<metric>", "mrr"), suite="retrieval")
    assert isinstance(filled, Declaration)
    assert settled(policy(), filled).primary == "mrr"


def test_on_a_laptop_the_same_error_also_names_the_option() -> None:
    assert "--primary" in str(refusal(UnusableDeclaration, policy()).remedy)


def test_a_repository_without_a_policy_is_not_set_up_yet() -> None:
    terms = settled(None, declaration(effect=0.1), needs_policy=True)
    assert not terms.gated
    assert "not set up yet" in str(terms.ungated_reason)
    assert (terms.primary, terms.of("recall").effect) == ("recall", 0.1)
    assert settled(None, NOT_DECLARED, needs_policy=True).primary is None
    assert "unknown key `x`" in str(settled(None, PROBLEM, needs_policy=True).ungated_reason)


def test_report_mode_gates_nothing_and_says_so() -> None:
    terms = settled(policy(primary="recall", mode=Mode.REPORT), declaration(primary_metric="mrr"))
    assert (terms.gated, terms.primary) == (False, "mrr")
    assert "only reports" in str(terms.ungated_reason)


@pytest.mark.parametrize("unusable", [PROBLEM, NOT_DECLARED, None, declaration(primary_metric="recal")])
def test_report_mode_reports_what_would_have_stopped_a_gate(unusable: Any) -> None:
    gate = refusal(UnusableDeclaration, policy(), unusable)
    terms = settled(policy(mode=Mode.REPORT), unusable)
    assert not terms.gated
    assert gate.what in str(terms.ungated_reason)


# What a declaration may ask for


def test_a_description_too_long_to_be_read_has_no_lines_to_name() -> None:
    too_long = DeclarationProblem(suite="default", what="too long", remedy="Shorten it.", lines=())
    assert refusal(UnusableDeclaration, None, too_long).where is None


def test_a_declaration_that_cannot_be_used_stops_with_its_lines() -> None:
    for rules in (policy(primary="recall"), None):
        error = refusal(UnusableDeclaration, rules, PROBLEM)
        assert (error.what, error.remedy) == ("unknown key `x`", "Remove it.")
        assert error.where == "lines 4, 7 of the description"


@pytest.mark.parametrize(("policys", "declared"), list(product(Requirement, Requirement)))
def test_a_requirement_can_only_become_stricter(policys: Requirement, declared: Requirement) -> None:
    order = list(Requirement)
    arguments = (policy(require=policys), declaration(require=declared))
    if order.index(declared) >= order.index(policys):
        assert settled(*arguments).require is declared
    else:
        assert "less than the policy's" in refusal(UnusableDeclaration, *arguments).what


def test_without_a_declared_requirement_the_policys_holds() -> None:
    assert settled(policy(require=Requirement.IMPROVEMENT), declaration()).require is Requirement.IMPROVEMENT


def test_non_inferiority_needs_a_margin_of_the_primary() -> None:
    asked = declaration(primary_metric="mrr", require=Requirement.NON_INFERIORITY)
    assert "the declaration requires" in refusal(UnusableDeclaration, policy(), asked).what
    strict = policy(require=Requirement.NON_INFERIORITY)
    assert "the policy requires" in refusal(UnusableDeclaration, strict, declaration(primary_metric="mrr")).what
    refusal(UsageError, strict, primary="mrr")
    assert settled(strict, declaration()).require is Requirement.NON_INFERIORITY


def test_a_budget_is_a_margin_to_be_held_to() -> None:
    rules = policy(metrics={"cost": MetricPolicy(direction=Direction.LOWER, budget=0.1)})
    asked = declaration(primary_metric="cost", require=Requirement.NON_INFERIORITY)
    assert settled(rules, asked).require is Requirement.NON_INFERIORITY


def test_an_effect_can_only_become_smaller() -> None:
    assert settled(policy(), declaration(effect=0.01)).of("recall").effect == 0.01
    assert settled(policy(), declaration(effect=0.02)).of("recall").effect == 0.02
    assert settled(policy(), declaration()).of("recall").effect == 0.02
    assert "larger than the policy's 0.02" in refusal(UnusableDeclaration, policy(), declaration(effect=0.03)).what


def test_an_effect_where_the_policy_has_none_is_bounded_by_the_range() -> None:
    assert settled(policy(), declaration(primary_metric="mrr", effect=1.0)).of("mrr").effect == 1.0
    assert "range of 1" in refusal(UnusableDeclaration, policy(), declaration(primary_metric="mrr", effect=3.0)).what


def test_an_effect_on_a_relative_change_is_a_share_and_not_held_against_the_range() -> None:
    rules = policy(metrics={"mrr": MetricPolicy(range=(0.0, 0.1), statistic=Statistic.RELATIVE)})
    assert settled(rules, declaration(primary_metric="mrr", effect=0.5)).of("mrr").effect == 0.5
    declared = refusal(UnusableDeclaration, rules, declaration(primary_metric="mrr", effect=5.0))
    asked = refusal(UsageError, rules, primary="mrr", effect=5.0)
    for error in (declared, asked):
        assert "more than 1: on a relative change it is a share" in error.what


def test_a_declared_effect_is_the_primarys_alone() -> None:
    terms = settled(policy(), declaration(effect=0.01))
    assert terms.of("mrr").effect is None


@given(
    require=st.sampled_from(Requirement),
    declared=st.builds(
        declaration,
        primary_metric=st.sampled_from([*METRICS, "unheard of"]),
        require=st.none() | st.sampled_from(Requirement),
        effect=st.none() | st.floats(0.001, 2),
    ),
)
def test_no_declaration_ever_loosens(require: Requirement, declared: Declaration) -> None:
    rules = policy(primary="recall", require=require)
    try:
        terms = settled(rules, declared)
    except UnusableDeclaration:
        return
    order = list(Requirement)
    assert terms.gated
    assert terms.policy == rules
    assert order.index(terms.require) >= order.index(require)
    assert terms.of("recall").role in {Role.PRIMARY, Role.GUARDRAIL}
    for name, before in METRICS.items():
        after = terms.of(name)
        assert replace(after, effect=before.effect, role=before.role) == before
        assert before.effect is None or (after.effect or 0) <= before.effect
        assert before.role is not Role.GUARDRAIL or after.role is not Role.EXPLORATORY


# The person's own options


def test_options_override_the_policy() -> None:
    assert settled(policy(primary="recall", confidence=0.99)).policy.confidence == 0.99
    terms = settled(
        policy(primary="recall", sha256="ab"),
        confidence=0.9,
        interval=IntervalMethod.PERCENTILE,
        n_boot=999,
        seed=7,
        effect=0.5,
        lower_is_better=("mrr", "cost"),
    )
    assert (terms.policy.confidence, terms.policy.interval) == (0.9, IntervalMethod.PERCENTILE)
    assert terms.policy.sha256 == "ab"
    assert (terms.n_boot, terms.seed) == (999, 7)
    assert terms.of("recall").effect == 0.5
    assert terms.of("mrr").direction is Direction.LOWER
    assert terms.of("mrr").range == UNIT
    assert terms.of("cost").direction is Direction.LOWER


def test_who_says_that_lower_is_better_has_said_which_way_is_better() -> None:
    unsaid = policy(metrics={"cost": MetricPolicy(directed=False), "mrr": MetricPolicy(directed=False)}, primary="mrr")
    terms = settled(unsaid, lower_is_better=("cost", "seconds"))
    assert [terms.of(name).directed for name in ("cost", "seconds", "mrr", "unheard of")] == [True, True, False, False]
    assert not settled(Policy(primary="a"), declaration(primary_metric="b")).of("a").directed
    assert not settled(Policy(primary="a"), declaration(primary_metric="b")).of("b").directed


def test_lower_is_better_holds_for_the_primary_too() -> None:
    terms = settled(primary="seconds", lower_is_better=("seconds",))
    assert (terms.of("seconds").role, terms.of("seconds").direction) == (Role.PRIMARY, Direction.LOWER)


def test_two_different_effects_contradict_each_other() -> None:
    assert settled(policy(), declaration(effect=0.01), effect=0.01).of("recall").effect == 0.01
    assert "0.05" in refusal(UsageError, policy(), declaration(effect=0.01), effect=0.05).what


@pytest.mark.parametrize(
    ("options", "fault", "remedy"),
    [
        ({"confidence": 95.0}, "confidence 95", "--confidence 0.95"),
        ({"confidence": 1.0}, "confidence 1", "between 0.5 and 0.9999"),
        ({"confidence": float("nan")}, "confidence nan", "between 0.5 and 0.9999"),
        ({"effect": 0.0}, "effect 0", "size"),
        ({"effect": -1.0}, "effect -1", "size"),
        ({"effect": float("inf")}, "effect inf", "size"),
        (
            {"effect": 3.0, "primary": "recall"},
            "The effect 3 of `recall` is more than the metric's whole range of 1",
            "own units",
        ),
    ],
)
def test_options_out_of_bounds_are_refused(options: dict[str, Any], fault: str, remedy: str) -> None:
    error = refusal(UsageError, policy(), **options)
    assert fault in error.what
    assert remedy in str(error.remedy)
