"""Which uploaded results are the baseline: those of our own runs on the right commit, or what the policy allows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clearband.errors import FirstBaseline, ResultsMissing
from clearband.github import artifacts, download, failures
from clearband.github.arms import CONTENTS, Chosen
from clearband.vocabulary import BaselineCommit, BaselineMissing, BaselineRuns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clearband.errors import UnusableResults
    from clearband.github.artifacts import Artifact, Run
    from clearband.github.client import Client

MOST_POOLED: Final = 10
"""Runs of one commit that are pooled."""
MOST_ANCESTORS: Final = 100
"""Commits that are looked back; GitHub lists so many at once, and older results say little about today."""
_MOST_RUNS: Final = 300
_MOST_ASKED: Final = 50
"""Old artifacts whose runs are looked up to see whether there ever was a baseline."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is looked for, and what may stand in for it."""

    name: str
    workflow: str
    """File name of the workflow that uploads it."""
    commit: str
    """The right one."""
    which: BaselineCommit = BaselineCommit.EXACT
    runs: BaselineRuns = BaselineRuns.NEWEST
    missing: BaselineMissing = BaselineMissing.FAIL


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The baseline's artifacts."""

    chosen: tuple[Chosen, ...]
    """More than one where the policy pools the runs of one commit."""
    behind: int = 0
    """Commits between the right one and theirs."""


def find(client: Client, repository: str, wanted: Wanted) -> Found:
    """Return the newest artifacts of that name that our own, successful runs left.

    Raises
    ------
    FirstBaseline
        There never was one, and the policy lets that pass.
    ResultsMissing
        There is none on the right commit.
    UnusableResults
        The one on it has expired.
    GitHubError
        GitHub's lists cannot be read.

    """
    try:
        found, gone = _on(client, repository, wanted, wanted.commit)
        if found:
            return Found(chosen=found)
        if wanted.which is BaselineCommit.NEAREST_ANCESTOR:
            older = _ancestor(client, repository, wanted)
            if older is not None:
                return older
    except failures.NotThere as absent:
        # GitHub knows no such workflow yet, unless it is the permission that is missing: the other list tells.
        if next(artifacts.named(client, repository, wanted.name), None) is not None:
            raise absent from None
        gone = None
    if gone is not None:
        raise download.expired(gone)
    if wanted.missing is BaselineMissing.RECORD and not _ever(client, repository, wanted):
        raise FirstBaseline(
            f"No run of `{failures.quoted(wanted.workflow, 80)}` ever left an artifact "
            f"`{failures.quoted(wanted.name, 80)}`: there is nothing to compare with yet."
        )
    raise _none(wanted)


def _on(client: Client, repository: str, wanted: Wanted, commit: str) -> tuple[tuple[Chosen, ...], Artifact | None]:
    """Return the artifacts on a commit, as many as the policy reads, and one that has expired."""
    most = MOST_POOLED if wanted.runs is BaselineRuns.ALL else 1
    found: list[Chosen] = []
    gone = None
    for run in artifacts.runs(client, repository, wanted.workflow, {"head_sha": commit, "status": "success"}):
        if artifacts.distrust_run(run, workflow=wanted.workflow, commit=commit) is not None:
            continue
        own = _own(client, repository, wanted, run)
        fresh = artifacts.newest(own)
        if fresh is not None:
            found.append(Chosen(artifact=fresh, run=run))
        else:
            gone = gone or next(iter(own), None)
        if len(found) == most:
            break
    return tuple(found), gone


def _own(client: Client, repository: str, wanted: Wanted, run: Run) -> list[Artifact]:
    listed = artifacts.of_run(client, repository, run.id, wanted.name)
    return [one for one in listed if artifacts.distrust_artifact(one, run) is None]


def _ancestor(client: Client, repository: str, wanted: Wanted) -> Found | None:
    """Return the artifacts on the nearest ancestor that has any."""
    places = {sha: place for place, sha in enumerate(_ancestors(client, repository, wanted.commit))}
    ran: set[str] = set()
    for count, run in enumerate(artifacts.runs(client, repository, wanted.workflow, {"status": "success"})):
        if count == _MOST_RUNS:
            break
        if run.head_sha in places and artifacts.distrust_run(run, workflow=wanted.workflow, commit=None) is None:
            ran.add(run.head_sha)
    for sha in sorted(ran, key=places.__getitem__):
        found, _ = _on(client, repository, wanted, sha)
        if found:
            return Found(chosen=found, behind=places[sha])
    return None


def _ancestors(client: Client, repository: str, commit: str) -> Iterator[str]:
    """Yield a commit and those before it, the nearest first."""
    path = f"/repos/{repository}/commits"
    for count, one in enumerate(client.pages(path, needs=CONTENTS, query={"sha": commit})):
        if count == MOST_ANCESTORS:
            return
        sha = one.get("sha") if isinstance(one, dict) else None
        if not isinstance(sha, str):
            raise failures.NotUnderstood(f"GitHub's answer to GET {path} holds something that is no commit.")
        yield sha


def _ever(client: Client, repository: str, wanted: Wanted) -> bool:
    """Whether one of our own runs ever left such an artifact; with too many to look through, it did."""
    for count, one in enumerate(artifacts.named(client, repository, wanted.name)):
        if count == _MOST_ASKED or one.run_id is None:
            return True
        try:
            run = artifacts.run(client, repository, one.run_id)
        except failures.NotThere:
            return True  # its run was deleted: nobody can say that it was not ours
        own = artifacts.distrust_artifact(one, run) is None
        if own and artifacts.distrust_run(run, workflow=wanted.workflow, commit=None) is None:
            return True
    return False


def _none(wanted: Wanted) -> UnusableResults:
    nearby = "" if wanted.which is BaselineCommit.EXACT else f", nor on the {MOST_ANCESTORS} commits before it,"
    return ResultsMissing(
        f"There is no baseline: no successful run of `{failures.quoted(wanted.workflow, 80)}` on commit "
        f"{wanted.commit[:12]}{nearby} left an artifact `{failures.quoted(wanted.name, 80)}`.",
        remedy="Let that workflow run on every push to the base branch (or start it by hand on that commit), or bring "
        "the pull request up to date with a commit that has one.",
    )
