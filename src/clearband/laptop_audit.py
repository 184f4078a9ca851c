"""The commands of `clearband audit`, offline: a ledger's folder in, what it says out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

from clearband.audit.chain import Chain, verify
from clearband.audit.log import as_csv, as_json, log
from clearband.errors import UsageError
from clearband.laptop import put
from clearband.ledger_folder import read_folder
from clearband.report.audit_text import logged, verified

if TYPE_CHECKING:
    from pathlib import Path

    from clearband.audit.entry import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditArguments:
    """What `clearband audit` was asked."""

    action: str
    """``verify``, ``log`` or ``show``."""
    ledger: Path
    head: str | None
    entry: str | None
    suite: str | None
    metric: str | None
    outcome: str | None
    as_json: bool
    as_csv: bool


def audit(arguments: AuditArguments, *, stdout: TextIO, stderr: TextIO) -> int:
    """Do what was asked and return the exit status: 0, or 3 where the ledger does not verify.

    Raises
    ------
    UsageError
        The folder cannot be read, or no entry is called as asked.

    """
    head = None if arguments.head is None else arguments.head.strip().lower()
    chain = verify(read_folder(arguments.ledger), head=head)
    match arguments.action:
        case "log":
            lines = log(chain.entries, suite=arguments.suite, metric=arguments.metric, outcome=arguments.outcome)
            text = as_csv(lines) if arguments.as_csv else as_json(lines) if arguments.as_json else logged(lines) + "\n"
            put(text, stdout, stderr)
        case "show":
            put(_entry(chain, arguments.entry or "").data.decode("ascii"), stdout, stderr)
        case _:
            put(verified(chain, against_head=head is not None) + "\n", stdout, stderr)
    if chain.faults and arguments.action != "verify":
        put(verified(chain, against_head=False) + "\n", stderr, stderr)
    return 3 if chain.faults else 0


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
