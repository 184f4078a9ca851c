"""The files that a pull request changes, by GitHub's own comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clearband.errors import GitHubError

if TYPE_CHECKING:
    from clearband.github.client import Client

NEEDS: Final = "pull-requests: read"
MOST: Final = 3_000
"""GitHub lists no more files of a pull request."""


def read(client: Client, repository: str, number: int) -> tuple[str, ...] | None:
    """Return the paths that change, old and new names alike; None where not all of them can be known.

    Whoever cannot tell that a pull request is not concerned has to treat it as concerned.
    """
    found: set[str] = set()
    count = 0
    try:
        for file in client.pages(f"/repos/{repository}/pulls/{number}/files", needs=NEEDS):
            count += 1
            names = [file.get("filename"), file.get("previous_filename")] if isinstance(file, dict) else []
            found.update(name for name in names if isinstance(name, str))
    except GitHubError:
        return None
    return tuple(sorted(found)) if found and count < MOST else None
