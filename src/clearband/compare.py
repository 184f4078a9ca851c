"""Two runs and the terms in, the comparison of every metric out. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clearband.comparison import Arm, Comparison
from clearband.measure import measure
from clearband.pairing import pair
from clearband.vocabulary import Role

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clearband.comparison import MetricResult
    from clearband.results.run import Run
    from clearband.terms import Terms


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
    order = list(Role)
    return Comparison(
        baseline=_arm(baseline),
        candidate=_arm(candidate),
        questions=pairs.questions,
        metrics=tuple(sorted(results, key=lambda result: order.index(result.role))),
        confidence=terms.policy.confidence,
        interval_method=terms.policy.interval,
        n_boot=terms.n_boot,
    )


def _arm(run: Run) -> Arm:
    return Arm(
        name=run.name,
        sha256=run.sha256,
        format=run.format,
        questions=len(run.ids),
        trials=run.trials,
        notes=run.notes,
    )
