"""The rows of an lm-evaluation-harness samples file: questions, filters and trials, without prompts and responses."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from clearband.results import lenient_json, lm_eval_values, lookup, names, question_keys, strict_json
from clearband.results.columns import Columns
from clearband.results.outline import Shape, keys_of, outline
from clearband.results.result_file import shown
from clearband.results.table import hashed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clearband.results.options import ReadOptions
    from clearband.results.result_file import ResultFile

TOOL = "lm-evaluation-harness"
_FIXED = frozenset({
    "doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics", "doc_hash", "prompt_hash",
    "target_hash",
})  # fmt: skip
_HASH = re.compile(r"[0-9a-f]{64}")
_HEAD = 60
_NOTHING = msgspec.Raw()

Raws = dict[str, msgspec.Raw]


class _Question(NamedTuple):
    """What tells questions apart; two docs of equal content keep two ids."""

    key: str
    doc_id: object


@dataclass(slots=True, kw_only=True)
class Samples:
    """Everything that is kept of a file."""

    file: ResultFile
    options: ReadOptions
    columns: Columns
    """Metrics are called ``metric,filter``."""
    questions: list[_Question] = field(default_factory=list)
    """One per row: a row is a question and a trial, and has the values of all filters."""
    content: list[str | None] = field(default_factory=list)
    labels: dict[str, list[str | None]] = field(default_factory=dict)
    filters: list[str] = field(default_factory=list)
    named: bool = True
    """Whether the file names its filters."""
    answers: int = 1
    """The largest number of answers that one score is made of."""
    predicted_only: bool = False
    by_position: bool = False
    _keys: dict[str, str] = field(default_factory=dict)
    _rows: dict[tuple[_Question, int], int] = field(default_factory=dict)
    _seen: Counter[tuple[_Question, str]] = field(default_factory=Counter)

    def take(self, row: Raws, place: str) -> None:
        """Take one line of the file."""
        doc_hash = _doc_hash(row)
        key = self._key(row, doc_hash, place)
        question = _Question(key=key, doc_id=_doc_id(row) if self.options.id_field is None else None)
        kind = _text(row.get("filter"))
        self.named = self.named and kind is not None
        if kind is None:
            self._seen[question, ""] += 1
            kind, trial = f"filter-{self._seen[question, '']}", 0
        else:
            trial = self._seen[question, kind]
            self._seen[question, kind] += 1
        if kind not in self.filters:
            self.filters.append(kind)
        at = self._rows.setdefault((question, trial), len(self.questions))
        if at == len(self.questions):
            self._start(question, row, doc_hash)
        self._score(at, row, kind, place)

    def ids(self) -> list[str]:
        """Return the question of each row; of several docs with equal content the later ones are numbered."""
        apart: dict[str, dict[_Question, None]] = {}
        for question in self.questions:
            apart.setdefault(question.key, {})[question] = None
        numbers = {
            question: number
            for same in apart.values()
            for number, question in enumerate(sorted(same, key=_place_of), 1)
        }
        return [
            question.key if numbers[question] == 1 else f"{question.key} #{numbers[question]}"
            for question in self.questions
        ]

    def _key(self, row: Raws, doc_hash: str | None, place: str) -> str:
        field = self.options.id_field
        if field is not None:
            text = lookup.id_text(lookup.inside(_readable(row), field))
            if text is None:
                listed = ", ".join(f"`{shown(name, width=40)}`" for name in _readable(row))
                raise self.file.problem(
                    f"`{shown(field)}` is missing or no id",
                    where=place,
                    remedy=f"A row has {listed}; name one, such as doc_id or doc.id.",
                )
            return text
        if doc_hash is not None:
            known = self._keys.get(doc_hash)
            if known is None:
                known = self._keys[doc_hash] = f"{_head(row)}sha256:{doc_hash[:16]}"
            return known
        text = lookup.id_text(_doc_id(row))
        if text is None:
            raise self.file.problem(
                "the row has neither `doc` nor `doc_id`", where=place, remedy=f"Write it with {TOOL}."
            )
        self.by_position = True
        return text

    def _start(self, question: _Question, row: Raws, doc_hash: str | None) -> None:
        self.questions.append(question)
        target = question_keys.decoded(row.get("target", _NOTHING))
        self.content.append(None if doc_hash is None else hashed(doc_hash, str(target)))
        if self.options.labels:
            readable = _readable(row)
            for name in self.options.labels:
                self.labels.setdefault(name, []).append(lookup.text(lookup.inside(readable, name)))
        if len(self.questions) == 1:
            self.answers = lm_eval_values.answers(question_keys.decoded(row.get("resps", _NOTHING)))

    def _score(self, at: int, row: Raws, kind: str, place: str) -> None:
        listed = question_keys.decoded(row.get("metrics", _NOTHING))
        known = listed if isinstance(listed, list) else [name for name in row if name not in _FIXED]
        for metric in known:
            if metric == lm_eval_values.DUMMY:
                self.predicted_only = True
            elif isinstance(metric, str):
                value = strict_json.attempt(bytes(row[metric])) if metric in row else None
                if isinstance(value, strict_json.Fault):
                    raise self.file.problem(f"`{shown(metric)}`: {value.what}", where=place, remedy=value.remedy)
                for name, found in lm_eval_values.per_question(metric, value):
                    self.columns.put(f"{name},{kind}", at, found)


def read(file: ResultFile, options: ReadOptions) -> Samples:
    """Read all lines."""
    samples = Samples(file=file, options=options, columns=Columns(file=file))
    for place, row in _lines(file):
        samples.take(row, place)
    return samples


def _lines(file: ResultFile) -> Iterator[tuple[str, Raws]]:
    """Yield the rows: JSON lines, or the one JSON list that versions up to 0.4.2 write under the same suffix."""
    if outline(file).shape is Shape.LIST:
        for number, row in enumerate(lenient_json.document(file, list[Raws], tool=TOOL), 1):
            yield f"row {number}", row
    else:
        for number, row in lenient_json.lines(file, Raws, tool=TOOL):
            yield f"line {number}", row


def _doc_id(row: Raws) -> object:
    found = question_keys.decoded(row.get("doc_id", _NOTHING))
    return found if isinstance(found, int | str) else None


def _place_of(question: _Question) -> tuple[bool, int, str]:
    number = question.doc_id if isinstance(question.doc_id, int) else -1
    return isinstance(question.doc_id, str), number, str(question.doc_id)


def _doc_hash(row: Raws) -> str | None:
    """Return the tool's hash of the doc, worked out as the tool does where the file is too old to have it."""
    told = _text(row.get("doc_hash"))
    if told is not None and _HASH.fullmatch(told):
        return told
    doc = row.get("doc", _NOTHING)
    if not bytes(doc) or bytes(doc) == b"null":
        return None
    try:
        whole = json.dumps(json.loads(bytes(doc)), indent=2, ensure_ascii=False).encode("utf-8", "surrogatepass")
    except ValueError:  # a number of thousands of digits
        whole = bytes(doc)
    return hashlib.sha256(whole).hexdigest()


def _head(row: Raws) -> str:
    """Return how the question begins, so that a person can read the key."""
    doc = row.get("doc", _NOTHING)
    fields = keys_of(doc)
    name = names.find(fields, names.TEXT_NAMES)
    texts = (raw for raw in fields.values() if bytes(raw).startswith(b'"'))
    text = question_keys.decoded(next(texts, doc) if name is None else fields[name])
    return f"{' '.join(text[:_HEAD].split())}… " if isinstance(text, str) and text.strip() else ""


def _readable(row: Raws) -> dict[str, object]:
    wanted = ("doc_id", "doc", "target", "doc_hash", "prompt_hash", "target_hash")
    return {name: question_keys.decoded(row[name]) for name in wanted if name in row}


def _text(raw: msgspec.Raw | None) -> str | None:
    value = None if raw is None else question_keys.decoded(raw)
    return value if isinstance(value, str) else None
