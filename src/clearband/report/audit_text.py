"""What the commands of `clearband audit` print."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clearband.report.escape import visible
from clearband.report.numbers import NONE, about, count, counted
from clearband.report.terminal import aligned, plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clearband.audit.chain import Chain
    from clearband.audit.log import LogLine

_MOST_FAULTS = 20


def verified(chain: Chain, *, against_head: bool) -> str:
    """Return whether a ledger verifies: its head, or what is wrong and where."""
    if chain.faults:
        shown = [f"  {visible(fault.file, 90)} {plain(fault.what)}" for fault in chain.faults[:_MOST_FAULTS]]
        more = len(chain.faults) - _MOST_FAULTS
        tail = [f"  and {count(more)} more"] if more > 0 else []
        return "\n".join([f"The ledger does not verify: {counted(len(chain.faults), 'fault')}.", *shown, *tail])
    if chain.head is None:
        return "The ledger is empty."
    hint = "That nothing newer was dropped shows only against a head that was seen before: --head SHA256."
    return "\n".join(
        [
            f"{counted(len(chain.entries), 'entry', 'entries')}, every byte and every link as written.",
            f"head {chain.head.sha256}",
            "The known entry is there." if against_head else hint,
        ]
    )


def _interval(line: LogLine) -> str:
    if line.low is None or line.high is None:
        return NONE
    return f"[{about(line.low, signed=True)}, {about(line.high, signed=True)}]"


def logged(lines: Sequence[LogLine]) -> str:
    """Return the log as a table."""
    if not lines:
        return "No entry fits."
    rows = [
        [
            str(line.seq),
            line.recorded_at,
            NONE if line.pr is None else f"#{line.pr}",
            visible(line.suite or NONE, 20),
            visible(line.primary or NONE, 30),
            _interval(line),
            line.state or NONE,
            line.outcome or line.type,
        ]
        for line in lines
    ]
    return aligned(["no", "recorded", "PR", "suite", "primary", "interval", "state", "outcome"], rows)
