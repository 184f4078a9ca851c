"""The commands of `clearband audit`, offline: a ledger in, what it says out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TextIO

from clearband import ledger_source
from clearband.audit.ledger import check
from clearband.audit.log import as_csv, as_json, exposure, log
from clearband.errors import UsageError
from clearband.laptop import output_width, put
from clearband.report.audit_text import logged, verified

if TYPE_CHECKING:
    from pathlib import Path

    from clearband.audit.chain import Chain
    from clearband.audit.entry import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditArguments:
    """What `clearband audit` was asked."""

    action: str
    """``verify``, ``log``, ``show`` or ``export``."""
    ledger: Path
    head: str | None = None
    entry: str | None = None
    out: Path | None = None
    pr: int | None = None
    suite: str | None = None
    metric: str | None = None
    outcome: str | None = None
    as_json: bool = False
    as_csv: bool = False


def audit(arguments: AuditArguments, *, stdout: TextIO, stderr: TextIO) -> int:
    """Do what was asked and return the exit status: 0, or 3 where the ledger does not verify.

    Raises
    ------
    UsageError
        The ledger cannot be read, no entry is called as asked, or the page cannot be written.

    """
    found = ledger_source.find(arguments.ledger)
    chain = check(found.files, head=arguments.head)
    of_commits = () if found.commits is None else found.commits.faults
    chain = replace(chain, faults=(*chain.faults, *found.faults, *of_commits))
    said = verified(
        chain,
        against_head=arguments.head is not None,
        commits=found.commits,
        read_from=found.read_from,
        no_commits=found.no_commits,
    )
    match arguments.action:
        case "log":
            put(_log(arguments, chain, output_width(stdout)), stdout, stderr)
        case "show":
            put(_entry(chain, arguments.entry or "").data.decode("ascii"), stdout, stderr)
        case "export" if arguments.out is not None:
            put(_export(chain, arguments.out), stdout, stderr)
        case _:
            put(said + "\n", stdout, stderr)
    if chain.faults and arguments.action != "verify":
        put(said + "\n", stderr, stderr)
    return 3 if chain.faults else 0


def _log(arguments: AuditArguments, chain: Chain, width: int) -> str:
    lines = log(
        chain.entries,
        pr=arguments.pr,
        suite=arguments.suite,
        metric=arguments.metric,
        outcome=arguments.outcome,
    )
    if arguments.as_csv:
        return as_csv(lines)
    if arguments.as_json:
        return as_json(lines)
    kept = {line.eval_set for line in lines}
    # Of all entries: who asks about one pull request still wants to know how often the set was looked at before.
    seen = [one for one in exposure(chain.entries) if one.eval_set in kept]
    return logged(lines, seen, width=width) + "\n"


def _export(chain: Chain, out: Path) -> str:
    from clearband.report.export import page  # noqa: PLC0415  Jinja costs more than all the other actions need

    try:
        out.write_text(page(chain), encoding="utf-8", newline="\n")
    except OSError as problem:
        raise UsageError(
            f"The page {str(out)!r} cannot be written: {problem.strerror or 'unknown reason'}",
            remedy="Name a file in a folder that may be written.",
        ) from None
    return f"page     {out}\n"


def _entry(chain: Chain, wanted: str) -> Entry:
    """Return the entry of a number, or of the beginning of a digest that only one has."""
    if wanted.isdecimal() and len(wanted) <= 8:
        found = [entry for entry in chain.entries if entry.seq == int(wanted)]
    else:
        found = [entry for entry in chain.entries if len(wanted) >= 4 and entry.sha256.startswith(wanted.lower())]
    if len(found) != 1:
        raise UsageError(
            f"{len(found) or 'No'} entries of the ledger are called {wanted!r}",
            remedy="Name one by its number, or by the beginning of its SHA-256; `clearband audit log` lists them.",
        )
    return found[0]
