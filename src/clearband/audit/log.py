"""The ledger as a table: one line an entry, filtered, as text, CSV or JSON; and eval sets by looks. Pure."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from clearband.audit.entry import EntryType

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clearband.audit.entry import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine:
    """One entry of the ledger, in short."""

    seq: int
    recorded_at: str
    type: str
    pr: int | None
    suite: str | None
    primary: str | None
    state: str | None
    delta: float | None
    low: float | None
    high: float | None
    outcome: str | None
    look: int | None
    registration: str | None
    """The standing: what can be shown about when the metric was declared."""
    eval_set: str | None
    """SHA-256 of the set of question ids."""
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Exposure:
    """How often one set of questions was looked at: each look may teach what it holds."""

    eval_set: str
    suites: tuple[str, ...]
    looks: int
    """Different candidates that were compared on it, over all pull requests."""
    pull_requests: int
    comparisons: int


def log(
    entries: Iterable[Entry],
    *,
    pr: int | None = None,
    suite: str | None = None,
    metric: str | None = None,
    outcome: str | None = None,
) -> list[LogLine]:
    """Return the entries in short, oldest first; only those that fit what is asked for."""
    lines = [line_of(entry) for entry in entries]
    return [
        line
        for line in lines
        if pr in {None, line.pr}
        and suite in {None, line.suite}
        and metric in {None, line.primary}
        and outcome in {None, line.outcome}
    ]


def exposure(entries: Iterable[Entry]) -> list[Exposure]:
    """Return how often each eval set was looked at, whatever was declared; the most exposed first."""
    lines: dict[str, list[tuple[LogLine, str | None]]] = {}
    for entry in entries:
        line = line_of(entry)
        if line.eval_set is not None:
            inputs = _mapping(_mapping(entry.body["record"]).get("inputs"))
            candidate = _text(_mapping(inputs.get("candidate")).get("sha256"))
            lines.setdefault(line.eval_set, []).append((line, candidate))
    found = [
        Exposure(
            eval_set=eval_set,
            suites=tuple(sorted({line.suite or "" for line, _ in seen})),
            looks=len({candidate for _, candidate in seen}),
            pull_requests=len({line.pr for line, _ in seen if line.pr is not None}),
            comparisons=len(seen),
        )
        for eval_set, seen in lines.items()
    ]
    return sorted(found, key=lambda one: (-one.looks, one.eval_set))


def as_csv(lines: Sequence[LogLine]) -> str:
    """Return the lines as CSV with a header; a cell that a spreadsheet would run is quoted with an apostrophe."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(LogLine.__slots__)
    writer.writerows([_inert(cell) for cell in asdict(line).values()] for line in lines)
    return out.getvalue()


def as_json(lines: Sequence[LogLine]) -> str:
    """Return one JSON object a line."""
    return "".join(json.dumps(asdict(line), sort_keys=True) + "\n" for line in lines)


def _inert(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in {"=", "+", "-", "@", "\t", "\r"} else cell


def line_of(entry: Entry) -> LogLine:
    """Return an entry in short."""
    record = _mapping(entry.body["record"])
    metrics = record.get("metrics")
    first = _mapping(metrics[0]) if isinstance(metrics, list) and metrics else {}
    primary = first if first.get("role") == "primary" else {}
    interval = primary.get("interval")
    ends = interval if isinstance(interval, list) and len(interval) == 2 else [None, None]
    pr = _mapping(entry.body["pr"]).get("number")
    outcome = _mapping(record.get("verdict")).get("outcome")
    look = entry.body["look"]
    registration = _mapping(entry.body["registration"]) or _mapping(record.get("registration"))
    is_comparison = entry.body["type"] == EntryType.COMPARISON
    return LogLine(
        seq=entry.seq,
        recorded_at=str(entry.body["recorded_at"]),
        type=str(entry.body["type"]),
        pr=pr if isinstance(pr, int) else None,
        suite=_text(record.get("suite") if is_comparison else _mapping(entry.body["event"]).get("suite")),
        primary=_text(primary.get("name")),
        state=_text(primary.get("state")),
        delta=_number(primary.get("delta")),
        low=_number(ends[0]),
        high=_number(ends[1]),
        outcome=_text(outcome),
        look=look if isinstance(look, int) else None,
        registration=_text(registration.get("standing")),
        eval_set=_text(_mapping(record.get("questions")).get("set_sha256")),
        sha256=entry.sha256,
    )


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
