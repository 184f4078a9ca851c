"""Which pull request, if any, an event is about. Pure; `action` asks and carries on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from clearband import override
from clearband.errors import UsageError

_SHA = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_QUEUE = re.compile(r"refs/heads/gh-readonly-queue/.+/pr-([1-9][0-9]{0,9})-(?:[0-9a-f]{40}|[0-9a-f]{64})")

_NOT_SUPPORTED: Final = {
    "pull_request_review": "a review is not a new result",
    "pull_request_review_comment": "a comment is not a new result",
    "workflow_call": "a called workflow carries its caller's event",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequest:
    """The pull request that an event is about, as it was when the event fired."""

    number: int
    head_sha: str
    base_sha: str
    base_ref: str
    head_repository: str | None
    """``owner/name``; None where the repository was deleted, which is treated like a fork."""
    author: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NoPullRequest:
    """An event without a pull request: judged by the policy's primary, never commented."""

    reason: str
    policy_ref: str
    """Commit or branch whose policy holds. Never the pushed commit of a feature branch: that could bring its own."""
    queued: int | None = None
    """The pull request that a merge queue is about to merge; None outside of one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOfPullRequest:
    """A finished run of a pull request's own workflow, looked at from the default branch: which pull request, is asked.

    GitHub's payload lists none for a fork, and nothing that the run left behind may say it.
    """

    run_id: int
    workflow: str
    """File name of the workflow that ran."""
    head_sha: str
    head_branch: str
    head_repository: str
    """``owner/name``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OverrideAsked:
    """A comment that asks to let a pull request's commit through: whether it may is looked up."""

    number: int


@dataclass(frozen=True, slots=True)
class NothingToDo:
    """An event that is none of ours."""

    reason: str


About = PullRequest | NoPullRequest | RunOfPullRequest | OverrideAsked


def read(name: str, payload: object) -> About | NothingToDo:
    """Return what the event `name` with `payload` is about.

    Raises
    ------
    UsageError
        The event cannot carry a gate, or its payload is not what GitHub sends.

    """
    event = _mapping(payload, "the event")
    match name:
        case "pull_request":
            return _pull_request(event)
        case "pull_request_target":
            raise UsageError(
                "Clearband does not run on `pull_request_target`: that event carries a write token and the "
                "repository's secrets, and one checkout of the pull request's code would hand them to its author.",
                remedy="Use `on: pull_request`; on a fork the verdict, the record and the summary work with a "
                "read-only token.",
            )
        case "merge_group":
            group = _mapping(event.get("merge_group"), "merge_group")
            return NoPullRequest(
                reason="In a merge queue nothing is commented. The verdict is the one that the ledger has on the pull "
                "request's head, or that of a new comparison.",
                policy_ref=_sha(group, "base_sha"),
                queued=_queued(_text(group, "head_ref")),
            )
        case "issue_comment":
            return _comment(event)
        case "workflow_run":
            return _run_of_pull_request(_mapping(event.get("workflow_run"), "workflow_run"))
        case "push" | "schedule" | "workflow_dispatch" | "repository_dispatch":
            return NoPullRequest(
                reason=f"`{name}` has no pull request: summary and record only.", policy_ref=_default_branch(event)
            )
        case _:
            why = _NOT_SUPPORTED.get(name, "Clearband does not know it")
            raise UsageError(
                f"The event `{name[:50]}` is not supported yet: {why}.",
                remedy="Run Clearband on `pull_request`; on `workflow_run` for forks; or on `merge_group`, `push`, "
                "`schedule` or `workflow_dispatch` for a run without a comment.",
            )


def _pull_request(event: dict[str, Any]) -> PullRequest:
    pull = _mapping(event.get("pull_request"), "pull_request")
    head = _mapping(pull.get("head"), "pull_request.head")
    base = _mapping(pull.get("base"), "pull_request.base")
    return PullRequest(
        number=_number(pull, "pull_request"),
        head_sha=_sha(head, "sha"),
        base_sha=_sha(base, "sha"),
        base_ref=_text(base, "ref"),
        head_repository=repository_name(head.get("repo")),
        author=login(pull.get("user")),
    )


def _queued(ref: str) -> int:
    """Return the pull request that a queue's branch is for; its base's name may hold anything."""
    found = _QUEUE.fullmatch(ref)
    if found is None:
        raise UsageError(
            "The merge queue's branch does not say which pull request it is for, so nothing can be passed.",
            remedy="It is usually named `gh-readonly-queue/BASE/pr-NUMBER-SHA`; please report what it is named here.",
        )
    return int(found[1])


def _comment(event: dict[str, Any]) -> OverrideAsked | NothingToDo:
    issue, comment = _mapping(event.get("issue"), "issue"), _mapping(event.get("comment"), "comment")
    body = comment.get("body")
    if event.get("action") != "created" or not isinstance(issue.get("pull_request"), dict):
        return NothingToDo("Only a new comment on a pull request can ask for anything.")
    if not isinstance(body, str) or override.parse(body) is None:
        return NothingToDo("The comment asks for no override.")
    return OverrideAsked(number=_number(issue, "issue"))


def _run_of_pull_request(run: dict[str, Any]) -> RunOfPullRequest:
    if run.get("event") != "pull_request":
        raise UsageError(
            f"The finished run was for `{str(run.get('event'))[:50]}`, not for a pull request.",
            remedy="Let the job run only `if: github.event.workflow_run.event == 'pull_request'`.",
        )
    repository = repository_name(run.get("head_repository"))
    if repository is None:
        raise UsageError(
            "The repository that the pull request came from was deleted, so nobody can say which one it was.",
            remedy="Its own check has the verdict; nothing is commented.",
        )
    number = account_id(run)
    path = _text(run, "path").partition("@")[0]
    if number is None or not path.startswith(".github/workflows/"):
        raise _unreadable("workflow_run")
    return RunOfPullRequest(
        run_id=number,
        workflow=path.rpartition("/")[2],
        head_sha=_sha(run, "head_sha"),
        head_branch=_text(run, "head_branch"),
        head_repository=repository,
    )


def repository_name(value: object) -> str | None:
    """Return ``owner/name`` of a repository object of the API; None for a deleted one."""
    name = value.get("full_name") if isinstance(value, dict) else None
    return name if isinstance(name, str) else None


def login(value: object) -> str:
    """Return the login of a user object of the API; empty for a deleted account."""
    name = value.get("login") if isinstance(value, dict) else None
    return name if isinstance(name, str) else ""


def account_id(value: object) -> int | None:
    """Return the number of a user object of the API; None for a deleted account."""
    number = value.get("id") if isinstance(value, dict) else None
    return number if isinstance(number, int) and not isinstance(number, bool) else None


def is_commit(value: object) -> bool:
    """Whether `value` is a full commit id."""
    return isinstance(value, str) and _SHA.fullmatch(value) is not None


def _default_branch(event: dict[str, Any]) -> str:
    repository = event.get("repository")
    branch = repository.get("default_branch") if isinstance(repository, dict) else None
    return branch if isinstance(branch, str) and branch else "HEAD"


def _mapping(value: object, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _unreadable(where)
    return value


def _text(value: dict[str, Any], key: str) -> str:
    text = value.get(key)
    if not isinstance(text, str) or not text:
        raise _unreadable(key)
    return text


def _number(value: dict[str, Any], where: str) -> int:
    number = value.get("number")
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise _unreadable(f"{where}.number")
    return number


def _sha(value: dict[str, Any], key: str) -> str:
    if not is_commit(value.get(key)):
        raise _unreadable(key)
    return str(value[key])


def _unreadable(where: str) -> UsageError:
    return UsageError(
        f"The event file is not what GitHub sends: `{where}` is missing or of another type.",
        remedy="GITHUB_EVENT_PATH must name the file that the runner wrote.",
    )
