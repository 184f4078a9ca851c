"""promptfoo: ``promptfoo eval -o results.json`` or ``.jsonl``, and the tables of its early versions."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from clearband.results import lookup, promptfoo_judge, promptfoo_questions, series_choice, table
from clearband.results.about import About
from clearband.results.outline import keys_of
from clearband.results.promptfoo_file import ERROR, TOOL, load
from clearband.results.result_file import first_sign, shown
from clearband.vocabulary import Direction, MeasurementField

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from clearband.results.options import ReadOptions
    from clearband.results.outline import Outline
    from clearband.results.promptfoo_file import Evaluation, One, Row
    from clearband.results.result_file import ResultFile
    from clearband.results.run import Run
    from clearband.results.table import Series

ABOUT = About(
    name=TOOL,
    versions="written by 0.80.3 (version 2, with a table), 0.121.20 and 0.123.1 (version 3), read from 0.121.17",
    produce="`promptfoo eval -o results.json` (or `.jsonl`); of an evaluation that ran already "
    "`promptfoo export eval latest -o results.json`",
    key="an id that a person gave (`id`, `question_id` ... in `metadata` or `vars`), else the test's `vars`; where "
    "several tests share them also the `description`, then the assertions; `--id vars.q` names another",
    metrics="`success`, `score`, every named metric of the assertions, `latencyMs`, `cost`",
    direction="all scores higher; `latencyMs` and `cost` lower, as its own assertions on them say",
    errors="a test without a judgement (`failureReason` 2: the provider failed, was rate-limited or timed out), which "
    "promptfoo counts as failed with score 0, is lost; so is a score whose judge failed, where promptfoo says so "
    "(`graderError`, since 0.121); a failed assertion is a score",
    measurement="provider, hash of the prompt, judge and hash of its prompt where assertions name them, version (JSON "
    "only), tag `commit`",
    traps=(
        "A file with several providers or prompts holds as many series; one has to be chosen.",
        "`testIdx` is a place in the configuration and never pairs tests; results stand in the order of completion.",
        "`--repeat` writes rows that nothing tells apart: they are trials of one question.",
        "A test without assertions passes with score 1.",
        "Vars that are made anew in every run (a date, a uuid) pair with nothing: name another field with `--id`.",
        "Before 0.121 a metric that two assertions of a test share is their sum, since then their weighted mean.",
        "Before 0.121 a judge that fails scores 0, and the file does not tell it from a bad answer.",
        "Latency and cost of cached answers were not measured and are left out; evaluate with `--no-cache`.",
        "CSV, YAML, XML and HTML files are refused: their scores are rounded, or they hold no rows.",
    ),
)

_TEXT_SIGNS = (b",Status,Score,Named Scores,", b"\nresults:\n  version: ", b"<promptfoo>")
_HEAD = 2**16


def sniff(file: ResultFile, outline: Outline) -> bool:
    """Whether the file is one of promptfoo, or one that promptfoo writes and nobody can compare."""
    return _is_summary(outline) or _is_table(outline) or _is_row(outline) or _is_other_text(file)


def read(file: ResultFile, options: ReadOptions) -> Run:
    """Read the series that is asked for."""
    if _is_other_text(file):
        raise file.problem(
            "promptfoo writes rounded scores or no rows to CSV, YAML and XML",
            remedy="Write JSON: promptfoo eval -o results.json (of the last evaluation: promptfoo export eval latest "
            "-o results.json).",
        )
    evaluation = load(file, outline_of(file))
    chosen = series_choice.choose(file, evaluation.names, options.series)
    one = evaluation.series[chosen]
    questions = promptfoo_questions.identify(file, one.rows, options.id_field)
    views = promptfoo_questions.views(one.rows) if options.labels else []
    errored = [_has_error(row) for row in one.rows]
    series = list(_metrics(file, one.rows, errored))
    return table.to_run(
        table.Table(
            file=file,
            format=TOOL,
            ids=questions.ids,
            series=series,
            errored=np.array(errored, dtype=np.bool_),
            content=questions.content,
            labels=lookup.labels(views, options.labels),
            directions={
                metric.name: Direction.LOWER if metric.name in _COSTS else Direction.HIGHER for metric in series
            },
            measurement=_measurement(evaluation, one),
            key=questions.key,
            by_position=questions.by_position,
            series_names=series_choice.first(evaluation.names, chosen),
            notes=(*questions.notes, *_notes(one.rows, errored)),
        )
    )
