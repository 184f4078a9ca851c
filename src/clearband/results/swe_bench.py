"""SWE-bench: the harness's report, the experiments' results.json, and maps of instance to outcome."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from clearband.results import lenient_json, limits, table
from clearband.results.about import About
from clearband.results.outline import Shape, keys_of, opens
from clearband.results.result_file import shown
from clearband.results.swe_bench_lists import LISTS, outcomes
from clearband.results.table import Table, column

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clearband.results.options import ReadOptions
    from clearband.results.outline import Outline
    from clearband.results.result_file import ResultFile
    from clearband.results.run import Run
    from clearband.results.table import Series

ABOUT = About(
    name="SWE-bench",
    versions="reports of swebench 4.0.4 and 5.0.2 (run for this project), eval_results.json of SWE-bench Pro (public), "
    "results.json, per_instance_details.json and per-instance report.json as the repositories document them",
    produce="`python -m swebench.harness.run_evaluation` writes `<model>.<run_id>.json`, and a `report.json` for each "
    "instance (a folder of them is read as one)",
    key="instance_id",
    metrics="`resolved` (1 or 0); from maps also `patch_successfully_applied`, `cost` and `api_calls`",
    direction="none",
    errors="resolved is 1; unresolved, without a patch, without a prediction and in error is 0; instances that the "
    "harness itself blames on its environment (`infra_failure_ids`, `install_fail`, `reset_failed`) are lost",
    measurement="nothing",
    traps=(
        "`unresolved_ids` holds neither errors nor empty patches nor missing predictions; the whole is all of them.",
        "`ambiguous_failure_ids` (time-outs of the tests among them) stay 0, as the harness counts them.",
        "A folder of report.json holds no instance that ended in an error; the harness's own report has them all.",
        "results.json of the experiments often names only what was resolved: hand in the folder with the predictions.",
        "Predictions for instances outside the evaluated set are in `submitted_ids` alone; they are no results.",
    ),
)

RESOLVED = "resolved"
_TOOL = "SWE-bench"
_INSTANCE = re.compile(r"(?:instance_)?[\w.\-]+__[\w.\-]+")
_DETAILS = frozenset({"patch_exists", "patch_is_None", "patch_successfully_applied", "api_calls"})
_TRUTHS = frozenset({b"true", b"false", b"null"})
_BESIDE_NUMBERS = ("cost", "api_calls")


class _Instance(msgspec.Struct):
    resolved: bool | None = None
    patch_successfully_applied: bool | None = None
    infra_failure: bool | None = None
    cost: float | None = None
    api_calls: float | None = None


def sniff(file: ResultFile, outline: Outline) -> bool:  # noqa: ARG001  the formats' common signature
    """Whether the file is one object with lists of instances, or with an outcome for each instance."""
    if outline.shape is not Shape.OBJECT or not outline.keys:
        return False
    if outline.has("resolved_ids") or outline.has("resolved"):
        lists = [opens(raw) in {b"[", b"n"} for name, raw in outline.keys.items() if name in LISTS]
        return all(lists) and len(lists) > 1
    first = next(iter(outline.keys.values()))
    if opens(first) == b"{":
        inner = keys_of(first).keys()
        return RESOLVED in inner and (not _DETAILS.isdisjoint(inner) or _are_instances(outline.keys))
    return _are_instances(outline.keys) and all(bytes(raw) in _TRUTHS for raw in outline.keys.values())


def task_of(path: str) -> str | None:
    """Return one task for the reports of single instances, which lie in a folder each."""
    return "instances" if path.rpartition("/")[2] == "report.json" else path.rpartition("/")[2].removesuffix(".json")


def read(file: ResultFile, options: ReadOptions) -> Run:
    """Read `file` into a run: a question for each instance."""
    if options.id_field not in {None, "instance_id"}:
        raise file.problem(
            f"no field is called `{shown(options.id_field)}`", remedy="Instances have their own ids; leave --id out."
        )
    found = lenient_json.document(file, dict[str, msgspec.Raw], tool=_TOOL)
    if RESOLVED in found or "resolved_ids" in found:
        kind, (scores, notes) = "lists", outcomes(file, found)
        ids, series = list(scores), [column(RESOLVED, scores.values())]
        lost = [score is None for score in scores.values()]
    elif opens(next(iter(found.values()))) == b"{":
        kind, notes = "instances", ()
        ids, series, lost = _by_instance(lenient_json.document(file, dict[str, _Instance], tool=_TOOL))
    else:
        kind, notes = "outcomes", ()
        truths = lenient_json.document(file, dict[str, bool | None], tool=_TOOL)
        ids, series, lost = list(truths), [column(RESOLVED, truths.values())], [False] * len(truths)
    return table.to_run(
        Table(
            file=file,
            format=f"swe-bench/{kind}",
            ids=ids,
            series=series,
            errored=np.array(lost, dtype=np.bool_),
            key="instance_id",
            notes=notes,
        )
    )


def _by_instance(found: Mapping[str, _Instance]) -> tuple[list[str], list[Series], list[bool]]:
    """Return ids, metrics and which instances the harness blames on its environment."""
    rows: Sequence[_Instance] = list(found.values())
    lost = [row.infra_failure is True and row.resolved is not True for row in rows]

    def cells(name: str) -> list[float | None]:
        return [None if gone else getattr(row, name) for row, gone in zip(rows, lost, strict=True)]

    series = [column(RESOLVED, cells(RESOLVED))]
    for name in ("patch_successfully_applied", *_BESIDE_NUMBERS):
        values = cells(name)
        if any(value is not None for value in values):
            series.append(column(name, values))
    return list(found), series, lost


def _are_instances(ids: Mapping[str, object]) -> bool:
    return all(len(one) <= limits.ID_CHARACTERS and _INSTANCE.fullmatch(one) for one in ids)
