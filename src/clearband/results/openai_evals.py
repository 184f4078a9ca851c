"""OpenAI evals: the events that `oaieval` records, one a line, in whatever order its threads came to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import numpy as np

from clearband.results import identity, lenient_json, lookup, table
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
    versions="records of 3.0.1 (run for this project)",
    produce=_PRODUCE,
    key="`sample_id`, which is stable while the file of samples is unchanged",
    metrics="`match.correct` of match events, `metrics.NAME` of metrics events",
    direction="none",
    errors="a sample that broke off has no event, so it is absent: lost",
    measurement="completion functions, eval name, split, the eval's class and its arguments",
    traps=(
        "Event order is random; nothing pairs by place.",
        "Several events of one sample and kind are averaged.",
        "A sample inserted into the file of samples shifts the ids of those behind it; the expected answers show it.",
    ),
)

_TOOL = "OpenAI evals"


class _Event(msgspec.Struct):
    sample: object = msgspec.field(default=None, name="sample_id")
    kind: object = msgspec.field(default=None, name="type")
    data: object = None
    spec: object = None
    report: object = msgspec.field(default=None, name="final_report")


def sniff(file: ResultFile, outline: Outline) -> bool:  # noqa: ARG001  the formats' common signature
    """Whether the lines begin with a run's specification, or are its events."""
    if outline.shape is not Shape.LINES:
        return False
    spec = outline.inside("spec")
    return ("eval_name" in spec and "run_id" in spec) or outline.has("run_id", "event_id", "sample_id", "type", "data")


def read(file: ResultFile, options: ReadOptions) -> Run:
    """Read `file` into a run."""
    if options.id_field not in {None, "sample_id"}:
        raise file.problem("only `sample_id` names a sample here", remedy="Leave --id out.")
    spec: dict[str, object] = {}
    samples: list[str] = []
    scores: list[dict[str, float | None]] = []
    expected: list[str | None] = []
    for number, event in lenient_json.lines(file, _Event, tool=_TOOL):
        if isinstance(event.spec, dict):
            spec = event.spec
        found = dict(_scores(event))
        if not found:
            continue
        sample = lookup.id_text(event.sample)
        if sample is None:
            raise file.problem("an event with a score has no `sample_id`", where=f"line {number}")
        samples.append(sample)
        scores.append(found)
        wanted = event.data.get("expected") if isinstance(event.data, dict) else None
        expected.append(None if wanted is None else hashed(str(wanted)))
    if not samples:
        raise file.problem(
            "the record holds no match or metrics event, so no score of a sample",
            remedy=f"Some evals record text alone. Take one that scores each sample, recorded with {_PRODUCE}.",
        )
    names = dict.fromkeys(name for row in scores for name in row)
    return table.to_run(
        Table(
            file=file,
            format="openai-evals/jsonl",
            ids=[*map(identity.text_key, samples)],
            series=[column(name, (row.get(name) for row in scores)) for name in names],
            errored=np.zeros(len(samples), dtype=np.bool_),
            content=_agreed(samples, expected),
            measurement=_measurement(spec),
            key="sample_id",
        )
    )


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


def _agreed(samples: list[str], expected: list[str | None]) -> list[str | None]:
    """Return one content per sample: events without an expected answer take that of their sample's others."""
    known = {sample: content for sample, content in zip(samples, expected, strict=True) if content is not None}
    return [known.get(sample) for sample in samples]


def _measurement(spec: dict[str, object]) -> dict[MeasurementField, str]:
    config = spec.get("run_config")
    evaluated = config.get("eval_spec") if isinstance(config, dict) else None
    kind = evaluated.get("cls") if isinstance(evaluated, dict) else None
    models = spec.get("completion_fns")
    told = {
        MeasurementField.MODEL: ", ".join(map(str, models)) if isinstance(models, list) else None,
        MeasurementField.DATASET: spec.get("eval_name"),
        MeasurementField.SCORER: kind,
    }
    return {name: identity.text_key(text) for name, text in told.items() if isinstance(text, str) and text}
