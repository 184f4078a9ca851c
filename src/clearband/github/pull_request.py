"""The live pull request: its body as it is now, not as the event froze it (a re-run replays the old one)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clearband.errors import UsageError
from clearband.github import event, failures

if TYPE_CHECKING:
    from clearband.github.client import Client
    from clearband.github.event import RunOfPullRequest

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
    return _parse(answer.json(), answer.call)


def of_run(client: Client, repository: str, run: RunOfPullRequest) -> LivePullRequest:
    """Return the one open pull request whose head a finished run was about.

    Raises
    ------
    UsageError
        There is none any more, or more than one: nobody is commented on by guess.

    """
    owner = run.head_repository.partition("/")[0]
    path = f"/repos/{repository}/pulls"
    query = {"state": "open", "head": f"{owner}:{run.head_branch}"}
    found = [
        pull
        for pull in (_parse(one, f"GET {path}") for one in client.pages(path, needs=NEEDS, query=query))
        if pull.head_sha == run.head_sha and pull.head_repository == run.head_repository
    ]
    if len(found) == 1:
        return found[0]
    if not found:
        raise UsageError(
            "No open pull request has the commit that the finished run was about as its head: it was closed, or has "
            "newer commits, which have runs of their own.",
            remedy="Nothing has to be done.",
        )
    numbers = ", ".join(f"{pull.number}" for pull in found)
    raise UsageError(
        f"The finished run's commit is the head of {len(found)} open pull requests ({numbers}), and it does not say "
        "which of them it was for.",
        remedy="Close all but one of them, or push a commit to one.",
    )


def _parse(pull: Any, call: str) -> LivePullRequest:
    head, base = _part(pull, "head"), _part(pull, "base")
    body, number = (pull.get("body"), pull.get("number")) if isinstance(pull, dict) else (None, None)
    understood = (
        (body is None or isinstance(body, str))
        and isinstance(number, int)
        and event.is_commit(head.get("sha"))
        and event.is_commit(base.get("sha"))
        and isinstance(base.get("ref"), str)
        and isinstance(head.get("ref"), str)
        and isinstance(pull.get("created_at"), str)
    )
    if not understood:
        raise failures.NotUnderstood(f"GitHub's answer to {call} is not a pull request.")
    return LivePullRequest(
        number=pull["number"],
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
