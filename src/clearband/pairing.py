"""Pairing: which questions two runs share, and for each metric which of them count.

Questions pair by id, in canonical order (sorted by id), so that no number depends on the order of rows in a file.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from clearband.comparison import Lost, Questions
from clearband.errors import UnusableResults
from clearband.matching import labels, match
from clearband.policy import MetricPolicy
from clearband.reduction import Reduced, TrialNoise, reduce, trial_noise

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from clearband.matching import Matched
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
    clusters: NDArray[np.int64] | None = None
    """Shape (n,): the cluster of each paired question as a number; None where questions are resampled one by one."""
    lost_ids: tuple[str, ...] = ()
    """Ids behind `baseline_only`, then those behind `candidate_only`."""
    withdrawn: int = 0
    """Questions with a baseline value that were removed or edited with the policy's consent."""
    refused: str | None = None
    """Why the trials cannot be reduced to one value per question; None where they can."""
    noise: TrialNoise | None = None
    """What the trials add to the spread; None unless both arms have several."""

    @property
    def n(self) -> int:
        """Number of paired questions."""
        return len(self.ids)

    @property
    def lost(self) -> Lost:
        """How many questions each arm lost."""
        return Lost(candidate_missing=self.baseline_only.size, baseline_missing=self.candidate_only.size)

    def only(self, chosen: NDArray[np.bool_]) -> MetricPairs:
        """Return the paired questions that are `chosen` (shape (n,)); nothing of it is lost."""
        return replace(
            self,
            ids=tuple(question for question, keep in zip(self.ids, chosen.tolist(), strict=True) if keep),
            rows=self.rows[chosen],
            baseline=self.baseline[chosen],
            candidate=self.candidate[chosen],
            clusters=None if self.clusters is None else self.clusters[chosen],
            not_applicable=0,
            baseline_only=np.zeros(0),
            candidate_only=np.zeros(0),
            lost_ids=(),
            withdrawn=0,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """Two runs, paired."""

    questions: Questions
    metrics: tuple[MetricPairs, ...]
    """In the order of the baseline file, then what only the candidate holds."""
    ids: tuple[str, ...]
    """Ids of the common questions, sorted; `MetricPairs.rows` are places in it."""
    labels: Mapping[str, list[str | None]]
    """Label by label, the text of each common question."""
    unpaired_labels: Mapping[str, Mapping[str, str | None]]
    """Label by label, the text of each question that the candidate does not hold, or holds edited, by id, as the
    baseline tells."""


def pair(
    baseline: Run,
    candidate: Run,
    *,
    allow_changed_questions: bool = False,
    only: Sequence[str] = (),
    rules: Mapping[str, MetricPolicy] | None = None,
    cluster: str | None = None,
    label_fields: Sequence[str] = (),
) -> Pairs:
    """Pair two runs question by question.

    Parameters
    ----------
    baseline, candidate
        The two runs.
    allow_changed_questions
        The policy's consent to questions that are gone or reworded: they are removed or edited then.
    only
        Names of the metrics to pair; empty for all.
    rules
        Metric name to its rules, for the reducers; the defaults where it says nothing.
    cluster
        The label that makes clusters; None to resample questions.
    label_fields
        Labels to bring along.

    Raises
    ------
    UnusableResults
        If the runs cannot be matched, or no question has a value in both for any metric, or `only` names a metric
        that neither holds, or a label is in neither run.

    """
    names = _names(baseline, candidate, only)
    matched = match(baseline, candidate, allow_changed_questions=allow_changed_questions)
    fields = dict.fromkeys([*([cluster] if cluster else []), *label_fields])
    texts = {field: labels(matched, baseline, candidate, field) for field in fields}
    arms = _Arms(
        baseline=baseline,
        candidate=candidate,
        matched=matched,
        ids=tuple(matched.ids.tolist()),
        rows=np.arange(matched.ids.size),
        consent=allow_changed_questions,
        clusters=None if cluster is None else _codes(texts[cluster]),
    )
    common = matched.ids.size
    metrics, gone, new = [], np.zeros(common, dtype=bool), np.zeros(common, dtype=bool)
    for name in names:
        metric, candidate_lacks, baseline_lacks = arms.pair(name, (rules or {}).get(name, MetricPolicy()))
        metrics.append(metric)
        if metric.missing_from is None:
            gone |= candidate_lacks
            new |= baseline_lacks
    _check_any(metrics, baseline, candidate)
    lost_by_candidate = matched.ids[gone].tolist() + ([] if allow_changed_questions else list(matched.absent_ids))
    return Pairs(
        questions=Questions(
            paired=common,
            added=matched.added,
            removed=matched.absent_ids if allow_changed_questions else (),
            edited=matched.edited,
            candidate_missing=tuple(sorted(lost_by_candidate)),
            baseline_missing=tuple(matched.ids[new].tolist()),
        ),
        metrics=tuple(metrics),
        ids=arms.ids,
        labels=texts,
        unpaired_labels={field: _unpaired(baseline, matched, field) for field in texts},
    )


def _unpaired(baseline: Run, matched: Matched, field: str) -> dict[str, str | None]:
    texts = baseline.labels.get(field)
    if texts is None:
        return {}
    questions = zip((*matched.absent_ids, *matched.edited), (*matched.absent, *matched.edited_rows), strict=True)
    return {question: texts[row] for question, row in questions}


def _codes(texts: list[str | None]) -> NDArray[np.int64]:
    """Return a number for each cluster; a question without one is a cluster of its own."""
    names = [f"= {text}" if text is not None else f"alone {place}" for place, text in enumerate(texts)]
    codes: NDArray[np.int64] = np.unique(names, return_inverse=True)[1].astype(np.int64)
    return codes


def _check_any(metrics: list[MetricPairs], baseline: Run, candidate: Run) -> None:
    """Refuse two runs of which nothing at all can be compared."""
    if all(metric.missing_from is not None for metric in metrics):
        raise UnusableResults(
            f"{baseline.name} and {candidate.name} have no metric in common",
            remedy=f"Metrics in {baseline.name}: {_listed(baseline.metrics)}; in {candidate.name}: "
            f"{_listed(candidate.metrics)}.",
        )
    if not any(metric.n or metric.refused for metric in metrics):
        raise UnusableResults(
            f"No question has a value in both {baseline.name} and {candidate.name} for any metric",
            remedy="Every question is lost. Check that both files come from the same kind of run and that scoring "
            "did not fail in one of them.",
        )


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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Arms:
    """Two matched runs, metric by metric."""

    baseline: Run
    candidate: Run
    matched: Matched
    consent: bool
    ids: tuple[str, ...]
    """The common questions; most metrics have them all, and share this and `rows` then."""
    rows: NDArray[np.int64]
    clusters: NDArray[np.int64] | None

    def pair(self, name: str, rules: MetricPolicy) -> tuple[MetricPairs, NDArray[np.bool_], NDArray[np.bool_]]:
        """Pair one metric; also tell which common questions the candidate and the baseline lack."""
        if name not in self.baseline.metrics or name not in self.candidate.metrics:
            lacking = self.candidate if name in self.baseline.metrics else self.baseline
            return self._empty(name, missing_from=lacking.name)
        before, after = reduce(self.baseline, name, rules), reduce(self.candidate, name, rules)
        refused = _refusal(before, after, self.baseline.name, self.candidate.name)
        if isinstance(before, str) or isinstance(after, str) or refused is not None:
            return self._empty(name, refused=refused)
        return self._paired(name, before, after)

    def _paired(
        self, name: str, before: Reduced, after: Reduced
    ) -> tuple[MetricPairs, NDArray[np.bool_], NDArray[np.bool_]]:
        matched = self.matched
        mine, yours = before.values[matched.baseline], after.values[matched.candidate]
        has_mine, has_yours = np.isfinite(mine), np.isfinite(yours)
        both, candidate_lacks, baseline_lacks = has_mine & has_yours, has_mine & ~has_yours, ~has_mine & has_yours
        all_there = bool(both.all())
        absent = np.isfinite(before.values[matched.absent])
        gone = matched.absent[absent & (not self.consent)]
        gone_ids = [matched.absent_ids[place] for place in np.flatnonzero(absent & (not self.consent)).tolist()]
        metric = MetricPairs(
            name=name,
            ids=self.ids if all_there else tuple(matched.ids[both].tolist()),
            rows=self.rows if all_there else np.flatnonzero(both),
            baseline=mine if all_there else mine[both],
            candidate=yours if all_there else yours[both],
            not_applicable=int((~has_mine & ~has_yours).sum()),
            baseline_only=np.concatenate((mine[candidate_lacks], before.values[gone])),
            candidate_only=yours[baseline_lacks],
            missing_from=None,
            clusters=None if self.clusters is None else self.clusters[both],
            lost_ids=(*matched.ids[candidate_lacks].tolist(), *gone_ids, *matched.ids[baseline_lacks].tolist()),
            withdrawn=(int(absent.sum()) if self.consent else 0) + len(matched.edited),
            noise=trial_noise(before, after, matched.baseline[both], matched.candidate[both]),
        )
        return metric, candidate_lacks, baseline_lacks

    def _empty(
        self, name: str, *, missing_from: str | None = None, refused: str | None = None
    ) -> tuple[MetricPairs, NDArray[np.bool_], NDArray[np.bool_]]:
        nothing = np.zeros(self.matched.ids.size, dtype=bool)
        none = np.zeros(0)
        metric = MetricPairs(
            name=name, ids=(), rows=np.zeros(0, dtype=np.int64), baseline=none, candidate=none, not_applicable=0,
            baseline_only=none, candidate_only=none, missing_from=missing_from, refused=refused,
        )  # fmt: skip
        return metric, nothing, nothing


def _refusal(before: Reduced | str, after: Reduced | str, baseline: str, candidate: str) -> str | None:
    """Return why two reductions cannot be compared: one failed, or only one arm tried again after a failure."""
    for reduced in (before, after):
        if isinstance(reduced, str):
            return reduced
    rules = [None if isinstance(reduced, str) else reduced.retried for reduced in (before, after)]
    if rules[0] == rules[1]:
        return None
    said = [f"up to {rule} attempts, stopping at the first pass" if rule else "no such retries" for rule in rules]
    return (
        f"attempts were repeated until they passed, and not by the same rule: {baseline} has {said[0]}, "
        f"{candidate} has {said[1]}"
    )
