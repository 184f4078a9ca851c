"""Which comments are ours: the marker says what a comment claims to be, authorship says whose it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from clearband.errors import GitHubError
from clearband.github import failures

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clearband.github.client import Client

NEEDS = "pull-requests: read"

_AUTHORED: Final = "query($ids: [ID!]!) { nodes(ids: $ids) { ... on IssueComment { id viewerDidAuthor } } }"
_NODES_PER_QUERY: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """A comment on a pull request."""

    id: int
    node_id: str
    body: str
    url: str
    author_id: int | None
    """None for a deleted account."""
    author: str

    @property
    def first_line(self) -> str:
        """The first line, where our marker stands."""
        return self.body.replace("\r\n", "\n").split("\n", 1)[0].strip()


def parse(value: Any, call: str) -> Comment:
    """Return the API's comment object as a `Comment`."""
    if not isinstance(value, dict) or not isinstance(value.get("id"), int):
        raise failures.NotUnderstood(f"GitHub's answer to {call} is not a comment.")
    user = value.get("user")
    author = user if isinstance(user, dict) else {}
    return Comment(
        id=value["id"],
        node_id=str(value.get("node_id") or ""),
        body=str(value.get("body") or ""),
        url=str(value.get("html_url") or ""),
        author_id=author["id"] if isinstance(author.get("id"), int) else None,
        author=str(author.get("login") or ""),
    )


def marked(client: Client, repository: str, number: int, marker: str) -> list[Comment]:
    """Return every comment of the pull request whose first line is `marker`, oldest first, whoever wrote it."""
    path = f"/repos/{repository}/issues/{number}/comments"
    comments = (parse(item, f"GET {path}") for item in client.pages(path, needs=NEEDS))
    return sorted((comment for comment in comments if comment.first_line == marker), key=lambda comment: comment.id)


def ours(client: Client, comments: Sequence[Comment]) -> list[Comment] | None:
    """Return those of `comments` that this token's identity wrote; None where that cannot be found out.

    GraphQL's ``viewerDidAuthor`` answers for a run's own token, an App's and a person's alike. Where GraphQL is not to
    be had, ``/user`` names the login of a person's token; a run's own token may not ask it.
    """
    if not comments:
        return []
    try:
        return _authored(client, comments)
    except GitHubError:
        pass
    try:
        user = client.get("/user", needs="a personal token").json()
    except GitHubError:
        return None
    login = user.get("login") if isinstance(user, dict) else None
    return [comment for comment in comments if comment.author == login] if isinstance(login, str) else None


def _authored(client: Client, comments: Sequence[Comment]) -> list[Comment]:
    mine: set[str] = set()
    for start in range(0, len(comments), _NODES_PER_QUERY):
        ids = [comment.node_id for comment in comments[start : start + _NODES_PER_QUERY]]
        nodes = client.graphql(_AUTHORED, {"ids": ids}, needs=NEEDS).get("nodes")
        if not isinstance(nodes, list):
            raise failures.NotUnderstood("GitHub's GraphQL answer holds no nodes.")
        ours = (node for node in nodes if isinstance(node, dict) and node.get("viewerDidAuthor") is True)
        mine.update(str(node.get("id")) for node in ours)
    return [comment for comment in comments if comment.node_id in mine]
