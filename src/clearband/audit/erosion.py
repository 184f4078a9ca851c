"""Slow erosion: what changes too small to clear, one after the other, add up to. Pure.

Each pull request may lose less than its eval set can resolve, and ten of them may lose a lot. Counted is the last
comparison of each pull request and suite that was not stopped: whether it was merged, the ledger does not know. A sum
begins again where a baseline was adopted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from clearband.audit.entry import EntryType

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from clearband.audit.entry import Entry

UNRESOLVED: Final = frozenset({"inconclusive", "too-sparse"})
_STOPPED: Final = frozenset({"blocked", "cannot-tell", "invalid"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Erosion:
    """The sum of one metric's unresolved changes in one suite."""

    suite: str
    metric: str
    direction: str
    deciding: bool
    """Whether it was primary or a guardrail in at least one of the comparisons."""
    since: int | None
    """Number of the adoption after which it counts; None from the beginning."""
    sums: tuple[float, ...]
    """The running sum after each comparison, oldest first."""
    unresolved: int
    """How many of the comparisons left it unresolved."""

    @property
    def total(self) -> float:
        """What it came to."""
        return self.sums[-1] if self.sums else 0.0

    @property
    def is_worse(self) -> bool:
        """Whether the sum is in the worse direction."""
        return {"higher": self.total < 0.0, "lower": self.total > 0.0}.get(self.direction, False)


def erosion(entries: Sequence[Entry]) -> list[Erosion]:
    """Return the sums of every suite and metric that was left unresolved twice or more, the deciding ones first."""
    since, counted = _counted(entries)
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for entry in counted:
        for metric in entry.body["record"]["metrics"]:
            if metric["state"] != "invalid" and metric["delta"] is not None:
                found.setdefault((entry.body["record"]["suite"], metric["name"]), []).append(metric)
    every = [_sum(suite, name, since.get(suite), metrics) for (suite, name), metrics in found.items()]
    return sorted(
        (one for one in every if one.unresolved > 1), key=lambda one: (not one.deciding, one.suite, one.metric)
    )


def overrides(entries: Iterable[Entry]) -> dict[str, Entry]:
    """Return the overrides by the digest of the comparison that each let through."""
    return {
        str(entry.body["event"].get("comparison")): entry
        for entry in entries
        if entry.body["type"] == EntryType.OVERRIDE
    }


def _counted(entries: Sequence[Entry]) -> tuple[dict[str, int], list[Entry]]:
    """Return the adoption of each suite that counting begins behind, and the comparisons that count."""
    since: dict[str, int] = {}
    last: dict[tuple[str, object], Entry] = {}
    let_through = overrides(entries)
    for entry in entries:
        if entry.body["type"] == EntryType.ADOPTION:
            suite = entry.body["event"].get("suite")
            known = {key[0] for key in last}
            for one in [suite] if isinstance(suite, str) else known:
                since[one] = entry.seq
            last = {key: kept for key, kept in last.items() if isinstance(suite, str) and key[0] != suite}
        elif entry.body["type"] == EntryType.COMPARISON:
            pr = entry.body["pr"]
            key = (entry.body["record"]["suite"], entry.sha256 if pr is None else pr["number"])
            last.pop(key, None)  # a later comparison takes the later place
            last[key] = entry
    stopped = [entry for entry in last.values() if entry.body["record"]["verdict"]["outcome"] in _STOPPED]
    held = {entry.sha256 for entry in stopped if entry.sha256 not in let_through}
    return since, [entry for entry in last.values() if entry.sha256 not in held]


def _sum(suite: str, name: str, since: int | None, metrics: Sequence[dict[str, Any]]) -> Erosion:
    return Erosion(
        suite=suite,
        metric=name,
        direction=metrics[-1]["direction"],
        deciding=any(metric["role"] != "exploratory" for metric in metrics),
        since=since,
        sums=tuple(_running(metrics)),
        unresolved=sum(metric["state"] in UNRESOLVED for metric in metrics),
    )


def _running(metrics: Iterable[dict[str, Any]]) -> Iterator[float]:
    total = 0.0
    for metric in metrics:
        total += metric["delta"] if metric["state"] in UNRESOLVED else 0.0
        yield total
