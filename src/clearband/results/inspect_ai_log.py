"""An Inspect AI log, whichever way it is stored: its header and its samples without messages and events."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import msgspec

from clearband.errors import UnusableResults
from clearband.results import archive, lenient_json
from clearband.results.result_file import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from clearband.results.archive import Member
    from clearband.results.result_file import ResultFile

TOOL = "Inspect AI"
HEADER, START, SUMMARIES = "header.json", "_journal/start.json", "summaries.json"
_JOURNAL = re.compile(r"_journal/summaries/(\d{1,9})\.json")
_SAMPLE = re.compile(r"samples/.+_epoch_\d+(?:\.json|/sample\.json)")
_NOTHING = msgspec.Raw()
T = TypeVar("T")


class Score(msgspec.Struct):
    """What a scorer says of a sample; after an edit, what it says now."""

    value: object = None


class Sample(msgspec.Struct):
    """One question in one epoch."""

    id: object = None
    epoch: object = 1
    input: msgspec.Raw = _NOTHING
    target: msgspec.Raw = _NOTHING
    metadata: msgspec.Raw = _NOTHING
    scores: dict[str, Score] | None = None
    score: Score | None = None
    """The only score, in logs of early 2024."""
    error: msgspec.Raw = _NOTHING
    invalidation: msgspec.Raw = _NOTHING


class Dataset(msgspec.Struct):
    """What was asked."""

    name: object = None
    sample_ids: object = None


class Scorer(msgspec.Struct):
    """A scorer as the task sets it up."""

    name: str = ""
    options: object = None
    metrics: object = None


class Config(msgspec.Struct):
    """How the evaluation ran."""

    epochs: object = None
    epochs_reducer: object = None
    retry_on_error: object = None
    score_on_error: object = None


class Eval(msgspec.Struct):
    """What was evaluated, with what."""

    task: object = None
    task_version: object = None
    model: object = None
    model_roles: object = None
    model_generate_config: object = None
    dataset: Dataset = msgspec.field(default_factory=Dataset)
    config: Config = msgspec.field(default_factory=Config)
    revision: object = None
    packages: object = None
    scorers: list[Scorer] | None = None


class Plan(msgspec.Struct):
    """The solvers."""

    steps: object = None
    config: object = None


class Result(msgspec.Struct):
    """A scorer's aggregate; only its set-up is of use."""

    scorer: str = ""
    params: object = None


class Results(msgspec.Struct):
    """The aggregates."""

    scores: list[Result] | None = None


class Header(msgspec.Struct):
    """A log without its samples."""

    eval: Eval
    status: str = "started"
    plan: Plan | None = None
    results: Results | None = None
    invalidated: bool | None = None


class _Document(Header):
    samples: list[Sample] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """A log, read."""

    header: Header
    samples: Sequence[Sample]


def is_archived_log(file: ResultFile) -> bool:
    """Whether the file is a zip archive that says it is a log."""
    return archive.is_archive(file.head(4)) and (START.encode() in file.data or _has_header(file))


def _has_header(file: ResultFile) -> bool:
    # A name stands plainly in the archive's directory, but an archive of archives would hold it as well.
    return HEADER.encode() in file.data and any(member.name == HEADER for member in archive.members(file))


def from_document(file: ResultFile) -> Log:
    """Read a ``.json`` log."""
    log = lenient_json.document(file, _Document, tool=TOOL)
    return Log(header=log, samples=log.samples or ())


def from_archive(file: ResultFile, *, metadata: bool) -> Log:
    """Read an ``.eval`` log: its summaries where they tell everything, else its samples.

    Parameters
    ----------
    file
        The archive.
    metadata
        Whether the samples' metadata are asked for; summaries hold them only in newer logs.

    """
    members = archive.members(file)
    header = _header(file, members)
    summaries = _summaries(file, members)
    whole = [member for member in members if _SAMPLE.fullmatch(member.name)]
    # Only a sample itself says whether it is invalidated; and a sample that was logged twice has one summary in newer
    # logs, although the archive keeps both samples, under one name.
    tells_all = not header.invalidated and len(whole) == len(summaries)
    if whole and not (tells_all and (not metadata or any(bytes(one.metadata) for one in summaries))):
        return Log(header=header, samples=list(_decoded(file, whole, Sample)))
    return Log(header=header, samples=summaries)


def _header(file: ResultFile, members: Iterable[Member]) -> Header:
    found = {member.name: member for member in members if member.name in {HEADER, START}}  # the last of a name counts
    member = found.get(HEADER) or found.get(START)
    if member is None:
        raise file.problem("the log has no header", remedy="Write it again with Inspect AI.")
    return next(_decoded(file, [member], Header))


def _summaries(file: ResultFile, members: Sequence[Member]) -> list[Sample]:
    """Return the summaries of all samples; of a run that died, those that its journal holds."""
    chosen = [member for member in members if member.name == SUMMARIES][-1:]
    if not chosen:
        numbered = [(int(found[1]), member) for member in members if (found := _JOURNAL.fullmatch(member.name))]
        chosen = [member for _, member in sorted(numbered, key=lambda one: one[0])]
    return [sample for part in _decoded(file, chosen, list[Sample]) for sample in part]


def _decoded(file: ResultFile, members: Iterable[Member], kind: type[T]) -> Iterator[T]:
    for member, data in archive.contents(file, members):
        try:
            yield lenient_json.part(file, data, kind, tool=TOOL)
        except UnusableResults as problem:
            place = f"{shown(member.name)}, {problem.where}" if problem.where else shown(member.name)
            raise UnusableResults(problem.what, where=place, remedy=problem.remedy) from problem
