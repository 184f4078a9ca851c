"""Pairing: which questions two runs share, and for each metric which of them count.

Questions pair by id, in canonical order (sorted by id), so that no number depends on the order of rows in a file.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from clearband.comparison import Lost, Questions
from clearband.errors import UnusableResults

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from clearband.results.run import Run


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricPairs:
    """One metric's values on the questions that both runs scored."""

    name: str
    ids: tuple[str, ...]
    """Ids of the paired questions, sorted."""
    rows: NDArray[np.int64]
    """Shape (n,): places of the paired questions among the questions common to both runs."""
    baseline: NDArray[np.float64]
    """Shape (n,), finite; question by question with `candidate`."""
    candidate: NDArray[np.float64]
    not_applicable: int
    baseline_only: NDArray[np.float64]
    """Baseline values of the questions that the candidate lost."""
    candidate_only: NDArray[np.float64]
    """Candidate values of the questions that the baseline lost."""
    missing_from: str | None
    """Name of the file that does not hold the metric at all; None where both do."""

    @property
    def n(self) -> int:
        """Number of paired questions."""
        return len(self.ids)

    @property
    def lost(self) -> Lost:
        """How many questions each arm lost."""
        return Lost(candidate_missing=self.baseline_only.size, baseline_missing=self.candidate_only.size)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """Two runs, paired."""

    questions: Questions
    metrics: tuple[MetricPairs, ...]
    """In the order of the baseline file, then what only the candidate holds."""


def pair(baseline: Run, candidate: Run, *, allow_changed_questions: bool = False, only: Sequence[str] = ()) -> Pairs:
    """Pair two runs question by question.

    Parameters
    ----------
    baseline, candidate
        The two runs.
    allow_changed_questions
        The policy's consent to questions that are gone: they are removed then, and lost otherwise.
    only
        Names of the metrics to pair; empty for all.

    Raises
    ------
    UnusableResults
        If the runs share no question, or no question has a value in both for any metric, or `only` names a metric
        that neither holds.

    """
    in_candidate = {question: index for index, question in enumerate(candidate.ids)}
    in_baseline = set(baseline.ids)
    common = sorted(question for question in baseline.ids if question in in_candidate)
    if not common:
        raise _no_common_question(baseline, candidate)
    absent = sorted(question for question in baseline.ids if question not in in_candidate)
    place = {question: index for index, question in enumerate(baseline.ids)}
    rows = _Rows(
        ids=np.array(common, dtype=object),
        baseline=np.fromiter((place[question] for question in common), np.int64, len(common)),
        candidate=np.fromiter((in_candidate[question] for question in common), np.int64, len(common)),
        absent=np.fromiter((place[question] for question in absent), np.int64, len(absent)),
    )
    if allow_changed_questions:
        rows = rows.without_absent()
    names = _names(baseline, candidate, only)
    metrics, gone, new = [], np.zeros(len(common), dtype=bool), np.zeros(len(common), dtype=bool)
    for name in names:
        metric, candidate_lacks, baseline_lacks = _pair_metric(name, baseline, candidate, rows)
        metrics.append(metric)
        if metric.missing_from is None:
            gone |= candidate_lacks
            new |= baseline_lacks
    if all(metric.missing_from is not None for metric in metrics):
        raise UnusableResults(
            f"{baseline.name} and {candidate.name} have no metric in common",
            remedy=f"Metrics in {baseline.name}: {_listed(baseline.metrics)}; in {candidate.name}: "
            f"{_listed(candidate.metrics)}.",
        )
    if not any(metric.n for metric in metrics):
        raise UnusableResults(
            f"No question has a value in both {baseline.name} and {candidate.name} for any metric",
            remedy="Every question is lost. Check that both files come from the same kind of run and that scoring "
            "did not fail in one of them.",
        )
    lost_by_candidate = rows.ids[gone].tolist() + ([] if allow_changed_questions else absent)
    return Pairs(
        questions=Questions(
            paired=len(common),
            added=tuple(sorted(question for question in candidate.ids if question not in in_baseline)),
            removed=tuple(absent) if allow_changed_questions else (),
            edited=(),
            candidate_missing=tuple(sorted(lost_by_candidate)),
            baseline_missing=tuple(rows.ids[new].tolist()),
        ),
        metrics=tuple(metrics),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rows:
    """Row numbers of the common questions in both runs, in canonical order, and of those absent from the candidate."""

    ids: NDArray[np.object_]
    baseline: NDArray[np.int64]
    candidate: NDArray[np.int64]
    absent: NDArray[np.int64]

    def without_absent(self) -> _Rows:
        return _Rows(ids=self.ids, baseline=self.baseline, candidate=self.candidate, absent=self.absent[:0])


def _names(baseline: Run, candidate: Run, only: Sequence[str]) -> list[str]:
    names = list(baseline.metrics) + [name for name in candidate.metrics if name not in baseline.metrics]
    unknown = [name for name in only if name not in names]
    if unknown:
        raise UnusableResults(
            f"Neither {baseline.name} nor {candidate.name} holds the metric {unknown[0]!r}",
            remedy=f"Metrics there are: {_listed(names)}.",
        )
    return [name for name in names if not only or name in only]


def _listed(names: Iterable[str]) -> str:
    some = list(islice(names, 12))
    return ", ".join(map(repr, some[:11])) + (", ..." if len(some) > 11 else "")


def _pair_metric(
    name: str, baseline: Run, candidate: Run, rows: _Rows
) -> tuple[MetricPairs, NDArray[np.bool_], NDArray[np.bool_]]:
    """Pair one metric; also tell which common questions the candidate and the baseline lack."""
    nothing = np.zeros(rows.ids.size, dtype=bool)
    if name not in baseline.metrics or name not in candidate.metrics:
        empty = np.zeros(0)
        lacking = candidate if name in baseline.metrics else baseline
        return (
            MetricPairs(
                name=name, ids=(), rows=np.zeros(0, dtype=np.int64), baseline=empty, candidate=empty, not_applicable=0,
                baseline_only=empty, candidate_only=empty, missing_from=lacking.name,
            ),
            nothing,
            nothing,
        )  # fmt: skip
    before, after = baseline.metrics[name][rows.baseline], candidate.metrics[name][rows.candidate]
    has_before, has_after = np.isfinite(before), np.isfinite(after)
    both, candidate_lacks, baseline_lacks = has_before & has_after, has_before & ~has_after, ~has_before & has_after
    absent = baseline.metrics[name][rows.absent]
    metric = MetricPairs(
        name=name,
        ids=tuple(rows.ids[both].tolist()),
        rows=np.flatnonzero(both),
        baseline=before[both],
        candidate=after[both],
        not_applicable=int((~has_before & ~has_after).sum()),
        baseline_only=np.concatenate((before[candidate_lacks], absent[np.isfinite(absent)])),
        candidate_only=after[baseline_lacks],
        missing_from=None,
    )
    return metric, candidate_lacks, baseline_lacks


def _no_common_question(baseline: Run, candidate: Run) -> UnusableResults:
    def example(run: Run) -> str:
        return ", ".join(repr(question) for question in run.ids[:3])

    return UnusableResults(
        f"{baseline.name} and {candidate.name} have no question in common",
        remedy=f"Ids in {baseline.name}: {example(baseline)} ...; in {candidate.name}: {example(candidate)} ... "
        "If another field identifies the question in both files, name it with --id FIELD.",
    )
