"""What the peer knows: identities, one repository with commits, pull requests and their comments."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from github.peer.git_objects import Git
    from github.peer.past import Past


@dataclass
class Identity:
    """Whom a token belongs to and what it may do."""

    login: str
    id: int
    installation: bool = True
    """A run's own token or an App's: may not ask who it is. False for a person's token."""
    reads: bool = True
    writes: bool = True


@dataclass
class Comment:
    id: int
    body: str
    author: Identity | None
    created_at: str = "2026-01-02T03:04:05Z"
    updated_at: str = "2026-01-02T03:04:05Z"

    @property
    def node_id(self) -> str:
        return f"IC_kwDO{self.id}"


@dataclass
class Pull:
    number: int
    body: str | None
    head_sha: str
    base_sha: str
    head_repository: str | None
    state: str = "open"
    files: list[str] = field(default_factory=lambda: ["src/app.py"])
    contents: dict[str, bytes] = field(default_factory=dict)
    """What the pull request gives to some of them."""
    comments: list[Comment] = field(default_factory=list)


BOT = Identity("github-actions[bot]", 41898282)
MALLORY = Identity("mallory", 666, installation=False)


@dataclass
class World:
    """One repository. Public, so every valid token may read unless its identity says otherwise."""

    repository: str = "octo/evals"
    tokens: dict[str, Identity] = field(default_factory=lambda: {"ghs_ours": BOT})
    pulls: dict[int, Pull] = field(default_factory=dict)
    commits: dict[str, dict[str, bytes]] = field(default_factory=dict)
    branches: dict[str, str] = field(default_factory=dict)
    permissions: dict[str, tuple[int, str]] = field(default_factory=dict)
    """Login to the account's number and what it may do: admin, write or read; who is missing has read."""
    statuses: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    """Commit to the statuses that were set on it, the oldest first."""
    next_comment: int = 3_000_000_001  # beyond 32 bits, as GitHub's are

    @cached_property
    def past(self) -> Past:
        from github.peer.past import Past

        return Past()

    @cached_property
    def git(self) -> Git:
        from github.peer.git_objects import Git

        return Git(self)

    def commit(self, files: dict[str, bytes] | None = None, *, branch: str | None = None) -> str:
        sha = hashlib.sha1(f"commit {len(self.commits)}".encode(), usedforsecurity=False).hexdigest()
        self.commits[sha] = dict(files or {"README.md": b"hello\n"})
        if branch:
            self.branches[branch] = sha
        return sha

    def open_pull(self, body: str | None = "", *, policy: bytes | None = None, head: str | None = "octo/evals") -> Pull:
        files = {"README.md": b"hello\n"} | ({".github/clearband.yml": policy} if policy is not None else {})
        base = self.commit(files, branch="main")
        number = len(self.pulls) + 7
        self.pulls[number] = Pull(number, body, self.commit(), base, head)
        return self.pulls[number]

    def say(self, pull: Pull, body: str, author: Identity | None = MALLORY) -> Comment:
        pull.comments.append(Comment(self.next_comment, body, author))
        self.next_comment += 1
        return pull.comments[-1]

    def find(self, comment_id: int) -> tuple[Pull, Comment] | None:
        pairs = ((pull, one) for pull in self.pulls.values() for one in pull.comments)
        return next((pair for pair in pairs if pair[1].id == comment_id), None)

    def resolve(self, ref: str) -> str | None:
        name = "main" if ref == "HEAD" else ref
        return self.branches.get(name) or (ref if ref in self.commits else None)

    def trees(self, commit: str) -> dict[str, tuple[str, list[dict[str, Any]]]]:
        """Folder path to (tree id, entries), computed as git does; the empty path is the root."""
        folders: dict[str, dict[str, bytes | None]] = {"": {}}
        for path, content in self.commits[commit].items():
            *parents, name = path.split("/")
            here = ""
            for parent in parents:
                folders[here].setdefault(parent, None)
                here = f"{here}/{parent}".lstrip("/")
                folders.setdefault(here, {})
            folders[here][name] = content
        done: dict[str, tuple[str, list[dict[str, Any]]]] = {}
        for folder in sorted(folders, key=lambda path: -len(path.split("/")) if path else 1):
            entries = []
            for name, data in sorted(folders[folder].items()):
                if data is None:
                    sha, kind, mode = done[f"{folder}/{name}".lstrip("/")][0], "tree", "040000"
                else:
                    sha, kind, mode = blob(data), "blob", "100644"
                entries.append({"path": name, "mode": mode, "type": kind, "sha": sha})
            raw = b"".join(
                f"{one['mode'].lstrip('0')} {one['path']}\0".encode() + bytes.fromhex(one["sha"]) for one in entries
            )
            done[folder] = (_object(b"tree", raw), entries)
        return done


def blob(data: bytes) -> str:
    return _object(b"blob", data)


def _object(kind: bytes, data: bytes) -> str:
    return hashlib.sha1(kind + b" %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
