"""The Action: GitHub's environment in, one run of the pipeline, an exit status out.

The order matters: the record first, then the ledger, outputs, summary and annotation, then the comment. The exit status
is the verdict's and nothing else's: a comment that could not be written neither blocks nor passes anything.

Imports requests, which costs start-up; the command line imports this module only for `clearband action`.
"""

from __future__ import annotations

import io
import json
import os
import sys
import time
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TextIO

import requests

from clearband import answers, situation
from clearband.defect import defect_line
from clearband.errors import ClearbandError, UsageError
from clearband.github import event
from clearband.github.client import Client
from clearband.github.event import NoPullRequest, NothingToDo, OverrideAsked, PullRequest, RunOfPullRequest
from clearband.github.workflow import Level, Log
from clearband.publishing import Publisher
from clearband.pull_facts import PullFacts
from clearband.settings import Settings
from clearband.several import Several
from clearband.suite_run import SuiteRun

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from clearband.github.event import About
    from clearband.situation import Situation

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
        return _Run(settings, client, log).status()
    except ClearbandError as problem:
        log.annotate(Level.ERROR, str(problem))
    except Exception as defect:  # noqa: BLE001  the last door: whatever it is, it must end as one line and exit 3
        log.annotate(Level.ERROR, defect_line(defect))
    return UNUSABLE


@dataclass(frozen=True, slots=True)
class _Run:
    """One run: what it is about, then one suite after the other, then everything that shows them."""

    settings: Settings
    client: Client
    log: Log

    def status(self) -> int:
        """Answer, publish, and return the verdict's exit status."""
        publisher = Publisher(settings=self.settings, client=self.client, log=self.log)
        asked = self._asked()
        if isinstance(asked, NothingToDo):
            self.log.say(asked.reason)
            return 0
        about, several, here = self._answers(publisher, asked)
        # A defect of ours after the verdict is said, and moves neither the others nor the exit status.
        word = partial(self._word, publisher, here)
        comment, status = partial(self._comment, publisher, about), partial(self._status, publisher, here)
        for publication in (word, publisher.texts, publisher.annotate, comment, status):
            try:
                publication(several)
            except Exception as defect:  # noqa: BLE001  whatever it is, the verdict stands
                self.log.annotate(Level.WARNING, defect_line(defect))
        return several.exit_status

    def _asked(self) -> About | NothingToDo | ClearbandError:
        """Return what the event is about, or why nobody can tell."""
        try:
            return event.read(self.settings.event_name, _event(self.settings.event_path))
        except ClearbandError as problem:
            return problem

    def _word(self, publisher: Publisher, here: Situation | None, several: Several) -> None:
        publisher.word(several, None if here is None else here.template(self.settings, self.client, self.log))

    def _comment(self, publisher: Publisher, about: PullRequest | NoPullRequest | None, several: Several) -> None:
        if isinstance(about, PullRequest):
            # "Not applicable" is no news: it only takes the place of what an earlier run said.
            anew = any(answer.verdict.applies for answer in several.answers)
            publisher.comment(several, about, anew=anew)

    def _status(self, publisher: Publisher, here: Situation | None, several: Several) -> None:
        """Say the verdict on the commit, where this job's own check is not one of the pull request's."""
        if here is not None and here.run is not None and isinstance(here.about, PullRequest):
            publisher.status(several, here.about.head_sha)

    def _answers(
        self, publisher: Publisher, asked: About | ClearbandError
    ) -> tuple[PullRequest | NoPullRequest | None, Several, Situation | None]:
        """Return what the run is about, every suite's answer, recorded already, and what was read for all of them."""
        about = asked if isinstance(asked, PullRequest | NoPullRequest) else None
        here: Situation | None = None
        try:
            here = self._situation(asked)
            about = here.about
            listed = here.suites(self.settings)
        except ClearbandError as problem:
            stopped = answers.unusable(problem, suite=self.settings.suite)
        except Exception as defect:  # noqa: BLE001  published like any other problem: an older comment must not stay green
            ours = ClearbandError(defect_line(defect), remedy="Nothing was decided.")
            stopped = answers.unusable(ours, suite=self.settings.suite)
        else:
            recorded = tuple(run.recorded(run.answer(), publisher) for run in self._suite_runs(here, listed))
            return about, Several(recorded, are_listed=bool(listed)), here
        publisher.record(stopped, self.settings.out)
        return about, Several((stopped,), are_listed=False), here

    def _situation(self, asked: About | ClearbandError) -> Situation:
        if isinstance(asked, ClearbandError):
            raise asked
        return situation.read(self.settings, self.client, self.log, asked)

    def _suite_runs(self, here: Situation, listed: tuple[str, ...]) -> list[SuiteRun]:
        """Return a run for each listed suite, or the one that this run is for."""
        settings = self._evaluating(here)
        facts = None if here.live is None else PullFacts(client=self.client, settings=settings, live=here.live)
        one = partial(SuiteRun, client=self.client, log=self.log, situation=here, facts=facts, is_listed=bool(listed))
        of_suite = [(settings.of_suite(suite), suite) for suite in listed]
        runs = [one(settings=replace(own, out=own.out / suite)) for own, suite in of_suite]
        return runs or [one(settings=settings.of_suite(settings.suite))]

    def _evaluating(self, here: Situation) -> Settings:
        """Return the settings of the workflow that made the results, as if it judged them itself."""
        workflow, named = self.settings.workflow, self.settings.baseline_workflow
        match here.run:
            case RunOfPullRequest():
                # The present workflow is what stands in `baseline_workflow` where nothing was given.
                baseline = here.run.workflow if named == workflow else named
                return replace(self.settings, workflow=here.run.workflow, baseline_workflow=baseline)
            case OverrideAsked():
                return replace(self.settings, workflow=named)
            case None:
                return self.settings


def _event(path: Path) -> Any:
    try:
        with path.open("rb") as file:
            data = file.read(EVENT_CAP + 1)
        if len(data) <= EVENT_CAP:
            return json.loads(data)
    except (OSError, ValueError, RecursionError):
        pass
    raise UsageError("The event file cannot be read.", remedy="GITHUB_EVENT_PATH must name the file of the runner.")
