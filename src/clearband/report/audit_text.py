"""What the commands of `clearband audit` print."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clearband.report.escape import visible
from clearband.report.numbers import NONE, count, counted, decimals_for, faithful, fixed
from clearband.report.terminal import aligned, display_width, plain, wrapped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clearband.audit.chain import Chain
    from clearband.audit.commits import Commits
    from clearband.audit.log import Exposure, LogLine

_MOST_FAULTS = 20
_MOST_SETS = 10


def verified(
    chain: Chain,
    *,
    against_head: bool,
    commits: Commits | None = None,
    read_from: str | None = None,
    no_commits: str | None = None,
) -> str:
    """Return whether a ledger verifies: its head and its commits, or what is wrong and where."""
    source = [] if read_from is None else [f"read from {visible(read_from, 90)}"]
    if chain.faults:
        shown = [f"  {visible(fault.file, 110)} {plain(fault.what)}" for fault in chain.faults[:_MOST_FAULTS]]
        more = len(chain.faults) - _MOST_FAULTS
        tail = [f"  and {count(more)} more"] if more > 0 else []
        title = f"The ledger does not verify: {counted(len(chain.faults), 'fault')}."
        return "\n".join([*source, title, *shown, *tail])
    if chain.head is None:
        return "\n".join([*source, "The ledger is empty."])
    hint = "That nothing newer was dropped shows only against a head that was seen before: --head SHA256."
    entries = counted(len(chain.entries), "entry", "entries")
    return "\n".join(
        [
            *source,
            f"{entries}, every byte and every link as written, each as the schema says.",
            *_commits(commits, no_commits),
            f"head {chain.head.sha256}",
            "The known entry is there." if against_head else hint,
        ]
    )


def _commits(commits: Commits | None, no_commits: str | None) -> list[str]:
    if no_commits is not None:
        return [f"The commits were not checked: {plain(no_commits)}."]
    if commits is None:
        return ["There are no commits to check here: only a clone or a git bundle of the branch has them."]
    if not commits.is_whole:
        many = counted(commits.count - 1, "commit")
        return [f"The clone is shallow: only its last {many} could be checked, each adding one entry."]
    return [f"{counted(commits.count, 'commit')}, each adding one entry and changing nothing."]


def logged(lines: Sequence[LogLine], seen: Sequence[Exposure] = (), *, width: int = 100) -> str:
    """Return the log as a table, or a paragraph an entry where `width` is too small for one."""
    if not lines:
        return "No entry fits."
    head = ["no", "recorded", "PR", "suite", "primary", "interval", "state", "outcome", "look", "declared"]
    rows = [_cells(line) for line in lines]
    told = [column for column in range(10) if any(row[column] != NONE for row in rows)]
    for wanted in (
        range(10),
        (0, 1, 2, 3, 4, 5, 7, 8, 9),
        (0, 2, 3, 4, 5, 7, 8, 9),
        (0, 2, 3, 4, 5, 7),
    ):
        kept = [column for column in wanted if column in told]
        table = aligned([head[column] for column in kept], [[row[column] for column in kept] for row in rows])
        if max(map(display_width, table.split("\n"))) <= width:
            break
    else:
        table = "\n".join(_stacked(row, width) for row in rows)
    return "\n".join([table, *_exposure(seen, width)])


def _cells(line: LogLine) -> list[str]:
    return [
        str(line.seq),
        line.recorded_at.removesuffix("Z").replace("T", " ")[:16],
        NONE if line.pr is None else f"#{line.pr}",
        visible(line.suite or NONE, 20),
        visible(line.primary or NONE, 30),
        NONE if line.low is None or line.high is None else ends_text(line.low, line.high),
        line.state or NONE,
        line.outcome or line.type,
        NONE if line.look is None else str(line.look),
        _STANDINGS.get(line.registration or "", NONE),
    ]


_STANDINGS = {
    "declared-before-first-result": "before",
    "amended-after-results": "amended after",
    "declared-after-results": "after",
    "unknown": "unknown",
}


def _stacked(cells: list[str], width: int) -> str:
    number, recorded, pr, suite, primary, interval, state, outcome, look, declared = cells
    told = [f"{primary} {interval} {state}"]
    told.append(
        ", ".join(
            [f"suite {suite}"] + [f"look {look}"] * (look != NONE) + [f"declared {declared}"] * (declared != NONE)
        )
    )
    rest = [line for paragraph in told for line in wrapped(paragraph, max(width - 3, 20)).split("\n")]
    return "\n".join([f"{number}  {recorded}  {pr}  {outcome}", *(f"   {line}" for line in rest)])


def ends_text(low: float, high: float) -> str:
    """Return an interval; half of its width says how many digits, and no end is rounded onto or across zero."""
    half = (high - low) / 2.0
    digits = decimals_for(half) if half > 0.0 else decimals_for(high)
    low_text, high_text = (fixed(end, faithful(end, digits, (0.0,)), signed=True) for end in (low, high))
    return f"[{low_text}, {high_text}]"


def _exposure(seen: Sequence[Exposure], width: int) -> list[str]:
    if not seen:
        return []
    lines = [
        "",
        *wrapped("How often each eval set was looked at (different candidates compared on it):", width).split("\n"),
    ]
    for one in seen[:_MOST_SETS]:
        where = f" over {counted(one.pull_requests, 'pull request')}" if one.pull_requests else ""
        suites = visible(", ".join(one.suites), 40)
        lines.append(f"  {visible(one.eval_set, 64)[:12]}  {counted(one.looks, 'look')}{where}, suite {suites}")
    if len(seen) > _MOST_SETS:
        lines.append(f"  and {count(len(seen) - _MOST_SETS)} more")
    return lines
