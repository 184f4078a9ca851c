"""Slices: every metric again on the questions of one topic, language or whatever the policy names. Pure.

A slice is always reported. It blocks only where the policy says `slice_guardrails`, the metric is gated, the slice has
enough questions, and the slice is wholly worse, beyond the margin, also after Holm's correction over all such slices.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from clearband.comparison import SliceResult
from clearband.errors import UnusableResults
from clearband.estimate import beyond_budget, estimate
from clearband.measure import why_invalid
from clearband.plain_text import shown
from clearband.state import flags_of, state_of
from clearband.stats.family import holm
from clearband.stats.interval import exact_alpha
from clearband.vocabulary import Flag, Role, State

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clearband.pairing import MetricPairs, Pairs
    from clearband.terms import Terms

MOST_VALUES: Final = 100
"""Values of one field: more are identifiers, not slices."""


def slices(pairs: Pairs, terms: Terms) -> tuple[SliceResult, ...]:
    """Measure every metric on every slice that the policy names.

    Raises
    ------
    UnusableResults
        A field has more values than slices can have.

    """
    results = [result for field in terms.policy.slices for result in _of_field(pairs, field, terms)]
    able = [place for place, result in enumerate(results) if _may_block(result, terms)]
    alpha = exact_alpha(terms.policy.confidence)
    for place, p in zip(able, holm([results[place].p_two_sided or 0.0 for place in able]), strict=True):
        worse = results[place].state is State.REGRESSED and results[place].beyond_margin and p < alpha
        results[place] = replace(results[place], p_holm=p, worse=worse)
    return tuple(results)


def _may_block(result: SliceResult, terms: Terms) -> bool:
    gated = terms.policy.slice_guardrails and terms.of(result.metric).role is not Role.EXPLORATORY
    return gated and result.n >= terms.policy.min_slice and result.p_two_sided is not None


def _of_field(pairs: Pairs, field: str, terms: Terms) -> Iterator[SliceResult]:
    texts = pairs.labels[field]
    values = sorted({text for text in texts if text is not None})
    if len(values) > MOST_VALUES:
        raise UnusableResults(
            f"The slice field {shown(field)} has {len(values):,} different values",
            remedy=f"A slice is a group of questions: at most {MOST_VALUES} are reported. Name a coarser field in the "
            "policy's `slices`.",
        )
    labels = np.array(texts, dtype=object)
    for value in values:
        inside = labels == value
        for metric in pairs.metrics:
            yield _of_slice(metric.only(inside[metric.rows]), field, value, terms)


def _of_slice(pairs: MetricPairs, field: str, value: str, terms: Terms) -> SliceResult:
    rules = terms.of(pairs.name)
    empty = SliceResult(
        field=field, value=value, metric=pairs.name, n=pairs.n, baseline_mean=None, candidate_mean=None, delta=None,
        interval=None, state=State.INVALID, why=None, p_two_sided=None, beyond_margin=False, p_holm=None, worse=False,
    )  # fmt: skip
    invalid = why_invalid(pairs, terms)
    if invalid is not None:
        return replace(empty, why=invalid)
    found = estimate(pairs, rules, terms)
    state, why = state_of(found, rules, terms)
    budget = None if rules.budget is None else beyond_budget(pairs, rules, terms)
    flags = flags_of(found, state, rules, beyond_budget=budget)
    return replace(
        empty,
        baseline_mean=found.baseline,
        candidate_mean=found.candidate,
        delta=found.delta,
        interval=(found.ends.low, found.ends.high),
        state=state,
        why=why,
        p_two_sided=found.ends.p_two_sided,
        beyond_margin=Flag.WORSE_THAN_MARGIN in flags,
    )


def worst(results: Sequence[SliceResult], metric: str, *, lower_is_better: bool) -> SliceResult | None:
    """Return the slice on which a metric lost most, among those with an interval; None where none lost."""
    measured = [result for result in results if result.metric == metric and result.delta is not None]
    sign = -1.0 if lower_is_better else 1.0
    lost = [result for result in measured if sign * (result.delta or 0.0) < 0.0]
    return min(lost, key=lambda result: sign * (result.delta or 0.0), default=None)
