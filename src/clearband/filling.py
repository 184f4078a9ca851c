"""Filling: a second file gives values to questions that a run lost; it never replaces a score."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from clearband.comparability import require_alike
from clearband.errors import UnusableResults

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clearband.results.run import Run, Trials


def fill(run: Run, filler: Run) -> Run:
    """Return `run` with the values of `filler` where it has none.

    Questions that only the filler holds are appended; scores that the run has stay what they are, whatever the filler
    says of them. A filled value counts as one trial.

    Raises
    ------
    UnusableResults
        The filler has no value for any lost question, was measured differently, or holds other questions under the
        same ids.

    """
    require_alike(
        run,
        filler,
        purpose="cannot fill",
        remedy="A filling file is a run of the lost questions with the same system, measured the same way.",
    )
    place = {question: row for row, question in enumerate(run.ids)}
    new = [question for question in filler.ids if question not in place]
    ids = (*run.ids, *new)
    rows = np.fromiter((place.get(question, -1) for question in filler.ids), np.int64, len(filler.ids))
    rows[rows < 0] = len(run.ids) + np.arange(len(new))
    metrics, filled_rows = {}, np.zeros(len(ids), dtype=np.bool_)
    trials_of = dict(run.trials_of)
    for name, values in run.metrics.items():
        grown = np.concatenate((values, np.full(len(new), np.nan)))
        offered = np.full(len(ids), np.nan)
        if name in filler.metrics:
            offered[rows] = filler.metrics[name]
        taken = np.isnan(grown) & ~np.isnan(offered)
        metrics[name] = np.where(taken, offered, grown)
        filled_rows |= taken
        if name in trials_of:
            trials_of[name] = _with(trials_of[name], np.flatnonzero(taken), offered[taken])
    filled = int(filled_rows.sum())
    if not filled:
        raise UnusableResults(
            f"{filler.name} fills nothing: it has no value for any question that {run.name} lost",
            remedy="A filling file holds the questions that failed, with the same ids. Scores that are there "
            "already are never replaced; to compare the new run, hand it in as the candidate.",
        )
    return replace(
        run,
        ids=ids,
        metrics=metrics,
        errored=np.concatenate((run.errored, np.zeros(len(new), dtype=np.bool_))) & ~filled_rows,
        trials_of=trials_of,
        labels={name: _grown(texts, filler.labels.get(name), new, filler) for name, texts in run.labels.items()},
        content=None if run.content is None else _grown(run.content, filler.content, new, filler),
        filled=filled,
        filler_sha256=filler.sha256,
        notes=(*run.notes, f"{filler.name} filled {filled:,} lost questions; it replaced no score."),
    )


def _with(trials: Trials, questions: NDArray[np.int64], values: NDArray[np.float64]) -> Trials:
    """Return the trials with one more for each of the questions, which had none."""
    merged = np.concatenate((trials.question, questions))
    order = np.argsort(merged, kind="stable")
    return replace(trials, question=merged[order], values=np.concatenate((trials.values, values))[order])


def _grown(
    texts: Sequence[str | None], more: Sequence[str | None] | None, new: list[str], filler: Run
) -> tuple[str | None, ...]:
    if more is None:
        return (*texts, *(None for _ in new))
    place = {question: row for row, question in enumerate(filler.ids)}
    return (*texts, *(more[place[question]] for question in new))
