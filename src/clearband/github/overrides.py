"""Which override holds for a commit: the comments of the pull request, held against what their authors may do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clearband.github import failures
from clearband.github.encoding import part
from clearband.override import NotHeld, Override, Overrides, Wish, parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clearband.github.client import Client

NEEDS: Final = "pull-requests: read"
_MAY_WRITE: Final = frozenset({"admin", "maintain", "write"})
_MOST_ASKED: Final = 20
"""People whose permission is asked for; anybody may comment, and every question costs a call."""


def read(
    client: Client, repository: str, number: int, *, head_sha: str, author_id: int | None, by_author: bool
) -> Overrides:
    """Return the override that holds for a commit, and those that do not.

    Parameters
    ----------
    client, repository, number
        The API and the pull request.
    head_sha
        The commit that was judged.
    author_id
        The pull request's author; None for a deleted account.
    by_author
        Whether the policy lets authors override their own.

    """
    path = f"/repos/{repository}/issues/{number}/comments"
    refused: list[NotHeld] = []
    asked = 0
    for comment in reversed(list(_wishes(client.pages(path, needs=NEEDS)))):
        wish = parse(str(comment["body"]))
        if isinstance(wish, Wish) and wish.sha != head_sha:
            continue  # an earlier commit's
        author, person = str(comment["user"].get("login") or ""), comment["user"].get("id")
        url = str(comment.get("html_url") or "")
        why = _plain_fault(comment, wish)
        if why is None and person == author_id and not by_author:
            why = "is by the pull request's own author, which the policy does not allow"
        if why is None:
            asked += 1
            if asked > _MOST_ASKED:
                break
            why = _why_not(client, repository, author, person)
        if why is not None:
            refused.append(NotHeld(author=author, why=why, url=url))
        elif isinstance(wish, Wish):
            held = Override(
                sha=wish.sha, reason=wish.reason, author=author, author_id=person, at=str(comment["created_at"]),
                comment_id=comment["id"], url=url,
            )  # fmt: skip
            return Overrides(sha=head_sha, held=held, refused=tuple(refused))
    return Overrides(sha=head_sha, refused=tuple(refused))


def _wishes(comments: Iterator[Any]) -> Iterator[dict[str, Any]]:
    """Yield the comments that ask for an override."""
    for comment in comments:
        if not isinstance(comment, dict) or parse(str(comment.get("body") or "")) is None:
            continue
        if not isinstance(comment.get("id"), int) or not isinstance(comment.get("user"), dict):
            continue  # a deleted account may do nothing
        yield comment


def _plain_fault(comment: dict[str, Any], wish: Wish | str | None) -> str | None:
    """Return what is wrong with a comment by itself."""
    if not isinstance(wish, Wish):
        return wish
    if comment["user"].get("type") != "User":
        return "is not by a person"
    if not isinstance(comment.get("created_at"), str) or comment.get("updated_at") != comment["created_at"]:
        return "was edited; write a new one"
    return None


def _why_not(client: Client, repository: str, login: str, person: object) -> str | None:
    """Return why somebody may not override; None for who may write to the repository."""
    try:
        answer = client.get(
            f"/repos/{repository}/collaborators/{part(login)}/permission", needs="metadata: read"
        ).json()
    except failures.NotThere:
        return "is by somebody who does not belong to the repository"
    found = answer if isinstance(answer, dict) else {}
    user = found.get("user")
    # A login can change hands; the number stays with the person who wrote the comment.
    if not isinstance(user, dict) or not isinstance(person, int) or user.get("id") != person:
        return "is by an account that has changed its name since"
    return None if found.get("permission") in _MAY_WRITE else "is by somebody without write permission"
