"""One file of judgements between two systems, read as two runs: 0 for the baseline, the preference for the candidate.

The difference of the two runs is then the judgement itself, -1, 0 or 1, and everything that is said of differences
holds for it. A question that was judged several times, with the answers in either order or by several judges, has
that many trials, which are averaged.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from clearband.results import (
    delimited,
    generic,
    identity,
    json_document,
    jsonl,
    lookup,
    names,
    parquet,
    series_choice,
    table,
)
from clearband.results import verdicts as judged
from clearband.results.outline import outline
from clearband.results.result_file import open_file, shown
from clearband.results.table import Table, column
from clearband.vocabulary import Direction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clearband.results.identity import Identity
    from clearband.results.options import PairOptions, ReadOptions
    from clearband.results.result_file import ResultFile
    from clearband.results.rows import Cells, Rows
    from clearband.results.run import Run
    from clearband.results.snapshot import Content

METRIC = "preference"
"""The one metric of the two runs; above 0 the candidate was preferred, and words give -1, 0 and 1."""

_FORMAT = "pairwise"


def read(name: str, data: Content, options: PairOptions) -> tuple[Run, Run]:
    """Read a file of judgements into a baseline and a candidate run.

    Parameters
    ----------
    name
        The file's name, for messages and the record.
    data
        The file's bytes: JSON lines, JSON, CSV or Parquet, one judgement per row.
    options
        The question's field, and which system is the baseline, which the candidate (`series` of each).

    Raises
    ------
    UnusableResults
        Where the rows are no judgements, or which system is meant cannot be told.

    """
    file = open_file(name, data)
    rows = _rows(file, options.candidate)
    if not rows.count:
        raise file.problem("the file has no rows", remedy="Write one judgement per row.")
    fields = judged.find(rows)
    if not fields:
        raise file.problem(
            "no field says which of two systems was preferred",
            remedy=f"The fields are {identity.listed(rows)}. Call the one with the judgement `winner`; it holds "
            '"baseline", "candidate" or "tie".',
        )
    known = identity.identify(rows, options.candidate.id_field)
    pairs = _systems(rows)
    found = [judged.read(rows, field, pairs) for field in fields]
    if any(one.by_place for one in found) and len(fields) == 1:
        _refuse_swaps(rows, fields[0])
    own = next((one.systems for one in found if one.systems is not None), None)
    if pairs is None or own == judged.OWN_WORDS:
        pairs = [own or judged.LETTERS] * rows.count
    failed, _ = generic.errors(rows)
    judgements = [
        [None if lost else value for value, lost in zip(one.preference, failed.tolist(), strict=True)] for one in found
    ]
    return _runs(rows, known, pairs, judgements, options)


def _rows(file: ResultFile, options: ReadOptions) -> Rows:
    seen = outline(file)
    if parquet.sniff(file, seen):
        return parquet.rows(file, options)
    if jsonl.sniff(file, seen):
        return jsonl.rows(file, options)
    if json_document.sniff(file, seen):
        return json_document.rows(file, options)
    return delimited.rows(file)


def _systems(rows: Rows) -> list[tuple[str, str]] | None:
    """Return the two systems of each row; None where no fields name them."""
    for first, second in judged.SYSTEMS:
        fields = names.find(rows.columns, (first,)), names.find(rows.columns, (second,))
        if fields[0] is None or fields[1] is None:
            continue
        pairs = zip(rows.columns[fields[0]], rows.columns[fields[1]], strict=True)
        systems = [(lookup.id_text(one) or "", lookup.id_text(other) or "") for one, other in pairs]
        unnamed = next((row for row, pair in enumerate(systems) if not all(pair)), None)
        if unnamed is not None:
            raise rows.file.problem(
                f"`{shown(fields[0])}` or `{shown(fields[1])}` does not name a system",
                where=rows.place(unnamed),
                remedy="Name both systems in every row.",
            )
        return systems
    return None


def _refuse_swaps(rows: Rows, field: str) -> None:
    """Refuse places beside a note that places were swapped: which of the two they mean is anybody's guess."""
    for swap, cells in rows.columns.items():
        if names.plain(swap) in judged.SWAPS and len(set(map(str, cells))) > 1:
            raise rows.file.problem(
                f"`{shown(field)}` names a place and `{shown(swap)}` says that places were swapped; whether the "
                "judgement was put right afterwards cannot be told",
                remedy=f'Write "baseline", "candidate" or "tie" into `{shown(field)}`, whatever the order was.',
            )


def _runs(
    rows: Rows,
    known: Identity,
    pairs: Sequence[tuple[str, str]],
    judgements: Sequence[list[float | None]],
    options: PairOptions,
) -> tuple[Run, Run]:
    baseline, candidate, chosen = _chosen(rows.file, pairs, options)
    signs = [1.0 if pair == (baseline, candidate) else -1.0 if pair == (candidate, baseline) else 0.0 for pair in pairs]
    kept = [row for row, sign in enumerate(signs) if sign]
    ids = [known.ids[row] for _ in judgements for row in kept]
    cells = [
        None if (value := verdict[row]) is None else signs[row] * value + 0.0 for verdict in judgements for row in kept
    ]
    notes = [*rows.notes, *known.notes, chosen]
    if len(kept) < rows.count:
        notes.append(f"{rows.count - len(kept)} rows judge other systems and were left out.")
    unjudged = sum(cell is None for cell in cells)
    if unjudged:
        notes.append(f"{unjudged} rows hold no judgement; a question without any is lost.")
    often = Counter(ids)
    if len(often) < len(ids):
        notes.append(f"A question was judged up to {max(often.values())} times; its judgements were averaged.")
    labels = _labels(rows, options.candidate.labels, kept, len(judgements))
    judged_once = {question for question, cell in zip(ids, cells, strict=True) if cell is not None}
    # An arm that is 0 throughout has the trials of the other, and a value also where the candidate has none.
    zeros = [
        None if cell is None and question in judged_once else 0.0 for question, cell in zip(ids, cells, strict=True)
    ]

    def run(values: Sequence[float | None], own: str, other: str, said: Sequence[str]) -> Run:
        return table.to_run(
            Table(
                file=rows.file,
                format=_FORMAT,
                ids=ids,
                series=[column(METRIC, values)],
                errored=np.array([value is None for value in values], dtype=np.bool_),
                labels=labels,
                directions={METRIC: Direction.HIGHER},
                key=known.key,
                series_names=(own, other),
                notes=tuple(said),
            )
        )

    return run(zeros, baseline, candidate, ()), run(cells, candidate, baseline, notes)


def _chosen(file: ResultFile, pairs: Sequence[tuple[str, str]], options: PairOptions) -> tuple[str, str, str]:
    """Return baseline, candidate, and a sentence about how they were told apart."""
    systems = list(dict.fromkeys(name for pair in pairs for name in pair))
    if len(systems) == 1:
        raise file.problem(
            f'every row judges "{shown(systems[0])}" against itself',
            remedy="The two fields that name the systems have to name two; check which of them hold the names.",
        )
    wanted = options.baseline.series, options.candidate.series
    if wanted == (None, None):
        first, second = pairs[0]
        if set(pairs) == {judged.OWN_WORDS}:
            return first, second, "The judgements name baseline and candidate."
        if set(pairs) == {judged.LETTERS}:
            return (
                first,
                second,
                (
                    "The first system (A) was read as the baseline, the second (B) as the candidate; "
                    "--candidate-series A turns them round."
                ),
            )
        listed = ", ".join(f'"{shown(name)}"' for name in systems[:12])
        raise file.problem(
            f"which system is the baseline cannot be told: there is {listed}",
            remedy=f'Say it with --baseline-series "{shown(systems[0])}" and --candidate-series "{shown(systems[1])}".',
        )
    found = [None if text is None else systems[series_choice.choose(file, systems, text)] for text in wanted]
    rest = [name for name in systems if name not in found]
    if len(rest) == 1 and len(systems) == 2:
        found = [name or rest[0] for name in found]
    baseline, candidate = found
    if baseline is None or candidate is None or baseline == candidate:
        listed = ", ".join(f'"{shown(name)}"' for name in systems[:12])
        raise file.problem(
            "baseline and candidate are not two of the systems that were judged",
            remedy=f"Name both with --baseline-series and --candidate-series; there is {listed}.",
        )
    return baseline, candidate, f'"{shown(baseline)}" was read as the baseline, "{shown(candidate)}" as the candidate.'


def _labels(rows: Rows, wanted: Sequence[str], kept: Sequence[int], times: int) -> dict[str, list[str | None]]:
    found: dict[str, Cells] = {
        field: cells for field in wanted if (cells := identity.cells_of(rows, field)) is not None
    }
    return {field: [lookup.text(cells[row]) for _ in range(times) for row in kept] for field, cells in found.items()}
