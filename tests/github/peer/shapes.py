"""GitHub's answers, as complete as its OpenAPI description demands; what the tests do not look at is filled plainly."""

from __future__ import annotations

import base64
from typing import Any

WHEN = "2026-01-02T03:04:05Z"


def user(base: str, login: str, number: int, kind: str = "User") -> dict[str, Any]:
    at = f"{base}/users/{login}"
    lists = ["followers", "gists", "starred", "subscriptions", "organizations", "repos", "events", "received_events"]
    return {
        "login": login,
        "id": number,
        "node_id": f"U_{number}",
        "avatar_url": f"{base}/avatars/{number}",
        "gravatar_id": "",
        "url": at,
        "html_url": at,
        "following_url": f"{at}/following{{/other_user}}",
        **{f"{name}_url": f"{at}/{name}" for name in lists},
        "type": kind,
        "site_admin": False,
    }


def repository(base: str, full_name: str, owner: dict[str, Any]) -> dict[str, Any]:
    at = f"{base}/repos/{full_name}"
    lists = [
        "archive",
        "assignees",
        "blobs",
        "branches",
        "collaborators",
        "comments",
        "commits",
        "compare",
        "contents",
        "contributors",
        "deployments",
        "downloads",
        "events",
        "forks",
        "git_commits",
        "git_refs",
        "git_tags",
        "hooks",
        "issue_comment",
        "issue_events",
        "issues",
        "keys",
        "labels",
        "languages",
        "merges",
        "milestones",
        "notifications",
        "pulls",
        "releases",
        "stargazers",
        "statuses",
        "subscribers",
        "subscription",
        "tags",
        "teams",
        "trees",
        "clone",
        "ssh",
        "svn",
        "git",
    ]
    counts = [
        "forks",
        "forks_count",
        "open_issues",
        "open_issues_count",
        "size",
        "stargazers_count",
        "watchers",
        "watchers_count",
    ]
    return {
        "id": 1,
        "node_id": "R_1",
        "name": full_name.split("/")[1],
        "full_name": full_name,
        "owner": owner,
        "private": False,
        "url": at,
        "html_url": at,
        "description": None,
        "fork": False,
        **{f"{name}_url": f"{at}/{name}" for name in lists},
        "mirror_url": None,
        "default_branch": "main",
        **dict.fromkeys(counts, 0),
        **dict.fromkeys(["has_downloads", "has_issues", "has_projects", "has_wiki"], True),
        "has_pages": False,
        "homepage": None,
        "language": None,
        "license": None,
        "archived": False,
        "disabled": False,
        **dict.fromkeys(["pushed_at", "created_at", "updated_at"], WHEN),
    }


def pull_request(base: str, at: str, pull: Any, author: dict[str, Any], repo: dict[str, Any]) -> dict[str, Any]:
    url = f"{at}/pulls/{pull.number}"
    links = ["comments", "commits", "html", "issue", "review_comment", "review_comments", "self", "statuses"]
    head_repo = None if pull.head_repository is None else {**repo, "full_name": pull.head_repository}
    end = {"user": author, "label": "octo:topic"}
    return {
        "id": pull.number,
        "node_id": f"PR_{pull.number}",
        "number": pull.number,
        "url": url,
        "html_url": url,
        "diff_url": f"{url}.diff",
        "patch_url": f"{url}.patch",
        "issue_url": f"{at}/issues/{pull.number}",
        **{f"{name}_url": f"{url}/{name}" for name in ["commits", "comments", "review_comment", "review_comments"]},
        "review_comment_url": f"{at}/pulls/comments{{/number}}",
        "statuses_url": f"{at}/statuses/{pull.head_sha}",
        "state": pull.state,
        "locked": False,
        "title": "A change",
        "user": author,
        "body": pull.body,
        "labels": [],
        "milestone": None,
        "created_at": WHEN,
        "updated_at": WHEN,
        **dict.fromkeys(
            ["closed_at", "merged_at", "merge_commit_sha", "assignee", "auto_merge", "merged_by", "mergeable"]
        ),
        "head": {**end, "ref": "topic", "sha": pull.head_sha, "repo": head_repo},
        "base": {**end, "ref": "main", "sha": pull.base_sha, "repo": repo},
        "_links": {name: {"href": url} for name in links},
        "author_association": "CONTRIBUTOR",
        "merged": False,
        "mergeable_state": "unknown",
        "maintainer_can_modify": True,
        **dict.fromkeys(["comments", "review_comments", "commits", "additions", "deletions", "changed_files"], 1),
    }


def comment(at: str, number: int, item: Any, author: dict[str, Any] | None) -> dict[str, Any]:
    return {
        "id": item.id,
        "node_id": item.node_id,
        "url": f"{at}/issues/comments/{item.id}",
        "html_url": f"{at}/pull/{number}#issuecomment-{item.id}",
        "issue_url": f"{at}/issues/{number}",
        "body": item.body,
        "user": author,
        "created_at": item.created_at,
        "updated_at": item.updated_at,
        "author_association": "NONE",
        "performed_via_github_app": None,
    }


def content(at: str, path: str, sha: str, data: bytes) -> dict[str, Any]:
    url = f"{at}/contents/{path}"
    encoded = base64.b64encode(data).decode()
    return {
        "type": "file",
        "encoding": "base64",
        "size": len(data),
        "name": path.rsplit("/", 1)[-1],
        "path": path,
        "content": "\n".join(encoded[start : start + 60] for start in range(0, len(encoded), 60)),
        "sha": sha,
        "url": url,
        "git_url": f"{at}/git/blobs/{sha}",
        "html_url": url,
        "download_url": url,
        "_links": {"self": url, "git": f"{at}/git/blobs/{sha}", "html": url},
    }


def folder(at: str, path: str, entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {
            **content(at, f"{path}/{entry['path']}", entry["sha"], b""),
            "type": "file" if entry["type"] == "blob" else "dir",
        }
        for entry in entries
    ]


def added_file(at: str, path: str, sha: str) -> dict[str, Any]:
    url = f"{at}/blob/{path}"
    counts = {"additions": 1, "deletions": 0, "changes": 1}
    return {
        "sha": sha,
        "filename": path,
        "status": "added",
        **counts,
        "blob_url": url,
        "raw_url": url,
        "contents_url": url,
    }


def commit(at: str, sha: str, tree: str, author: dict[str, Any]) -> dict[str, Any]:
    url = f"{at}/commits/{sha}"
    person = {"name": "Octo", "email": "octo@example.org", "date": WHEN}
    return {
        "sha": sha,
        "node_id": f"C_{sha[:8]}",
        "url": url,
        "html_url": url,
        "comments_url": f"{url}/comments",
        "commit": {
            "url": url,
            "message": "A commit",
            "author": person,
            "committer": person,
            "comment_count": 0,
            "tree": {"sha": tree, "url": f"{at}/git/trees/{tree}"},
        },
        "author": author,
        "committer": author,
        "parents": [],
    }


def changed_file(at: str, path: str, sha: str) -> dict[str, Any]:
    url = f"{at}/contents/{path}"
    counts = dict.fromkeys(["additions", "deletions", "changes"], 1)
    return {
        "sha": sha, "filename": path, "status": "modified", **counts, "blob_url": url, "raw_url": url,
        "contents_url": url,
    }  # fmt: skip
