"""When the first result of a pull request came to exist, by GitHub's clock: the earliest run of this workflow on it.

A run's creation is the earliest that its results can be; a pull request that was declared before it was declared before
every result that a workflow made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clearband.github import artifacts, failures
from clearband.github.artifacts import NEEDS
from clearband.registration import Evidence, FirstResult

if TYPE_CHECKING:
    from clearband.github.artifacts import Run
    from clearband.github.client import Client
    from clearband.github.pull_request import LivePullRequest

RUN_CAP: Final = 1_000
"""GitHub lists no more runs of a branch than these, the newest."""


def read(
    client: Client, repository: str, live: LivePullRequest, *, workflow: str | None, run: int | None
) -> FirstResult:
    """Return the earliest result of a pull request.

    Parameters
    ----------
    client, repository, live
        The API and the pull request.
    workflow
        The file name of the workflow that runs the evaluation, such as ``eval.yml``; None where it is not known.
    run
        The present run: the list lags behind, and a first run may not be on it yet.

    """
    if workflow is None:
        return FirstResult(evidence=None, why_not="The workflow's file is not known, so neither are its earlier runs.")
    # Runs of the branch's name, forks' among them: whose branch it is tells the head repository.
    query = {"event": "pull_request", "branch": live.head_ref}
    try:
        runs = list(artifacts.runs(client, repository, workflow, query))
    except (failures.PermissionMissing, failures.NotThere):
        why_not = f"Earlier runs cannot be read: the token needs `{NEEDS}` in the job's `permissions:`."
        return FirstResult(evidence=None, why_not=why_not)
    if len(runs) >= RUN_CAP:
        return FirstResult(evidence=None, why_not=f"GitHub lists only the last {RUN_CAP} runs on this branch.")
    own = [one for one in runs if one.head_repository == live.head_repository and one.created_at >= live.created_at]
    first = min(own, key=lambda one: (one.created_at, one.id), default=None) or _present(client, repository, run)
    if first is None:
        return FirstResult(evidence=None, why_not="GitHub lists no run of this workflow on the pull request yet.")
    evidence = Evidence(at=first.created_at, what="the first evaluation began", source=f"run {first.id}")
    return FirstResult(evidence=evidence)


def _present(client: Client, repository: str, run: int | None) -> Run | None:
    """Return the present run, where GitHub knows it already."""
    if run is None:
        return None
    try:
        return artifacts.run(client, repository, run)
    except (failures.PermissionMissing, failures.NotThere):
        return None
