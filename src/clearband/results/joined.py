"""Several runs made into one: the tasks of a benchmark, or the parts in which one task was written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clearband.results import limits
from clearband.results.identity import digested, text_key
from clearband.results.result_file import shown
from clearband.results.run import Run, Trials
from clearband.vocabulary import MeasurementField

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from clearband.results.result_file import ResultFile
    from clearband.vocabulary import Direction

_OF_THE_RUN = frozenset({MeasurementField.MODEL, MeasurementField.COMMIT, MeasurementField.TOOL})
"""What tasks have in common, as a rule."""
_VALUE = 120
"""Characters of one task's part of a measurement; longer ones are told apart by their hash."""
_NOTES = 30
"""Notes of one run; a benchmark of 57 tasks repeats itself."""


def tasks(file: ResultFile, parts: Mapping[str, Run]) -> Run:
    """Return the union of several tasks: metrics named ``task/metric``, without a value on other tasks' questions.

    Parameters
    ----------
    file
        The folder or archive that holds them.
    parts
        Task to its run; the tasks' questions become ``task/id``.

    """
    return _joined(file, [(f"{task}/", run) for task, run in parts.items()])


def shards(file: ResultFile, parts: Sequence[Run]) -> Run:
    """Return one run of parts that share no question."""
    return _joined(file, [("", run) for run in parts])


def _joined(file: ResultFile, parts: Sequence[tuple[str, Run]]) -> Run:
    ids = tuple(f"{prefix}{question}" for prefix, run in parts for question in run.ids)
    names = list(dict.fromkeys(f"{prefix}{name}" for prefix, run in parts for name in run.metrics))
    _check(file, ids, names)
    runs = [run for _, run in parts]
    starts = np.cumsum([0, *(len(run.ids) for run in runs)]).tolist()
    return Run(
        name=file.name,
        sha256=file.sha256,
        format=" + ".join(dict.fromkeys(run.format for run in runs)),
        ids=ids,
        metrics={name: _column(name, parts, len(ids), starts) for name in names},
        errored=np.concatenate([run.errored for run in runs]),
        trials=max(run.trials for run in runs),
        trials_of=_trials(names, parts, starts),
        labels=_labels(runs),
        content=_content(runs),
        directions=_directions(parts),
        measurement=_measurement(parts),
        key="; ".join(dict.fromkeys(run.key for run in runs)),
        by_position=any(run.by_position for run in runs),
        series=runs[0].series if len({run.series for run in runs}) == 1 else (),
        notes=_notes(parts),
    )


def _check(file: ResultFile, ids: Sequence[str], names: Sequence[str]) -> None:
    if len(ids) > limits.QUESTIONS:
        raise file.problem(
            f"the tasks have more than {limits.QUESTIONS:,} questions together", remedy="Choose one with --task."
        )
    if len(names) > limits.METRICS:
        raise file.problem(
            f"the tasks have {len(names):,} metrics together, more than {limits.METRICS}",
            remedy="Choose one task with --task, or hand in a folder with fewer.",
        )
    longest = max(names, key=len)
    if len(longest) > limits.NAME_CHARACTERS:
        raise file.problem(
            f"the metric name `{shown(longest)}` is longer than {limits.NAME_CHARACTERS} characters",
            remedy="Choose the task with --task, which leaves its name out, or rename the file.",
        )


def _column(name: str, parts: Iterable[tuple[str, Run]], count: int, starts: Sequence[int]) -> NDArray[np.float64]:
    values = np.full(count, np.nan)
    for (prefix, run), start in zip(parts, starts, strict=False):
        own = run.metrics.get(name.removeprefix(prefix)) if name.startswith(prefix) else None
        if own is not None:
            values[start : start + len(own)] = own
    return values


def _trials(names: Iterable[str], parts: Sequence[tuple[str, Run]], starts: Sequence[int]) -> dict[str, Trials]:
    """Return the single trials; a part that measured once beside parts that did not has one trial a question."""
    several = {f"{prefix}{name}" for prefix, run in parts for name in run.trials_of}
    joined = {}
    for name in (name for name in names if name in several):
        found = [
            (start, _trials_of(run, name.removeprefix(prefix)))
            for (prefix, run), start in zip(parts, starts, strict=False)
            if name.startswith(prefix) and name.removeprefix(prefix) in run.metrics
        ]
        joined[name] = Trials(
            question=np.concatenate([one.question + start for start, one in found]),
            values=np.concatenate([one.values for _, one in found]),
            ordered=all(one.ordered for _, one in found),
        )
    return joined


def _trials_of(run: Run, name: str) -> Trials:
    if name in run.trials_of:
        return run.trials_of[name]
    values = run.metrics[name]
    return Trials(question=np.flatnonzero(~np.isnan(values)), values=values[~np.isnan(values)], ordered=True)


def _labels(runs: Sequence[Run]) -> dict[str, tuple[str | None, ...]]:
    fields = dict.fromkeys(field for run in runs for field in run.labels)
    return {
        field: tuple(text for run in runs for text in run.labels.get(field, (None,) * len(run.ids))) for field in fields
    }


def _content(runs: Sequence[Run]) -> tuple[str | None, ...] | None:
    if all(run.content is None for run in runs):
        return None
    return tuple(text for run in runs for text in (run.content or (None,) * len(run.ids)))


def _directions(parts: Sequence[tuple[str, Run]]) -> dict[str, Direction]:
    """Return what the parts say; where they contradict each other, nothing."""
    said: dict[str, set[Direction]] = {}
    for prefix, run in parts:
        for name, direction in run.directions.items():
            said.setdefault(f"{prefix}{name}", set()).add(direction)
    return {name: directions.pop() for name, directions in said.items() if len(directions) == 1}


def _measurement(parts: Sequence[tuple[str, Run]]) -> dict[MeasurementField, str]:
    """Return with what the parts were measured.

    What belongs to a task stands behind the task's name, ``arith: v1; logic: v2``, even where all tasks say the same:
    two runs are then compared on the tasks that both have, and a task more makes them no less comparable.
    """
    named = bool(parts[0][0])
    found = {}
    for field in dict.fromkeys(field for _, run in parts for field in run.measurement):
        told = {prefix.rstrip("/"): run.measurement[field] for prefix, run in parts if field in run.measurement}
        values = sorted({run.measurement[field] for _, run in parts if field in run.measurement})
        if len(values) == 1 and (not named or (field in _OF_THE_RUN and len(told) == len(parts))):
            found[field] = values[0]
        elif named:
            found[field] = "; ".join(f"{task}: {_short(text)}" for task, text in told.items())
        else:
            found[field] = text_key("; ".join(values))
    return found


def _short(text: str) -> str:
    """Return a value that can stand in a list of values."""
    plain = text.replace("; ", ", ")
    return plain if len(plain) <= _VALUE else digested(text)


def _notes(parts: Sequence[tuple[str, Run]]) -> tuple[str, ...]:
    """Return each note once, those of single tasks with the task's name."""
    tellers: dict[str, list[str]] = {}
    for prefix, run in parts:
        for note in run.notes:
            tellers.setdefault(note, []).append(prefix.rstrip("/"))
    notes = [
        note if len(who) == len(parts) or not who[0] else f"{shown(', '.join(who))}: {note}"
        for note, who in tellers.items()
    ]
    more = len(notes) - _NOTES
    return (*notes[:_NOTES], f"{more} more notes of single tasks are left out.") if more > 0 else tuple(notes)
