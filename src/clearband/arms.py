"""The two sides of the Action's comparison: a path or an artifact, and a word on where it came from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from clearband import result_files
from clearband.answers import Origin
from clearband.errors import UsageError
from clearband.github import arms, artifact_zip, download
from clearband.github.baseline import Wanted, find
from clearband.github.event import NoPullRequest, PullRequest, is_commit
from clearband.input_values import BuiltFrom
from clearband.sources import Pooled, Source

if TYPE_CHECKING:
    from clearband.github.arms import Chosen
    from clearband.github.baseline import Found
    from clearband.github.client import Client
    from clearband.github.pull_request import LivePullRequest
    from clearband.policy import Policy
    from clearband.settings import Settings

_DAY = 86_400
_WHICH = {
    BuiltFrom.HEAD: "the merge base",
    BuiltFrom.MERGE: "the base branch as it was merged for the test",
    BuiltFrom.UNKNOWN: "the merge base. What the evaluation checked out is not known; this commit is the right one if "
    "it was the pull request's head",
}
"""Why a commit is the right one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """One side, read."""

    source: Source | Pooled
    notes: tuple[str, ...] = ()
    """Where it came from, where that is not the workspace."""
    origins: tuple[Origin, ...] = ()


def candidate(client: Client, settings: Settings, about: PullRequest | NoPullRequest, *, run_id: int | None) -> Arm:
    """Return the candidate; `run_id` is the run that evaluates, None for whichever did for the pull request's head."""
    name = settings.candidate_artifact
    if name is None:
        return _path(settings, "candidate")
    head = (about.head_sha, about.head_repository) if isinstance(about, PullRequest) else ("", None)
    repository, workflow = settings.repository, settings.workflow
    if run_id is not None:
        chosen = arms.candidate(client, repository, name=name, run_id=run_id, workflow=workflow, head=head)
    elif workflow is not None and head[1] is not None:
        chosen = arms.of_head(client, repository, name=name, workflow=workflow, head=head)
    else:
        raise UsageError("`candidate-artifact` needs GITHUB_RUN_ID, which GitHub sets in a workflow.")
    earlier = "This run evaluated nothing anew: the candidate is the result of an earlier run on the same commit."
    arm = _fetched(client, settings, "candidate", chosen)
    return replace(arm, notes=((earlier,) if chosen.earlier else ()) + arm.notes)


def baseline(
    client: Client,
    settings: Settings,
    about: PullRequest | NoPullRequest,
    live: LivePullRequest | None,
    policy: Policy | None,
) -> Arm:
    """Return the baseline: of an artifact, the one on the commit that the candidate has to be compared with.

    The `policy` says what may stand in for it.
    """
    name, workflow = settings.baseline_artifact, settings.baseline_workflow
    if name is None:
        return _path(settings, "baseline")
    if workflow is None:
        raise UsageError(
            "`baseline-artifact` is given, and the present workflow's file is not known.",
            remedy="Name it with the input `baseline-workflow`.",
        )
    commit, which = _commit(client, settings, about, live)
    wanted = Wanted(name=name, workflow=workflow, commit=commit)
    if policy is not None:
        wanted = replace(
            wanted, which=policy.baseline_commit, runs=policy.baseline_runs, missing=policy.baseline_missing
        )
    found = find(client, settings.repository, wanted)
    read = [_fetched(client, settings, "baseline", chosen) for chosen in found.chosen]
    sources: list[Source] = []
    for one in read:
        # A run that repeats another byte for byte measured nothing anew, and is no further trial.
        if isinstance(one.source, Source) and one.source not in sources:
            sources.append(one.source)
    said = _said(found, len(sources), which, client.clock())
    return Arm(
        source=sources[0] if len(sources) == 1 else Pooled(sources=tuple(sources)),
        notes=(said, *dict.fromkeys(note for one in read for note in one.notes)),
        origins=tuple(origin for one in read for origin in one.origins),
    )


def _said(found: Found, pooled: int, which: str, now: float) -> str:
    """Return which commit the baseline is from, how old it is, and why it is the one."""
    newest = found.chosen[0]
    age = int((now - datetime.fromisoformat(newest.artifact.created_at or newest.run.created_at).timestamp()) // _DAY)
    days = "less than a day old" if age < 1 else "1 day old" if age == 1 else f"{age} days old"
    runs = f"{pooled} runs pooled, " if pooled > 1 else ""
    commits = "1 commit" if found.behind == 1 else f"{found.behind} commits"
    place = f"{commits} before the right one, which has no results: {which}" if found.behind else which
    return f"Baseline from commit {newest.run.head_sha[:12]}, {runs}{days}: {place}."


def _commit(
    client: Client, settings: Settings, about: PullRequest | NoPullRequest, live: LivePullRequest | None
) -> tuple[str, str]:
    """Return the right commit and why it is."""
    match about:
        case PullRequest():
            base = about.base_sha if live is None else live.base_sha
            built = settings.candidate_ref
            commit = arms.right_commit(
                client, settings.repository, base=base, head=about.head_sha, merge=settings.sha, built=built
            )
            return commit, _WHICH[built]
        case NoPullRequest(policy_ref=ref) if is_commit(ref):
            return ref, "the commit that the merge queue builds on"
        case NoPullRequest():
            raise UsageError(
                "`baseline-artifact` cannot be used without a pull request: there is no commit to compare with.",
                remedy="Give the baseline as a path with the input `baseline`.",
            )


def _fetched(client: Client, settings: Settings, arm: str, chosen: Chosen) -> Arm:
    artifact = chosen.artifact
    data = download.fetch(client, settings.repository, artifact)
    unchecked = "The server keeps no digest of artifacts, so what was fetched could not be held against one."
    origin = Origin(
        arm=arm,
        artifact_id=artifact.id,
        run_id=chosen.run.id,
        commit=chosen.run.head_sha,
        created_at=artifact.created_at,
        sha256=artifact.sha256,
    )
    return Arm(
        source=artifact_zip.source(artifact.name, data),
        notes=(unchecked,) if artifact.sha256 is None else (),
        origins=(origin,),
    )


def _path(settings: Settings, arm: str) -> Arm:
    path = settings.baseline if arm == "baseline" else settings.candidate
    if path is None:
        raise UsageError(f"Neither `{arm}` nor `{arm}-artifact` is given.")
    return Arm(source=result_files.read(path, arm=arm, workspace=settings.workspace))
