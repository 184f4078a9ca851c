"""The ledger as a table: one line a comparison, filtered, as text, CSV or JSON lines. Pure."""

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
    sha256: str


def log(
    entries: Iterable[Entry], *, suite: str | None = None, metric: str | None = None, outcome: str | None = None
) -> list[LogLine]:
    """Return the entries in short, oldest first; only those that fit what is asked for."""
    lines = [_line(entry) for entry in entries]
    return [
        line
        for line in lines
        if suite in {None, line.suite} and metric in {None, line.primary} and outcome in {None, line.outcome}
    ]


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


def _line(entry: Entry) -> LogLine:
    record = _mapping(entry.body["record"])
    metrics = record.get("metrics")
    first = _mapping(metrics[0]) if isinstance(metrics, list) and metrics else {}
    primary = first if first.get("role") == "primary" else {}
    interval = primary.get("interval")
    ends = interval if isinstance(interval, list) and len(interval) == 2 else [None, None]
    pr = _mapping(entry.body["pr"]).get("number")
    outcome = _mapping(record.get("verdict")).get("outcome")
    is_comparison = entry.body["type"] == EntryType.COMPARISON
    return LogLine(
        seq=entry.seq,
        recorded_at=str(entry.body["recorded_at"]),
        type=str(entry.body["type"]),
        pr=pr if isinstance(pr, int) else None,
        suite=_text(record.get("suite")) if is_comparison else None,
        primary=_text(primary.get("name")),
        state=_text(primary.get("state")),
        delta=_number(primary.get("delta")),
        low=_number(ends[0]),
        high=_number(ends[1]),
        outcome=_text(outcome),
        sha256=entry.sha256,
    )


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
