"""One comparison on a laptop: files in, the answer on standard output, the talk on standard error."""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TextIO

from clearband import answers, declaration, folder, pipeline, sources
from clearband.audit.record import canonical_bytes, digest
from clearband.clock import stamp
from clearband.errors import ClearbandError, UsageError
from clearband.policy import Policy
from clearband.report import terminal
from clearband.report.escape import visible
from clearband.several import Several
from clearband.vocabulary import Mode, ShowQuestions

if TYPE_CHECKING:
    from pathlib import Path

    from clearband.answers import Answer
    from clearband.terms import Options

_PATIENCE: Final = 1.0
"""Seconds of silence before progress is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareArguments:
    """What `clearband compare` was asked."""

    baseline: Path
    candidate: Path | None
    """None where the baseline's file holds pairwise judgements of both systems."""
    pairwise: bool
    fill: Path | None
    """A second file that gives values to questions the candidate lost."""
    fill_baseline: Path | None
    pool: tuple[Path, ...]
    """Further runs of the baseline's system."""
    anchor: Path | None
    policy: Path | None
    pr_body: Path | None
    out: Path | None
    comment_template: Path | None
    as_json: bool
    quiet: bool
    ledger: Path | None
    """A folder to which the record is appended as an entry."""
    aa: bool
    """Whether the candidate is a re-run of the baseline: then steadiness is said, and nothing is gated."""
    suite: str
    options: Options


def compare(arguments: CompareArguments, *, stdout: TextIO, stderr: TextIO) -> int:
    """Compare two files, say the answer, and return the exit status."""
    progress = _Progress(stderr, quiet=arguments.quiet)
    answer = _answer(arguments, progress)
    progress.clear()
    if arguments.out is not None:
        _write(answer, arguments.out, stderr, template=arguments.comment_template, quiet=arguments.quiet)
    if arguments.ledger is not None:
        _append(answer, arguments.ledger, stderr)
    if answer.problem is not None:
        _say(stderr, f"clearband: {terminal.plain(str(answer.problem))}\n")
    if arguments.as_json:
        put(canonical_bytes(answer.record).decode("ascii"), stdout, stderr)
    elif answer.comparison is not None and arguments.aa:
        from clearband.report.aa_text import aa_text  # noqa: PLC0415  few comparisons are A/A
        from clearband.steadiness import steadiness  # noqa: PLC0415

        put(aa_text(steadiness(answer.comparison), width=output_width(stdout)) + "\n", stdout, stderr)
    elif answer.problem is None and arguments.quiet:
        put(terminal.headline(answer, colour=takes_colour(stdout)) + "\n", stdout, stderr)
    elif answer.problem is None:
        put(terminal.text(answer, colour=takes_colour(stdout), width=output_width(stdout)) + "\n", stdout, stderr)
    return answer.exit_status


def put(text: str, stdout: TextIO, stderr: TextIO) -> None:
    """Print the answer; where that fails, it is said and changes nothing."""
    try:
        stdout.write(text)
        stdout.flush()
    except OSError as problem:
        # The reader has gone (`| head`) or the disk is full; the verdict is what it was, and so is the exit status.
        if not isinstance(problem, BrokenPipeError):
            _say(stderr, f"clearband: could not print: {problem.strerror}\n")
        _discard(stdout)


def _answer(arguments: CompareArguments, progress: _Progress) -> Answer:
    policy = declared = None
    try:
        if arguments.policy is not None:
            policy = read_policy(arguments.policy, suite=arguments.suite)
        if arguments.aa:
            policy = replace(policy or Policy(), mode=Mode.REPORT)
        if arguments.pr_body is not None:
            body = _bytes(arguments.pr_body, "pull-request text").decode("utf-8-sig", errors="replace")
            declared = declaration.parse(body, suite=arguments.suite)
        baseline, candidate, judgements = _sources(arguments)
        request = pipeline.Request(
            suite=arguments.suite,
            baseline=baseline,
            candidate=candidate,
            judgements=judgements,
            anchor=None if arguments.anchor is None else read_source(arguments.anchor, "anchor"),
            policy=policy,
            declaration=declared,
            options=arguments.options,
            show_questions=(policy.show_questions if policy else None) or ShowQuestions.IDS,
        )
    except ClearbandError as problem:
        return answers.unusable(problem, suite=arguments.suite, policy=policy, declaration=declared)
    return pipeline.answer(request, progress=progress.show)


def read_policy(path: Path, *, suite: str) -> Policy:
    """Read and check a policy file, as it holds for `suite`."""
    from clearband.policy_file import load  # noqa: PLC0415  PyYAML costs 27 ms, a tenth of a start-up without a policy

    return load(_bytes(path, "policy"), name=str(path), suite=suite)


_Sources = tuple[
    sources.Source | sources.Filled | sources.Pooled, sources.Source | sources.Filled, sources.Source | None
]


def _sources(arguments: CompareArguments) -> _Sources:
    """Return baseline, candidate, and the file of judgements where one file stands for both."""
    if arguments.pairwise:
        others = (arguments.candidate, arguments.fill, arguments.fill_baseline, arguments.anchor, *arguments.pool)
        if any(other is not None for other in others):
            raise UsageError(
                "--pairwise reads one file, which holds judgements between two systems",
                remedy="Write `clearband compare --pairwise FILE`.",
            )
        source = read_source(arguments.baseline, "judgements")
        return source, source, source
    if arguments.candidate is None:
        raise UsageError(
            "compare needs two result files, baseline and candidate",
            remedy="Write `clearband compare BASELINE CANDIDATE`, or `--pairwise FILE`.",
        )
    baseline = _pooled(arguments)
    return baseline, _filled(arguments.candidate, "candidate", arguments.fill), None


def _pooled(arguments: CompareArguments) -> sources.Source | sources.Filled | sources.Pooled:
    if not arguments.pool:
        return _filled(arguments.baseline, "baseline", arguments.fill_baseline)
    if arguments.fill_baseline is not None:
        raise UsageError(
            "--fill-baseline and --pool cannot go together",
            remedy="Pooled runs already measure what one of them lost: name the filling file with --pool too.",
        )
    paths = (arguments.baseline, *arguments.pool)
    return sources.Pooled(sources=tuple(read_source(path, "baseline") for path in paths))


def _filled(path: Path, arm: str, filler: Path | None) -> sources.Source | sources.Filled:
    source = read_source(path, arm)
    return source if filler is None else sources.Filled(source=source, filler=read_source(filler, f"{arm}'s filling"))


def read_source(path: Path, arm: str) -> sources.Source:
    """Read a result file, archive or folder; `arm` is baseline or candidate, for messages."""
    try:
        return folder.read(path, what=arm)
    except OSError as problem:
        raise _unreadable(path, f"{arm} file", problem) from None


def _bytes(path: Path, what: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as problem:
        raise _unreadable(path, what, problem) from None


def _unreadable(path: Path, what: str, problem: OSError) -> UsageError:
    reason = problem.strerror or type(problem).__name__
    return UsageError(
        f"The {what} {str(path)!r} cannot be read: {reason}", remedy="Check the path, and that the file is readable."
    )


def _write(answer: Answer, directory: Path, stderr: TextIO, *, template: Path | None, quiet: bool) -> None:
    from clearband import publish  # noqa: PLC0415  only --out writes files

    worded = None if template is None else _worded(answer, template, stderr)
    try:
        written = publish.write(answer, directory, comment=worded)
    except OSError as problem:
        _say(stderr, f"clearband: could not write to {str(directory)!r}: {problem.strerror}\n")
        return
    if not quiet:
        _say(stderr, f"record   {written.record}\ncomment  {written.comment}\nsummary  {written.summary}\n")


def _worded(answer: Answer, template: Path, stderr: TextIO) -> str | None:
    """Return the comment as a template words it; None, and why, where the template cannot be used."""
    from clearband import template_process  # noqa: PLC0415  Jinja and another process, which few comparisons need

    try:
        source = _bytes(template, "comment's template").decode("utf-8", "replace")
    except ClearbandError as problem:
        _say(stderr, f"clearband: {terminal.plain(str(problem))}\n")
        return None
    worded = template_process.comment(Several((answer,), are_listed=False), source)
    if isinstance(worded, str):
        return worded
    _say(stderr, f"clearband: the comment's template was not used: {terminal.plain(worded.why)}\n")
    return None


def _append(answer: Answer, folder: Path, stderr: TextIO) -> None:
    """Append the record to a ledger; a ledger that cannot be written is said aloud and changes no verdict."""
    from clearband.audit.entry import Draft, EntryType  # noqa: PLC0415  most comparisons keep no ledger
    from clearband.ledger_folder import append  # noqa: PLC0415

    draft = Draft(
        key=digest(answer.record),
        type=EntryType.COMPARISON,
        recorded_at=stamp(time.time()),
        record=answer.record,
    )
    try:
        entry = append(folder, draft)
    except ClearbandError as problem:
        _say(stderr, f"clearband: not recorded in the ledger: {terminal.plain(str(problem))}\n")
    else:
        _say(stderr, f"ledger   {folder / entry.name}\n")


def _say(stderr: TextIO, message: str) -> None:
    """Write to standard error; where nobody can read it, nothing else changes."""
    with contextlib.suppress(OSError):
        stderr.write(message)
        stderr.flush()


def _discard(stdout: TextIO) -> None:
    """Send what is still buffered nowhere, or the interpreter would fail on it while it ends."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stdout.fileno())


def takes_colour(stream: TextIO) -> bool:
    """Whether colours are seen there, and wanted."""
    return _obeys(stream) and not os.environ.get("NO_COLOR")


def _obeys(stream: TextIO) -> bool:
    """Whether there is a terminal that obeys control sequences."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def output_width(stream: TextIO) -> int:
    """Return how wide to write: the terminal, or 100 columns into a file."""
    return shutil.get_terminal_size().columns if stream.isatty() else 100


class _Progress:
    """One line on a terminal, shown once work has taken over a second, and wiped at the end."""

    def __init__(self, stream: TextIO, *, quiet: bool) -> None:
        self._stream = stream
        self._visible = _obeys(stream) and not quiet
        self._start = time.monotonic()
        self._shown = False

    def show(self, what: str, share: float) -> None:
        if self._visible and time.monotonic() - self._start > _PATIENCE:
            self._shown = True
            self._stream.write(f"\r\x1b[K{share:4.0%}  {visible(what, 60)}")
            self._stream.flush()

    def clear(self) -> None:
        if self._shown:
            self._stream.write("\r\x1b[K")
