"""Answers to show, with defaults: a test names only what it is about.

The default comparison is the demo's: BM25 with stemming against LSA on 225 Cranfield queries, five metrics.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from clearband.answers import Answer
from clearband.comparison import Arm, Comparison, Questions
from clearband.declaration import Declaration, DeclarationProblem, NotDeclared
from clearband.gate import judge
from clearband.policy import MetricPolicy, Policy
from clearband.terms import Terms
from clearband.verdict import Reason, Verdict
from clearband.vocabulary import IntervalMethod, Mode, Outcome, Requirement

from .metrics import accuracy, identical, improved, invalid, metric, others, primary, regressed, sparse, unmeasured

if TYPE_CHECKING:
    from clearband.comparison import MetricResult
    from clearband.errors import ClearbandError

BASELINE_SHA = "09a89148080e2b3223d616f70098780c03da3673b243b6d5a4585584e36e827d"
CANDIDATE_SHA = "440e3029b2917e747d7f337bbf79ec4d9915f816104c72e4f639397cb0e06397"
POLICY_SHA = "5f3c2a7be9a04d6f8b7f0e5a1c4d92e36b08a1f7d5c3e9b2604f8a7d1c5e3b90"
DECLARATION_SHA = "b1946ac92492d2347c6235b4d2611184b1946ac92492d2347c6235b4d2611184"


def arm(name: str = "bm25_stem.csv", sha256: str = BASELINE_SHA, **changes: Any) -> Arm:
    return Arm(
        **{
            "name": name,
            "sha256": sha256,
            "format": "generic/csv",
            "questions": 225,
            "trials": 1,
            "notes": (),
            **changes,
        }
    )


def questions(**changes: Any) -> Questions:
    plain: dict[str, Any] = {
        "paired": 225,
        "added": (),
        "removed": (),
        "edited": (),
        "candidate_missing": (),
        "baseline_missing": (),
    }
    return Questions(**{**plain, **changes})


def comparison(*metrics: MetricResult, **changes: Any) -> Comparison:
    plain: dict[str, Any] = {
        "baseline": arm(),
        "candidate": arm("lsa200.csv", CANDIDATE_SHA),
        "questions": questions(),
        "metrics": metrics or (primary(), *others()),
        "confidence": 0.95,
        "interval_method": IntervalMethod.PERCENTILE,
        "n_boot": None,
    }
    return Comparison(**{**plain, **changes})


def policy(**changes: Any) -> Policy:
    names = ("nDCG@10", "AP", "RR", "P@10", "R@100")
    plain: dict[str, Any] = {
        "primary": "nDCG@10",
        "metrics": {name: MetricPolicy(range=(0.0, 1.0)) for name in names},
        "sha256": POLICY_SHA,
    }
    return Policy(**{**plain, **changes})


def declaration(**changes: Any) -> Declaration:
    plain: dict[str, Any] = {
        "suite": "default",
        "primary_metric": "nDCG@10",
        "effect": 0.03,
        "hypothesis": "LSA finds relevant documents that share no words with the query.",
        "line": 9,
        "sha256": DECLARATION_SHA,
    }
    return Declaration(**{**plain, **changes})


def reason(
    code: str = "inconclusive",
    metric: str | None = "nDCG@10",
    text: str = "the interval includes zero",
    outcome: Outcome = Outcome.PASS,
) -> Reason:
    return Reason(code=code, metric=metric, text=text, outcome=outcome)


def answer(
    compared: Comparison | None = None,
    *,
    outcome: Outcome = Outcome.PASS,
    reasons: tuple[Reason, ...] | None = None,
    require: Requirement = Requirement.NO_REGRESSION,
    held_to: Policy | None = None,
    no_policy: bool = False,
    declared: Declaration | NotDeclared | DeclarationProblem | None = None,
    suite: str = "default",
    problem: ClearbandError | None = None,
    ungated: str | None = None,
    set_up: bool = True,
) -> Answer:
    """An answer about `compared`; the demo's, inconclusive and passed, unless told otherwise."""
    compared = compared or comparison()
    rules = None if no_policy else held_to or policy()
    name = compared.primary.name if compared.primary is not None else None
    why = (reason(metric=name),) if reasons is None else reasons
    why = tuple(replace(one, outcome=outcome) for one in why)
    known = dict(rules.metrics) if rules is not None else {}
    settled = {
        m.name: replace(
            known.get(m.name, MetricPolicy()), direction=m.direction, margin=m.margin, effect=m.effect, role=m.role
        )
        for m in compared.metrics
    }
    terms = Terms(
        policy=rules or Policy(),
        primary=name,
        require=require,
        declaration=declared if isinstance(declared, Declaration) else None,
        metrics=settled,
        n_boot=compared.n_boot,
        gated=ungated is None,
        ungated_reason=ungated,
        set_up=set_up,
    )
    judged = judge(compared, terms)
    if ungated is not None:
        outcome = Outcome.NOT_GATED
    if reasons is None and judged.outcome is outcome:
        why = judged.reasons
    return Answer(
        suite=suite,
        verdict=Verdict(outcome=outcome, reasons=why),
        comparison=compared,
        terms=terms,
        policy=rules,
        declaration=declared,
        problem=problem,
        record={"version": 1, "clearband": "0.1.0"},
    )


def stopped(
    problem: ClearbandError | None,
    *,
    declared: Declaration | NotDeclared | DeclarationProblem | None = None,
    held_to: Policy | None = None,
    outcome: Outcome = Outcome.INVALID,
    reasons: tuple[Reason, ...] | None = None,
) -> Answer:
    """An answer without a comparison."""
    why = (
        (Reason(code=problem.code, metric=None, text=problem.what, outcome=Outcome.INVALID),)
        if problem is not None
        else ()
    )
    return Answer(
        suite="default",
        verdict=Verdict(outcome=outcome, reasons=why if reasons is None else reasons),
        comparison=None,
        terms=None,
        policy=held_to,
        declaration=declared,
        problem=problem,
        record={"version": 1, "clearband": "0.1.0"},
    )


def report_mode(**changes: Any) -> Policy:
    return policy(mode=Mode.REPORT, **changes)


__all__ = [
    "accuracy",
    "answer",
    "arm",
    "comparison",
    "declaration",
    "identical",
    "improved",
    "invalid",
    "metric",
    "others",
    "policy",
    "primary",
    "questions",
    "reason",
    "regressed",
    "report_mode",
    "sparse",
    "stopped",
    "unmeasured",
]
