"""`clearband audit replay`: a recorded comparison, computed again from its files."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TextIO

from clearband import pipeline, sources
from clearband.audit.entry import NAME
from clearband.audit.record import canonical_bytes
from clearband.audit.replay import compared, given
from clearband.errors import UnusableResults, UsageError
from clearband.laptop import put, read_source
from clearband.ledger_folder import MOST_BYTES
from clearband.report.audit_replay import replayed

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from clearband.audit.replay import Given


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayArguments:
    """What `clearband audit replay` was asked."""

    entry: Path
    """An entry of a ledger, or a bare ``record.json``."""
    baseline: Path
    candidate: Path | None
    """None where the baseline's file holds judgements of both."""
    fill: Path | None
    fill_baseline: Path | None
    pool: tuple[Path, ...]
    anchor: Path | None


def replay(arguments: ReplayArguments, *, stdout: TextIO, stderr: TextIO) -> int:
    """Compute a recorded comparison again; return 0 where it comes to the same, 1 where it does not.

    Raises
    ------
    ClearbandError
        The record or a file cannot be used, or is not the one that was compared.

    """
    record = _record(arguments.entry)
    request = _request(arguments, given(record), record)
    answer = pipeline.answer(request)
    if answer.comparison is None:
        raise answer.problem or UnusableResults("The files could not be compared")
    # As it would be written: a record that was read back holds plain text and numbers.
    found = json.loads(canonical_bytes(answer.record))
    _check_digests(record, found)
    result = compared(record, found)
    put(replayed(record, found, result) + "\n", stdout, stderr)
    return 1 if result.differences else 0


def _record(path: Path) -> Mapping[str, Any]:
    """Return the record in an entry, or the record that the file is."""
    try:
        size = path.stat().st_size
        data = path.read_bytes() if size <= MOST_BYTES else b""
    except OSError as problem:
        raise UsageError(
            f"The entry {str(path)!r} cannot be read: {problem.strerror or 'unknown reason'}",
            remedy="Name the file of an entry, or a record.json.",
        ) from None
    named = NAME.fullmatch(path.name)
    if named is not None and sha256(data).hexdigest() != named[2]:
        raise UsageError(
            f"The entry {path.name[:21]}… was changed: its bytes do not have the digest that its name says",
            remedy="Take it from the ledger again; `clearband audit verify` checks all of them.",
        )
    try:
        body = json.loads(data)
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        raise UsageError(f"{path.name!r} is no entry and no record", remedy="Name an entry's file, or a record.json.")
    inner = body.get("record") if "prev" in body else body
    if not isinstance(inner, dict):
        raise UsageError(
            f"The entry is no comparison, it is about an {body.get('type')!s:.20}",
            remedy="Name an entry of type `comparison`; `clearband audit log` lists them.",
        )
    return inner


def _request(arguments: ReplayArguments, told: Given, record: Mapping[str, Any]) -> pipeline.Request:
    asked, inputs = told.asked, record["inputs"]
    baseline: sources.Source | sources.Filled | sources.Pooled
    if arguments.pool:
        paths = (arguments.baseline, *arguments.pool)
        baseline = sources.Pooled(sources=tuple(read_source(path, "baseline") for path in paths))
    else:
        baseline = _arm(arguments.baseline, arguments.fill_baseline, inputs["baseline"], "baseline")
    if asked.pairwise:
        judgements = read_source(arguments.baseline, "judgements")
        candidate: sources.Source | sources.Filled = judgements
    elif arguments.candidate is None:
        raise UsageError("replay needs both files", remedy="Add --candidate FILE.")
    else:
        judgements = None
        candidate = _arm(arguments.candidate, arguments.fill, inputs["candidate"], "candidate")
    if record["anchor"] is not None and arguments.anchor is None:
        raise UsageError(
            "The candidate was compared with an anchor too", remedy="Add --anchor FILE, the anchor's result file."
        )
    return pipeline.Request(
        suite=told.suite,
        baseline=baseline,
        candidate=candidate,
        judgements=judgements,
        anchor=None if arguments.anchor is None else read_source(arguments.anchor, "anchor"),
        policy=asked.policy,
        declaration=told.declaration,
        options=asked.options,
        registration=told.registration,
        # Which candidates came before is the ledger's business; how many there were decides.
        earlier_candidates=None if asked.look is None else tuple(f"look {number}" for number in range(1, asked.look)),
        show_questions=asked.show_questions,
        needs_policy=asked.needs_policy,
    )


def _arm(path: Path, filler: Path | None, recorded: Mapping[str, Any], arm: str) -> sources.Source | sources.Filled:
    option = "--fill" if arm == "candidate" else "--fill-baseline"
    if recorded["filler_sha256"] is not None and filler is None:
        raise UsageError(f"A second file filled what the {arm} lost", remedy=f"Add {option} FILE.")
    source = read_source(path, arm)
    return source if filler is None else sources.Filled(source=source, filler=read_source(filler, f"{arm}'s filling"))


def _check_digests(record: Mapping[str, Any], found: Mapping[str, Any]) -> None:
    """Refuse files that are not the ones that were compared: what they come to says nothing about the record."""
    arms = [(arm, record["inputs"][arm], found["inputs"][arm]) for arm in ("baseline", "candidate")]
    if record["anchor"] is not None and found["anchor"] is not None:
        arms.append(("anchor", record["anchor"]["input"], found["anchor"]["input"]))
    for arm, recorded, read in arms:
        for key, what in (("sha256", f"The {arm}"), ("filler_sha256", f"The file that filled the {arm}")):
            if recorded[key] != read[key]:
                raise UnusableResults(
                    f"{what} is not the file that was compared: its SHA-256 is {read[key]}, "
                    f"the record says {recorded[key]} ({recorded['name']})",
                    remedy="Name the very file. A baseline of several runs needs each of them, with --pool.",
                )
