"""OpenAI evals: the events that `oaieval` records, one a line, in whatever order its threads came to them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from clearband.results import identity, lenient_json, lookup, series_choice, table
from clearband.results.about import About
from clearband.results.outline import Shape
from clearband.results.table import Table, column, hashed
from clearband.vocabulary import MeasurementField

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clearband.results.options import ReadOptions
    from clearband.results.outline import Outline
    from clearband.results.result_file import ResultFile
    from clearband.results.run import Run

_PRODUCE = "`oaieval MODEL EVAL --record_path results.jsonl`"

ABOUT = About(
    name="OpenAI evals",
    versions="records of 2.0.0 and 3.0.1 (run for this project)",
    produce=_PRODUCE,
    key="`sample_id`, which is stable while the file of samples is unchanged",
    metrics="`match.correct` of match events, `metrics.NAME` of metrics events",
    direction="none",
    errors="a sample that broke off has an error event or none at all: lost either way",
    measurement="completion functions, the eval's name and class; of a model-graded eval its judge and specification",
    traps=(
        "Event order is random; nothing pairs by place.",
        "Several values of one name are trials of their sample and averaged.",
        "Records put behind each other in one file are series: choose one with `--series`.",
        "A sample inserted into the file of samples shifts the ids of those behind it; the expected answers show it.",
    ),
)

_TOOL = "OpenAI evals"


class _Event(msgspec.Struct):
    run: object = msgspec.field(default=None, name="run_id")
    sample: object = msgspec.field(default=None, name="sample_id")
    kind: object = msgspec.field(default=None, name="type")
    data: object = None
    spec: object = None
    report: object = msgspec.field(default=None, name="final_report")


@dataclass(slots=True, kw_only=True)
class _Record:
    """One run's part of a file, as it is read."""

    spec: dict[str, object] = field(default_factory=dict)
    scores: dict[str, list[dict[str, float | None]]] = field(default_factory=dict)
    """By sample; a second value of one name is a second trial, and a value of another name is not."""
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How many values of a name a sample has."""
    expected: dict[str, str] = field(default_factory=dict)
    """Hashes of the expected answers, by sample."""
    broken: dict[str, None] = field(default_factory=dict)
    """Samples on which the tool recorded an error, in order."""
    finished: bool = False


def sniff(file: ResultFile, outline: Outline) -> bool:  # noqa: ARG001  the formats' common signature
    """Whether the lines begin with a run's specification, or are its events."""
    if outline.shape is not Shape.LINES:
        return False
    spec = outline.inside("spec")
    return ("eval_name" in spec and "run_id" in spec) or outline.has("run_id", "event_id", "sample_id", "type", "data")


def read(file: ResultFile, options: ReadOptions) -> Run:
    """Read one run of `file`."""
    if options.id_field not in {None, "sample_id"}:
        raise file.problem("only `sample_id` names a sample here", remedy="Leave --id out.")
    records = [record for record in _records(file) if record.scores]
    if not records:
        raise file.problem(
            "the record holds no match or metrics event, so no score of a sample",
            remedy=f"Some evals record text alone. Take one that scores each sample, recorded with {_PRODUCE}.",
        )
    names = series_choice.numbered([_name(record) for record in records])
    chosen = series_choice.choose(file, names, options.series)
    run = _run(file, records[chosen])
    return (
        run if len(records) == 1 and options.series is None else replace(run, series=series_choice.first(names, chosen))
    )


def _records(file: ResultFile) -> list[_Record]:
    """Return the runs of a file; `oaieval` writes one, and people put several behind each other."""
    records: list[_Record] = []
    by_run: dict[str, _Record] = {}
    for number, event in lenient_json.lines(file, _Event, tool=_TOOL):
        starts = isinstance(event.spec, dict)
        if starts or not records:
            records.append(_Record())
        name = event.spec.get("run_id") if isinstance(event.spec, dict) else event.run
        if starts and isinstance(name, str):
            by_run[name] = records[-1]
        record = by_run.get(name, records[-1]) if isinstance(name, str) else records[-1]
        if isinstance(event.spec, dict):
            record.spec = event.spec
        record.finished |= event.report is not None
        _take(file, record, event, number)
    return records


def _take(file: ResultFile, record: _Record, event: _Event, number: int) -> None:
    """Keep what an event says about its sample."""
    sample = lookup.id_text(event.sample)
    found = dict(_scores(event))
    if found and sample is None:
        raise file.problem(
            "an event with a score has no `sample_id`",
            where=f"line {number}",
            remedy=f"Record the run again with {_PRODUCE}.",
        )
    if sample is None:
        return
    if event.kind == "error":
        record.broken[sample] = None
    rows = record.scores.setdefault(sample, []) if found else []
    for name, value in found.items():
        trial = record.counts[sample, name]
        record.counts[sample, name] += 1
        if trial == len(rows):
            rows.append({})
        rows[trial][name] = value
    wanted = event.data.get("expected") if found and isinstance(event.data, dict) else None
    if wanted is not None:
        record.expected[sample] = hashed(str(wanted))


def _run(file: ResultFile, record: _Record) -> Run:
    scored = [(sample, row) for sample, rows in record.scores.items() for row in rows]
    lost: list[tuple[str, dict[str, float | None]]] = [
        (sample, {}) for sample in record.broken if sample not in record.scores
    ]
    rows = [*scored, *lost]
    names = dict.fromkeys(name for _, row in rows for name in row)
    note = "The record has no final report: the run did not finish, and samples may be missing."
    return table.to_run(
        Table(
            file=file,
            format="openai-evals/jsonl",
            ids=[identity.text_key(sample) for sample, _ in rows],
            series=[column(name, (row.get(name) for _, row in rows)) for name in names],
            errored=np.array([False] * len(scored) + [True] * len(lost), dtype=np.bool_),
            content=[record.expected.get(sample) for sample, _ in rows],
            measurement=_measurement(record.spec),
            key="sample_id",
            notes=() if record.finished else (note,),
        )
    )


def _name(record: _Record) -> str:
    """Return the evaluated system and the eval."""
    models, name = record.spec.get("completion_fns"), record.spec.get("eval_name")
    system = ", ".join(map(str, models)) if isinstance(models, list) and models else "unnamed"
    return f"{system} / {name}" if isinstance(name, str) and name else system


def _scores(event: _Event) -> Iterator[tuple[str, float | None]]:
    """Yield what an event says about its sample, in numbers."""
    if not isinstance(event.data, dict):
        return
    if event.kind == "match" and isinstance(event.data.get("correct"), bool):
        yield "match.correct", float(event.data["correct"])
    elif event.kind == "metrics":
        for name, value in event.data.items():
            if isinstance(name, str) and isinstance(value, (bool, int, float)):
                yield f"metrics.{name}", _finite(value)


def _finite(value: float) -> float | None:
    """Return the number; None for one too large to be a number here."""
    try:
        return float(value)
    except OverflowError:
        return None


def _measurement(spec: dict[str, object]) -> dict[MeasurementField, str]:
    config = spec.get("run_config")
    evaluated = config.get("eval_spec") if isinstance(config, dict) else None
    kind = evaluated.get("cls") if isinstance(evaluated, dict) else None
    given = evaluated.get("args") if isinstance(evaluated, dict) else None
    models = [str(model) for model in found] if isinstance(found := spec.get("completion_fns"), list) else []
    graded = isinstance(kind, str) and "modelgraded" in kind
    told = {
        # The last one judges where a model does, and is the evaluated one as well if it is alone.
        MeasurementField.MODEL: ", ".join(models[:-1] or models if graded else models),
        MeasurementField.JUDGE: models[-1] if graded and models else None,
        MeasurementField.JUDGE_PROMPT: given.get("modelgraded_spec") if isinstance(given, dict) else None,
        MeasurementField.DATASET: spec.get("eval_name"),
        MeasurementField.SCORER: kind,
    }
    return {name: identity.text_key(text) for name, text in told.items() if isinstance(text, str) and text}
