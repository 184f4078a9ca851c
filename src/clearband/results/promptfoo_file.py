"""A promptfoo file of any version, brought to rows by series, without prompts, responses and traces."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from clearband.results import lenient_json, question_keys, series_choice
from clearband.results.identity import digested
from clearband.results.outline import Shape, opens, outline

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clearband.results.result_file import ResultFile

TOOL = "promptfoo"
ERROR = 2
"""The `failureReason` of a test that no assertion judged."""
_NOTHING = msgspec.Raw()
_LABEL = 80


class Provider(msgspec.Struct):
    """The system under test."""

    id: object = None
    label: object = None


class Prompt(msgspec.Struct):
    """A prompt of the file's head or of a row; `display` is what early versions called the label."""

    raw: msgspec.Raw = _NOTHING
    label: object = None
    display: object = None
    id: object = None
    provider: object = None


class TestCase(msgspec.Struct):
    """A test as the configuration has it."""

    vars: msgspec.Raw = _NOTHING
    description: object = None
    assertions: msgspec.Raw = msgspec.field(default=_NOTHING, name="assert")
    options: msgspec.Raw = _NOTHING
    metadata: msgspec.Raw = _NOTHING
    threshold: object = None


class Row(msgspec.Struct):
    """One test of one series, as the list of results or a cell of the table has it."""

    success: object = None
    passed: object = msgspec.field(default=None, name="pass")
    """What a cell of the table says instead of `success`."""
    score: object = None
    named_scores: dict[str, object] | None = msgspec.field(default=None, name="namedScores")
    latency: object = msgspec.field(default=None, name="latencyMs")
    cost: object = None
    error: object = None
    failure_reason: object = msgspec.field(default=None, name="failureReason")
    grading: msgspec.Raw = msgspec.field(default=_NOTHING, name="gradingResult")
    response: msgspec.Raw = _NOTHING
    vars: msgspec.Raw = _NOTHING
    description: object = None
    test_case: TestCase | None = msgspec.field(default=None, name="testCase")
    test_index: object = msgspec.field(default=None, name="testIdx")
    prompt_index: object = msgspec.field(default=None, name="promptIdx")
    prompt_id: object = msgspec.field(default=None, name="promptId")
    provider: Provider | str | None = None
    prompt: Prompt | str | None = None


class Head(msgspec.Struct):
    """The head of the table: a prompt for each series."""

    prompts: list[Prompt] = []
    vars: list[str] = []


class Body(msgspec.Struct):
    """A line of the table: a test with a cell for each series, null where a series does not have it."""

    outputs: list[Row | None] = []
    vars: list[object] | None = None
    test: TestCase | None = None
    description: object = None


class Table(msgspec.Struct):
    """The results side by side, which files of version 2 hold beside the list: only here they are numbered."""

    head: Head
    body: list[Body]


class Summary(msgspec.Struct):
    """All results of an evaluation."""

    results: list[Row] | None = None
    prompts: list[Prompt] | None = None
    table: Table | None = None


class Metadata(msgspec.Struct):
    """What promptfoo says of itself."""

    version: object = msgspec.field(default=None, name="promptfooVersion")


class Config(msgspec.Struct):
    """What a person configured; of all of it only the tags."""

    tags: object = None


class Document(msgspec.Struct):
    """The file that ``promptfoo eval -o results.json`` writes."""

    results: Summary
    metadata: Metadata | None = None
    config: Config | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class One:
    """One system's rows."""

    provider: str
    label: str
    prompt: str | None
    """promptfoo's own hash of the template, sha256; None where the file has neither."""
    rows: list[Row]
    places: list[str]
    """Where each row lies in the file, for people."""

    @property
    def model(self) -> str:
        """The provider with its id, where it has a label too: a label may stay while the model changes."""
        own = self.rows[0].provider
        named = _text(own.id) if isinstance(own, Provider) else None
        return self.provider if named in {None, self.provider} else f"{self.provider} ({named})"

    @property
    def name(self) -> str:
        """How people call it: the provider and the prompt's label, which is the whole prompt where it has none."""
        short = self.label if len(self.label) <= _LABEL and "\n" not in self.label else digested(self.label)
        return f"{self.provider} / {short}" if short.strip() else self.provider


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """A file, read."""

    series: Sequence[One]
    """In the order of the file's head; never empty."""
    names: Sequence[str]
    """As people choose them, each once."""
    version: str | None
    tags: object


def load(file: ResultFile) -> Evaluation:
    """Read the file, whichever of the shapes it has."""
    document, places = _document(file)
    summary = document.results
    heads = summary.prompts or (summary.table.head.prompts if summary.table else [])
    rows = list(_cells(summary.table)) if summary.table else summary.results or []
    where = "cell {} of the table" if summary.table else "result {}"
    if not rows:
        raise file.problem(
            "the evaluation holds no row",
            remedy="The evaluation ran no test, or was filtered down to none; run `promptfoo eval -o results.json`.",
        )
    series = _by_series(rows, places or [where.format(place) for place in range(1, len(rows) + 1)], heads)
    return Evaluation(
        series=series,
        names=series_choice.numbered([one.name for one in series]),
        version=_text(document.metadata.version) if document.metadata else None,
        tags=document.config.tags if document.config else None,
    )


def _document(file: ResultFile) -> tuple[Document, list[str]]:
    """Bring every shape to the one that the command line writes; with the rows' places, where they are lines."""
    seen = outline(file)
    if seen.shape is Shape.LIST:
        return Document(results=Summary(results=lenient_json.document(file, list[Row], tool=TOOL))), []
    if not seen.has("results"):
        lines = list(lenient_json.lines(file, Row, tool=TOOL, keeps_raw=True))
        return Document(results=Summary(results=[row for _, row in lines])), [f"line {number}" for number, _ in lines]
    if opens(seen.keys["results"]) == b"[":
        return Document(results=lenient_json.document(file, Summary, tool=TOOL)), []
    return lenient_json.document(file, Document, tool=TOOL), []


def _cells(table: Table) -> Iterable[Row]:
    """Take the table's cells for rows: version 2 numbers neither tests nor series in its list of results."""
    for place, line in enumerate(table.body):
        for column, cell in enumerate(line.outputs):
            if cell is not None:
                cell.success = cell.passed
                cell.test_index, cell.prompt_index = place, column
                cell.test_case = cell.test_case or line.test
                cell.description = line.description
                # The table spells values out, so that only the test's own vars are what a list of results would say.
                shown = dict(zip(table.head.vars, line.vars or [], strict=False))
                cell.vars = msgspec.Raw(msgspec.json.encode(shown))
                yield cell


def _by_series(rows: Sequence[Row], places: Sequence[str], heads: Sequence[Prompt]) -> list[One]:
    """Group rows by their column; by provider and prompt where the file numbers no columns."""
    found: dict[object, list[int]] = {}
    for place, row in enumerate(rows):
        column = row.prompt_index if isinstance(row.prompt_index, int) else (_provider(row), _label(row.prompt))
        found.setdefault(column, []).append(place)
    columns = sorted(found, key=lambda column: column if isinstance(column, int) else -1)
    return [
        _series([rows[place] for place in found[column]], [places[place] for place in found[column]], heads, column)
        for column in columns
    ]


def _head(column: object, heads: Sequence[Prompt]) -> Prompt | None:
    return heads[column] if isinstance(column, int) and 0 <= column < len(heads) else None


def _series(rows: list[Row], places: list[str], heads: Sequence[Prompt], column: object) -> One:
    """Name a series by the file's head, else by its first row."""
    first, head = rows[0], _head(column, heads)
    return One(
        provider=(_text(head.provider) if head else None) or _provider(first) or "unnamed provider",
        label=_label(head or first.prompt),
        prompt=_prompt_hash(head) if head else _text(first.prompt_id),
        rows=rows,
        places=places,
    )


def _provider(row: Row) -> str:
    if isinstance(row.provider, Provider):
        return _text(row.provider.label) or _text(row.provider.id) or ""
    return row.provider or ""


def _label(prompt: Prompt | str | None) -> str:
    """Return the prompt's label; the template is no substitute, for a row holds the prompt with its values."""
    if isinstance(prompt, Prompt):
        return _text(prompt.label) or _text(prompt.display) or ""
    return ""


def _prompt_hash(head: Prompt) -> str | None:
    """Return what promptfoo calls the prompt's id; early versions did not write it."""
    raw = _text(question_keys.decoded(head.raw))
    return _text(head.id) or (hashlib.sha256(raw.encode()).hexdigest() if raw else None)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value and not value.isspace() else None
