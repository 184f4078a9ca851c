"""Keys of questions that nobody named: made of their content, fine enough to tell questions apart and no finer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from clearband.results import lookup, names, strict_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

OWN_IDS = frozenset({
    "id", "qid", "query_id", "question_id", "example_id", "instance_id", "sample_id", "task_id", "item_id", "case_id",
    "test_id", "test_case_id",
})  # fmt: skip
"""Fields of a question's own data that name it; ``name``, ``key`` or ``doc_id`` may be the question's subject."""

_encode = msgspec.json.Encoder(order="sorted").encode


def canonical(value: object) -> str:
    """Return JSON in which equal values are spelled alike, whatever the order of their keys."""
    return _encode(value).decode()


def decoded(raw: msgspec.Raw) -> object:
    """Return the value of a part of a document that was read before; None where the part is missing or damaged."""
    try:
        return strict_json.decode(raw) if bytes(raw) else None
    except strict_json.REFUSED:
        return None


def refined(keys: Sequence[str], finer: Sequence[str]) -> list[str]:
    """Lengthen the keys that questions of different `finer` share, and no others.

    A question that shares its key with none keeps it, so that the same question has the same key in another file.
    """
    apart: dict[str, set[str]] = {}
    for key, detail in zip(keys, finer, strict=True):
        apart.setdefault(key, set()).add(detail)
    return [
        f"{key} | {detail}" if len(apart[key]) > 1 and detail else key for key, detail in zip(keys, finer, strict=True)
    ]


def own_ids(rows: Sequence[Mapping[str, object]], questions: Sequence[str]) -> tuple[str, list[str]] | None:
    """Return the field by which every row names its question, and the ids; None where there is no such field.

    Parameters
    ----------
    rows
        What a person wrote down about each row's question.
    questions
        The question of each row, told apart by content: an id belongs to one question, and a question has one id.

    """
    fields = rows[0] if rows else {}
    for field in sorted(fields):
        if names.plain(field) in OWN_IDS:
            ids = [text for row in rows if (text := lookup.id_text(row.get(field))) is not None]
            pairs = set(zip(ids, questions, strict=False))
            if len(ids) == len(rows) and len(pairs) == len(set(ids)) == len(set(questions)):
                return field, ids
    return None
