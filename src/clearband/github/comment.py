"""The one comment a suite keeps on a pull request: found, created, brought up to date; never anybody else's.

A comment is ours if its first line is the suite's marker and this token's identity wrote it. The second line, hidden
too, names the run that wrote it, so that a slow old run does not put its text over a newer one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clearband.errors import GitHubError
from clearband.github import authorship, failures
from clearband.github.authorship import Comment
from clearband.input_values import CommentMode
from clearband.plain_text import same_lines
from clearband.report.marker import marker

if TYPE_CHECKING:
    from clearband.github.client import Client

NEEDS = "pull-requests: write"

_RUN = re.compile(r"<!-- clearband:run id=([0-9]{1,19}) attempt=([0-9]{1,9}) -->")
FORK_RECIPE: Final = (
    "The verdict, the record and the job's summary are complete without it; "
    "docs/recipes/forks.md shows what works on forks and for Dependabot, and the second workflow that comments there."
)
PERMISSION_RECIPE: Final = "Add this to the job:\n\npermissions:\n  contents: read\n  pull-requests: write"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where the comment goes, and as which run."""

    repository: str
    number: int
    suite: str
    run: tuple[int, int] | None = None
    """Run id and attempt; None outside of a workflow run."""
    read_only_token: bool = False
    """Whether a read-only token is to be expected (fork, Dependabot). It words a message and decides nothing."""

    @property
    def comments(self) -> str:
        """The API's path of the pull request's comments."""
        return f"/repos/{self.repository}/issues/{self.number}/comments"

    def comment(self, comment: Comment) -> str:
        """Return the API's path of `comment`."""
        return f"/repos/{self.repository}/issues/comments/{comment.id}"


@dataclass(frozen=True, slots=True)
class Posted:
    """The comment says what this run found."""

    url: str


@dataclass(frozen=True, slots=True)
class LeftAlone:
    """Nothing was written, on purpose."""

    url: str
    reason: str


@dataclass(frozen=True, slots=True)
class CannotComment:
    """The comment could not be written; the verdict stands all the same."""

    reason: str
    remedy: str


def publish(
    client: Client, place: Place, text: str, mode: CommentMode, *, anew: bool = True
) -> Posted | LeftAlone | CannotComment:
    """Make the suite's comment say `text`.

    Parameters
    ----------
    client, place
        The API, and where in it.
    text
        The comment as rendered, its marker on the first line.
    mode
        ``always`` keeps the comment at this run; ``on-change`` writes only where the text is another than the one
        there (the first comment is always made); ``never`` writes nothing.
    anew
        Whether a comment is made where there is none yet.

    """
    if mode is CommentMode.NEVER:
        return LeftAlone("", "The input `comment` is `never`.")
    try:
        return _publish(client, place, _signed(text, place), mode, anew=anew)
    except GitHubError as problem:
        return _cannot(problem, place)


def _publish(client: Client, place: Place, text: str, mode: CommentMode, *, anew: bool) -> Posted | LeftAlone:
    found = authorship.marked(client, place.repository, place.number, marker(place.suite))
    own = authorship.ours(client, found)
    done = _bring_up_to_date(client, place, own or [], text, mode)
    if done is not None:
        return done
    if not anew:
        return LeftAlone("", "There is nothing to say.")
    created = _create(client, place, text, known=found)
    # Another run may have made one at the same time, and a token that could not find out its identity may have one
    # already. Who wrote `created` is known from GitHub's own answer, which works for every kind of token.
    now = authorship.marked(client, place.repository, place.number, marker(place.suite))
    own = [one for one in now if one.id != created.id and one.author_id == created.author_id]
    own = sorted([*own, created], key=lambda one: one.id)
    return _bring_up_to_date(client, place, own, text, mode, created=created) or Posted(created.url)


def _bring_up_to_date(
    client: Client, place: Place, own: list[Comment], text: str, mode: CommentMode, *, created: Comment | None = None
) -> Posted | LeftAlone | None:
    """Make the oldest of our comments say `text` and remove the rest; None where none of them is there any more."""
    for position, one in enumerate(own):
        newer = own[position + 1 :]
        if created is not None and one.id == created.id:
            done: Posted | LeftAlone | None = Posted(one.url)
        elif place.run and (written_by := _run(one.body)) and written_by > place.run:
            done = LeftAlone(one.url, "A newer run has written the comment already.")
            newer = [created] if created is not None else []
        elif _same(one.body, text, mode):
            done = LeftAlone(one.url, "The comment says so already.")
        else:
            done = _update(client, place, one, text)
        if done is not None:
            _remove(client, place, newer)
            return done
    return None


def _create(client: Client, place: Place, text: str, *, known: list[Comment]) -> Comment:
    before = {comment.id for comment in known}

    def landed() -> Comment | None:
        now = authorship.marked(client, place.repository, place.number, marker(place.suite))
        return next((one for one in now if one.id not in before and same_lines(one.body, text)), None)

    answer = client.post(place.comments, {"body": text}, needs=NEEDS, landed=landed)
    return answer if isinstance(answer, Comment) else authorship.parse(answer.json(), answer.call)


def _update(client: Client, place: Place, comment: Comment, text: str) -> Posted | None:
    try:
        answer = client.patch(place.comment(comment), {"body": text}, needs=NEEDS)
    except failures.NotThere:  # somebody deleted it meanwhile
        return None
    return Posted(authorship.parse(answer.json(), answer.call).url)


def _remove(client: Client, place: Place, duplicates: list[Comment]) -> None:
    for comment in duplicates:
        try:
            client.delete(place.comment(comment), needs=NEEDS)
        except failures.NotThere:
            continue  # the other run was faster


def _signed(text: str, place: Place) -> str:
    first, _, rest = text.partition("\n")
    if first != marker(place.suite):
        message = "a comment without its marker would never be found again"
        raise ValueError(message)
    run = f"<!-- clearband:run id={place.run[0]} attempt={place.run[1]} -->\n" if place.run else ""
    return f"{first}\n{run}{rest}"


def _run(body: str) -> tuple[int, int] | None:
    lines = body.splitlines()
    found = _RUN.fullmatch(lines[1].strip()) if len(lines) > 1 else None
    return (int(found[1]), int(found[2])) if found else None


def _same(there: str, text: str, mode: CommentMode) -> bool:
    if mode is CommentMode.ON_CHANGE:
        return same_lines(_RUN.sub("", there, count=1), _RUN.sub("", text, count=1))
    return same_lines(there, text)


def _cannot(problem: GitHubError, place: Place) -> CannotComment:
    remedy = problem.remedy or "Run the job again."
    if isinstance(problem, failures.PermissionMissing | failures.NotThere):
        locked = "locked" in problem.what.lower() or "archived" in problem.what.lower()
        if locked:
            remedy = "The conversation is locked or the repository archived; unlock it, or set `comment: never`."
        elif place.read_only_token:
            remedy = f"Runs for forks and for Dependabot get a read-only token. {FORK_RECIPE}"
        else:
            remedy = PERMISSION_RECIPE
    return CannotComment(problem.what, remedy)
