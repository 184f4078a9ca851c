"""How the peer tells the past: GraphQL about a pull request, REST about artifacts and runs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from github.peer import shapes
from github.peer.past import REPOSITORY_ID
from github.peer.world import BOT

if TYPE_CHECKING:
    from collections.abc import Callable

    from github.peer.answers import GitHub
    from github.peer.past import Artifact, Run, Story
    from github.peer.world import Pull


def pull_request(github: GitHub, question: str, variables: dict[str, Any]) -> dict[str, Any]:
    """Answer a question about a pull request's description, commits or force-pushes."""
    known = variables["owner"] + "/" + variables["name"] == github.world.repository
    pull = github.world.pulls.get(variables["number"]) if known else None
    if pull is None:
        return {"repository": {"pullRequest": None} if known else None}
    story = github.world.past.of(pull)
    size = int(re.findall(r"\(first: (\d+)", question)[0])
    start = int(variables["after"] or 0)
    page = slice(start, start + size)
    if "userContentEdits" in question:
        told = _description(pull, story, page)
    elif "timelineItems" in question:
        told = _pushes(story, pull, page)
    else:
        told = _commits(story, pull, page)
    return {"repository": {"pullRequest": _asked(told, frozenset(re.findall(r"\w+", question)))}}


def _asked(value: Any, words: frozenset[str]) -> Any:
    """GraphQL answers what was asked for and nothing else."""
    if isinstance(value, dict):
        return {key: _asked(part, words) for key, part in value.items() if key in words}
    return [_asked(part, words) for part in value] if isinstance(value, list) else value


def _paged(items: list[Any], page: slice) -> dict[str, Any]:
    more = page.stop < len(items)
    return {"pageInfo": {"hasNextPage": more, "endCursor": str(page.stop)}, "nodes": items[page]}


def _description(pull: Pull, story: Story, page: slice) -> dict[str, Any]:
    shown = story.edits[story.hidden_edits :]
    nodes = [{"editedAt": one.at, "deletedAt": one.deleted_at, "diff": one.body} for one in reversed(shown)]
    return {
        "createdAt": story.opened,
        "lastEditedAt": story.edits[-1].at if story.edits else None,
        "includesCreatedEdit": bool(story.edits) and story.names_original,
        "body": pull.body or "",
        "userContentEdits": {"totalCount": len(story.edits), **_paged(nodes, page)},
    }


def _commits(story: Story, pull: Pull, page: slice) -> dict[str, Any]:
    every = [*story.commits, pull.head_sha]
    nodes = [{"commit": {"oid": sha}} for sha in every[:250]]  # GitHub lists no more
    head = None if story.head_repository_id is None else {"databaseId": story.head_repository_id}
    return {
        "createdAt": story.opened,
        "headRefName": story.branch,
        "headRepository": head,
        "commits": {"totalCount": len(every), **_paged(nodes, page)},
    }


def _pushes(story: Story, pull: Pull, page: slice) -> dict[str, Any]:
    after = {"oid": pull.head_sha}
    nodes = [
        {
            "__typename": "HeadRefForcePushedEvent",
            "beforeCommit": None if sha is None else {"oid": sha},
            "afterCommit": after,
        }
        for sha in story.pushed_away
    ]
    return {"timelineItems": _paged(nodes, page)}


def routes(github: GitHub) -> list[tuple[str, str, Callable[..., Any]]]:
    """Return the REST calls about artifacts and runs, in the form of the peer's own table."""
    repo = f"/repos/{re.escape(github.world.repository)}"

    def artifacts(who: Any, query: dict[str, str], sent: Any) -> Any:
        github.may_read(who)
        named = [one for one in github.world.past.artifacts if query.get("name") in {None, one.name}]
        return github.listed("actions/artifacts", query, [_artifact(github, one) for one in named], "artifacts")

    def runs(who: Any, query: dict[str, str], sent: Any, workflow: str) -> Any:
        github.may_read(who)
        wanted = [
            one
            for one in reversed(github.world.past.runs)
            if workflow in {str(one.workflow_id), one.path.rsplit("/", 1)[-1]}
            and query.get("status") in {None, one.conclusion}
            and query.get("event") in {None, one.event}
            and query.get("branch") in {None, one.branch}
            and query.get("head_sha") in {None, one.head_sha}
        ]
        shown = [_run(github, one) for one in wanted[:1000]]  # GitHub lists no more
        return github.listed(f"actions/workflows/{workflow}/runs", query, shown, "workflow_runs")

    def run(who: Any, query: dict[str, str], sent: Any, number: str) -> Any:
        github.may_read(who)
        found = next((one for one in github.world.past.runs if str(one.id) == number), None)
        return github.found(None if found is None else _run(github, found))

    def of_run(who: Any, query: dict[str, str], sent: Any, number: str) -> Any:
        github.may_read(who)
        named = [
            one
            for one in github.world.past.artifacts
            if str(one.run_id) == number and query.get("name") in {None, one.name}
        ]
        return github.listed(
            f"actions/runs/{number}/artifacts", query, [_artifact(github, one) for one in named], "artifacts"
        )

    def jobs(who: Any, query: dict[str, str], sent: Any, number: str) -> Any:
        github.may_read(who)
        found = next((one for one in github.world.past.runs if str(one.id) == number), None)
        if found is None:
            return github.found(None)
        shown = [_job(github, found, index, end) for index, end in enumerate(found.jobs)]
        return github.listed(f"actions/runs/{number}/jobs", query, shown, "jobs")

    def download(who: Any, query: dict[str, str], sent: Any, number: str) -> Any:
        github.may_read(who)
        found = next((one for one in github.world.past.artifacts if str(one.id) == number), None)
        reply = github.found(found)
        if found is not None and found.expired:
            reply.status, reply.value = 410, {"message": "Artifact has expired"}
            return reply
        reply.status, reply.value = 302, None
        reply.location = f"{github.world.past.storage}/{number}?sig=signed"
        return reply

    def compare(who: Any, query: dict[str, str], sent: Any, basehead: str) -> Any:
        github.may_read(who)
        base, _, head = basehead.partition("...")
        parted = github.world.past.merge_bases.get(basehead, base)
        at = f"{github.api_url}/repos/{github.world.repository}"
        if not {base, head} <= set(github.world.commits):
            return github.found(None)
        owner = shapes.user(github.api_url, BOT.login, BOT.id, "Bot")
        url = f"{at}/compare/{basehead}"
        return github.found(
            {
                **dict.fromkeys(("url", "html_url", "permalink_url", "diff_url", "patch_url"), url),
                "base_commit": shapes.commit(at, base, "0" * 40, owner),
                "merge_base_commit": shapes.commit(at, parted, "0" * 40, owner),
                "status": "diverged",
                "ahead_by": 1,
                "behind_by": 1,
                "total_commits": 1,
                "commits": [shapes.commit(at, head, "0" * 40, owner)],
                "files": [],
            }
        )

    return [
        ("GET", rf"{repo}/actions/artifacts", artifacts),
        ("GET", rf"{repo}/actions/artifacts/(\d+)/zip", download),
        ("GET", rf"{repo}/actions/runs/(\d+)/artifacts", of_run),
        ("GET", rf"{repo}/actions/runs/(\d+)/jobs", jobs),
        ("GET", rf"{repo}/compare/(.+)", compare),
        ("GET", rf"{repo}/actions/workflows/([^/]+)/runs", runs),
        ("GET", rf"{repo}/actions/runs/(\d+)", run),
    ]


def _artifact(github: GitHub, one: Artifact) -> dict[str, Any]:
    url = f"{github.api_url}/repos/{github.world.repository}/actions/artifacts/{one.id}"
    origin = {
        "id": one.run_id,
        "repository_id": one.repository_id,
        "head_repository_id": one.head_repository_id,
        "head_branch": one.branch,
        "head_sha": one.head_sha,
    }
    return {
        "id": one.id,
        "node_id": f"A_{one.id}",
        "name": one.name,
        "size_in_bytes": len(one.data) or 100,
        "url": url,
        "archive_download_url": f"{url}/zip",
        "expired": one.expired,
        "created_at": one.created_at,
        "expires_at": one.created_at,
        "updated_at": one.created_at,
        "digest": one.digest,
        "workflow_run": None if one.orphaned else origin,
    }


def _job(github: GitHub, run: Run, index: int, end: str | None) -> dict[str, Any]:
    at = f"{github.api_url}/repos/{github.world.repository}/actions"
    number = run.id * 10 + index
    return {
        "id": number,
        "run_id": run.id,
        "run_url": f"{at}/runs/{run.id}",
        "node_id": f"CR_{number}",
        "head_sha": run.head_sha,
        "url": f"{at}/jobs/{number}",
        "html_url": f"{at}/jobs/{number}",
        "status": "in_progress" if end is None else "completed",
        "conclusion": end,
        "created_at": run.created_at,
        "started_at": run.created_at,
        "completed_at": None if end is None else run.created_at,
        "name": f"job {index}",
        "check_run_url": f"{at}/check-runs/{number}",
        "labels": [],
        "runner_id": None,
        "runner_name": None,
        "runner_group_id": None,
        "runner_group_name": None,
        "workflow_name": "Clearband",
        "head_branch": run.branch,
    }


def _run(github: GitHub, one: Run) -> dict[str, Any]:
    at = f"{github.api_url}/repos/{github.world.repository}"
    url = f"{at}/actions/runs/{one.id}"
    owner = shapes.user(github.api_url, BOT.login, BOT.id, "Bot")
    repository = shapes.repository(github.api_url, github.world.repository, owner)
    links = ["jobs", "logs", "check_suite", "artifacts", "cancel", "rerun", "workflow"]
    person = {"name": "Octo", "email": "octo@example.org"}
    commit = {"id": one.head_sha, "tree_id": "0" * 40, "message": "A commit", "timestamp": one.created_at}
    return {
        "id": one.id,
        "node_id": f"WFR_{one.id}",
        "head_branch": one.branch,
        "head_sha": one.head_sha,
        "path": one.path,
        "display_title": "A change",
        "run_number": 1,
        "run_attempt": 1,
        "event": one.event,
        "status": "completed",
        "conclusion": one.conclusion,
        "workflow_id": one.workflow_id,
        "url": url,
        "html_url": url,
        "pull_requests": [],
        "created_at": one.created_at,
        "updated_at": one.created_at,
        "run_started_at": one.restarted_at or one.created_at,
        **{f"{name}_url": f"{url}/{name}" for name in links},
        "head_commit": {**commit, "author": person, "committer": person},
        "repository": repository,
        "head_repository": {**repository, "id": one.head_repository_id, "full_name": _home(github, one)},
    }


def _home(github: GitHub, one: Run) -> str:
    """The repository that a run's commit lies in; every other one is a fork."""
    whole = github.world.repository
    return whole if one.head_repository_id == REPOSITORY_ID else f"fork/{whole.partition('/')[2]}"
