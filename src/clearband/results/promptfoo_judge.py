"""Who judged a test of promptfoo, and which of its scores no judge gave."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from clearband.results import question_keys, table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clearband.results.promptfoo_file import Row

_FAILED = "graderError"
_CACHED = "cached"
_KINDS = ("text", "embedding", "classification", "moderation")
"""A judge may be an object of judges, one for each kind of assertion."""


def unjudged(row: Row) -> frozenset[str]:
    """Return the scores of a row that were not measured because a judge failed; promptfoo counts those as 0."""
    components = _components(row)
    failed = [one for one in components if _is_unjudged(one)]
    if not failed:
        return frozenset()
    asserted = [one.get("assertion") for one in failed]
    metrics = {one.get("metric") for one in asserted if isinstance(one, dict)}
    # Another assertion that failed by itself decides the test, unless the mean of all scores does.
    by_mean = row.test_case is not None and row.test_case.threshold is not None
    decided = not by_mean and any(one.get("pass") is False and not _is_unjudged(one) for one in components)
    named = {metric for metric in metrics if isinstance(metric, str)}
    return frozenset(named | {"score"} | (set() if decided else {"success"}))


def is_cached(row: Row) -> bool:
    """Whether the answer came from the cache."""
    return _holds(row.response, _CACHED) and _object(row.response).get(_CACHED) is True


def judges(rows: Iterable[Row]) -> tuple[str, str]:
    """Return the judges that assertions and options name, and a hash of the prompts that they are given.

    Both are empty where none is named: then it is the default of promptfoo's version, which is the tool's.
    """
    named: set[str] = set()
    prompts: set[str] = set()
    for raw in {bytes(part) for row in rows for part in _parts(row)}:
        for holder in _holders(question_keys.decoded(msgspec.Raw(raw))):
            named.update(_names(holder.get("provider")))
            if holder.get("rubricPrompt"):
                prompts.add(question_keys.canonical(holder["rubricPrompt"]))
    return "; ".join(sorted(named)), table.hashed(*sorted(prompts)) if prompts else ""


def _components(row: Row) -> list[dict[str, object]]:
    """Return the outcome of each assertion, of the few gradings that mention a failed judge."""
    if not _holds(row.grading, _FAILED):
        return []
    found = _object(row.grading).get("componentResults")
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _is_unjudged(one: dict[str, object]) -> bool:
    metadata = one.get("metadata")
    return isinstance(metadata, dict) and metadata.get(_FAILED) is True


def _holds(raw: msgspec.Raw, key: str) -> bool:
    """Whether the key stands anywhere in a part that is not worth decoding for anything else."""
    return f'"{key}"'.encode() in bytes(raw)


def _object(raw: msgspec.Raw) -> dict[str, object]:
    value = question_keys.decoded(raw)
    return value if isinstance(value, dict) else {}


def _parts(row: Row) -> Iterator[msgspec.Raw]:
    if row.test_case is not None:
        yield row.test_case.assertions
        yield row.test_case.options


def _holders(value: object) -> Iterator[dict[str, object]]:
    """Walk assertions, also those inside a set of assertions, or the options of a test."""
    if isinstance(value, dict):
        yield value
        yield from _holders(value.get("assert"))
    elif isinstance(value, list):
        for item in value:
            yield from _holders(item)


def _names(provider: object) -> Iterator[str]:
    """Return the names of a judge: a text, an object with an id, or an object of such by kind."""
    if isinstance(provider, str):
        yield provider
    elif isinstance(provider, dict):
        if isinstance(provider.get("id"), str):
            yield provider["id"]
        for kind in _KINDS:
            yield from _names(provider.get(kind))
