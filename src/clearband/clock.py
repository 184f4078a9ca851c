"""Times as the ledger writes them."""

from __future__ import annotations

import time


def stamp(seconds: float) -> str:
    """Return seconds since 1970 as UTC, ISO 8601 to the second: such texts compare as the times do."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
