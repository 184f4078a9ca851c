"""When to ask again: rate limits are waited out, outages are tried again, permission errors never are. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

ATTEMPTS: Final = 5
_OUTAGE: Final = frozenset({500, 502, 503, 504})
_LIMIT_WITHOUT_A_DATE: Final = 60.0
"""GitHub asks for at least a minute where its answer names no time."""


def pause(*, status: int, headers: Mapping[str, str], message: str, attempt: int, now: float) -> float | None:
    """Return the seconds to wait before trying again; None where trying again cannot help.

    Parameters
    ----------
    status, headers, message
        The answer; `headers` must compare names without case.
    attempt
        How many times this call was made, from 1.
    now
        Seconds since 1970, the clock that ``x-ratelimit-reset`` is read against.

    """
    if is_rate_limit(status=status, headers=headers, message=message):
        return _limit(headers, attempt, now)
    return after_outage(attempt) if status in _OUTAGE else None


def after_outage(attempt: int) -> float:
    """Return the wait after the given failed attempt: 1, 2, 4, 8 seconds."""
    return float(2 ** (attempt - 1))


def is_rate_limit(*, status: int, headers: Mapping[str, str], message: str) -> bool:
    """Whether the answer is a rate limit; a bare 403 is a missing permission and must not be waited for."""
    if status == 429:
        return True
    said = message.lower()
    return status == 403 and (
        "retry-after" in headers
        or headers.get("x-ratelimit-remaining") == "0"
        or "rate limit" in said
        or "abuse detection" in said
    )


def _limit(headers: Mapping[str, str], attempt: int, now: float) -> float:
    after = _number(headers.get("retry-after"))
    if after is not None:
        return max(after, 1.0)
    reset = _number(headers.get("x-ratelimit-reset"))
    if reset is not None and headers.get("x-ratelimit-remaining") == "0":
        return max(reset - now, 0.0) + 1.0
    return float(_LIMIT_WITHOUT_A_DATE * 2 ** (attempt - 1))


def _number(text: str | None) -> float | None:
    return float(text) if text and text.isascii() and text.isdigit() and len(text) < 16 else None
