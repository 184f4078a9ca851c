"""The peer's git: trees and commits made by the API, references that move forward alone, and the rules of a branch."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from github.peer import shapes
from github.peer.world import World, blob

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass
class Git:
    """What was made through the API and is not in the world's own story."""

    world: World
    trees: dict[str, dict[str, bytes]] = field(default_factory=dict)
    """Tree id to all files below it by path."""
    parents: dict[str, list[str]] = field(default_factory=dict)
    shown: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Commit to its tree and message."""
    blobs: dict[str, bytes] = field(default_factory=dict)
    rules: dict[str, list[str]] = field(default_factory=dict)
    """Branch to the types of the rules that hold for it."""
    most_listed: int = 100_000
    """Files in one answer."""
    most_text: int = 512_000
    """Characters of a text that GraphQL gives."""
    forbidden: str | None = None
    """What a rule says to every write of a branch."""

    def tree(self, base: str | None, files: dict[str, bytes]) -> str:
        before = {} if base is None else self.trees[base]
        after = {**before, **files}
        name = hashlib.sha1(repr(sorted(after.items())).encode(), usedforsecurity=False).hexdigest()
        self.trees[name] = after
        for data in files.values():
            self.blobs[blob(data)] = data
        return name

    def commit(self, tree: str, parents: list[str], message: str) -> str:
        named = f"{tree} {parents} {message} {len(self.parents)}".encode()
        sha = hashlib.sha1(named, usedforsecurity=False).hexdigest()
        self.world.commits[sha] = self.trees[tree]
        self.parents[sha] = parents
        self.shown[sha] = (tree, message)
        return sha

    def descends(self, commit: str, ancestor: str) -> bool:
        todo = [commit]
        while todo:
            here = todo.pop()
            if here == ancestor:
                return True
            todo += self.parents.get(here, [])
        return False

    def history(self, branch: str) -> list[str]:
        """Commits of a branch, oldest first."""
        found, here = [], self.world.branches.get(branch)
        while here is not None:
            found.append(here)
            here = next(iter(self.parents.get(here, [])), None)
        return found[::-1]

    def added(self, commit: str) -> dict[str, bytes]:
        """Files of a commit that its parent lacks."""
        before = next((self.world.commits[parent] for parent in self.parents.get(commit, [])), {})
        return {path: data for path, data in self.world.commits[commit].items() if path not in before}

    def texts(self, variables: dict[str, str]) -> dict[str, Any]:
        """Answer a question for the texts of blobs."""
        if f"{variables['owner']}/{variables['name']}" != self.world.repository:
            return {"repository": None}
        asked = {name: self.blobs.get(oid) for name, oid in variables.items() if name not in {"owner", "name"}}
        return {
            "repository": {
                name: None if data is None else {"__typename": "Blob", "text": data.decode()[: self.most_text]}
                for name, data in asked.items()
            }
        }


class Refused(Exception):
    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass
class GitApi:
    """The routes of the Git data API."""

    git: Git
    at: str
    author: dict[str, Any]

    def routes(self) -> list[tuple[str, str, Callable[..., tuple[int, Any]]]]:
        return [
            ("GET", r"/git/matching-refs/heads/(.+)", self._refs),
            ("POST", r"/git/refs", self._make_ref),
            ("PATCH", r"/git/refs/heads/(.+)", self._move_ref),
            ("POST", r"/git/trees", self._make_tree),
            ("POST", r"/git/commits", self._make_commit),
            ("GET", r"/git/commits/([0-9a-f]{40})", self._commit),
            ("GET", r"/git/blobs/([0-9a-f]{40})", self._blob),
            ("GET", r"/rules/branches/([^/]+)", self._rules),
        ]

    def answer(self, method: str, path: str, sent: Any) -> tuple[int, Any] | None:
        """Return status and value; None where the path is none of these."""
        for verb, pattern, handle in self.routes():
            found = re.fullmatch(pattern, path)
            if verb == method and found:
                return handle(sent, *found.groups())
        return None

    def whole_tree(self, name: str) -> dict[str, Any] | None:
        """Return the files of a commit or tree, all the way down; None for one that is not known."""
        files = self.git.world.commits.get(name) or self.git.trees.get(name)
        if files is None:
            return None
        entries = [
            {
                "path": path, "mode": "100644", "type": "blob", "sha": blob(data), "size": len(data),
                "url": f"{self.at}/git/blobs/{blob(data)}",
            }
            for path, data in files.items()
        ]  # fmt: skip
        folders = sorted({path.rpartition("/")[0] for path in files} - {""})
        entries += [
            {"path": folder, "mode": "040000", "type": "tree", "sha": blob(folder.encode()), "url": self.at}
            for folder in folders
        ]
        shown = {"sha": blob(name.encode()), "url": f"{self.at}/git/trees/{name}"}
        most = self.git.most_listed
        return shown | {"tree": entries[:most], "truncated": len(entries) > most}

    def _shown_ref(self, branch: str) -> dict[str, Any]:
        sha = self.git.world.branches[branch]
        return {
            "ref": f"refs/heads/{branch}",
            "node_id": f"REF_{branch}",
            "url": f"{self.at}/git/refs/heads/{branch}",
            "object": {"type": "commit", "sha": sha, "url": f"{self.at}/git/commits/{sha}"},
        }

    def _refs(self, sent: Any, begin: str) -> tuple[int, Any]:
        return 200, [self._shown_ref(name) for name in sorted(self.git.world.branches) if name.startswith(begin)]

    def _may_move(self) -> None:
        if self.git.forbidden is not None:
            raise Refused(422, self.git.forbidden)

    def _make_ref(self, sent: Any) -> tuple[int, Any]:
        self._may_move()
        branch = sent["ref"].removeprefix("refs/heads/")
        if branch in self.git.world.branches:
            raise Refused(422, "Reference already exists")
        if sent["sha"] not in self.git.world.commits:
            raise Refused(422, "Object does not exist")
        self.git.world.branches[branch] = sent["sha"]
        return 201, self._shown_ref(branch)

    def _move_ref(self, sent: Any, branch: str) -> tuple[int, Any]:
        self._may_move()
        if branch not in self.git.world.branches:
            raise Refused(422, "Reference does not exist")
        if not sent.get("force") and not self.git.descends(sent["sha"], self.git.world.branches[branch]):
            raise Refused(422, "Update is not a fast forward")
        self.git.world.branches[branch] = sent["sha"]
        return 200, self._shown_ref(branch)

    def _make_tree(self, sent: Any) -> tuple[int, Any]:
        if sent.get("base_tree") not in {None, *self.git.trees}:
            raise Refused(422, "base_tree is not a valid tree oid")
        files = {one["path"]: one["content"].encode() for one in sent["tree"]}
        sha = self.git.tree(sent.get("base_tree"), files)
        return 201, self.whole_tree(sha) | {"sha": sha}  # type: ignore[operator]  # it was made just now

    def _make_commit(self, sent: Any) -> tuple[int, Any]:
        return 201, self._shown_commit(self.git.commit(sent["tree"], sent["parents"], sent["message"]))

    def _commit(self, sent: Any, sha: str) -> tuple[int, Any]:
        if sha not in self.git.shown:
            raise Refused(404, "Not Found")
        return 200, self._shown_commit(sha)

    def _shown_commit(self, sha: str) -> dict[str, Any]:
        tree, message = self.git.shown[sha]
        person = {"name": "Octo", "email": "octo@example.org", "date": shapes.WHEN}
        unsigned = {"verified": False, "reason": "unsigned", "signature": None, "payload": None, "verified_at": None}
        return {
            "sha": sha,
            "node_id": f"C_{sha[:8]}",
            "url": f"{self.at}/git/commits/{sha}",
            "html_url": f"{self.at}/commit/{sha}",
            "author": person,
            "committer": person,
            "message": message,
            "tree": {"sha": tree, "url": f"{self.at}/git/trees/{tree}"},
            "parents": [
                {"sha": one, "url": f"{self.at}/git/commits/{one}", "html_url": f"{self.at}/commit/{one}"}
                for one in self.git.parents[sha]
            ],
            "verification": unsigned,
        }

    def _blob(self, sent: Any, sha: str) -> tuple[int, Any]:
        if sha not in self.git.blobs:
            raise Refused(404, "Not Found")
        data = self.git.blobs[sha]
        encoded = base64.b64encode(data).decode()
        return 200, {
            "sha": sha,
            "node_id": f"B_{sha[:8]}",
            "size": len(data),
            "url": f"{self.at}/git/blobs/{sha}",
            "content": "\n".join(encoded[start : start + 60] for start in range(0, len(encoded), 60)),
            "encoding": "base64",
        }

    def _rules(self, sent: Any, branch: str) -> tuple[int, Any]:
        about = {"ruleset_source_type": "Repository", "ruleset_source": self.git.world.repository, "ruleset_id": 1}
        return 200, [{"type": kind, **about} for kind in self.git.rules.get(branch, [])]
