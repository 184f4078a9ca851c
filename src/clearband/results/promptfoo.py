"""promptfoo: ``promptfoo eval -o results.json`` or ``.jsonl``."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from clearband.results import experiments, promptfoo_judge, question_keys, series_choice
from clearband.results.about import About
from clearband.results.experiments import Experiment
from clearband.results.outline import Shape
from clearband.results.promptfoo_file import ERROR, TOOL, load
from clearband.results.result_file import first_sign
from clearband.results.rows import Rows, columns_of
from clearband.vocabulary import MeasurementField

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clearband.results.options import ReadOptions
    from clearband.results.outline import Outline
    from clearband.results.promptfoo_file import Evaluation, One, Row
    from clearband.results.result_file import ResultFile
    from clearband.results.run import Run

_PRODUCE = "`promptfoo eval -o results.json` (or `.jsonl`)"

ABOUT = About(
    name=TOOL,
    versions="files of 0.80.3 (version 2 of the format), 0.121.1, 0.121.20 and 0.123.1 (version 3), all run for this "
    "project",
    produce=f"{_PRODUCE}; of an evaluation that ran already `promptfoo export eval latest -o results.json`",
    key="the test's `vars`: the text where there is one, else all of them as JSON; with a hash of the assertions where "
    "several tests share them; an id in `vars` or `metadata` where every test has one. Never `id` or `testIdx`, which "
    "change from run to run",
    metrics="`success` (all assertions passed), `score` (their weighted mean), every named metric of `namedScores`; "
    "`latencyMs` and `cost`",
    direction="`latencyMs` and `cost`: lower is better; nothing for scores",
    errors="a test that nothing judged (`failureReason` 2: the provider failed, was rate-limited or timed out) is "
    "lost, though it says score 0 and success false; so are the scores of a judge that failed, where the file says so "
    "(`graderError`: 0.123 does, 0.121.1 and before write an unmarked 0); a failed assertion is a score",
    measurement="provider, prompt, judges and a hash of their prompts as far as assertions or options name them, "
    "version (JSON only), tag `commit`",
    traps=(
        "A file of several providers or prompts holds several series: choose one with `--series`.",
        "Rows stand in completion order, and `testIdx` shifts when a test is inserted; neither names a question.",
        "`--repeat` writes more rows without a number; rows of equal vars and assertions are trials.",
        "A question is edited where its assertions changed, or the text of a file in its vars (0.123 keeps none).",
        "Vars that are made anew in every run (a date, a uuid) pair with nothing: name a field with `--id`.",
        "A test without assertions passes with score 1.",
        "0.121.1 writes JSON lines behind what the file holds: remove it first, or older rows count as trials.",
        "A metric of several assertions is their sum in 0.80 and 0.121.1, their mean in 0.123: compare one version.",
        "The latency of an answer from the cache is left out: evaluate with `--no-cache`.",
        "The CSV rounds scores and repeats its headers: it is refused in favour of JSON.",
        "With PROMPTFOO_STRIP_TEST_VARS the vars are empty, and only the place of a test names it.",
    ),
)

_CSV_HEADER = ("Status", "Score", "Named Scores")
_COMMITS = ("commit", "git_commit", "git_sha", "sha")
_HASH = 12
_SCRIPT = re.compile(r"\.(?:[cm]?[jt]s|py|rb|go)(?::\w{1,99})?$")


def sniff(file: ResultFile, outline: Outline) -> bool:
    """Whether the file holds promptfoo's rows, in an evaluation, line by line, or as its CSV."""
    if outline.shape is Shape.OTHER:
        header = file.head(65_536).partition(b"\n")[0].decode(errors="replace")
        return all(f",{name}" in header for name in _CSV_HEADER)
    return _is_row(outline) or (outline.shape is Shape.OBJECT and _is_summary(outline))


def read(file: ResultFile, options: ReadOptions) -> Run:
    """Read one series of `file` into a run."""
    if first_sign(file.head(4096)) not in {b"{", b"["}:
        raise file.problem(
            "the file is promptfoo's CSV, which rounds scores and gives every series the same headers",
            remedy=f"Write the results with {_PRODUCE}.",
        )
    evaluation = load(file)
    chosen = series_choice.choose(file, evaluation.names, options.series)
    one = evaluation.series[chosen]
    values = [_vars(row) for row in one.rows]
    if not any(values):
        one = _in_order(one)  # the file's own order is that of completion
    unjudged = [promptfoo_judge.unjudged(row) for row in one.rows]
    scores = [_scores(row, without) for row, without in zip(one.rows, unjudged, strict=True)]
    run = experiments.to_run(
        Experiment(
            rows=_table(file, one, values),
            scores=scores,
            lost=[_is_lost(row) for row in one.rows],
            asked=_asked(one.rows, values),
            expected=_judged_by(one.rows, values),
            told=[{**_metadata(row), **value} for row, value in zip(one.rows, values, strict=True)],
            times=_times(one.rows),
            measurement=_measurement(evaluation, one),
            notes=tuple(_notes(one.rows, unjudged)),
            unscored=f"Give the tests assertions, and write the results with {_PRODUCE}.",
        ),
        options,
    )
    return replace(run, series=series_choice.first(evaluation.names, chosen))


def _is_row(outline: Outline) -> bool:
    judged = any(outline.has(key) for key in ("gradingResult", "namedScores"))
    return judged and outline.has("success", "score") and (outline.has("provider") or outline.has("promptIdx"))


def _is_summary(outline: Outline) -> bool:
    """Whether this is the file of the command line, or what promptfoo's library returned."""
    inner = outline.inside("results")
    if outline.has("stats", "version"):
        return "success" in inner and ("namedScores" in inner or "gradingResult" in inner)
    around = outline.has("evalId") or bool({"stats", "version", "table", "prompts", "timestamp"} & inner.keys())
    return around and ("results" in inner or "table" in inner)


def _in_order(one: One) -> One:
    order = sorted(range(len(one.rows)), key=lambda place: _number(one.rows[place].test_index))
    return replace(one, rows=[one.rows[place] for place in order], places=[one.places[place] for place in order])


def _number(cell: object) -> int:
    return cell if isinstance(cell, int) else 0


def _asked(rows: Sequence[Row], values: Sequence[dict[str, object]]) -> list[object]:
    """Return what each row asks: its vars, and its description only where equal vars stand for several tests."""
    plain = [question_keys.canonical(value) for value in values]
    described = [_description(row) or "" for row in rows]
    apart: dict[str, set[str]] = {}
    for key, text in zip(plain, described, strict=True):
        apart.setdefault(key, set()).add(text)
    return [
        {**value, "description": text} if value and text and len(apart[key]) > 1 else value
        for value, key, text in zip(values, plain, described, strict=True)
    ]


def _is_lost(row: Row) -> bool:
    """Whether nothing judged the test; version 2 says so by an error, which it also copies from failed assertions."""
    if row.failure_reason is not None:
        return row.failure_reason == ERROR
    ungraded = bytes(row.grading) in {b"", b"null"}
    return ungraded and (experiments.has_error(row.error) or row.passed is False)


def _scores(row: Row, without: frozenset[str]) -> dict[str, object]:
    named = {name: value for name, value in (row.named_scores or {}).items() if name}
    scores = {"success": row.success, "score": row.score, **named}
    return {name: None if name in without else value for name, value in scores.items()}


def _times(rows: Sequence[Row]) -> dict[str, list[object]]:
    """Return what answers took, but for those from the cache; promptfoo says 0 where it does not know a cost."""
    cached = [promptfoo_judge.is_cached(row) for row in rows]
    times: dict[str, list[object]] = {
        "latencyMs": [None if old else row.latency for row, old in zip(rows, cached, strict=True)],
        "cost": [None if old and not row.cost else row.cost for row, old in zip(rows, cached, strict=True)],
    }
    return {name: cells for name, cells in times.items() if any(cells)}


def _measurement(evaluation: Evaluation, one: One) -> dict[MeasurementField, str]:
    judge, prompts = promptfoo_judge.judges(one.rows)
    tags = evaluation.tags if isinstance(evaluation.tags, dict) else {}
    prompt = " ".join(filter(None, (one.label, one.prompt and f"({one.prompt[:_HASH]})")))
    return {
        MeasurementField.MODEL: one.model,
        MeasurementField.PROMPT: prompt,
        MeasurementField.COMMIT: next((tags[tag] for tag in _COMMITS if isinstance(tags.get(tag), str)), ""),
        MeasurementField.JUDGE: judge,
        MeasurementField.JUDGE_PROMPT: prompts,
        MeasurementField.TOOL: f"{TOOL} {evaluation.version}" if evaluation.version else "",
    }


def _notes(rows: Sequence[Row], unjudged: Sequence[frozenset[str]]) -> Iterator[str]:
    """Say where the means differ from what promptfoo shows."""
    lost, broken = sum(map(_is_lost, rows)), sum(map(bool, unjudged))
    if lost:
        yield f"{lost} of {len(rows)} rows were not judged; promptfoo counts them as failed, here they are lost."
    if broken:
        yield f"{broken} of {len(rows)} rows had a judge that failed; promptfoo counts that as 0, here it is no score."


def _table(file: ResultFile, one: One, values: Sequence[dict[str, object]]) -> Rows:
    """Return the fields that a label or an id may be asked for."""
    cells: list[dict[str, object]] = [
        {"vars": {**_object(row.vars), **value}, "metadata": _metadata(row), "description": _description(row)}
        for row, value in zip(one.rows, values, strict=True)
    ]
    return Rows(
        file=file,
        format="promptfoo/jsonl" if one.places[0].startswith("line") else "promptfoo/json",
        count=len(cells),
        columns=columns_of(file, cells),
        place=lambda row: one.places[row],
    )


def _vars(row: Row) -> dict[str, object]:
    """Return the vars as configured, else as rendered but for what promptfoo itself puts there."""
    own = _object(row.test_case.vars) if row.test_case else {}
    return own or {name: value for name, value in _object(row.vars).items() if name != "_conversation"}


def _judged_by(rows: Sequence[Row], values: Sequence[dict[str, object]]) -> list[object]:
    """Return what else belongs to each question: what its test asserts, and what the files hold that its vars name."""
    known: dict[bytes, object] = {}
    found: list[object] = []
    for row, value in zip(rows, values, strict=True):
        raw = bytes(row.test_case.assertions) if row.test_case else b""
        if raw not in known:
            known[raw] = question_keys.decoded(msgspec.Raw(raw))
        named = [name for name, text in value.items() if _is_file(text)]
        shown = _object(row.vars) if named else {}
        files = {name: shown[name] for name in named if shown.get(name, value[name]) != value[name]}
        found.append([known[raw], files] if files else known[raw])
    return found


def _is_file(value: object) -> bool:
    """Whether a var names a file of which the text is shown; what a script says may differ in every run."""
    return isinstance(value, str) and value.startswith("file://") and not _SCRIPT.search(value)


def _metadata(row: Row) -> dict[str, object]:
    """Return what a person noted down of the test."""
    return _object(row.test_case.metadata) if row.test_case else {}


def _description(row: Row) -> str | None:
    text = (row.test_case.description if row.test_case else None) or row.description
    return text if isinstance(text, str) and text.strip() else None


def _object(raw: msgspec.Raw) -> dict[str, object]:
    value = question_keys.decoded(raw)
    return {name: one for name, one in value.items() if isinstance(name, str)} if isinstance(value, dict) else {}
