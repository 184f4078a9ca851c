"""The ledger in words: where a comparison was recorded, or that it was not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clearband.report.fact import Fact
from clearband.report.numbers import count
from clearband.report.phrase import Phrase, Prose, Quote, say
from clearband.vocabulary import LedgerMode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clearband.answers import Answer


def not_recorded(answer: Answer) -> tuple[Phrase, ...]:
    """Return a line where a comparison that should be in the ledger is not."""
    if answer.ledger is None:
        return ()
    from clearband.audit.entry import NotRecorded  # noqa: PLC0415  most comparisons keep no ledger

    if not isinstance(answer.ledger, NotRecorded):
        return ()
    required = answer.policy is not None and answer.policy.ledger is LedgerMode.REQUIRED
    means = "; the policy requires it, so nothing passes" if required else ""
    why = Prose(answer.ledger.reason.strip().removesuffix("."), 300)
    remedy = answer.ledger.remedy
    return (say(f"Not recorded in the ledger{means}: ", why, ".", *((" ", Prose(remedy, 300)) if remedy else ())),)


def ledger_facts(answer: Answer) -> Iterator[Fact]:
    """Yield the entry: its digest is the head against which the ledger can be checked later."""
    if answer.ledger is None:
        return
    from clearband.audit.entry import Recorded  # noqa: PLC0415  most comparisons keep no ledger

    if isinstance(answer.ledger, Recorded):
        entry = answer.ledger.entry
        yield Fact(label=say("Ledger"), text=say(f"entry {count(entry.seq)}, head ", Quote(entry.sha256, 64)))
