"""lighteval: the details of one task, written with ``--save-details``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from clearband.results import identity, lighteval_results, limits, lookup, member_names, parquet_file, table
from clearband.results.about import About
from clearband.results.parquet_schema import Kind
from clearband.results.question_keys import refined
from clearband.results.result_file import shown
from clearband.results.table import Table, column

if TYPE_CHECKING:
    from clearband.results.options import ReadOptions
    from clearband.results.outline import Outline
    from clearband.results.parquet_file import ParquetFile
    from clearband.results.parquet_schema import Leaf
    from clearband.results.result_file import ResultFile
    from clearband.results.rows import Cells
    from clearband.results.run import Run
    from clearband.results.table import Series

ABOUT = About(
    name="lighteval",
    versions="0.10.0 and 0.13.0 (run for this project); 0.8 to 0.12 from their source",
    produce="`lighteval ... --save-details` writes `details/<model>/<time>/details_<task>_<time>.parquet` and "
    "`results/<model>/results_<time>.json`; hand in the folder above both",
    key="`doc.id`, the question's place in its split, checked by a hash of the question and its choices; the "
    "question's text in files of 0.10 and older, which have no id",
    metrics="every number in `metric`, called as there",
    direction="`higher_is_better` of the results file, where it is handed in too",
    errors="none: the tool stops at an error; NaN is no value",
    measurement="from the results file: model, prompt settings (hash), metrics (hash), dataset, commit of lighteval",
    traps=(
        "Corpus metrics (F1 over a corpus, BLEU, perplexity) have no number for each question and are not read.",
        "Up to 0.7 every cell was written as text; such files are refused.",
        "The names of the files hold `|`, which artifacts may not have: rename them, or put them into a zip.",
    ),
)

_TYPED: Final = (b"doc", b"metric", b"model_response")
_OLD: Final = (b"example", b"full_prompt", b"metrics", b"predictions", b"gold_index")
_CONTENT: Final = ("doc.query", "doc.choices", "doc.gold_index", "example", "choices", "gold_index", "gold")


def sniff(file: ResultFile, outline: Outline) -> bool:  # noqa: ARG001  the formats' common signature
    """Whether the columns that a Parquet file lists at its end are those of details."""
    if not file.data.startswith(parquet_file.MAGIC):
        return False
    footer = file.data[-8 - int.from_bytes(file.data[-8:-4], "little") :]
    # The file's list of columns spells each name behind its length, so that no other text can be taken for one.
    return any(all(bytes([len(name)]) + name in footer for name in names) for names in (_TYPED, _OLD))


def task_of(path: str) -> str:
    """Return the task that the name of a details file tells."""
    return member_names.untimed(path).removeprefix("details_")


def read(file: ResultFile, options: ReadOptions) -> Run:
    """Read `file` into a run: a row for each question."""
    with parquet_file.opened(file) as details:
        by_path = {".".join(leaf.path): leaf for leaf in details.leaves}
        series, notes = _metrics(details)
        ids, key = _ids(details, by_path, options.id_field)
        labels = {path: _text(details, leaf) for path in options.labels if (leaf := by_path.get(path)) is not None}
        content = details.digests([by_path[path] for path in _CONTENT if path in by_path])
        task = _task(details, by_path)
    if len(set(ids)) < len(ids):
        notes.append("Some questions stand in the file more than once; the further rows were read as trials.")
    told = lighteval_results.beside(file, task or task_of(file.name))
    return table.to_run(
        Table(
            file=file,
            format="lighteval",
            ids=ids,
            series=series,
            errored=np.zeros(len(ids), dtype=np.bool_),
            content=content,
            labels={path: [lookup.text(cell) for cell in cells] for path, cells in labels.items()},
            directions=told.directions(one.name for one in series),
            measurement=told.measurement(),
            key=key,
            notes=tuple(notes),
        )
    )


def _metrics(details: ParquetFile) -> tuple[list[Series], list[str]]:
    """Return the metrics that have a number for each question, and a note about those that have none."""
    series: list[Series] = []
    corpus: dict[str, None] = {}
    for leaf in details.leaves:
        if leaf.path[0] not in {"metric", "metrics"}:
            continue
        if leaf.path == ("metrics",) and leaf.kind is Kind.TEXT:
            raise details.file.problem(
                "the details are of lighteval 0.7 or older, which wrote the scores as text",
                remedy="Write them again with lighteval 0.8 or newer.",
            )
        match leaf.kind, leaf.path:
            case Kind.NUMBER, (_, name):
                cells = details.numbers(leaf)
                series.append(column(name, [cell if isinstance(cell, float | int) else None for cell in cells]))
            case Kind.TEXT, _:
                pass  # what a judge was asked and said
            case _, (_, name, *_):
                corpus[name] = None
            case _:
                pass
    if not series:
        raise details.file.problem(
            "no metric of the task has a number for each question",
            where=", ".join(f"`{shown(name)}`" for name in corpus) or None,
            remedy="Metrics over a whole corpus cannot be paired; add one that every sample has.",
        )
    listed = ", ".join(f"`{shown(name)}`" for name in corpus)
    return series, [f"Computed over the whole corpus, so no metrics here: {listed}."] if corpus else []


def _ids(details: ParquetFile, by_path: dict[str, Leaf], id_field: str | None) -> tuple[list[str], str]:
    if id_field is not None:
        if id_field not in by_path or by_path[id_field].kind is Kind.OTHER:
            listed = ", ".join(
                f"`{shown(path, width=40)}`" for path in [p for p in by_path if p.startswith("doc.")][:20]
            )
            raise details.file.problem(
                f"no field is called `{shown(id_field)}`", remedy=f"There is {listed or 'none'}; name one with --id."
            )
        return _all(details, _text(details, by_path[id_field]), id_field), id_field
    query = by_path.get("doc.query", by_path.get("example"))
    questions = [] if query is None or query.kind is not Kind.TEXT else details.text_keys(query)
    if "doc.id" not in by_path:
        return _all(details, questions, "example"), "the question's text"
    ids = _all(details, _text(details, by_path["doc.id"]), "doc.id")
    # Ids are counted anew in every split of a task.
    return refined(ids, [str(text or "") for text in questions] or [""] * len(ids)), "doc.id"


def _all(details: ParquetFile, cells: Cells, field: str) -> list[str]:
    ids = [text for cell in cells if (text := lookup.id_text(cell)) is not None]
    if not ids or len(ids) < details.count:
        raise details.file.problem(
            f"a row has no `{shown(field)}`, so its question is not known",
            remedy="Write the details again, or name another field with --id, such as doc.query.",
        )
    return [text if len(text) <= limits.ID_CHARACTERS else identity.digested(text) for text in ids]


def _task(details: ParquetFile, by_path: dict[str, Leaf]) -> str | None:
    leaf = by_path.get("doc.task_name")
    names = set(details.text_keys(leaf)) if leaf is not None and leaf.kind is Kind.TEXT else set()
    return lookup.id_text(next(iter(names))) if len(names) == 1 else None


def _text(details: ParquetFile, leaf: Leaf) -> Cells:
    return details.text_keys(leaf) if leaf.kind is Kind.TEXT else details.numbers(leaf)
