"""What a comparison was asked beside its files: in the record, and back out of it. Pure.

With this part, a record and the two files are enough to compute the comparison again (`clearband audit replay`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clearband.audit.record_parts import Plain, policy_part
from clearband.policy import Anchor, MetricPolicy, MustPass, Policy
from clearband.results.options import PairOptions, ReadOptions
from clearband.terms import Options
from clearband.vocabulary import (
    BaselineCommit,
    BaselineMissing,
    BaselineRuns,
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
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Everything that decides a comparison and is neither a file, nor the declaration, nor its registration."""

    policy: Policy | None
    """As it was handed in, before the declaration and the options were put in."""
    options: Options
    needs_policy: bool
    """Whether a missing policy meant that the repository was not set up yet."""
    pairwise: bool
    """Whether one file of judgements stood for both runs."""
    show_questions: ShowQuestions
    """Whether questions are named in the record."""
    look: int | None
    """Which comparison under the declaration it was; None where nobody counted."""


def asked_part(asked: Asked | None) -> Plain | None:
    """Return it as plain data; None where there was nothing to compare."""
    if asked is None:
        return None
    options = asked.options
    policy = policy_part(asked.policy, None)
    if asked.policy is not None and policy is not None:
        # The rules that held list the first ids only; here all of them are needed.
        for rule, part in zip(asked.policy.must_pass, policy["must_pass"], strict=True):
            part["ids"] = list(rule.ids)
    return {
        "policy": policy,
        "primary": options.primary,
        "effect": options.effect,
        "confidence": options.confidence,
        "interval": None if options.interval is None else options.interval.value,
        "n_boot": "ideal" if options.n_boot is None else options.n_boot,
        "seed": options.seed,
        "metrics": list(options.metrics),
        "lower_is_better": list(options.lower_is_better),
        "reading": {
            "baseline": _reading(options.reading.baseline),
            "candidate": _reading(options.reading.candidate),
        },
        "needs_policy": asked.needs_policy,
        "pairwise": asked.pairwise,
        "show_questions": asked.show_questions.value,
        "look": asked.look,
    }


def asked_of(part: Mapping[str, Any]) -> Asked:
    """Return what `asked_part` wrote.

    Raises
    ------
    KeyError, TypeError, ValueError
        It was not written by this version of the record.

    """
    return Asked(
        policy=None if part["policy"] is None else _policy(part["policy"]),
        options=Options(
            primary=part["primary"],
            effect=part["effect"],
            confidence=part["confidence"],
            interval=None if part["interval"] is None else IntervalMethod(part["interval"]),
            n_boot=None if part["n_boot"] == "ideal" else int(part["n_boot"]),
            seed=part["seed"],
            metrics=tuple(part["metrics"]),
            lower_is_better=tuple(part["lower_is_better"]),
            reading=PairOptions(
                baseline=_read_options(part["reading"]["baseline"]),
                candidate=_read_options(part["reading"]["candidate"]),
            ),
        ),
        needs_policy=part["needs_policy"],
        pairwise=part["pairwise"],
        show_questions=ShowQuestions(part["show_questions"]),
        look=part["look"],
    )


def _reading(reading: ReadOptions) -> Plain:
    """Return how one arm was read; the labels stay out, as the policy names them."""
    return {"id": reading.id_field, "series": reading.series, "task": reading.task}


def _read_options(part: Mapping[str, Any]) -> ReadOptions:
    return ReadOptions(id_field=part["id"], series=part["series"], task=part["task"])


def _policy(part: Mapping[str, Any]) -> Policy:
    anchor, shown = part["anchor"], part["show_questions"]
    return Policy(
        primary=part["primary"],
        require=Requirement(part["require"]),
        confidence=part["confidence"],
        interval=IntervalMethod(part["interval"]),
        max_lost=part["max_lost"],
        min_questions=part["min_questions"],
        allow_changed_questions=part["allow_changed_questions"],
        on_lost=OnLost(part["on_lost"]),
        cluster=part["cluster"],
        slices=tuple(part["slices"]),
        min_slice=part["min_slice"],
        slice_guardrails=part["slice_guardrails"],
        must_pass=tuple(
            MustPass(
                metric=rule["metric"],
                ids=tuple(rule["ids"]),
                field=rule["field"],
                value=rule["value"],
                passes_at=rule["passes_at"],
            )
            for rule in part["must_pass"]
        ),
        varies=frozenset(MeasurementField(name) for name in part["varies"]),
        mode=Mode(part["mode"]),
        paths=tuple(part["paths"]),
        max_looks=part["max_looks"],
        anchor=None if anchor is None else Anchor(name=anchor["name"], sha256=anchor["sha256"], gate=anchor["gate"]),
        baseline_commit=BaselineCommit(part["baseline_commit"]),
        baseline_runs=BaselineRuns(part["baseline_runs"]),
        baseline_missing=BaselineMissing(part["baseline_missing"]),
        comment_template=part["comment_template"],
        ledger=LedgerMode(part["ledger"]),
        override_by_author=part["override_by_author"],
        show_questions=None if shown is None else ShowQuestions(shown),
        metrics={name: _metric(rules) for name, rules in part["metrics"].items()},
        sha256=part["sha256"],
    )


def _metric(part: Mapping[str, Any]) -> MetricPolicy:
    return MetricPolicy(
        direction=Direction(part["direction"]),
        range=None if part["range"] is None else (part["range"][0], part["range"][1]),
        unit=part["unit"],
        margin=part["margin"],
        effect=part["effect"],
        statistic=Statistic(part["statistic"]),
        budget=part["budget"],
        reducer=Reducer(part["reducer"]),
        k=part["k"],
        directed=part["directed"],
        role=Role(part["role"]),
    )
