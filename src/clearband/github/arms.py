"""Which artifact is the candidate and which the baseline: found by name, or an error that says what to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clearband.errors import ResultsMissing, UnusableResults
from clearband.github import artifacts, event, failures
from clearband.github.encoding import part
from clearband.input_values import BuiltFrom

if TYPE_CHECKING:
    from clearband.github.artifacts import Artifact, Run
    from clearband.github.client import Client

CONTENTS = "contents: read"
_FAILED = frozenset({"failure", "timed_out", "cancelled", "startup_failure", "action_required", "stale"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The artifact of one arm and the run that it comes from."""

    artifact: Artifact
    run: Run
    earlier: bool = False
    """Whether it was made by an earlier run, because the present one evaluated nothing anew."""


def candidate(
    client: Client, repository: str, *, name: str, run_id: int, workflow: str | None, head: tuple[str, str | None]
) -> Chosen:
    """Return the candidate: of the run `run_id`, or where that skipped the evaluation, the newest for the same head.

    Parameters
    ----------
    client, repository
        The API.
    name
        The artifact's name.
    run_id
        The run that evaluates.
    workflow
        File name of its workflow; None where it is not known, and then no other run is looked at.
    head
        The commit that is judged and the repository that it lies in.

    """
    found = artifacts.newest(artifacts.of_run(client, repository, run_id, name))
    if found is not None:
        present = artifacts.run(client, repository, run_id)
        # Left by an earlier attempt: fine where only the gate runs again, not where the evaluation did and failed.
        is_left_over = found.created_at < present.started_at
        if is_left_over and not _FAILED.isdisjoint(artifacts.jobs(client, repository, run_id)):
            raise _no_candidate(name)
        return Chosen(artifact=found, run=present)
    ends = artifacts.jobs(client, repository, run_id)
    if workflow is None or head[1] is None or "skipped" not in ends or not _FAILED.isdisjoint(ends):
        raise _no_candidate(name)
    return of_head(client, repository, name=name, workflow=workflow, head=head)


def of_head(client: Client, repository: str, *, name: str, workflow: str, head: tuple[str, str | None]) -> Chosen:
    """Return the newest candidate that a run of `workflow` left for a commit of a repository."""
    sha, home = head
    for one in artifacts.runs(client, repository, workflow, {"head_sha": sha}):
        if one.head_sha != sha or one.head_repository != home:
            continue
        found = artifacts.newest(artifacts.of_run(client, repository, one.id, name))
        if found is not None:
            return Chosen(artifact=found, run=one, earlier=True)
    raise _no_candidate(name)


def right_commit(client: Client, repository: str, *, base: str, head: str, merge: str | None, built: BuiltFrom) -> str:
    """Return the commit that the candidate has to be compared with, so that nothing but the change differs.

    Parameters
    ----------
    client, repository
        The API.
    base, head
        The tips of the base branch and of the pull request.
    merge
        The test merge that the run belongs to; None where there is none.
    built
        What was evaluated. Where nobody knows it is the merge base, and whoever asks has to say so.

    """
    match built:
        case BuiltFrom.MERGE:
            if merge is None:
                raise UnusableResults("The candidate is said to be built from a test merge, and this run has none.")
            path = f"/repos/{repository}/commits/{part(merge)}"
            parents = _field(client.get(path, needs=CONTENTS).json(), "parents")
            first = parents[0] if isinstance(parents, list) and len(parents) > 1 else None
            return _sha(first, path)
        case BuiltFrom.HEAD | BuiltFrom.UNKNOWN:
            path = f"/repos/{repository}/compare/{part(base)}...{part(head)}"
            answer = client.get(path, needs=CONTENTS, query={"per_page": "1"})
            return _sha(_field(answer.json(), "merge_base_commit"), path)


def _no_candidate(name: str) -> ResultsMissing:
    return ResultsMissing(
        f"There is no candidate: the evaluation failed or uploaded nothing as `{failures.quoted(name, 80)}`.",
        remedy="Look at the log of the job that evaluates; it has to upload its result file under that name.",
    )


def _field(value: Any, key: str) -> Any:
    return value.get(key) if isinstance(value, dict) else None


def _sha(value: Any, path: str) -> str:
    sha = _field(value, "sha")
    if not event.is_commit(sha):
        raise failures.NotUnderstood(f"GitHub's answer to GET {path} names no commit to compare with.")
    return str(sha)
