"""SWE-bench results as lists of instances: what each list means, and which instances were tried at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from clearband.results import lenient_json, strict_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clearband.results.result_file import ResultFile

_RESOLVED = ("resolved_ids", "resolved")
_ENVIRONMENT = ("infra_failure_ids", "install_fail", "reset_failed")
"""The harness itself says that the environment broke, not the patch."""
_PARTS = ("unresolved_ids", "error_ids", "empty_patch_ids", "incomplete_ids")
"""With the resolved ones they are the whole evaluated set, in reports of the harness."""
_WHOLE = ("unresolved_ids", "submitted_ids", "completed_ids", "generated", "applied")
"""One of these has to be there, or instances that were tried and not resolved are nowhere."""
_OTHERS = (
    "submitted_ids", "completed_ids", "ambiguous_failure_ids", "generated", "none", "no_generation", "no_logs",
    "with_logs", "no_apply", "applied", "test_errored", "test_timeout",
)  # fmt: skip

LISTS = frozenset({*_RESOLVED, *_ENVIRONMENT, *_PARTS, *_OTHERS})
"""Every list that any of the files has."""

_UNCLEAR = ("error_ids", "no_logs")
_PREDICTIONS = ("all_preds.jsonl", "preds.jsonl", "preds.json", "all_preds.json")
_TOOL = "SWE-bench"
_NULL = b"null"


class _Prediction(msgspec.Struct):
    instance_id: str


def outcomes(file: ResultFile, found: Mapping[str, msgspec.Raw]) -> tuple[dict[str, float | None], tuple[str, ...]]:
    """Return 1, 0 or, for a lost instance, None, and notes.

    Parameters
    ----------
    file
        The report.
    found
        Its undecoded fields.

    """
    lists = {
        name: lenient_json.part(file, raw, list[str], tool=_TOOL)
        for name, raw in found.items()
        if name in LISTS and bytes(raw) != _NULL
    }
    resolved = set(_union(lists, _RESOLVED))
    lost = set(_union(lists, _ENVIRONMENT)) - resolved
    # Predictions for instances outside the evaluated set are submitted, and in none of the four parts.
    names = (*_RESOLVED, *_ENVIRONMENT, *_PARTS) if "unresolved_ids" in lists else tuple(lists)
    tried = dict.fromkeys(_union(lists, names))
    if not any(name in lists for name in _WHOLE):
        tried |= dict.fromkeys(_predicted(file))
    scores = {one: None if one in lost else float(one in resolved) for one in tried}
    return scores, tuple(_notes(file, found, lists, scores, lost))


def _union(lists: Mapping[str, list[str]], names: Iterable[str]) -> list[str]:
    return [one for name in names for one in lists.get(name, [])]


def _predicted(file: ResultFile) -> list[str]:
    """Return the instances of the predictions beside the file, or say that without them nobody knows what was tried."""
    for name in _PREDICTIONS:
        data = file.beside.get(name) or file.beside.get(f"../{name}")
        if data:
            try:
                return _ids_of(data)
            except strict_json.REFUSED:
                continue
    raise file.problem(
        "the file names the instances that were resolved, but not those that were tried and were not",
        remedy="Hand in the harness's own report (<model>.<run_id>.json), or the folder that holds the predictions "
        f"({_PREDICTIONS[0]}) beside it: an instance that is nowhere cannot be told from one that was never run.",
    )


def _ids_of(data: bytes) -> list[str]:
    """Return the instances of a file of predictions: JSON lines, a list, or an object by instance."""
    start = data[:4096].lstrip()
    if start.startswith(b"["):
        return [one.instance_id for one in msgspec.json.decode(data, type=list[_Prediction])]
    lines = [line for line in data.splitlines() if line.strip()]
    if len(lines) > 1 and lines[1].lstrip().startswith(b"{"):
        decode = msgspec.json.Decoder(_Prediction).decode
        return [decode(line).instance_id for line in lines]
    return list(msgspec.json.decode(data, type=dict[str, _Prediction]))


def _notes(
    file: ResultFile,
    found: Mapping[str, msgspec.Raw],
    lists: Mapping[str, list[str]],
    scores: Mapping[str, float | None],
    lost: set[str],
) -> list[str]:
    """Say what the file's own numbers leave open."""
    notes: list[str] = []
    unclear = {one for one in _union(lists, _UNCLEAR) if scores.get(one) == 0.0}
    if unclear:
        notes.append(
            f"Instances in error, by the patch or by the harness, which count as not resolved: {len(unclear)}."
        )
    if lost:
        notes.append(f"Instances that are lost because the harness's own environment failed: {len(lost)}.")
    absent = sum(scores.get(one) == 0.0 for one in lists.get("incomplete_ids", []))
    if absent:
        notes.append(f"Instances without a prediction, which count as not resolved: {absent}.")
    total = _total(file, found)
    if total is not None and total > len(scores):
        notes.append(f"The report counts {total:,} instances and names {len(scores):,}; the others are lost.")
    return notes


def _total(file: ResultFile, found: Mapping[str, msgspec.Raw]) -> int | None:
    raw = found.get("total_instances")
    return None if raw is None or bytes(raw) == _NULL else lenient_json.part(file, raw, int, tool=_TOOL)
