"""Commit statuses: the verdict on the pull request's head, where the job's own check lands on another commit."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from clearband.github.client import Client

NEEDS: Final = "statuses: write"
DESCRIPTION_CAP: Final = 140
"""Characters that GitHub takes."""


class Mark(StrEnum):
    """What a status says."""

    SUCCESS = "success"
    FAILURE = "failure"
    """Something was compared, and it does not pass."""
    ERROR = "error"
    """Nothing could be decided, and that does not pass either."""


def mark(exit_status: int) -> Mark:
    """Return what a status says for an exit status."""
    match exit_status:
        case 0:
            return Mark.SUCCESS
        case 1 | 2:
            return Mark.FAILURE
        case _:
            return Mark.ERROR


def publish(client: Client, repository: str, sha: str, *, context: str, says: Mark, description: str, url: str) -> None:
    """Set the status `context` of the commit `sha`; doing so again puts a newer one in its place.

    Raises
    ------
    GitHubError
        It was not set.

    """
    short = description if len(description) <= DESCRIPTION_CAP else f"{description[: DESCRIPTION_CAP - 1]}…"
    body = {"state": says.value, "context": context, "description": short}
    if url:
        body["target_url"] = url
    client.post(f"/repos/{repository}/statuses/{sha}", body, needs=NEEDS, landed=lambda: None)
