"""What GitHub knows of a pull request beside its text: asked when it is first wanted, and once for all suites."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from clearband.github import changed_files, first_result, history

if TYPE_CHECKING:
    from clearband.github.changed_files import Changed
    from clearband.github.client import Client
    from clearband.github.pull_request import LivePullRequest
    from clearband.registration import FirstResult, History
    from clearband.settings import Settings


@dataclass(frozen=True, kw_only=True)
class PullFacts:
    """The facts of one pull request."""

    client: Client
    settings: Settings
    """Of the run; its workflow is the one that evaluates."""
    live: LivePullRequest

    @cached_property
    def changed(self) -> Changed | None:
        """What it changes; None where that cannot be known."""
        return changed_files.read(self.client, self.settings.repository, self.live.number)

    @cached_property
    def history(self) -> History:
        """The versions of its description; raises `GitHubError`."""
        return history.read(self.client, self.settings.repository, self.live)

    @cached_property
    def first_result(self) -> FirstResult:
        """When its first result came to exist; raises `GitHubError`."""
        return first_result.read(
            self.client,
            self.settings.repository,
            self.live,
            workflow=self.settings.workflow,
            run=self.settings.run_id,
        )
