"""Two runs and the terms in, the comparison of every metric out. Pure."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np

from clearband.comparability import comparability
from clearband.comparison import Arm, Comparison
from clearband.measure import measure
from clearband.must_pass import must_pass
from clearband.pairing import pair
from clearband.slices import slices
from clearband.stats.family import Family, Member, family, holm
from clearband.stats.interval import exact_alpha
from clearband.vocabulary import Direction, Role, State

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from clearband.comparison import MetricResult
    from clearband.measure import Measured
    from clearband.results.run import Run
    from clearband.terms import Terms
    from clearband.vocabulary import MeasurementField

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
    terms = terms.told(baseline.directions, candidate.directions)
    pairs = pair(
        baseline,
        candidate,
        allow_changed_questions=terms.policy.allow_changed_questions,
        only=only,
        rules=terms.metrics,
        cluster=terms.policy.cluster,
        label_fields=terms.policy.labels,
    )
    measured: list[Measured] = []
    for metric in pairs.metrics:
        done = len(measured)

        def report(share: float, name: str = metric.name, done: int = done) -> None:
            if progress is not None:
                progress(name, (done + share) / len(pairs.metrics))

        report(0.0)
        measured.append(measure(metric, terms, progress=report))
    measurement = comparability(baseline, candidate, terms.policy)
    apart = [line.field for line in measurement if line.differs and not line.may_vary]
    if apart:
        measured = [_not_comparable(metric, apart) for metric in measured]
    together, results = _together(measured, pairs.questions.paired, terms)
    order = list(Role)
    return Comparison(
        baseline=_arm(baseline),
        candidate=_arm(candidate),
        questions=replace(pairs.questions, set_sha256=_set_digest(baseline)),
        metrics=tuple(sorted(results, key=lambda result: order.index(result.role))),
        confidence=terms.policy.confidence,
        interval_method=terms.policy.interval,
        n_boot=terms.n_boot,
        family=together,
        slices=() if apart else slices(pairs, terms),
        must_pass=() if apart else must_pass(pairs, terms),
        measurement=measurement,
        cluster=terms.policy.cluster,
    )


def _not_comparable(metric: Measured, apart: Sequence[MeasurementField]) -> Measured:
    """Return the metric without anything to decide: the two values were not measured alike."""
    why = f"not comparable: another {', '.join(apart)}"
    result = replace(metric.result, state=State.INVALID, why=why, flags=(), cleared=False, worst_case_state=None)
    return replace(metric, result=result)


def _together(measured: Sequence[Measured], questions: int, terms: Terms) -> tuple[Family | None, list[MetricResult]]:
    """Return the family of all metrics that can clear, and the results with what it says of each."""
    alpha = exact_alpha(terms.policy.confidence)
    joined = [metric.result for metric in measured]
    able, members = [], []
    for place, metric in enumerate(measured):
        if metric.influence is not None and metric.result.state not in _CANNOT_CLEAR:
            able.append(place)
            members.append(_member(metric, metric.influence))
    together = family(members, units=questions, alpha=alpha)
    if together is None:
        return None, joined
    for place in able:
        delta, reach = joined[place].delta or 0.0, together.critical * measured[place].standard_error
        joined[place] = replace(joined[place], simultaneous_interval=(delta - reach, delta + reach))
    exploring = [place for place in able if joined[place].role is Role.EXPLORATORY]
    for place, p in zip(exploring, holm([joined[place].p_two_sided or 0.0 for place in exploring]), strict=True):
        joined[place] = replace(joined[place], p_holm=p)
    return together, joined


def _member(metric: Measured, influence: NDArray[np.float64]) -> Member:
    """Return the metric as one of the family; its units are questions, or clusters by their number."""
    pairs = metric.pairs
    rows = pairs.rows if pairs.clusters is None else np.unique(pairs.clusters)
    worse = {Direction.HIGHER: -1, Direction.LOWER: 1, Direction.NEUTRAL: 0}[metric.result.direction]
    return Member(rows=rows, influence=influence, worse=worse)


def _set_digest(run: Run) -> str:
    """Return what names an eval set: the questions that the baseline was asked, in whatever order."""
    return sha256(json.dumps(sorted(run.ids), separators=(",", ":")).encode("ascii")).hexdigest()


def _arm(run: Run) -> Arm:
    return Arm(
        name=run.name,
        sha256=run.sha256,
        format=run.format,
        questions=len(run.ids),
        trials=run.trials,
        notes=run.notes,
        key=run.key,
        by_position=run.by_position,
        filled=run.filled,
        filler_sha256=run.filler_sha256,
    )
