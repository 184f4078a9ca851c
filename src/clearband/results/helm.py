"""HELM: ``per_instance_stats.json`` of one run, a row for each instance, training trial and perturbation."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from clearband.results import columns, helm_folder, lenient_json, lookup, member_names, series_choice, table
from clearband.results.about import About
from clearband.results.columns import Columns
from clearband.results.outline import Shape
from clearband.results.result_file import shown
from clearband.results.table import Table
from clearband.vocabulary import MeasurementField

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clearband.results.options import ReadOptions
    from clearband.results.outline import Outline
    from clearband.results.result_file import ResultFile
    from clearband.results.run import Run

ABOUT = About(
    name="HELM",
    versions="0.5.16 (run for this project)",
    produce="`helm-run` writes `per_instance_stats.json` into the folder of each run; hand in that folder, and "
    "`run_spec.json` and `scenario_state.json` are read as well",
    key="`instance_id`, which follows the order of the scenario's instances",
    metrics="every statistic that is not bookkeeping (counts of tokens and bytes, run times, finish reasons, costs, "
    "log-probabilities); its mean over the instance's completions",
    direction="none",
    errors="none: a run stops where a request fails; a statistic with count 0 is no value",
    measurement="from run_spec.json beside it: model with its sampling, prompt (hash), metrics (hash), scenario",
    traps=(
        "Perturbed copies of the instances are left out; `--series NAME` reads those of one perturbation.",
        "Where a file has a test split, other splits are left out.",
        "An instance's id is its place in the scenario: scenario_state.json shows edited ones.",
        "Folder names contain `:`, which an artifact on GitHub may not; rename them.",
    ),
)

_ORIGINAL = "original"
_TEST = "test"
_MODEL = re.compile(r"[:,_]model(?:_deployment)?=[^,]*")
_BOOKKEEPING = re.compile(
    r"(?:max_)?num_.*|inference_.*|training_.*|estimated_num_.*|.*runtime|finish_reason_.*|batch_size|prompt_truncated"
    r"|prompt_length|max_prob|logprob|logprob_per_byte|predicted_index"
)


class _Name(msgspec.Struct):
    name: str = ""
    split: str | None = None
    sub_split: str | None = None


class _Stat(msgspec.Struct):
    name: _Name
    count: int | float = 0
    sum: float | None = None
    mean: float | None = None


class _Perturbation(msgspec.Struct):
    name: str = "perturbed"


class _Entry(msgspec.Struct):
    instance_id: object = None
    train_trial_index: object = 0
    perturbation: _Perturbation | None = None
    stats: list[_Stat] = msgspec.field(default_factory=list)


def sniff(file: ResultFile, outline: Outline) -> bool:  # noqa: ARG001  the formats' common signature
    """Whether the file is a list of instances with statistics."""
    if outline.shape is not Shape.LIST or not outline.has("instance_id", "stats"):
        return False
    stats = outline.inside("stats")
    return "name" in stats and "count" in stats


def task_of(path: str) -> str | None:
    """Return the run's folder without the model: ``mmlu:subject=law`` of ``mmlu:subject=law,model=openai_gpt-4``."""
    folder = member_names.basename(path.rpartition("/")[0])
    return _MODEL.sub("", folder) or member_names.untimed(path)


def read(file: ResultFile, options: ReadOptions) -> Run:
    """Read `file` into a run: a row for each instance and training trial."""
    entries = lenient_json.document(file, list[_Entry], tool="HELM")
    entries, series, notes = _of_series(file, entries, options)
    ids = [_id(file, entry, row, options) for row, entry in enumerate(entries)]
    split, split_note = _split(entries)
    rows = [row for row, entry in enumerate(entries) if _split_of(entry) == split]
    found = _metrics(file, [entries[row] for row in rows])
    kept = [ids[row] for row in rows]
    metrics = found.series(len(rows))
    if not metrics:
        raise file.problem(
            "no statistic is a score of an instance",
            remedy="The file holds bookkeeping alone; add a metric such as exact_match to the run's metric_specs.",
        )
    content = helm_folder.content_of(file) if options.id_field is None else {}
    measured = helm_folder.measurement_of(file)
    if split and MeasurementField.DATASET in measured:
        measured[MeasurementField.DATASET] += f", split {split}"
    return table.to_run(
        Table(
            file=file,
            format="helm/per-instance-stats",
            ids=kept,
            series=metrics,
            errored=np.zeros(len(rows), dtype=np.bool_),
            trial=_trials([entries[row] for row in rows]),
            content=[content.get(text) for text in kept] if content else None,
            labels=lookup.labels([_readable(entries[row]) for row in rows], options.labels) if options.labels else {},
            measurement={MeasurementField.TRIALS: "training trials, mean"} | measured,
            key=options.id_field or "instance_id",
            series_names=series,
            notes=(*notes, *split_note, *found.left_out()),
        )
    )


def _of_series(
    file: ResultFile, entries: Sequence[_Entry], options: ReadOptions
) -> tuple[list[_Entry], tuple[str, ...], tuple[str, ...]]:
    """Return the entries of one perturbation, all that there are, and what was left out."""
    often = Counter(map(_series_of, entries))
    names = sorted(often, key=lambda name: (name != _ORIGINAL, name))
    wanted = _ORIGINAL if options.series is None and _ORIGINAL in often else options.series
    at = series_choice.choose(file, names, wanted) if names else 0
    kept = [entry for entry in entries if _series_of(entry) == names[at]]
    if len(names) < 2:
        return kept, (), ()
    others = ", ".join(f"`{shown(name, width=30)}` ({often[name]})" for name in names if name != names[at])
    return kept, series_choice.first(names, at), (f"Read: `{shown(names[at])}`. Not read: {others}; see --series.",)


def _series_of(entry: _Entry) -> str:
    return _ORIGINAL if entry.perturbation is None else entry.perturbation.name


def _id(file: ResultFile, entry: _Entry, row: int, options: ReadOptions) -> str:
    field = options.id_field or "instance_id"
    text = lookup.id_text(lookup.inside(_readable(entry), field))
    if text is None:
        raise file.problem(
            f"`{shown(field)}` is missing or no id",
            where=f"row {row + 1}",
            remedy=f"A row has {', '.join(f'`{name}`' for name in _readable(entry))}.",
        )
    return text


def _readable(entry: _Entry) -> dict[str, object]:
    return {
        "instance_id": entry.instance_id,
        "train_trial_index": entry.train_trial_index,
        "split": _split_of(entry),
        "sub_split": entry.stats[0].name.sub_split if entry.stats else None,
    }


def _split_of(entry: _Entry) -> str:
    return entry.stats[0].name.split or "" if entry.stats else ""


def _split(entries: Sequence[_Entry]) -> tuple[str, tuple[str, ...]]:
    """Return the split that counts, and a note where there are others."""
    often = Counter(map(_split_of, entries))
    if len(often) < 2:
        return next(iter(often), ""), ()
    chosen = _TEST if _TEST in often else often.most_common(1)[0][0]
    others = ", ".join(f"`{shown(name, width=30)}` ({count})" for name, count in often.items() if name != chosen)
    return chosen, (f"The split `{shown(chosen)}` was read; left out: {others}.",)


def _metrics(file: ResultFile, entries: Sequence[_Entry]) -> Columns:
    found = Columns(file=file)
    for row, entry in enumerate(entries):
        for stat in entry.stats:
            if not _BOOKKEEPING.fullmatch(stat.name.name):
                name = f"{stat.name.name}/{stat.name.sub_split}" if stat.name.sub_split else stat.name.name
                found.put(name, row, columns.number(_mean(stat)))
    return found


def _mean(stat: _Stat) -> float | None:
    if stat.count <= 0:
        return None
    return stat.sum / stat.count if stat.mean is None and stat.sum is not None else stat.mean


def _trials(entries: Sequence[_Entry]) -> NDArray[np.float64] | None:
    numbers = [entry.train_trial_index for entry in entries]
    if not all(isinstance(one, int) and abs(one) < 2**53 for one in numbers):
        return None
    return np.array(numbers, dtype=np.float64)
