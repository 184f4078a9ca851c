"""Which metrics made the verdict what it is: asked of the gate itself, so that the words cannot drift from it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from clearband.gate import judge
from clearband.vocabulary import Outcome, Role

if TYPE_CHECKING:
    from clearband.comparison import Comparison, MetricResult
    from clearband.terms import Terms


def alone(metric: MetricResult, comparison: Comparison, terms: Terms) -> Outcome:
    """Return the outcome if `metric` were the only gated one."""
    own = replace(
        terms,
        gated=True,
        ungated_reason=None,
        primary=metric.name if metric.role is Role.PRIMARY else None,
        metrics={metric.name: terms.of(metric.name)},
    )
    return judge(replace(comparison, metrics=(metric,)), own).outcome


def deciding(comparison: Comparison, terms: Terms | None, outcome: Outcome) -> frozenset[str]:
    """Return the names of the metrics that alone give `outcome`; none for a verdict that stops nothing."""
    if terms is None or outcome in {Outcome.PASS, Outcome.NOT_GATED}:
        return frozenset()
    gated = (metric for metric in comparison.metrics if metric.role is not Role.EXPLORATORY)
    return frozenset(metric.name for metric in gated if alone(metric, comparison, terms) is outcome)


def if_gated(comparison: Comparison, terms: Terms | None) -> Outcome | None:
    """Return what the outcome would be if the comparison were gated; None where no metric could decide."""
    if terms is None or terms.primary is None:
        return None
    return judge(comparison, replace(terms, gated=True, ungated_reason=None)).outcome
