"""The live pull request: its body as it is now, not as the event froze it (a re-run replays the old one)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clearband.github import event, failures

if TYPE_CHECKING:
    from clearband.github.client import Client

NEEDS = "pull-requests: read"


@dataclass(frozen=True, slots=True, kw_only=True)
class LivePullRequest:
    """A pull request as the API gives it now."""

    number: int
    body: str | None
    """None where it was never written."""
    state: str
    head_sha: str
    base_sha: str
    base_ref: str
    head_ref: str
    created_at: str
    """UTC, ISO 8601, as GitHub has it."""
    author: str
    """Login; empty for a deleted account."""
    author_id: int | None
    is_public: bool
    """Whether anybody may read the repository; true where it is not known."""
    head_repository: str | None
    """``owner/name``; None where the repository was deleted, which is treated like a fork."""


def read(client: Client, repository: str, number: int) -> LivePullRequest:
    """Return the pull request `number` of `repository` as it is now."""
    answer = client.get(f"/repos/{repository}/pulls/{number}", needs=NEEDS)
    pull = answer.json()
    head, base = _part(pull, "head"), _part(pull, "base")
    body = pull.get("body") if isinstance(pull, dict) else None
    understood = (
        (body is None or isinstance(body, str))
        and event.is_commit(head.get("sha"))
        and event.is_commit(base.get("sha"))
        and isinstance(base.get("ref"), str)
        and isinstance(head.get("ref"), str)
        and isinstance(pull.get("created_at"), str)
    )
    if not understood:
        raise failures.NotUnderstood(f"GitHub's answer to {answer.call} is not a pull request.")
    return LivePullRequest(
        number=number,
        body=body,
        state=str(pull.get("state")),
        head_sha=head["sha"],
        base_sha=base["sha"],
        base_ref=base["ref"],
        head_ref=head["ref"],
        created_at=pull["created_at"],
        author=event.login(pull.get("user")),
        author_id=event.account_id(pull.get("user")),
        is_public=_part(base, "repo").get("private") is not True,
        head_repository=event.repository_name(head.get("repo")),
    )


def _part(pull: object, key: str) -> dict[str, Any]:
    value = pull.get(key) if isinstance(pull, dict) else None
    return value if isinstance(value, dict) else {}
