"""What can go wrong at the API, named after what a person must know; every message says call, cause and remedy."""

from __future__ import annotations

from clearband.errors import GitHubError


class TokenNotValid(GitHubError):
    """401: GitHub does not know the token."""


class PermissionMissing(GitHubError):
    """The token may not do this: 403 that is not a rate limit."""


class NotThere(GitHubError):
    """404 or 410: it does not exist, or the token may not know that it does."""


class RateLimitReached(GitHubError):
    """GitHub asked to wait for longer than the run can."""


class Unreachable(GitHubError):
    """No answer, or only 5xx, in all attempts."""


class Refused(GitHubError):
    """GitHub understood and refused: another 4xx, or a redirect."""


class NotUnderstood(GitHubError):
    """The answer is not what the API describes."""


def failure(*, status: int, call: str, message: str, needs: str) -> GitHubError:
    """Return the error for an answer that is not a success.

    Parameters
    ----------
    status
        The HTTP status.
    call
        Method and path, without host and query.
    message
        GitHub's own words; shortened here, escaped by whoever shows them.
    needs
        The permission that the call needs, such as ``pull-requests: read``.

    """
    said = f": `{quoted(message)}`" if message.strip() else ""
    what = f"GitHub answered {status} to {call}{said}."
    kind, remedy = _kind(status, needs)
    return kind(what, remedy=remedy)


def _kind(status: int, needs: str) -> tuple[type[GitHubError], str | None]:
    permission = f"The token needs `{needs}` in the job's `permissions:`"
    answer: tuple[type[GitHubError], str | None]
    match status:
        case 401:
            answer = TokenNotValid, "The token is not valid. Leave `github-token` out to use the run's own."
        case 403:
            answer = PermissionMissing, f"{permission}."
        case 404 | 410:
            answer = NotThere, f"It does not exist, or the token may not see it. {permission}."
        case 301 | 302 | 307 | 308:
            answer = Refused, "The repository seems to have been renamed or moved. Start a new run."
        case _ if status >= 500:
            answer = Unreachable, "GitHub has a problem; see its status page, then run the job again."
        case _:
            answer = Refused, None
    return answer


def rate_limited(*, call: str, message: str) -> RateLimitReached:
    """Return the error for a rate limit that outlasts the run's patience."""
    said = f": `{quoted(message)}`" if message.strip() else ""
    return RateLimitReached(f"GitHub's rate limit is used up ({call}{said}).", remedy="Run the job again later.")


def no_answer(*, call: str, cause: str) -> Unreachable:
    """Return the error for a connection that gave no answer."""
    return Unreachable(
        f"GitHub could not be reached for {call}: {cause}.",
        remedy="Check the runner's network and proxy settings, then run the job again.",
    )


def quoted(text: str, limit: int = 300) -> str:
    """Return `text` for a place between backticks: one line, printable, cut to `limit` characters."""
    line = "".join(character if character.isprintable() else " " for character in text.replace("`", "'"))
    short = " ".join(line.split())
    return short if len(short) <= limit else short[: limit - 1] + "…"
