"""The files that a pull request changes, by GitHub's own comparison."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clearband.errors import GitHubError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clearband.github.client import Client

NEEDS: Final = "pull-requests: read"
_ALTERED: Final = frozenset({"added", "modified", "changed"})
MOST: Final = 3_000
"""GitHub lists no more files of a pull request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """What a pull request changes."""

    paths: tuple[str, ...]
    """Old and new names alike."""
    own: Mapping[str, str]
    """The id of the content that the pull request gives to each file which it adds or alters."""


def read(client: Client, repository: str, number: int) -> Changed | None:
    """Return what changes; None where not all of it can be known.

    Whoever cannot tell that a pull request is not concerned has to treat it as concerned.
    """
    found: set[str] = set()
    own: dict[str, str] = {}
    count = 0
    try:
        for file in client.pages(f"/repos/{repository}/pulls/{number}/files", needs=NEEDS):
            count += 1
            told = file if isinstance(file, dict) else {}
            name, sha = told.get("filename"), told.get("sha")
            found.update(one for one in (name, told.get("previous_filename")) if isinstance(one, str))
            if isinstance(name, str) and isinstance(sha, str) and told.get("status") in _ALTERED:
                own[name] = sha
    except GitHubError:
        return None
    return Changed(paths=tuple(sorted(found)), own=own) if found and count < MOST else None
