"""Two runs and the terms in, the comparison of every metric out. Pure."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from clearband.comparison import Arm, Comparison
from clearband.measure import measure
from clearband.pairing import pair
from clearband.stats.differences import paired_differences
from clearband.stats.family import Family, Member, family, holm
from clearband.stats.interval import exact_alpha
from clearband.vocabulary import Direction, Role, State

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clearband.comparison import MetricResult
    from clearband.pairing import MetricPairs
    from clearband.policy import MetricPolicy
    from clearband.results.run import Run
    from clearband.terms import Terms

_CANNOT_CLEAR = frozenset({State.INVALID, State.IDENTICAL, State.TOO_SPARSE})


def compare_runs(
    baseline: Run,
    candidate: Run,
    terms: Terms,
    *,
    only: Sequence[str] = (),
    progress: Callable[[str, float], None] | None = None,
) -> Comparison:
    """Compare two runs on every metric.

    Parameters
    ----------
    baseline, candidate
        The two runs.
    terms
        The rules of this comparison.
    only
        Names of the metrics to compare; empty for all.
    progress
        Called with the metric's name and the share of all work done.

    Raises
    ------
    UnusableResults
        If the runs cannot be paired at all.

    """
    pairs = pair(baseline, candidate, allow_changed_questions=terms.policy.allow_changed_questions, only=only)
    results: list[MetricResult] = []
    for metric in pairs.metrics:
        done = len(results)

        def report(share: float, name: str = metric.name, done: int = done) -> None:
            if progress is not None:
                progress(name, (done + share) / len(pairs.metrics))

        report(0.0)
        results.append(measure(metric, terms, progress=report))
    together, results = _together(pairs.metrics, results, pairs.questions.paired, terms)
    order = list(Role)
    return Comparison(
        baseline=_arm(baseline),
        candidate=_arm(candidate),
        questions=pairs.questions,
        metrics=tuple(sorted(results, key=lambda result: order.index(result.role))),
        confidence=terms.policy.confidence,
        interval_method=terms.policy.interval,
        n_boot=terms.n_boot,
        family=together,
    )


def _together(
    pairs: Sequence[MetricPairs], results: Sequence[MetricResult], questions: int, terms: Terms
) -> tuple[Family | None, list[MetricResult]]:
    """Return the family of all metrics that can clear, and the results with what it says of each."""
    alpha = exact_alpha(terms.policy.confidence)
    able, members = [], []
    for place, result in enumerate(results):
        member = None if result.state in _CANNOT_CLEAR else _member(pairs[place], terms.of(pairs[place].name))
        if member is not None:
            able.append(place)
            members.append(member)
    together = family(members, questions=questions, alpha=alpha)
    joined = list(results)
    if together is None:
        return None, joined
    for place, member in zip(able, members, strict=True):
        delta = results[place].delta or 0.0
        reach = together.critical * float(member.differences.std() / math.sqrt(member.differences.size))
        joined[place] = replace(joined[place], simultaneous_interval=(delta - reach, delta + reach))
    exploring = [place for place in able if results[place].role is Role.EXPLORATORY]
    for place, p in zip(exploring, holm([results[place].p_two_sided or 0.0 for place in exploring]), strict=True):
        joined[place] = replace(joined[place], p_holm=p)
    return together, joined


def _member(pairs: MetricPairs, rules: MetricPolicy) -> Member | None:
    """Return the metric as one of the family; None for a constant change, which correlates with nothing."""
    differences = paired_differences(pairs.baseline, pairs.candidate, value_range=rules.range)
    if differences.is_constant:
        return None
    worse = {Direction.HIGHER: -1, Direction.LOWER: 1, Direction.NEUTRAL: 0}[rules.direction]
    return Member(rows=pairs.rows, differences=differences.values, worse=worse)


def _arm(run: Run) -> Arm:
    return Arm(
        name=run.name,
        sha256=run.sha256,
        format=run.format,
        questions=len(run.ids),
        trials=run.trials,
        notes=run.notes,
    )
