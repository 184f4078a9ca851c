"""What `clearband audit replay` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clearband.audit.replay import TOLERANCE
from clearband.report.escape import visible
from clearband.report.numbers import count, counted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clearband.audit.replay import Replayed

_MOST = 20


def replayed(record: Mapping[str, Any], found: Mapping[str, Any], result: Replayed) -> str:
    """Return what was computed again, and where it came to something else."""
    inputs = record["inputs"]
    within = f"each within {TOLERANCE:g} standard errors or the twelfth digit"
    much = f"{count(result.exact)} states, outcomes, counts and names; {counted(result.numbers, 'number')}, {within}"
    lines = [
        f"baseline   {inputs['baseline']['sha256']}  as recorded",
        f"candidate  {inputs['candidate']['sha256']}  as recorded",
        f"recorded by Clearband {visible(str(record['clearband']), 20)}, computed again by {found['clearband']}",
        f"compared   {counted(len(record['metrics']), 'metric')}: {much}",
    ]
    if not result.differences:
        outcome = visible(str(record["verdict"]["outcome"]), 20)
        return "\n".join([*lines, f"The same: {outcome}, and every state, with every number."])
    shown = [
        f"  {visible(one.place, 80)}: recorded {visible(repr(one.recorded), 60)}, now {visible(repr(one.found), 60)}"
        for one in result.differences[:_MOST]
    ]
    more = len(result.differences) - _MOST
    tail = [f"  and {count(more)} more"] if more > 0 else []
    return "\n".join([*lines, f"Not the same: {counted(len(result.differences), 'difference')}.", *shown, *tail])
