"""Pooling: several runs of one system become one, each question measured as often as the runs together measured it.

A baseline that was run once may have been lucky; its runs pooled say what it does on average, and their spread shows
how steady it is.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np

from clearband.comparability import require_alike
from clearband.errors import UnusableResults
from clearband.results.run import Run, Trials

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray


def pool(runs: Sequence[Run]) -> Run:
    """Return several runs of one system as one run; a question's values of all runs are its trials.

    Raises
    ------
    UnusableResults
        Two runs say that they were measured differently, hold other questions under the same ids, or are one file.

    """
    first, *others = runs
    if not others:
        return first
    for other in others:
        require_alike(
            first,
            other,
            purpose="cannot be pooled with",
            remedy="Pooled runs are repetitions: one system, one eval set, measured one way.",
        )
    if len({run.sha256 for run in runs}) < len(runs):
        raise UnusableResults(
            "The same file is pooled with itself",
            remedy="Name each run once: a copy adds no information, and would look as if it did.",
        )
    ids = tuple(dict.fromkeys(question for run in runs for question in run.ids))
    place = {question: row for row, question in enumerate(ids)}
    rows = [np.array([place[question] for question in run.ids], dtype=np.int64) for run in runs]
    names = dict.fromkeys(name for run in runs for name in run.metrics)
    trials = {name: _trials(runs, rows, name) for name in names}
    measured = np.zeros(len(ids), dtype=np.bool_)
    metrics = {}
    for name, kept in trials.items():
        counts = np.bincount(kept.question, minlength=len(ids))
        sums = np.bincount(kept.question, kept.values, len(ids))
        metrics[name] = np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
        measured |= counts > 0
    errored = np.zeros(len(ids), dtype=np.bool_)
    for run, own in zip(runs, rows, strict=True):
        errored[own] |= run.errored
    return replace(
        first,
        name=f"{first.name} and {len(others)} more",
        sha256=_digest(runs),
        ids=ids,
        metrics=metrics,
        errored=errored & ~measured,
        trials=int(max(np.bincount(kept.question).max(initial=1) for kept in trials.values())),
        trials_of=trials,
        labels={name: _texts([run.labels.get(name) for run in runs], runs, ids) for name in first.labels},
        content=None if first.content is None else _texts([run.content for run in runs], runs, ids),
        by_position=any(run.by_position for run in runs),
        notes=(*first.notes, f"{len(runs)} runs were pooled: {_named(runs)}."),
    )


def _trials(runs: Sequence[Run], rows: Sequence[NDArray[np.int64]], name: str) -> Trials:
    """Return the values of every run, as trials in no order."""
    questions, values = [], []
    for run, own in zip(runs, rows, strict=True):
        if name in run.trials_of:
            questions.append(own[run.trials_of[name].question])
            values.append(run.trials_of[name].values)
        elif name in run.metrics:
            there = np.isfinite(run.metrics[name])
            questions.append(own[there])
            values.append(run.metrics[name][there])
    question, value = np.concatenate(questions), np.concatenate(values)
    order = np.lexsort((value, question))
    return Trials(question=question[order], values=value[order], ordered=False)


def _texts(
    columns: Sequence[Sequence[str | None] | None], runs: Sequence[Run], ids: Sequence[str]
) -> tuple[str | None, ...]:
    """Return the first text that any run gives of each question."""
    found: dict[str, str | None] = {}
    for texts, run in zip(columns, runs, strict=True):
        known: Mapping[str, str | None] = {} if texts is None else dict(zip(run.ids, texts, strict=True))
        for question, text in known.items():
            found[question] = found.get(question) or text
    return tuple(found.get(question) for question in ids)


def _digest(runs: Sequence[Run]) -> str:
    """Return the SHA-256 of the runs' digests, one a line, sorted: whatever order they were named in."""
    return sha256("".join(f"{digest}\n" for digest in sorted(run.sha256 for run in runs)).encode()).hexdigest()


def _named(runs: Sequence[Run]) -> str:
    return ", ".join(f"{run.name} ({run.sha256[:12]})" for run in runs)
