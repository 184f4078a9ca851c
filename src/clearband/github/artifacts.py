"""Workflow runs and their artifacts as the API lists them, and which of them can be trusted as a baseline."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from clearband.github import event, failures
from clearband.github.encoding import part

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from clearband.github.client import Client

NEEDS: Final = "actions: read"
OWN_EVENTS: Final = frozenset({"push", "schedule", "workflow_dispatch"})
"""Events that run what was merged; a pull request's run is made of what somebody proposes."""
_DIGEST: Final = "sha256:"
_HEX: Final = frozenset("0123456789abcdef")


class Distrust(StrEnum):
    """Why a run or an artifact is no baseline."""

    EVENT = "it ran for another event than push, schedule or workflow_dispatch"
    FORK = "it ran on a commit of another repository"
    WORKFLOW = "it is a run of another workflow"
    UNSUCCESSFUL = "it did not succeed"
    COMMIT = "it ran on another commit"
    ARTIFACT = "the artifact says that it comes from elsewhere"


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run of a workflow."""

    id: int
    event: str
    path: str
    """The workflow's file, such as ``.github/workflows/eval.yml``."""
    conclusion: str | None
    head_sha: str
    repository_id: int | None
    head_repository_id: int | None
    head_repository: str | None
    created_at: str
    started_at: str
    """When the latest attempt began."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Artifact:
    """One artifact; several attempts of a run may each have left one of the same name."""

    id: int
    name: str
    created_at: str
    expired: bool
    sha256: str | None
    """Of the stored file, in hex; None where the server keeps none, as Enterprise Server does."""
    run_id: int | None
    head_sha: str | None
    repository_id: int | None
    head_repository_id: int | None


def run(client: Client, repository: str, number: int) -> Run:
    """Return the run with this number."""
    path = f"/repos/{repository}/actions/runs/{number}"
    return _run(client.get(path, needs=NEEDS).json(), path)


def runs(client: Client, repository: str, workflow: str, query: Mapping[str, str]) -> Iterator[Run]:
    """Yield the runs of the workflow with this file name, the newest first as GitHub lists them."""
    path = f"/repos/{repository}/actions/workflows/{part(workflow)}/runs"
    for one in client.pages(path, needs=NEEDS, query={"exclude_pull_requests": "true", **query}, under="workflow_runs"):
        yield _run(one, path)


def of_run(client: Client, repository: str, number: int, name: str) -> tuple[Artifact, ...]:
    """Return the artifacts of that name that the run left, the newest first."""
    path = f"/repos/{repository}/actions/runs/{number}/artifacts"
    listed = [_artifact(one, path) for one in client.pages(path, needs=NEEDS, query={"name": name}, under="artifacts")]
    # A server that does not know the filter lists them all.
    return newest_first(one for one in listed if one.name == name and one.run_id in {None, number})


def newest_first(artifacts: Iterable[Artifact]) -> tuple[Artifact, ...]:
    """Return the artifacts in order; of two of one second the one with the higher number is newer."""
    return tuple(sorted(artifacts, key=lambda one: (one.created_at, one.id), reverse=True))


def newest(listed: Iterable[Artifact]) -> Artifact | None:
    """Return the first of the artifacts that has not expired."""
    return next((one for one in listed if not one.expired), None)


def named(client: Client, repository: str, name: str) -> Iterator[Artifact]:
    """Yield every artifact of that name in the repository, expired ones included."""
    path = f"/repos/{repository}/actions/artifacts"
    for one in client.pages(path, needs=NEEDS, query={"name": name}, under="artifacts"):
        artifact = _artifact(one, path)
        if artifact.name == name:
            yield artifact


def distrust_run(one: Run, *, workflow: str, commit: str | None) -> Distrust | None:
    """Return why `one` cannot give the baseline; None where it can. `commit` is None for any.

    Names prove nothing: a fork may call its branch main and its workflow like ours.
    """
    checks = (
        (one.event in OWN_EVENTS, Distrust.EVENT),
        (one.repository_id is not None and one.head_repository_id == one.repository_id, Distrust.FORK),
        (one.path.partition("@")[0] == f".github/workflows/{workflow}", Distrust.WORKFLOW),
        (one.conclusion == "success", Distrust.UNSUCCESSFUL),
        (commit in {None, one.head_sha}, Distrust.COMMIT),
    )
    return next((why for holds, why in checks if not holds), None)


def distrust_artifact(one: Artifact, of: Run) -> Distrust | None:
    """Return why `one` cannot be the trusted run's own work; None where it can."""
    own = (
        one.run_id == of.id
        and one.head_sha == of.head_sha
        and one.repository_id == of.repository_id
        and one.head_repository_id == of.repository_id
    )
    return None if own else Distrust.ARTIFACT


def jobs(client: Client, repository: str, number: int) -> tuple[str | None, ...]:
    """Return how each job of the run's latest attempt ended; None for one that has not."""
    path = f"/repos/{repository}/actions/runs/{number}/jobs"
    ends = []
    for one in client.pages(path, needs=NEEDS, query={"filter": "latest"}, under="jobs"):
        end = one.get("conclusion") if isinstance(one, dict) else 0
        if not (end is None or isinstance(end, str)):
            raise _no(path, "job")
        ends.append(end)
    return tuple(ends)


def _run(value: Any, path: str) -> Run:
    known = (
        isinstance(value, dict)
        and event.account_id(value) is not None
        and all(isinstance(value.get(key), str) for key in ("event", "path", "created_at"))
        and event.is_commit(value.get("head_sha"))
    )
    if not known:
        raise _no(path, "run")
    conclusion, began = value.get("conclusion"), value.get("run_started_at")
    return Run(
        id=value["id"],
        event=value["event"],
        path=value["path"],
        conclusion=conclusion if isinstance(conclusion, str) else None,
        head_sha=value["head_sha"],
        repository_id=event.account_id(value.get("repository")),
        head_repository_id=event.account_id(value.get("head_repository")),
        head_repository=event.repository_name(value.get("head_repository")),
        created_at=value["created_at"],
        started_at=began if isinstance(began, str) else value["created_at"],
    )


def _artifact(value: Any, path: str) -> Artifact:
    known = (
        isinstance(value, dict)
        and event.account_id(value) is not None
        and isinstance(value.get("name"), str)
        and isinstance(value.get("expired"), bool)
    )
    if not known:
        raise _no(path, "artifact")
    made, origin = value.get("created_at"), value.get("workflow_run")
    origin = origin if isinstance(origin, dict) else {}
    return Artifact(
        id=value["id"],
        name=value["name"],
        created_at=made if isinstance(made, str) else "",
        expired=value["expired"],
        sha256=_sha256(value.get("digest"), path),
        run_id=event.account_id(origin),
        head_sha=origin["head_sha"] if event.is_commit(origin.get("head_sha")) else None,
        repository_id=event.account_id({"id": origin.get("repository_id")}),
        head_repository_id=event.account_id({"id": origin.get("head_repository_id")}),
    )


def _sha256(digest: object, path: str) -> str | None:
    """Return the digest in hex; one of another kind is an error, for it would go unchecked."""
    if digest is None:
        return None
    text = digest.removeprefix(_DIGEST) if isinstance(digest, str) and digest.startswith(_DIGEST) else ""
    if len(text) != 64 or not _HEX.issuperset(text):
        raise _no(path, "SHA-256")
    return text


def _no(path: str, what: str) -> failures.NotUnderstood:
    return failures.NotUnderstood(f"GitHub's answer to GET {path} holds something that is no {what}.")
