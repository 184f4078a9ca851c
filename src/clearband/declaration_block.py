"""One declaration as it was written: a fenced block of ``key: value`` lines, or one labelled line of Markdown.

Tolerant in form: case, spaces or hyphens in keys, quotes or backticks around values, comments, empty lines. Strict in
meaning: a key that is not known, a value that is not one, or a key that could loosen the rules is a problem and
never a guess.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clearband.declaration_value import Problem, is_placeholder, quoted, read_name, read_value
from clearband.plain_text import DEFAULT_SUITE, nearest, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clearband.markdown import Fence, TextLine

KEYS = (
    "suite",
    "primary_metric",
    "effect",
    "require",
    "guardrails",
    "hypothesis",
    "looks",
    "results_seen_before",
    "reason",
)

_PROSE = frozenset({"hypothesis", "reason"})
"""Keys whose value may go on over indented lines."""
_PROBLEM_LIMIT = 5
"""So many problems of a block are named; whoever mends them sees the others next."""
_OF_THE_POLICY = frozenset({
    "confidence", "alpha", "level", "interval", "direction", "higher_is_better", "lower_is_better", "range", "unit",
    "max_lost", "margin", "min_questions", "allow_changed_questions", "mode", "role", "metrics", "max_looks", "anchor",
    "paths", "ledger", "override_by_author", "show_questions", "comment_template",
    "baseline_commit", "baseline_runs", "baseline_missing",
    "n_boot", "seed", "threshold", "baseline", "candidate", "statistic", "budget", "reducer", "k", "on_lost",
    "cluster", "slices", "min_slice", "slice_guardrails", "must_pass", "varies",
})  # fmt: skip
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_SEPARATORS = re.compile(r"[\s_-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A block, read."""

    line: int
    is_fence: bool
    suite: str | None = DEFAULT_SUITE
    """None where a problem may have kept the suite from being read: then the block concerns every suite."""
    values: Mapping[str, str]
    """Key to normalised value, without the suite and without placeholders."""
    problems: tuple[Problem, ...] = ()


def read_fence(fence: Fence) -> Block:
    """Return the declaration in a fenced block."""
    values: dict[str, str] = {}
    problems: list[Problem] = []
    for entry in _entries(fence):
        read = entry if isinstance(entry, Problem) else read_value(entry.key, entry.text, entry.line)
        if isinstance(read, Problem):
            problems.append(read)
        elif read is not None and not isinstance(entry, Problem):
            values[entry.key] = read
        if len(problems) == _PROBLEM_LIMIT:
            break
    if problems and not fence.closed:
        never_closed = Problem(fence.line, "the block is never closed", "Add a line of three backticks after it.")
        problems.insert(0, never_closed)
    suite = values.pop("suite", None if problems else DEFAULT_SUITE)
    return Block(line=fence.line, is_fence=True, suite=suite, values=values, problems=tuple(problems))


def read_line(text: TextLine) -> Block | None:
    """Return the declaration in a line such as ``**Primary metric:** `recall` ``; None where the line is only prose.

    After a bold label stands a declaration or a problem. Without bold only a lone name in backticks or quotes is one.
    """
    if ":" not in text.text:
        return None
    label, raw, bold = _labelled(text.text)
    if _key(label) != "primary_metric":
        return None
    name, after = quoted(raw) or (None, "")
    if not bold and (name is None or after.strip(" .,;")):
        return None
    if name is None:
        name = _ESCAPE.sub(r"\1", raw)
        several = len(name.split()) > 1 and not is_placeholder(name)
    else:
        several = "`" in after
    if several:
        fault = f"`Primary metric` is followed by {shown(raw)}, which is not one name"
        read: str | Problem | None = Problem(text.line, fault, "Name one metric, alone and in backticks.")
    else:
        read = read_name(name, text.line)
    if isinstance(read, Problem):
        return Block(line=text.line, is_fence=False, values={}, problems=(read,))
    return Block(line=text.line, is_fence=False, values={} if read is None else {"primary_metric": read})


@dataclass(slots=True)
class _Entry:
    line: int
    key: str
    parts: list[str]

    @property
    def text(self) -> str:
        return " ".join(self.parts)


def _entries(fence: Fence) -> Iterator[_Entry | Problem]:
    """Yield the block's entries, each with its continuation lines, and what is wrong with other lines."""
    lines: dict[str, int] = {}
    entry: _Entry | None = None
    entry_indent = 0
    for number, line in enumerate(fence.content, start=fence.line + 1):
        text = line.strip()
        if not text or text.startswith("#") or (text.startswith("<!--") and text.endswith("-->")):
            continue
        indent = len(line) - len(line.lstrip())
        label, raw, _ = _labelled(text)
        key = _key(label)
        if entry and entry.key in _PROSE and indent > entry_indent and key not in KEYS and key not in _OF_THE_POLICY:
            entry.parts.append(text)
            continue
        if entry:
            yield entry
        entry, entry_indent = None, indent
        problem = _key_problem(key, label, text, number, lines.get(key))
        if problem:
            yield problem
        else:
            lines[key] = number
            entry = _Entry(number, key, [raw])
    if entry:
        yield entry


def _key_problem(key: str, label: str, text: str, line: int, first: int | None) -> Problem | None:
    if not label:
        return Problem(line, f"{shown(text)} is not `key: value`", "Write one key, a colon and its value per line.")
    if key in _OF_THE_POLICY:
        what = f"`{key}` is not the pull request's to set: the rules come from the policy on the base branch"
        remedy = "Remove the line. A pull request names its primary metric and may ask for more, never for less."
        return Problem(line, what, remedy)
    if key not in KEYS:
        near = nearest(key, KEYS)
        meant = f"Did you mean `{near}`? " if near else ""
        return Problem(line, f"unknown key {shown(label)}", f"{meant}Valid keys: {', '.join(KEYS)}.")
    if first is not None:
        return Problem(line, f"`{key}` appears twice, on lines {first} and {line}", "Keep one of the two.")
    return None


def _key(label: str) -> str:
    return _SEPARATORS.sub("_", label.strip().casefold())


def _labelled(text: str) -> tuple[str, str, bool]:
    """Return label, value and whether the label is bold (or italic); no label where there is no colon."""
    text = text.lstrip("#-+• ").removeprefix("[ ]").removeprefix("[x]").removeprefix("[X]").lstrip()
    for mark in ("**", "__", "*", "_"):
        end = text.find(mark, len(mark)) if text.startswith(mark) else -1
        if end < 0:
            continue
        inside, after = text[len(mark) : end], text[end + len(mark) :].lstrip()
        label, colon, value = inside.partition(":")
        if colon:
            return label.strip(), f"{value} {after}".strip(), True
        return (inside.strip(), after[1:].strip(), True) if after.startswith(":") else ("", "", True)
    label, colon, value = text.partition(":")
    return (label.strip(), value.strip(), False) if colon else ("", "", False)
