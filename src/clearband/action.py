"""The Action: GitHub's environment in, one run of the pipeline, an exit status out.

The order matters: the record first, then outputs, summary and annotations, then the comment. The exit status is the
verdict's and nothing else's: a comment that could not be written neither blocks nor passes anything.

Imports requests, which costs start-up; the command line imports this module only for `clearband action`.
"""

from __future__ import annotations

import io
import json
import os
import re
import sys
import time
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO

import requests

from clearband import declaration, pipeline, policy_file, publish, result_files
from clearband.errors import ClearbandError, UnusablePolicy, UsageError
from clearband.github import base_policy, comment, event, pull_request
from clearband.github.client import Client
from clearband.github.event import NoPullRequest, PullRequest
from clearband.github.workflow import Level, Log, Output, append, outputs, summary
from clearband.report import render, terminal
from clearband.settings import DEFAULTS, Settings
from clearband.terms import Options
from clearband.vocabulary import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from clearband import sources
    from clearband.declaration import Declaration, DeclarationProblem, NotDeclared
    from clearband.pipeline import Answer
    from clearband.policy import Policy

    Declared = Declaration | NotDeclared | DeclarationProblem

EVENT_CAP: Final = 32 * 1024 * 1024
"""Bytes of the event file; GitHub's largest payload is 25 MB."""
UNUSABLE: Final = 3
_PLAIN_NAME: Final = re.compile(r"[A-Za-z0-9_./:@+-]{1,200}")
_LOG_WIDTH: Final = 120


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
        log.annotate(Level.ERROR, _defect(defect))
    return UNUSABLE


@dataclass(slots=True)
class _Run:
    """One run; what is learnt on the way stays here, so that a problem met later is shown with it."""

    settings: Settings
    client: Client
    log: Log
    about: PullRequest | NoPullRequest | None = None
    policy: Policy | None = None
    declared: Declared | None = None

    def status(self) -> int:
        """Answer, publish, and return the verdict's exit status."""
        answer = self._answer()
        # A defect of ours after the verdict is said, and moves neither the other two nor the exit status.
        for publication in (self._record, self._annotate, self._comment):
            try:
                publication(answer)
            except Exception as defect:  # noqa: BLE001  whatever it is, the verdict stands
                self.log.annotate(Level.WARNING, _defect(defect))
        return answer.exit_status

    def _answer(self) -> Answer:
        suite = self.settings.suite
        try:
            self.about = event.read(self.settings.event_name, _event(self.settings.event_path))
            options = self._terms(self.about)
            return pipeline.answer(
                pipeline.Request(
                    suite=suite,
                    baseline=self._source("baseline", self.settings.baseline),
                    candidate=self._source("candidate", self.settings.candidate),
                    policy=self.policy,
                    declaration=self.declared,
                    options=options,
                    needs_policy=True,
                )
            )
        except ClearbandError as problem:
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
                return Options(reading=self.settings.reading)
            case NoPullRequest():
                self.log.say(about.reason)
                self.policy = self._policy(base_policy.resolve(self.client, repository, about.policy_ref))
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

    def _source(self, arm: str, path: Path) -> sources.Source:
        return result_files.read(path, arm=arm, workspace=self.settings.workspace)

    def _record(self, answer: Answer) -> None:
        """Write the three files, the outputs and the summary; what cannot be written is said and changes nothing."""
        record = ""
        try:
            fresh = not self.settings.out.exists()
            written = publish.write(answer, self.settings.out)
            if fresh:
                self.settings.out.chmod(0o755)  # the container is root, the job's later steps are not
            record = str(written.record.relative_to(self.settings.workspace.resolve()))
        except OSError as problem:
            self.log.annotate(Level.WARNING, f"The record could not be written: {problem.strerror}.")
        self._append(self.settings.output_file, outputs(_values(answer, record)))
        file = self.settings.summary_file
        used = file.stat().st_size if file and file.exists() else 0
        self._append(file, summary(render.summary(answer), used=used))

    def _append(self, path: Path | None, text: str) -> None:
        try:
            if path:
                append(path, text)
        except OSError as problem:
            self.log.annotate(Level.WARNING, f"One of the runner's files could not be written: {problem.strerror}.")

    def _annotate(self, answer: Answer) -> None:
        outcome = answer.verdict.outcome
        level = Level.NOTICE if outcome.exit_status == 0 else Level.ERROR
        reasons = [reason.text for reason in answer.verdict.reasons]
        if outcome is Outcome.NOT_GATED:
            reasons = reasons[:1]  # why nothing is gated; what would have been decided is in the comment
        said = str(answer.problem) if answer.problem else "\n".join(reasons) or f"Outcome: {outcome}."
        if answer.problem is None:
            self.log.say(terminal.text(answer, colour=False, width=_LOG_WIDTH))
        self.log.annotate(level, said, title=_TITLES[outcome])

    def _comment(self, answer: Answer) -> None:
        if not isinstance(self.about, PullRequest):
            return
        place = comment.Place(
            repository=self.settings.repository,
            number=self.about.number,
            suite=self.settings.suite,
            run=(self.settings.run_id, self.settings.run_attempt) if self.settings.run_id else None,
            read_only_token=self._read_only(self.about),
        )
        match comment.publish(self.client, place, render.comment(answer), self.settings.comment):
            case comment.Posted(url):
                self.log.say(f"Comment: {url}")
                self._append(self.settings.output_file, outputs({Output.COMMENT_URL: url}))
            case comment.LeftAlone(url, reason):
                self.log.say(f"Comment left as it is. {reason}")
                self._append(self.settings.output_file, outputs({Output.COMMENT_URL: url}))
            case comment.CannotComment(reason, remedy):
                self.log.annotate(Level.WARNING, f"The comment could not be written. {reason}\n{remedy}")

    def _read_only(self, pull: PullRequest) -> bool:
        """Whether a read-only token is to be expected; it words the message of a refused comment, nothing else."""
        bot = "dependabot[bot]"
        return pull.head_repository != self.settings.repository or bot in {self.settings.actor, pull.author}


_TITLES: Final[Mapping[Outcome, str]] = {
    Outcome.PASS: "Clearband: passed",
    Outcome.BLOCKED: "Clearband: blocked",
    Outcome.CANNOT_TELL: "Clearband: cannot tell",
    Outcome.INVALID: "Clearband: no verdict",
    Outcome.NOT_GATED: "Clearband: not gated",
}


def _event(path: Path) -> Any:
    try:
        with path.open("rb") as file:
            data = file.read(EVENT_CAP + 1)
        if len(data) <= EVENT_CAP:
            return json.loads(data)
    except (OSError, ValueError, RecursionError):
        pass
    raise UsageError("The event file cannot be read.", remedy="GITHUB_EVENT_PATH must name the file of the runner.")


def _values(answer: Answer, record: str) -> dict[Output, str]:
    primary = answer.comparison.primary if answer.comparison else None
    low, high = (primary.interval if primary else None) or (None, None)
    named = answer.terms.primary if answer.terms else None
    return {
        Output.OUTCOME: answer.verdict.outcome,
        Output.EXIT_STATUS: str(answer.exit_status),
        Output.PRIMARY_METRIC: _plain_name((primary.name if primary else named) or ""),
        Output.DELTA: _number(primary.delta if primary else None),
        Output.INTERVAL_LOW: _number(low),
        Output.INTERVAL_HIGH: _number(high),
        Output.SUGGESTED_N: _number(primary.n_suggested if primary else None),
        Output.RECORD_PATH: record,
    }


def _plain_name(name: str) -> str:
    """Return a metric's name for an output, empty where a later step's shell might do something with it."""
    return name if _PLAIN_NAME.fullmatch(name) else ""


def _number(value: float | None) -> str:
    """Return `value` with the record's 12 significant digits; empty for None."""
    return "" if value is None else f"{value:.12g}"


def _defect(defect: Exception) -> str:
    """Return one line about our own mistake: its kind and place, never its text, which may quote anything."""
    frame = traceback.extract_tb(defect.__traceback__)[-1]
    return (
        f"This is a defect in Clearband, not in your files: {type(defect).__name__} at "
        f"{Path(frame.filename).name}, line {frame.lineno}, in {frame.name}. Please report this line."
    )
