"""One suite of one run of the Action: its rules and its declaration, the answer, and what is recorded of it."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from clearband import answers, arms, declaration, own_baseline, pipeline, result_files
from clearband.audit.entry import NotRecorded
from clearband.defect import defect_line
from clearband.errors import ClearbandError, FirstBaseline, GitHubError, ResultsMissing
from clearband.github import overrides
from clearband.github.event import NoPullRequest, PullRequest, RunOfPullRequest
from clearband.github.ledger_branch import LedgerBranch
from clearband.github.workflow import Level
from clearband.paths import touches
from clearband.terms import Options
from clearband.trail import Trail
from clearband.vocabulary import ShowQuestions

if TYPE_CHECKING:
    from clearband import sources
    from clearband.answers import Answer, Declared
    from clearband.arms import Arm
    from clearband.github.client import Client
    from clearband.github.workflow import Log
    from clearband.override import Overrides
    from clearband.policy import Policy
    from clearband.publishing import Publisher
    from clearband.pull_facts import PullFacts
    from clearband.settings import Settings
    from clearband.situation import Situation


@dataclass(slots=True, kw_only=True)
class SuiteRun:
    """One suite's part of a run; what is learnt on the way stays here, so that a problem met later is shown with it."""

    settings: Settings
    """For this suite."""
    client: Client
    log: Log
    situation: Situation
    facts: PullFacts | None
    """Of the pull request, shared by all suites; None for a run without one."""
    is_listed: bool
    """Whether the policy lists this suite: then results that are not there are a cell without an answer."""
    policy: Policy | None = None
    declared: Declared | None = None
    trail: Trail | None = None

    def answer(self) -> Answer:
        """Compare and judge; whatever goes wrong becomes an answer too."""
        suite = self.settings.suite
        try:
            return self._answer()
        except FirstBaseline as problem:
            return answers.first_baseline(problem, suite=suite, policy=self.policy, declaration=self.declared)
        except ResultsMissing as problem:
            if self.is_listed:
                return answers.absent(problem, suite=suite, policy=self.policy, declaration=self.declared)
            return self._stopped(problem)
        except ClearbandError as problem:
            return self._stopped(problem)
        except Exception as defect:  # noqa: BLE001  published like any other problem: an older comment must not stay green
            ours = ClearbandError(defect_line(defect), remedy="Nothing was decided.")
            return answers.unusable(ours, suite=suite, policy=self.policy, declaration=self.declared)

    def recorded(self, answer: Answer, publisher: Publisher) -> Answer:
        """Write the record, then the ledger's entry, and return the answer with what became of it."""
        publisher.record(answer, self.settings.out)
        if self.trail is None:
            return answer
        try:
            ledger = self.trail.record(answer)
        except Exception as defect:  # noqa: BLE001  a defect of ours is a ledger that was not written
            ledger = NotRecorded(defect_line(defect), "", read_only=False)
        if isinstance(ledger, NotRecorded):
            publisher.unwritten(self.trail.draft(answer), self.settings.out)
            self.log.annotate(Level.WARNING, f"Not recorded in the ledger. {ledger.reason} {ledger.remedy}".strip())
        return replace(answer, ledger=ledger)

    def _stopped(self, problem: ClearbandError) -> Answer:
        suite = self.settings.suite
        if self.situation.is_new and not isinstance(problem, GitHubError):
            return replace(answers.not_set_up(problem, suite=suite), proposal=self.situation.proposal)
        return answers.unusable(problem, suite=suite, policy=self.policy, declaration=self.declared)

    def _answer(self) -> Answer:
        suite, live = self.settings.suite, self.situation.live
        self.policy = self.situation.policy(suite)
        if live is not None:
            self.declared = declaration.parse(live.body, suite=suite)
        if self.policy is not None:
            self.trail = self._trail(self.policy)
            if not self._is_concerned(self.policy):
                return answers.not_applicable(suite=suite, policy=self.policy)
        queued = None if self.trail is None else self._queued(self.trail)
        if queued is not None:
            return queued
        past = None if self.trail is None else self.trail.past()
        # The candidate first: a first baseline is none where the evaluation failed.
        candidate = arms.candidate(self.client, self.settings, self.situation.about, run_id=self._results_run)
        baseline = arms.baseline(self.client, self.settings, self.situation.about, live, self.policy)
        own = () if self.settings.baseline is None else self._own_version(baseline)
        answer = pipeline.answer(
            pipeline.Request(
                suite=suite,
                baseline=baseline.source,
                candidate=candidate.source,
                policy=self.policy,
                declaration=self.declared,
                anchor=self._anchor(),
                options=Options(
                    primary=None if live is not None else self.settings.primary_metric, reading=self.settings.reading
                ),
                registration=None if past is None else past.registration,
                earlier_candidates=None if past is None else past.candidates,
                show_questions=self._shown_questions(),
                needs_policy=True,
            )
        )
        return replace(
            answer,
            proposal=self.situation.proposal,
            overrides=self._overrides(answer),
            notes=(*baseline.notes, *own, *candidate.notes),
            origins=(*baseline.origins, *candidate.origins),
        )

    @property
    def _results_run(self) -> int | None:
        """The run whose artifacts are the candidate's; None for the newest of the pull request's head."""
        run = self.situation.run
        if run is None:
            return self.settings.run_id
        return run.run_id if isinstance(run, RunOfPullRequest) else None

    def _queued(self, trail: Trail) -> Answer | None:
        """Return what the ledger has on the head of the pull request in a merge queue; None where it has no pass."""
        about = self.situation.about
        if not isinstance(about, NoPullRequest) or about.queued is None:
            return None
        passed = trail.passed()
        if passed is None:
            return None
        text = f"Pull request {about.queued} passed on this head already: entry {passed.seq} of the ledger."
        return answers.queued(text, suite=self.settings.suite, policy=self.policy, declaration=self.declared)

    def _is_concerned(self, policy: Policy) -> bool:
        """Whether the pull request touches a file of the policy's `paths`; what cannot be known is concerned."""
        if not policy.paths or self.facts is None or not isinstance(self.situation.about, PullRequest):
            return True
        changed = self.facts.changed
        return changed is None or touches(changed.paths, policy.paths)

    def _own_version(self, baseline: Arm) -> tuple[str, ...]:
        """Refuse a baseline that the pull request brings, and return what has to be said of it otherwise."""
        if self.facts is None or not isinstance(self.situation.about, PullRequest):
            return ()
        changed = self.facts.changed
        if changed is None:
            return ("Whether the pull request changes the baseline's file could not be seen.",)
        return own_baseline.check(baseline.source, changed.own)

    def _trail(self, policy: Policy) -> Trail:
        client, repository = self.client, self.settings.repository
        branch = LedgerBranch(
            client=client, repository=repository, chance=random.random, clock=client.clock, sleep=client.sleep
        )
        return Trail(
            client=client,
            ledger=branch,
            settings=self.settings,
            policy=policy,
            facts=self.facts,
            declared=self.declared,
        )

    def _overrides(self, answer: Answer) -> Overrides | None:
        """Read who lets a stopped commit through; what cannot be read lets nobody through."""
        about, live = self.situation.about, self.situation.live
        if not answer.verdict.outcome.may_be_overridden:
            return None
        if not isinstance(about, PullRequest) or live is None or self.policy is None:
            return None
        try:
            return overrides.read(
                self.client,
                self.settings.repository,
                about.number,
                head_sha=about.head_sha,
                author_id=live.author_id,
                by_author=self.policy.override_by_author,
            )
        except GitHubError as problem:
            self.log.annotate(Level.WARNING, f"Overrides could not be read, so none holds. {problem}")
            return None

    def _shown_questions(self) -> ShowQuestions:
        """Name questions where the policy says so; where it is silent, only in a repository that is not public."""
        if self.policy is not None and self.policy.show_questions is not None:
            return self.policy.show_questions
        live = self.situation.live
        return ShowQuestions.COUNTS if live is None or live.is_public else ShowQuestions.IDS

    def _anchor(self) -> sources.Source | None:
        path, workspace = self.settings.anchor, self.settings.workspace
        return None if path is None else result_files.read(path, arm="anchor", workspace=workspace)
