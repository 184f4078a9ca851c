"""Braintrust: results as the SDK holds them, or an experiment's events as the service exports them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clearband.results import experiments, lenient_json, lookup, picked
from clearband.results.about import About
from clearband.results.experiments import Experiment
from clearband.results.outline import Shape, outline
from clearband.vocabulary import MeasurementField

if TYPE_CHECKING:
    from collections.abc import Mapping

    import msgspec

    from clearband.results.options import ReadOptions
    from clearband.results.outline import Outline
    from clearband.results.result_file import ResultFile
    from clearband.results.rows import Cells, Rows
    from clearband.results.run import Run

_PRODUCE = (
    "`json.dumps(one.as_dict(), default=repr)` for each of `Eval(...).results`, or the experiment's export as JSON"
)

ABOUT = About(
    name="Braintrust",
    versions="results of SDK 0.10.0 and 0.48.1 (both run for this project); exported events by their documentation "
    "alone",
    produce=_PRODUCE,
    key="an `id` in `metadata`, else the dataset's record (`origin`, `dataset_record_id`), else the input, by which "
    "Braintrust itself matches experiments",
    metrics="every entry of `scores`; no times, tokens or costs",
    direction="none",
    errors="a row whose `error` is filled is lost; a scorer that failed leaves its score out or null",
    measurement="`metadata.model`, id of the dataset",
    traps=(
        "Exported events hold the spans inside each trace too; only the root span of a trace is a question.",
        "Pages of exported events repeat rows in older states; the newest one is read.",
        "Trials of an input are averaged.",
    ),
)

_TOOL = "braintrust"
_RESULT = {"input", "output", "expected", "scores", "metadata", "tags", "error"}
_EVENT = {"input", "scores", "span_id", "root_span_id"}
_WRAPPERS = ("events", "data", "results")
_NEEDED = {
    "id", "_xact_id", "input", "expected", "scores", "metadata", "error", "origin", "dataset_record_id", "span_id",
    "root_span_id", "is_root",
}  # fmt: skip


def sniff(file: ResultFile, outline: Outline) -> bool:  # noqa: ARG001  the formats' common signature
    """Whether rows are results of the SDK or events of the service, also inside an answer of the service."""
    if _is_row(outline.keys):
        return True
    return outline.shape is Shape.OBJECT and _wrapper(outline) is not None


def read(file: ResultFile, options: ReadOptions) -> Run:
    """Read `file` into a run."""
    rows = _questions(_rows(file, options))
    nothing: Cells = [None] * rows.count
    metadata = [cell if isinstance(cell, dict) else {} for cell in rows.columns.get("metadata", nothing)]
    scores = [cell if isinstance(cell, dict) else {} for cell in rows.columns.get("scores", nothing)]
    return experiments.to_run(
        Experiment(
            rows=rows,
            scores=scores,
            lost=[experiments.has_error(cell) for cell in rows.columns.get("error", nothing)],
            asked=rows.columns.get("input", nothing),
            expected=rows.columns.get("expected"),
            told=metadata,
            stable=("dataset record", _records(rows)),
            measurement={
                MeasurementField.MODEL: experiments.agreed(row.get("model") for row in metadata),
                MeasurementField.DATASET: _datasets(rows),
            },
            unscored="Give the evaluation scorers (`scores=[...]`), and write the results with " + _PRODUCE + ".",
        ),
        options,
    )


def _is_row(keys: Mapping[str, msgspec.Raw]) -> bool:
    if not (keys.keys() >= _RESULT or keys.keys() >= _EVENT):
        return False
    return bytes(keys["scores"]).lstrip()[:1] in {b"{", b"n"}  # an object, or null in a span that nobody scored


def _wrapper(seen: Outline) -> str | None:
    return next((name for name in _WRAPPERS if _is_row(seen.inside(name))), None)


def _rows(file: ResultFile, options: ReadOptions) -> Rows:
    seen = outline(file)
    wrapper = None if _is_row(seen.keys) else _wrapper(seen)
    if wrapper is None:
        return picked.rows_of(file, _TOOL, _NEEDED.__contains__, options)
    asked_for = picked.needed_by(options)
    raw = lenient_json.part(file, seen.keys[wrapper], list[picked.RawRow], tool=_TOOL)
    return picked.pick(file, f"{_TOOL}/json", raw, lambda name: name in _NEEDED or name in asked_for)


def _questions(rows: Rows) -> Rows:
    """Keep the root span of each trace, in its newest state."""
    nothing: Cells = [None] * rows.count
    newest: dict[object, int] = {}
    versions = rows.columns.get("_xact_id", nothing)
    fields = [rows.columns.get(name, nothing) for name in ("id", "is_root", "span_id", "root_span_id")]
    for row, (own, is_root, span, root) in enumerate(zip(*fields, strict=True)):
        if is_root is False or (is_root is None and span != root):
            continue
        name = lookup.id_text(own) if versions[row] is not None else None
        key: object = row if name is None else name
        if key not in newest or _version(versions[row]) > _version(versions[newest[key]]):
            newest[key] = row
    kept = sorted(newest.values())
    if not kept:
        raise rows.file.problem(
            "the file holds no root spans, so no questions",
            remedy="Export whole traces of the experiment, with their root spans.",
        )
    return rows if len(kept) == rows.count else picked.only(rows, kept)


def _version(cell: object) -> tuple[int, str]:
    """Order transaction ids, which are whole numbers written as text."""
    text = str(cell)
    return len(text), text


def _records(rows: Rows) -> Cells:
    """Return the dataset record behind each row."""
    nothing: Cells = [None] * rows.count
    origins, records = rows.columns.get("origin", nothing), rows.columns.get("dataset_record_id", nothing)
    return [lookup.inside(origin, "id") or record for origin, record in zip(origins, records, strict=True)]


def _datasets(rows: Rows) -> str:
    return experiments.agreed(lookup.inside(origin, "object_id") for origin in rows.columns.get("origin", ()))
