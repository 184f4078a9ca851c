"""promptfoo: the rows of an evaluation, one a test, prompt and provider, as JSON or JSON lines."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from clearband.results import experiments, lenient_json, question_keys, series_choice
from clearband.results.about import About
from clearband.results.experiments import Experiment
from clearband.results.outline import Shape, outline
from clearband.results.rows import Rows, columns_of
from clearband.results.table import hashed
from clearband.vocabulary import MeasurementField

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clearband.results.options import ReadOptions
    from clearband.results.outline import Outline
    from clearband.results.result_file import ResultFile
    from clearband.results.run import Run

_PRODUCE = "`promptfoo eval -o results.json` (or `.jsonl`)"

ABOUT = About(
    name="promptfoo",
    versions="files of 0.121.20 (run for this project), version 3 of the format; version 2 from the types of 0.70.1",
    produce=_PRODUCE,
    key="the test's `vars`: the text where there is one, else all of them as JSON; an id in `vars` "
    "or `metadata` where every test has one. Never `id` or `testIdx`, which change from run to run",
    metrics="`success` (all assertions passed), `score` (their weighted mean), every named metric of `namedScores`; "
    "`latencyMs` and `cost`",
    direction="`latencyMs` and `cost`: lower is better; nothing for scores",
    errors="a row with `failureReason` 2 (the provider or the assertion broke) is lost, though it says score 0 "
    "and success false; a failed assertion is a score",
    measurement="provider, prompt, types of assertions with their metrics, graders of model-graded assertions, version",
    traps=(
        "A file of several providers or prompts holds several series: choose one with `--series`.",
        "Rows stand in completion order, and `testIdx` shifts when a test is inserted; neither names a question.",
        "`--repeat` writes more rows without a number; rows of equal vars and assertions are trials.",
        "The CSV rounds scores and repeats its headers: it is refused in favour of JSON.",
        "With PROMPTFOO_STRIP_TEST_VARS the vars are empty, and only the place of a test names it.",
    ),
)

_TOOL = "promptfoo"
_BROKEN = 2
_CSV_HEADER = ("Status", "Score", "Named Scores")


class _Named(msgspec.Struct):
    id: object = None
    label: object = None
    display: object = None
    provider: object = None


class _Case(msgspec.Struct):
    description: object = None
    asserts: object = msgspec.field(default=None, name="assert")
    metadata: object = None


class _Row(msgspec.Struct):
    success: object = None
    score: object = None
    named: object = msgspec.field(default=None, name="namedScores")
    vars: object = None
    case: _Case | None = msgspec.field(default=None, name="testCase")
    latency: object = msgspec.field(default=None, name="latencyMs")
    cost: object = None
    reason: object = msgspec.field(default=None, name="failureReason")
    error: object = None
    grading: msgspec.Raw = msgspec.field(default=msgspec.Raw(b""), name="gradingResult")
    prompt: _Named | None = None
    provider: _Named | str | None = None
    prompt_index: int | None = msgspec.field(default=None, name="promptIdx")
    test_index: int | None = msgspec.field(default=None, name="testIdx")


class _Results(msgspec.Struct):
    results: list[_Row] = []
    prompts: list[_Named] | None = None


class _About(msgspec.Struct):
    version: object = msgspec.field(default=None, name="promptfooVersion")


class _File(msgspec.Struct):
    results: _Results
    metadata: _About | None = None


def sniff(file: ResultFile, outline: Outline) -> bool:
    """Whether the file holds promptfoo's rows, in an evaluation, line by line, or as its CSV."""
    match outline.shape:
        case Shape.OBJECT:
            return "results" in outline.inside("results") and (
                outline.has("evalId")
                or {"stats", "version", "table", "prompts"} & outline.inside("results").keys() != set()
            )
        case Shape.LINES:
            return outline.has("gradingResult", "promptIdx") or outline.has("namedScores", "testCase", "promptId")
        case Shape.LIST:
            return False
        case Shape.OTHER:
            header = file.data[:65_536].partition(b"\n")[0].decode(errors="replace")
            return all(f",{name}" in header for name in _CSV_HEADER)


def read(file: ResultFile, options: ReadOptions) -> Run:
    """Read one series of `file` into a run."""
    rows, prompts, version, places = _rows(file)
    if not rows:
        raise file.problem("the evaluation holds no row", remedy=f"Write the results with {_PRODUCE}.")
    names, groups = _series(rows, prompts)
    chosen = series_choice.choose(file, names, options.series)
    kept = groups[chosen]
    if not any(row.vars for row in rows):
        kept.sort(key=lambda place: rows[place].test_index or 0)  # the file's own order is that of completion
    mine = [rows[place] for place in kept]
    asked, note = _asked(mine)
    run = experiments.to_run(
        Experiment(
            rows=_table(file, mine, [places[place] for place in kept]),
            scores=[_scores(row) for row in mine],
            lost=[_is_lost(row) for row in mine],
            asked=asked,
            told=[_told(row) for row in mine],
            times=_times(mine),
            measurement=_measurement(mine, names[chosen], version),
            notes=note,
            unscored=f"Give the tests assertions, and write the results with {_PRODUCE}.",
        ),
        options,
    )
    return replace(run, series=series_choice.first(names, chosen))


def _rows(file: ResultFile) -> tuple[list[_Row], list[_Named], object, list[str]]:
    """Return the rows, the prompts, the tool's version, and where each row lies."""
    shape = outline(file.data).shape
    if shape is Shape.OTHER:
        raise file.problem(
            "the file is promptfoo's CSV, which rounds scores and gives every series the same headers",
            remedy=f"Write the results with {_PRODUCE}.",
        )
    if shape is Shape.LINES:
        found = list(lenient_json.lines(file, _Row, tool=_TOOL))
        return [row for _, row in found], [], None, [f"line {number}" for number, _ in found]
    document = lenient_json.document(file, _File, tool=_TOOL)
    rows = document.results.results
    version = document.metadata.version if document.metadata else None
    places = [f"row {place + 1} of `results.results`" for place in range(len(rows))]
    return rows, document.results.prompts or [], version, places


def _series(rows: Sequence[_Row], prompts: Sequence[_Named]) -> tuple[list[str], list[list[int]]]:
    """Return the series' names, and the rows of each, in the order of the evaluation's prompts."""
    groups: dict[object, list[int]] = {}
    for place, row in enumerate(rows):
        key: object = row.prompt_index
        groups.setdefault(_called(row) if key is None else key, []).append(place)
    order = sorted(groups, key=lambda key: key if isinstance(key, int) else 0)
    called = []
    for key in order:
        told = prompts[key] if isinstance(key, int) and 0 <= key < len(prompts) else None
        called.append(_name(told.provider, told.label or told.display) if told else _called(rows[groups[key][0]]))
    return series_choice.numbered(called), [groups[key] for key in order]


def _called(row: _Row) -> str:
    provider = row.provider if isinstance(row.provider, (str, type(None))) else row.provider.label or row.provider.id
    return _name(provider, None if row.prompt is None else row.prompt.label or row.prompt.display)


def _name(provider: object, label: object) -> str:
    parts = [part for part in (provider, label) if isinstance(part, str) and part.strip()]
    return " / ".join(parts) or "unnamed"


def _asked(rows: Sequence[_Row]) -> tuple[list[object], tuple[str, ...]]:
    """Return what each row asks: its vars, and more only where equal vars stand for several tests."""
    plain = [question_keys.canonical(row.vars or {}) for row in rows]
    details = [_detail(row) for row in rows]
    kinds: dict[str, set[str]] = {}
    for vars_, detail in zip(plain, details, strict=True):
        kinds.setdefault(vars_, set()).add(detail)
    asked: list[object] = [
        {**row.vars, "test": detail}
        if isinstance(row.vars, dict) and row.vars and len(kinds[vars_]) > 1
        else row.vars or {}
        for row, vars_, detail in zip(rows, plain, details, strict=True)
    ]
    several = any(len(kinds[vars_]) > 1 for vars_ in plain)
    note = "Tests with equal vars are told apart by their description and assertions."
    return asked, (note,) if several else ()


def _detail(row: _Row) -> str:
    """Return what tells two tests with equal vars apart."""
    if row.case is None:
        return ""
    text = row.case.description if isinstance(row.case.description, str) else ""
    return f"{text} {hashed(question_keys.canonical(row.case.asserts))[:8]}".strip()


def _told(row: _Row) -> dict[str, object]:
    """Return what a person wrote down about the test, in which an id may lie."""
    metadata = row.case.metadata if row.case is not None and isinstance(row.case.metadata, dict) else {}
    vars_ = row.vars if isinstance(row.vars, dict) else {}
    return {**{key: value for key, value in metadata.items() if isinstance(key, str)}, **vars_}


def _is_lost(row: _Row) -> bool:
    """Tell whether the row is a breakdown; files before `failureReason` show it by an error that nothing graded."""
    if row.reason is not None:
        return row.reason == _BROKEN
    return experiments.has_error(row.error) and bytes(row.grading) in {b"", b"null"}


def _scores(row: _Row) -> dict[str, object]:
    named = row.named if isinstance(row.named, dict) else {}
    return {"success": row.success, "score": row.score, **{name: value for name, value in named.items() if name}}


def _times(rows: Sequence[_Row]) -> dict[str, list[object]]:
    times = {"latencyMs": [row.latency for row in rows], "cost": [row.cost for row in rows]}
    return {name: cells for name, cells in times.items() if any(cells)}


def _measurement(rows: Sequence[_Row], series: str, version: object) -> dict[MeasurementField, str]:
    provider, _, label = series.partition(" / ")
    kinds: Counter[str] = Counter()
    graders: set[str] = set()
    for row in rows:
        asserts = row.case.asserts if row.case is not None else None
        for one in asserts if isinstance(asserts, list) else ():
            if isinstance(one, dict):
                metric = one.get("metric")
                kinds[f"{metric}: {one.get('type')}" if isinstance(metric, str) else str(one.get("type"))] += 1
                grader = one.get("provider")
                graders.add(grader if isinstance(grader, str) else question_keys.canonical(grader) if grader else "")
    return {
        MeasurementField.MODEL: provider,
        MeasurementField.PROMPT: label,
        MeasurementField.SCORER: "; ".join(sorted(kinds)),
        MeasurementField.JUDGE: "; ".join(sorted(graders - {""})),
        MeasurementField.TOOL: f"promptfoo {version}" if isinstance(version, str) else "",
    }


def _table(file: ResultFile, rows: Sequence[_Row], places: Sequence[str]) -> Rows:
    """Return the fields that a label or an id may be asked for."""
    cells = [
        {
            "vars": row.vars,
            "metadata": row.case.metadata if row.case is not None else None,
            "description": row.case.description if row.case is not None else None,
        }
        for row in rows
    ]
    return Rows(
        file=file,
        format="promptfoo/json" if places[0].startswith("row") else "promptfoo/jsonl",
        count=len(rows),
        columns=columns_of(file, cells),
        place=lambda row: places[row],
    )
