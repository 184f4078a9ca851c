"""Everything that one run of the Action leaves behind: files, outputs, summary, annotation, comment.

What cannot be written is said and changes nothing: the verdict and the exit status are what they are.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from clearband import action_outputs, publish, template_process
from clearband.errors import GitHubError
from clearband.github import comment, status
from clearband.github.workflow import Level, Log, Output, append, outputs, summary
from clearband.report import render_suites, terminal
from clearband.vocabulary import Outcome

if TYPE_CHECKING:
    from pathlib import Path

    from clearband.answers import Answer
    from clearband.audit.entry import Draft
    from clearband.github.client import Client
    from clearband.github.event import PullRequest
    from clearband.settings import Settings
    from clearband.several import Several

_LOG_WIDTH: Final = 120
_MOST_ANNOTATIONS: Final = 9
"""GitHub keeps ten of each level; one is left for what else has to be said."""


@dataclass(slots=True, kw_only=True)
class Publisher:
    """Writes what one run has to say to every place that shows it."""

    settings: Settings
    client: Client
    log: Log
    _written: dict[str, action_outputs.Paths] = field(default_factory=dict)
    """Where each suite's files lie inside the workspace."""
    _comment: str | None = None
    _comment_url: str = ""

    def word(self, several: Several, template: str | None) -> None:
        """Word the comment, by the repository's own `template` where there is one that can be used."""
        if template is not None:
            worded = template_process.comment(several, template)
            if isinstance(worded, str):
                self._comment = worded
                return
            self.log.annotate(Level.WARNING, f"The comment's template was not used: {worded.why}.")
        self._comment = render_suites.comment(several)

    def record(self, answer: Answer, folder: Path) -> None:
        """Write record.json: first of all, so that nothing that fails later can keep it from being there."""
        record = subjects = ""
        try:
            fresh = [one for one in (self.settings.out, folder) if not one.exists()]
            record = self._inside(publish.write_record(answer, folder))
            for one in fresh:
                one.chmod(0o755)  # the container is root, the job's later steps are not
            written = publish.write_subjects(answer, folder)
            subjects = "" if written is None else self._inside(written)
        except OSError as problem:
            self.log.annotate(Level.WARNING, f"The record could not be written: {problem.strerror}.")
        self._written[answer.suite] = action_outputs.Paths(record=record, subjects=subjects)

    def _inside(self, path: Path) -> str:
        return str(path.relative_to(self.settings.workspace.resolve()))

    def unwritten(self, draft: Draft, folder: Path) -> None:
        """Leave the content of an entry that the ledger did not get, for a run that may write."""
        try:
            publish.write_draft(draft, folder)
        except OSError as problem:
            self.log.annotate(Level.WARNING, f"The ledger's entry could not be kept: {problem.strerror}.")

    def texts(self, several: Several) -> None:
        """Write comment.md and summary.md, the outputs and the job's summary."""
        try:
            publish.write_texts(several, self.settings.out, comment=self._comment)
        except OSError as problem:
            self.log.annotate(Level.WARNING, f"The comment's file could not be written: {problem.strerror}.")
        self._append(self.settings.output_file, outputs(action_outputs.values(several, self._written)))
        file = self.settings.summary_file
        used = file.stat().st_size if file and file.exists() else 0
        self._append(file, summary(render_suites.summary(several), used=used))

    def annotate(self, several: Several) -> None:
        """Say every verdict in the job's log, and the gravest as annotations, which GitHub shows more widely."""
        for answer in several.answers:
            if answer.problem is None:
                self.log.say(terminal.text(answer, colour=False, width=_LOG_WIDTH))
        for answer in several.gravest_first()[:_MOST_ANNOTATIONS]:
            level = Level.NOTICE if answer.exit_status == 0 else Level.ERROR
            title = action_outputs.title(answer, named=several.are_listed)
            self.log.annotate(level, _said(answer), title=title)

    def comment(self, several: Several, about: PullRequest, *, anew: bool = True) -> None:
        """Bring the run's comment up to date; where there is none yet, write one only `anew`."""
        place = comment.Place(
            repository=self.settings.repository,
            number=about.number,
            suite=self.settings.suite,
            run=(self.settings.run_id, self.settings.run_attempt) if self.settings.run_id else None,
            read_only_token=self._read_only(about),
        )
        text = self._comment or render_suites.comment(several)
        match comment.publish(self.client, place, text, self.settings.comment, anew=anew):
            case comment.Posted(url):
                self._there(url, f"Comment: {url}")
            case comment.LeftAlone(url, reason):
                self._there(url, f"Comment left as it is. {reason}")
            case comment.CannotComment(reason, remedy):
                self.log.annotate(Level.WARNING, f"The comment could not be written. {reason}\n{remedy}")

    def _there(self, url: str, said: str) -> None:
        """Say where the comment is, in the log and to later steps."""
        self._comment_url = url
        self.log.say(said)
        self._append(self.settings.output_file, outputs({Output.COMMENT_URL: url}))

    def status(self, several: Several, sha: str) -> None:
        """Set one status for each suite on the commit that was judged."""
        for answer in several.answers:
            try:
                status.publish(
                    self.client,
                    self.settings.repository,
                    sha,
                    context=f"clearband/{answer.suite}",
                    says=status.mark(answer.exit_status),
                    description=terminal.headline(answer, colour=False),
                    url=self._comment_url,
                )
            except GitHubError as problem:
                self.log.annotate(Level.WARNING, f"The status of {sha[:12]} could not be set. {problem}")
                return

    def _append(self, path: Path | None, text: str) -> None:
        try:
            if path:
                append(path, text)
        except OSError as problem:
            self.log.annotate(Level.WARNING, f"One of the runner's files could not be written: {problem.strerror}.")

    def _read_only(self, pull: PullRequest) -> bool:
        """Whether a read-only token is to be expected; it words the message of a refused comment, nothing else."""
        bot = "dependabot[bot]"
        return pull.head_repository != self.settings.repository or bot in {self.settings.actor, pull.author}


def _said(answer: Answer) -> str:
    """Return what an annotation says."""
    reasons = [reason.text for reason in answer.verdict.reasons]
    if answer.verdict.outcome is Outcome.NOT_GATED:
        reasons = reasons[:1]  # why nothing is gated; what would have been decided is in the comment
    return str(answer.problem) if answer.problem else "\n".join(reasons) or f"Outcome: {answer.verdict.outcome}."
