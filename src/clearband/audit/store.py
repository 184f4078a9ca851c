"""The one small interface of every place that keeps a ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from clearband.audit.entry import Draft, Entry, NotRecorded, Recorded


class Store(Protocol):
    """A ledger that is only ever appended to."""

    def past(self, number: int | None) -> tuple[Entry, ...]:
        """Return the entries of one pull request, or of the runs without one, oldest first.

        Raises
        ------
        ClearbandError
            They cannot be read, or do not verify.

        """

    def append(self, draft: Draft) -> Recorded | NotRecorded:
        """Write `draft` behind the newest entry; an entry of the same key is returned as it stands.

        A ledger that does not verify is not continued.
        """
