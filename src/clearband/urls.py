"""Which addresses may be used: where the token may go, and where nobody on the way can read along. Pure."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from clearband.errors import UsageError


def api_base(given: str) -> str:
    """Return the API's base without a slash at the end; https, or http to this machine alone."""
    try:
        parts = urlsplit(given)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise UsageError("not a URL.") from None
    if not host or parts.username or parts.password or parts.query or parts.fragment:
        raise UsageError("not a plain base URL such as `https://api.github.com`.")
    if not is_private(given):
        raise UsageError("must start with https://, or the token would travel in the clear.")
    return given.rstrip("/")


def same_origin(url: str, other: str) -> bool:
    """Whether both URLs have one scheme, host and port; the token goes to one origin only."""
    try:
        return _origin(url) == _origin(other)
    except ValueError:  # a port that is no number
        return False


def _origin(url: str) -> tuple[str, str, int]:
    parts = urlsplit(url)
    return parts.scheme, (parts.hostname or "").lower(), parts.port or (443 if parts.scheme == "https" else 80)


def is_private(url: str) -> bool:
    """Whether nobody on the way can read along: https, or http to this machine alone."""
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return False
    return bool(host) and (parts.scheme == "https" or (parts.scheme == "http" and _is_loopback(host or "")))


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def graphql_base(given: str, api_url: str) -> str:
    """Return the address of the GraphQL API; where it is not given, the one that belongs to the REST API."""
    if not given:  # Enterprise Server has it beside /api/v3
        return f"{api_url.removesuffix('/v3')}/graphql"
    base = api_base(given)
    if api_url and not same_origin(base, api_url):
        raise UsageError("must be on the same host as GITHUB_API_URL.")
    return base
