"""What a run of the Action is about, read once for all suites: the pull request as it is now, and the base's policy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clearband import policy_file, policy_suites, proposal
from clearband.errors import GitHubError, UnusablePolicy, UsageError
from clearband.github import base_policy, pull_request
from clearband.github.event import NoPullRequest, OverrideAsked, PullRequest, RunOfPullRequest
from clearband.github.workflow import Level
from clearband.plain_text import DEFAULT_SUITE
from clearband.settings import DEFAULTS, PLACEHOLDER

if TYPE_CHECKING:
    from clearband.github.client import Client
    from clearband.github.event import About
    from clearband.github.pull_request import LivePullRequest
    from clearband.github.workflow import Log
    from clearband.policy import Policy
    from clearband.proposal import Proposal
    from clearband.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What a run is about."""

    about: PullRequest | NoPullRequest
    live: LivePullRequest | None
    """None for a run without a pull request."""
    commit: str
    """Whose policy holds."""
    policy_name: str
    policy_data: bytes | None
    """The policy file of the base commit; None where that has none: the repository is not set up yet."""
    run: RunOfPullRequest | OverrideAsked | None = None
    """Why results that are there already are judged; None where they are this run's own."""
    proposal: Proposal | None = None
    """The policy on the pull request's branch, where the base has none."""

    @property
    def is_new(self) -> bool:
        """Whether the base commit was read and has no policy."""
        return self.policy_data is None

    def policy(self, suite: str) -> Policy | None:
        """Return the rules for `suite`; raise `UnusablePolicy` where the file is none."""
        if self.policy_data is None:
            return None
        return policy_file.load(self.policy_data, name=self.policy_name, suite=suite)

    def template(self, settings: Settings, client: Client, log: Log) -> str | None:
        """Return the source of the repository's own template for the comment; None where it has none to be used.

        The verdict does not need it: what goes wrong is said, and the built-in one is used.
        """
        path = self._template_path()
        if path is None:
            return None
        try:
            data = base_policy.read(client, settings.repository, path, self.commit)
        except (GitHubError, UnusablePolicy) as problem:
            log.annotate(Level.WARNING, f"The comment's template could not be read. {problem}")
            return None
        if data is None:
            log.annotate(Level.WARNING, f"The comment's template `{path}` is not at the base commit.")
            return None
        return data.decode("utf-8", "replace")

    def _template_path(self) -> str | None:
        if self.policy_data is None:
            return None
        try:
            names = policy_suites.names(self.policy_data, name=self.policy_name)
            policy = self.policy(names[0] if names else DEFAULT_SUITE)
        except UnusablePolicy:
            return None  # said where the policy was needed
        return None if policy is None else policy.comment_template

    def suites(self, settings: Settings) -> tuple[str, ...]:
        """Return the suites that the policy lists and this run compares; none where it is about one alone.

        Raises
        ------
        UnusablePolicy
            The list cannot be read.
        UsageError
            The inputs would give every suite the same files.

        """
        if self.policy_data is None or settings.names_suite:
            return ()
        listed = policy_suites.names(self.policy_data, name=self.policy_name)
        if len(listed) > 1 and not settings.tells_suites_apart:
            raise UsageError(
                f"The policy lists {len(listed)} suites, and the inputs would give all of them the same candidate.",
                remedy=f"Write {PLACEHOLDER} where the name of the suite belongs, as in "
                f"`candidate: results/{PLACEHOLDER}.jsonl`; or name one suite by the input `suite`.",
            )
        return listed


def read(settings: Settings, client: Client, log: Log, asked: About) -> Situation:
    """Read the pull request as it is now, and the policy of its base commit.

    Raises
    ------
    GitHubError
        One of the two could not be read.
    UnusablePolicy
        The policy that the inputs name is not there.

    """
    about, live, commit = _live(settings, client, log, asked)
    data = base_policy.read(client, settings.repository, settings.policy, commit)
    if data is None and settings.policy != DEFAULTS["policy"]:
        # "Not set up yet" is for the usual place; whoever names another one has a policy and mistyped it.
        raise UnusablePolicy(
            f"The policy `{settings.policy}` is not at the base commit.",
            remedy="Correct the input `policy`, or leave it out and put the policy at .github/clearband.yml.",
        )
    return Situation(
        about=about,
        live=live,
        commit=commit,
        policy_name=settings.policy,
        policy_data=data,
        run=asked if isinstance(asked, RunOfPullRequest | OverrideAsked) else None,
        proposal=_proposal(settings, client, about) if data is None else None,
    )


def _proposal(settings: Settings, client: Client, about: PullRequest | NoPullRequest) -> Proposal | None:
    """Return the policy that the pull request brings; None where it brings none, or nobody can tell."""
    if not isinstance(about, PullRequest):
        return None
    try:
        data = base_policy.read(client, settings.repository, settings.policy, about.head_sha)
    except (GitHubError, UnusablePolicy):
        return None  # it decides nothing, so it may not stop anything either
    return None if data is None else proposal.lint(data, name=settings.policy)


def _live(
    settings: Settings, client: Client, log: Log, asked: About
) -> tuple[PullRequest | NoPullRequest, LivePullRequest | None, str]:
    """Return which pull request it is, as it is now, where there is one, and the commit whose policy holds."""
    match asked:
        case RunOfPullRequest():
            live = pull_request.of_run(client, settings.repository, asked)
            return _as_asked(live), live, live.base_sha
        case OverrideAsked():
            live = pull_request.read(client, settings.repository, asked.number)
            return _as_asked(live), live, live.base_sha
        case PullRequest():
            live = pull_request.read(client, settings.repository, asked.number)
            if live.head_sha != asked.head_sha:
                log.say("The pull request has newer commits than the one that this run is about.")
            if settings.primary_metric:
                log.say("The input `primary-metric` is for runs without a pull request; it was not used.")
            return asked, live, live.base_sha
        case NoPullRequest():
            log.say(asked.reason)
            queued = None if asked.queued is None else pull_request.read(client, settings.repository, asked.queued)
            return asked, queued, base_policy.resolve(client, settings.repository, asked.policy_ref)


def _as_asked(live: LivePullRequest) -> PullRequest:
    """Return a pull request as its own event would tell of it now."""
    return PullRequest(
        number=live.number,
        head_sha=live.head_sha,
        base_sha=live.base_sha,
        base_ref=live.base_ref,
        head_repository=live.head_repository,
        author=live.author,
    )
