"""The history of a pull request's description, with the times that GitHub set: GraphQL's edit history.

Each edit holds the whole description as it was then. Whoever may write can delete what an edit said; that it was made,
and when, stays. What cannot be read is passed on as such.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clearband.github import failures
from clearband.plain_text import same_lines
from clearband.registration import History, Revision

if TYPE_CHECKING:
    from clearband.github.client import Client
    from clearband.github.pull_request import LivePullRequest

NEEDS: Final = "pull-requests: read"
MOST_PAGES: Final = 20
"""Pages of 50 edits, as an edit may weigh 256 KiB; whoever edits more often has no history that could be shown."""

QUERY: Final = (
    "query($owner: String!, $name: String!, $number: Int!, $after: String) { "
    "repository(owner: $owner, name: $name) { pullRequest(number: $number) { "
    "createdAt lastEditedAt includesCreatedEdit userContentEdits(first: 50, after: $after) "
    "{ totalCount pageInfo { hasNextPage endCursor } nodes { editedAt diff } } } } }"
)


def read(client: Client, repository: str, live: LivePullRequest) -> History:
    """Return the history of the description of a pull request.

    Where the token may not read it, or GitHub gives no answer to the question, the history is not complete and nothing
    is known but when the pull request was opened.

    Raises
    ------
    GitHubError
        GitHub could not be reached; what is not known then is not "unreadable".

    """
    try:
        nodes, last_edited_at, has_original, complete = _edits(client, repository, live.number)
    except (failures.PermissionMissing, failures.NotThere, failures.NotUnderstood, failures.Refused):
        return History(revisions=(Revision(at=live.created_at, body=None),), complete=False)
    if not nodes:
        complete = complete and last_edited_at is None
        return History(revisions=(Revision(at=live.created_at, body=live.body or ""),), complete=complete)
    # Newest first as GitHub lists them: turned round, edits of one second keep their order.
    revisions = sorted((_revision(node) for node in reversed(nodes)), key=lambda revision: revision.at)
    if not has_original and revisions[0].at > live.created_at:
        revisions.insert(0, Revision(at=live.created_at, body=None))
    newest = revisions[-1].body
    if newest is not None and not same_lines(newest, live.body or ""):
        # The description is being edited at this moment, or the history lags behind it.
        complete = False
        last_edited_at = None
    elif last_edited_at is not None and revisions[-1].at < last_edited_at:
        complete = False
    return History(revisions=tuple(revisions), complete=complete, last_edited_at=last_edited_at)


def _edits(client: Client, repository: str, number: int) -> tuple[list[dict[str, Any]], str | None, bool, bool]:
    """Return the edits, newest first, when the last was made, and whether the original and all of them are there."""
    owner, _, name = repository.partition("/")
    found: list[dict[str, Any]] = []
    after: str | None = None
    for _ in range(MOST_PAGES):
        variables = {"owner": owner, "name": name, "number": number, "after": after}
        pull = _part(_part(client.graphql(QUERY, variables, needs=NEEDS), "repository"), "pullRequest")
        edits = _part(pull, "userContentEdits")
        nodes, page = edits.get("nodes"), _part(edits, "pageInfo")
        if not isinstance(nodes, list) or not all(
            isinstance(node, dict) and isinstance(node.get("editedAt"), str) for node in nodes
        ):
            raise failures.NotUnderstood("GitHub's edit history is not what the API describes.")
        found += nodes
        after = page.get("endCursor")
        last = pull.get("lastEditedAt")
        if page.get("hasNextPage") is not True:
            listed = len(found) == edits.get("totalCount")
            return found, last if isinstance(last, str) else None, pull.get("includesCreatedEdit") is True, listed
    return found, None, False, False


def _revision(node: dict[str, Any]) -> Revision:
    body = node.get("diff")
    return Revision(at=node["editedAt"], body=body if isinstance(body, str) else None)


def _part(value: dict[str, Any], key: str) -> dict[str, Any]:
    part = value.get(key)
    if not isinstance(part, dict):
        raise failures.NotUnderstood(f"GitHub's answer holds no {key}.")
    return part
