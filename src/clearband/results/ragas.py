"""Ragas: the table of an evaluation, as people save `result.to_pandas()`: CSV, JSON lines, JSON or Parquet."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from clearband.results import experiments, names, picked, ragas_parquet
from clearband.results.about import About
from clearband.results.experiments import Experiment

if TYPE_CHECKING:
    from clearband.results.options import ReadOptions
    from clearband.results.outline import Outline
    from clearband.results.result_file import ResultFile
    from clearband.results.rows import Rows
    from clearband.results.run import Run

_PRODUCE = (
    '`result.to_pandas().to_csv("results.csv", index=False)`, `.to_json(..., orient="records", lines=True)` or '
    "`.to_parquet(...)`"
)

ABOUT = About(
    name="Ragas",
    versions="files of 0.2.15 and 0.4.3 (run for this project); the columns of 0.1 from its documentation",
    produce=_PRODUCE,
    key="`user_input` (0.1: `question`), with `reference` where inputs repeat; of a conversation what the user said, as"
    " the rest is the system's",
    metrics="every column beside the sample's own; discrete metrics with words such as pass and fail",
    direction="none",
    errors="a metric that failed is NaN (an empty cell, or null) and lost for that sample, never 0",
    measurement="nothing: the table does not tell which judge model was used",
    traps=(
        "A table of conversations is read as CSV or JSON; Parquet keeps them in a form that is not read.",
        "The judge model is not in the file: what another judge would have said is not noticed.",
        "`evaluate()` itself writes no file, and its printed result is a table of means.",
    ),
)

_TOOL = "ragas"
_SAMPLE = frozenset({
    "user_input", "retrieved_contexts", "reference_contexts", "retrieved_context_ids", "reference_context_ids",
    "response", "multi_responses", "reference", "rubrics", "rubric", "reference_tool_calls", "reference_topics",
    "persona_name", "query_style", "query_length", "synthesizer_name",
    "question", "answer", "contexts", "ground_truth", "ground_truths", "evolution_type", "episode_done",
})  # fmt: skip
"""The columns that hold the sample, of any version."""
_NEEDED = frozenset({"user_input", "question", "reference", "ground_truth"})
_QUESTIONS = ("user_input", "question")
_REFERENCES = ("reference", "ground_truth")
_COLUMNS = (
    {"user_input", "retrieved_contexts", "response"},
    {"user_input", "reference_contexts", "response"},
    {"question", "answer", "contexts", "ground_truth"},
)
"""What a table has at the least: today's with either kind of contexts, and that of 0.1."""
_HEAD = 2**16
_MESSAGES = re.compile(rb"""["']user_input["'\s]*:(?:\s*\{"0":)?\s*\[\{"content":|\[\{'content': """)
_TEXT = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_SAID = re.compile(rf"\{{'content': ({_TEXT}), (?:'metadata': [^{{}}]*(?:\{{[^{{}}]*\}})?, )?'type': 'human'")
_ESCAPED = re.compile(
    r"\\(?:([\\'\"])|([nrt])|x([0-9a-f]{2})|u((?!d[89a-f])[0-9a-f]{4})|U(000[0-9a-f]{5}|0010[0-9a-f]{4}))"
)
_LETTERS = {"n": "\n", "r": "\r", "t": "\t"}


def sniff(file: ResultFile, outline: Outline) -> bool:
    """Whether the table has the columns of a sample with contexts, of today's Ragas or of 0.1, or of a conversation."""
    if ragas_parquet.is_parquet(file):
        return ragas_parquet.has_fields(file, _COLUMNS)
    fields = picked.fields_of(file, outline)
    if any(fields >= columns for columns in _COLUMNS):
        return True
    return "user_input" in fields and _MESSAGES.search(file.head(_HEAD)) is not None


def read(file: ResultFile, options: ReadOptions) -> Run:
    """Read `file` into a run."""
    if ragas_parquet.is_parquet(file):
        texts = (*_QUESTIONS, *_REFERENCES)
        return from_rows(ragas_parquet.rows(file, _is_needed, texts, options), options)
    return from_rows(picked.rows_of(file, _TOOL, _is_needed, options), options)


def from_rows(rows: Rows, options: ReadOptions) -> Run:
    """Make a run of a table, whichever kind of file it came from."""
    metrics = {name: cells for name, cells in rows.columns.items() if _is_metric(name, options)}
    asked = next(cells for name in _QUESTIONS if (cells := rows.columns.get(name)) is not None)
    expected = next((cells for name in _REFERENCES if (cells := rows.columns.get(name)) is not None), None)
    return experiments.to_run(
        Experiment(
            rows=rows,
            scores=[{name: cells[row] for name, cells in metrics.items()} for row in range(rows.count)],
            lost=[False] * rows.count,
            asked=[*map(_question, asked)],
            expected=expected,
            unscored=f"Save the result with its metrics: {_PRODUCE}.",
        ),
        options,
    )


def _question(cell: object) -> object:
    """Return what was asked: of a conversation what the user said, as JSON or as Python spells it in a CSV."""
    if isinstance(cell, str) and cell.startswith("[{'content': "):
        return _spoken([_ESCAPED.sub(_unescaped, text[1:-1]) for text in _SAID.findall(cell)]) or cell
    found = experiments.readable(cell)
    if isinstance(found, list) and found and all(isinstance(one, dict) and "type" in one for one in found):
        return _spoken([one.get("content") for one in found if one["type"] == "human"]) or found
    return found


def _unescaped(found: re.Match[str]) -> str:
    """Return the sign that Python spells with a backslash."""
    sign, letter, *codes = found.groups()
    return sign or (_LETTERS[letter] if letter else chr(int(next(filter(None, codes)), 16)))


def _spoken(texts: list[object]) -> object:
    return texts[0] if len(texts) == 1 else texts


def _is_needed(name: str) -> bool:
    return name in _NEEDED or name not in _SAMPLE


def _is_metric(name: str, options: ReadOptions) -> bool:
    asked_for = name == options.id_field or name in options.labels
    return name not in _SAMPLE and bool(name) and not names.is_no_metric(name) and not asked_for
