"""Must-pass questions: none may newly fail. By count, without an interval: one broken promise is one too many."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from clearband.comparison import MustPassResult
from clearband.vocabulary import Direction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clearband.pairing import Pairs
    from clearband.policy import MetricPolicy, MustPass
    from clearband.terms import Terms


def must_pass(pairs: Pairs, terms: Terms) -> tuple[MustPassResult, ...]:
    """Look at every must-pass rule of the policy."""
    return tuple(_look(rule, pairs, terms) for rule in terms.policy.must_pass)


def _look(rule: MustPass, pairs: Pairs, terms: Terms) -> MustPassResult:
    rules = terms.of(rule.metric)
    questions = _questions(rule, pairs)
    metric = next((metric for metric in pairs.metrics if metric.name == rule.metric), None)
    scored: dict[str, tuple[float, float]] = {}
    baseline_lacks: dict[str, float] = {}
    if metric is not None:
        scored = dict(
            zip(metric.ids, zip(metric.baseline.tolist(), metric.candidate.tolist(), strict=True), strict=True)
        )
        lost_by_baseline = metric.lost_ids[metric.baseline_only.size :]
        baseline_lacks = dict(zip(lost_by_baseline, metric.candidate_only.tolist(), strict=True))
    failing, unknown = [], []
    for question in questions:
        before, after = scored.get(question, (math.nan, baseline_lacks.get(question, math.nan)))
        if _passes(after, rule, rules):
            continue
        if math.isnan(after) or math.isnan(before):
            unknown.append(question)
        elif _passes(before, rule, rules):
            failing.append(question)
    return MustPassResult(
        metric=rule.metric,
        questions=f"{rule.field} = {rule.value}" if rule.field is not None else _counted(len(questions)),
        n=len(questions),
        newly_failing=tuple(failing),
        cannot_tell=tuple(unknown),
    )


def _questions(rule: MustPass, pairs: Pairs) -> Sequence[str]:
    """Return the questions of a rule, sorted; those that the candidate dropped or edited are among them."""
    if rule.field is None:
        return sorted(rule.ids)
    labelled = np.array(pairs.labels[rule.field], dtype=object) == rule.value
    here = [question for question, inside in zip(pairs.ids, labelled.tolist(), strict=True) if inside]
    gone = [question for question, text in pairs.unpaired_labels.get(rule.field, {}).items() if text == rule.value]
    return sorted([*here, *gone])


def _passes(value: float, rule: MustPass, rules: MetricPolicy) -> bool:
    """Tell whether a value passes; NaN never does."""
    if rules.direction is Direction.LOWER:
        at_most = rule.passes_at if rule.passes_at is not None else (rules.range[0] if rules.range else 0.0)
        return value <= at_most
    at_least = rule.passes_at if rule.passes_at is not None else (rules.range[1] if rules.range else 1.0)
    return value >= at_least


def _counted(count: int) -> str:
    return "1 question" if count == 1 else f"{count:,} questions"
