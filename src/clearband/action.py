"""The Action: GitHub's environment in, one run of the pipeline, an exit status out.

The order matters: the record first, then the ledger, outputs, summary and annotation, then the comment. The exit status
is the verdict's and nothing else's: a comment that could not be written neither blocks nor passes anything.

Imports requests, which costs start-up; the command line imports this module only for `clearband action`.
"""

from __future__ import annotations

import io
import json
import os
import random
import sys
import time
import traceback
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO

import requests

from clearband import arms, declaration, pipeline, policy_file, result_files
from clearband.audit.entry import NotRecorded
from clearband.errors import ClearbandError, GitHubError, UnusablePolicy, UsageError
from clearband.github import base_policy, changed_files, event, overrides, pull_request
from clearband.github.client import Client
from clearband.github.event import NoPullRequest, PullRequest
from clearband.github.ledger_branch import LedgerBranch
from clearband.github.workflow import Level, Log
from clearband.paths import touches
from clearband.publishing import Publisher
from clearband.settings import DEFAULTS, Settings
from clearband.terms import Options
from clearband.trail import Trail
from clearband.vocabulary import ShowQuestions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from clearband import sources
    from clearband.github.pull_request import LivePullRequest
    from clearband.override import Overrides
    from clearband.pipeline import Answer, Declared
    from clearband.policy import Policy

EVENT_CAP: Final = 32 * 1024 * 1024
"""Bytes of the event file; GitHub's largest payload is 25 MB."""
UNUSABLE: Final = 3


def main() -> int:
    """Run the Action in this process's environment."""
    if isinstance(sys.stdout, io.TextIOWrapper):  # as in every real process
        sys.stdout.reconfigure(errors="replace")
    return run(os.environ)


def run(
    env: Mapping[str, str],
    *,
    session: requests.Session | None = None,
    clock: Callable[[], float] = time.time,
    sleep: Callable[[float], object] = time.sleep,
    stdout: TextIO | None = None,
) -> int:
    """Run the Action once and return its exit status.

    Parameters
    ----------
    env
        Inputs and GitHub's variables.
    session, clock, sleep
        The network and the time (`clock`: seconds since 1970).
    stdout
        Where the job's log goes.

    """
    log = Log(stdout or sys.stdout)
    try:
        settings = Settings.from_environment(env)
        client = Client(
            session=session or requests.Session(),
            api_url=settings.api_url,
            graphql_url=settings.graphql_url,
            token=settings.token,
            clock=clock,
            sleep=sleep,
        )
        return _Run(settings, client, log, Publisher(settings=settings, client=client, log=log)).status()
    except ClearbandError as problem:
        log.annotate(Level.ERROR, str(problem))
    except Exception as defect:  # noqa: BLE001  the last door: whatever it is, it must end as one line and exit 3
        log.annotate(Level.ERROR, _defect(defect))
    return UNUSABLE


@dataclass(slots=True)
class _Run:
    """One run; what is learnt on the way stays here, so that a problem met later is shown with it."""

    settings: Settings
    client: Client
    log: Log
    publisher: Publisher
    about: PullRequest | NoPullRequest | None = None
    policy: Policy | None = None
    declared: Declared | None = None
    live: LivePullRequest | None = None
    is_new: bool = False
    """Whether the base commit was read and has no policy."""
    trail: Trail | None = None

    def status(self) -> int:
        """Answer, publish, and return the verdict's exit status."""
        answer = self._recorded(self._answer())
        # A defect of ours after the verdict is said, and moves neither the others nor the exit status.
        for publication in (self.publisher.texts, self.publisher.annotate, self._comment):
            try:
                publication(answer)
            except Exception as defect:  # noqa: BLE001  whatever it is, the verdict stands
                self.log.annotate(Level.WARNING, _defect(defect))
        return answer.exit_status

    def _comment(self, answer: Answer) -> None:
        if isinstance(self.about, PullRequest):
            # "Not applicable" is no news: it only takes the place of what an earlier run said.
            self.publisher.comment(answer, self.about, anew=answer.verdict.applies)

    def _answer(self) -> Answer:
        suite = self.settings.suite
        try:
            self.about = event.read(self.settings.event_name, _event(self.settings.event_path))
            options = self._terms(self.about)
            if self.policy is not None and not self._concerned(self.policy):
                return pipeline.not_applicable(suite=suite, policy=self.policy)
            past = None if self.trail is None else self.trail.past()
            baseline = arms.baseline(self.client, self.settings, self.about, self.live)
            candidate = arms.candidate(self.client, self.settings, self.about, run_id=self.settings.run_id)
            answer = pipeline.answer(
                pipeline.Request(
                    suite=suite,
                    baseline=baseline.source,
                    candidate=candidate.source,
                    policy=self.policy,
                    declaration=self.declared,
                    anchor=self._anchor(),
                    options=options,
                    registration=None if past is None else past.registration,
                    earlier_candidates=None if past is None else past.candidates,
                    show_questions=self._shown_questions(),
                    needs_policy=True,
                )
            )
            notes = (*baseline.notes, *candidate.notes)
            return replace(answer, overrides=self._overrides(answer), notes=notes)
        except ClearbandError as problem:
            if self.is_new and not isinstance(problem, GitHubError):
                return pipeline.not_set_up(problem, suite=suite)
            return pipeline.unusable(problem, suite=suite, policy=self.policy, declaration=self.declared)
        except Exception as defect:  # noqa: BLE001  published like any other problem: an older comment must not stay green
            ours = ClearbandError(_defect(defect), remedy="Nothing was decided.")
            return pipeline.unusable(ours, suite=suite, policy=self.policy, declaration=self.declared)

    def _terms(self, about: PullRequest | NoPullRequest) -> Options:
        """Read the policy of the base commit and the declaration of the live pull request."""
        repository = self.settings.repository
        match about:
            case PullRequest():
                live = pull_request.read(self.client, repository, about.number)
                if live.head_sha != about.head_sha:
                    self.log.say("The pull request has newer commits than the one that this run is about.")
                if self.settings.primary_metric:
                    self.log.say("The input `primary-metric` is for runs without a pull request; it was not used.")
                self.policy = self._policy(live.base_sha)
                self.declared = declaration.parse(live.body, suite=self.settings.suite)
                self.live = live
                self.is_new = self.policy is None
                if self.policy is not None:
                    self.trail = self._trail(self.policy, live, self.declared)
                return Options(reading=self.settings.reading)
            case NoPullRequest():
                self.log.say(about.reason)
                self.policy = self._policy(base_policy.resolve(self.client, repository, about.policy_ref))
                if self.policy is not None:
                    self.trail = self._trail(self.policy)
                return Options(primary=self.settings.primary_metric, reading=self.settings.reading)

    def _policy(self, commit: str) -> Policy | None:
        path = self.settings.policy
        data = base_policy.read(self.client, self.settings.repository, path, commit)
        if data is None:
            if path != DEFAULTS["policy"]:
                # "Not set up yet" is for the usual place; whoever names another one has a policy and mistyped it.
                raise UnusablePolicy(
                    f"The policy `{path}` is not at the base commit.",
                    remedy="Correct the input `policy`, or leave it out and put the policy at .github/clearband.yml.",
                )
            return None
        return policy_file.load(data, name=path)

    def _concerned(self, policy: Policy) -> bool:
        """Whether the pull request touches a file of the policy's `paths`; what cannot be known is concerned."""
        if not policy.paths or not isinstance(self.about, PullRequest):
            return True
        files = changed_files.read(self.client, self.settings.repository, self.about.number)
        return files is None or touches(files, policy.paths)

    def _trail(self, policy: Policy, live: LivePullRequest | None = None, declared: Declared | None = None) -> Trail:
        client, repository = self.client, self.settings.repository
        branch = LedgerBranch(
            client=client, repository=repository, chance=random.random, clock=client.clock, sleep=client.sleep
        )
        return Trail(client=client, ledger=branch, settings=self.settings, policy=policy, live=live, declared=declared)

    def _overrides(self, answer: Answer) -> Overrides | None:
        """Read who lets a stopped commit through; what cannot be read lets nobody through."""
        if not answer.verdict.outcome.may_be_overridden:
            return None
        if not isinstance(self.about, PullRequest) or self.live is None or self.policy is None:
            return None
        try:
            return overrides.read(
                self.client,
                self.settings.repository,
                self.about.number,
                head_sha=self.about.head_sha,
                author_id=self.live.author_id,
                by_author=self.policy.override_by_author,
            )
        except GitHubError as problem:
            self.log.annotate(Level.WARNING, f"Overrides could not be read, so none holds. {problem}")
            return None

    def _recorded(self, answer: Answer) -> Answer:
        """Write the record, then the ledger's entry, and return the answer with what became of it."""
        self.publisher.record(answer)
        if self.trail is None:
            return answer
        try:
            ledger = self.trail.record(answer)
        except Exception as defect:  # noqa: BLE001  a defect of ours is a ledger that was not written
            ledger = NotRecorded(_defect(defect), "", read_only=False)
        if isinstance(ledger, NotRecorded):
            self.publisher.unwritten(self.trail.draft(answer))
            self.log.annotate(Level.WARNING, f"Not recorded in the ledger. {ledger.reason} {ledger.remedy}".strip())
        return replace(answer, ledger=ledger)

    def _shown_questions(self) -> ShowQuestions:
        """Name questions where the policy says so; where it is silent, only in a repository that is not public."""
        if self.policy is not None and self.policy.show_questions is not None:
            return self.policy.show_questions
        is_public = self.live is None or self.live.is_public
        return ShowQuestions.COUNTS if is_public else ShowQuestions.IDS

    def _anchor(self) -> sources.Source | None:
        path, workspace = self.settings.anchor, self.settings.workspace
        return None if path is None else result_files.read(path, arm="anchor", workspace=workspace)


def _event(path: Path) -> Any:
    try:
        with path.open("rb") as file:
            data = file.read(EVENT_CAP + 1)
        if len(data) <= EVENT_CAP:
            return json.loads(data)
    except (OSError, ValueError, RecursionError):
        pass
    raise UsageError("The event file cannot be read.", remedy="GITHUB_EVENT_PATH must name the file of the runner.")


def _defect(defect: Exception) -> str:
    """Return one line about our own mistake: its kind and place, never its text, which may quote anything."""
    frame = traceback.extract_tb(defect.__traceback__)[-1]
    return (
        f"This is a defect in Clearband, not in your files: {type(defect).__name__} at "
        f"{Path(frame.filename).name}, line {frame.lineno}, in {frame.name}. Please report this line."
    )
