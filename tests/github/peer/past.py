"""What the peer remembers of a pull request: every version of its description, its commits, artifacts and runs."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from github.peer.world import Pull

OPENED = "2026-01-02T03:04:05Z"
REPOSITORY_ID = 1


@dataclass
class Edit:
    """A version of a description; None for one whose content was deleted from the history."""

    at: str
    body: str | None
    deleted_at: str | None = None


@dataclass
class Story:
    """What happened to one pull request."""

    opened: str = OPENED
    branch: str = "topic"
    head_repository_id: int | None = REPOSITORY_ID
    edits: list[Edit] = field(default_factory=list)
    """Oldest first, the original among them; empty while there was no edit."""
    commits: list[str] = field(default_factory=list)
    """Beside the head."""
    pushed_away: list[str | None] = field(default_factory=list)
    """Former heads that a force-push replaced; None where the commit is gone."""
    hidden_edits: int = 0
    """How many of the oldest edits are counted but not shown."""
    names_original: bool = True


@dataclass
class Artifact:
    id: int
    name: str
    head_sha: str
    created_at: str | None
    branch: str = "topic"
    head_repository_id: int = REPOSITORY_ID
    orphaned: bool = False
    """Without the run it came from."""
    run_id: int = 1
    repository_id: int = REPOSITORY_ID
    data: bytes = b""
    expired: bool = False
    digest: str | None = None


@dataclass
class Run:
    id: int
    head_sha: str
    created_at: str
    workflow_id: int = 5
    event: str = "pull_request"
    branch: str = "topic"
    head_repository_id: int = REPOSITORY_ID
    path: str = ".github/workflows/clearband.yml"
    conclusion: str | None = "success"
    restarted_at: str | None = None
    """When the latest of several attempts began."""
    jobs: list[str | None] = field(default_factory=list)
    """How each job ended; None for one that has not."""


@dataclass
class Past:
    """The history of one repository."""

    stories: dict[int, Story] = field(default_factory=dict)
    artifacts: list[Artifact] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    lines: dict[str, list[str]] = field(default_factory=dict)
    """Commit to the commits that it leads back to, itself the first."""
    parents: dict[str, list[str]] = field(default_factory=dict)
    merge_bases: dict[str, str] = field(default_factory=dict)
    """``base...head`` to the commit where they parted; the base itself where it is not said."""
    storage: str = "http://127.0.0.1:9"
    """Where artifacts lie, on an origin of its own."""

    def of(self, pull: Pull) -> Story:
        return self.stories.setdefault(pull.number, Story())

    def edit(self, pull: Pull, body: str, at: str) -> None:
        """Save another version of the description."""
        story = self.of(pull)
        if not story.edits:
            story.edits.append(Edit(story.opened, pull.body or ""))
        story.edits.append(Edit(at, body))
        pull.body = body

    def forget(self, pull: Pull, version: int) -> None:
        """Delete a version from the history, as GitHub's page lets authors do: its time stays."""
        edit = self.of(pull).edits[version]
        edit.body, edit.deleted_at = None, "2026-01-09T00:00:00Z"

    def upload(self, name: str, head_sha: str, at: str | None, **more: object) -> Artifact:
        made = Artifact(len(self.artifacts) + 9_000_000_001, name, head_sha, at)
        for key, value in more.items():
            setattr(made, key, value)
        self.artifacts.append(made)
        return made

    def start(self, head_sha: str, at: str, **more: object) -> Run:
        run = Run(len(self.runs) + 8_000_000_001, head_sha, at)
        for key, value in more.items():
            setattr(run, key, value)
        self.runs.append(run)
        return run

    def leave(self, run: Run, name: str, data: bytes, **more: object) -> Artifact:
        """Upload an artifact in `run`, as upload-artifact does."""
        origin = {"branch": run.branch, "head_repository_id": run.head_repository_id, "run_id": run.id}
        digest = f"sha256:{hashlib.sha256(data).hexdigest()}"
        return self.upload(name, run.head_sha, run.created_at, data=data, **origin | {"digest": digest} | more)
