"""The two sides of the Action's comparison: a path or an artifact, and a word on where it came from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from clearband import result_files
from clearband.errors import UsageError
from clearband.github import arms, download
from clearband.github.arms import BuiltFrom
from clearband.github.event import NoPullRequest, PullRequest, is_commit
from clearband.sources import Source

if TYPE_CHECKING:
    from clearband.github.arms import Chosen
    from clearband.github.client import Client
    from clearband.github.pull_request import LivePullRequest
    from clearband.settings import Settings

_DAY = 86_400


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """One side, read."""

    source: Source
    notes: tuple[str, ...] = ()
    """Where it came from, where that is not the workspace."""


def candidate(client: Client, settings: Settings, about: PullRequest | NoPullRequest, *, run_id: int | None) -> Arm:
    """Return the candidate; `run_id` is the run that evaluates."""
    name = settings.candidate_artifact
    if name is None:
        return _path(settings, "candidate")
    if run_id is None:
        raise UsageError("`candidate-artifact` needs GITHUB_RUN_ID, which GitHub sets in a workflow.")
    head = (about.head_sha, about.head_repository) if isinstance(about, PullRequest) else ("", None)
    repository = settings.repository
    chosen = arms.candidate(client, repository, name=name, run_id=run_id, workflow=settings.workflow, head=head)
    earlier = "This run evaluated nothing anew: the candidate is the result of an earlier run on the same commit."
    return _fetched(client, settings, chosen, (earlier,) if chosen.earlier else ())


def baseline(
    client: Client, settings: Settings, about: PullRequest | NoPullRequest, live: LivePullRequest | None
) -> Arm:
    """Return the baseline: of an artifact, the one on the commit that the candidate has to be compared with."""
    name, workflow = settings.baseline_artifact, settings.baseline_workflow
    if name is None:
        return _path(settings, "baseline")
    if workflow is None:
        raise UsageError(
            "`baseline-artifact` is given, and the present workflow's file is not known.",
            remedy="Name it with the input `baseline-workflow`.",
        )
    commit, which = _commit(client, settings, about, live)
    chosen = arms.baseline(client, settings.repository, name=name, workflow=workflow, commit=commit)
    age = int(
        (client.clock() - datetime.fromisoformat(chosen.artifact.created_at or chosen.run.created_at).timestamp())
        // _DAY
    )
    days = "less than a day old" if age < 1 else "1 day old" if age == 1 else f"{age} days old"
    return _fetched(client, settings, chosen, (f"Baseline from commit {commit[:12]}, {days}: {which}.",))


def _commit(
    client: Client, settings: Settings, about: PullRequest | NoPullRequest, live: LivePullRequest | None
) -> tuple[str, str]:
    """Return the right commit and why it is."""
    match about:
        case PullRequest():
            base = about.base_sha if live is None else live.base_sha
            commit = arms.right_commit(
                client, settings.repository, base=base, head=about.head_sha, merge=None, built=BuiltFrom.UNKNOWN
            )
            return commit, (
                "the merge base. What the evaluation checked out is not known; this commit is the right one if it was "
                "the pull request's head"
            )
        case NoPullRequest(policy_ref=ref) if is_commit(ref):
            return ref, "the commit that the merge queue builds on"
        case NoPullRequest():
            raise UsageError(
                "`baseline-artifact` cannot be used without a pull request: there is no commit to compare with.",
                remedy="Give the baseline as a path with the input `baseline`.",
            )


def _fetched(client: Client, settings: Settings, chosen: Chosen, notes: tuple[str, ...]) -> Arm:
    artifact = chosen.artifact
    data = download.fetch(client, settings.repository, artifact)
    if artifact.sha256 is None:
        notes += ("The server keeps no digest of artifacts, so what was fetched could not be held against one.",)
    return Arm(source=Source(name=artifact.name, data=data), notes=notes)


def _path(settings: Settings, arm: str) -> Arm:
    path = settings.baseline if arm == "baseline" else settings.candidate
    if path is None:
        raise UsageError(f"Neither `{arm}` nor `{arm}-artifact` is given.")
    return Arm(source=result_files.read(path, arm=arm, workspace=settings.workspace))
