"""A folder or an archive of a tool's files, brought to one run. Pure: names and bytes in.

Every file is recognised by its content. Files of one tool are its tasks (metrics are then named ``task/metric``), newer
and older runs of a task (the newest counts) or the parts in which a task was written; files beside them, such as
totals and settings, are no results and are handed to the readers.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

from clearband.errors import UnusableResults
from clearband.results import archive, joined, member_names
from clearband.results.neighbours import Neighbours
from clearband.results.outline import Shape, outline
from clearband.results.result_file import ResultFile, open_file, sha256, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from clearband.results import Format
    from clearband.results.options import ReadOptions
    from clearband.results.run import Run
    from clearband.results.snapshot import Content

    Read = Callable[[Format, ResultFile, ReadOptions], Run]

_LISTED = 12
_GENERIC_SUFFIXES = (".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".parquet")
_EXCEL = "[Content_Types].xml"


@runtime_checkable
class NamesTasks(Protocol):
    """A format whose tool writes the task into the file's name, or whose files stand beside others that look alike."""

    def task_of(self, path: str) -> str | None:
        """Return the task of the file at `path` inside its folder; None where the name is not that of a result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Formats:
    """What the files of a bundle are recognised by."""

    all: Sequence[Format]
    generic: Sequence[Format]
    """Those that take any file of their shape: they count only where no tool recognises anything."""
    read: Read


@dataclass(frozen=True, slots=True, kw_only=True)
class _Member:
    path: str
    file: ResultFile
    reader: Format
    kind: str
    """The format's name; JSON lines and documents are one: a single line is both."""
    task: str
    stamp: member_names.Stamp | None
    aside: bool
    """Whether its name says that it is no result; it is read only where there is nothing else."""


def unpacked(file: ResultFile) -> dict[str, Content]:
    """Return the files of a zip archive by their path in it; nothing is written anywhere."""
    entries = archive.members(file)
    if any(entry.name == _EXCEL for entry in entries):
        raise file.problem("the file is an Excel file, which is not read", remedy="Save it as CSV.")
    entries = tuple(entry for entry in entries if not member_names.is_ignored(_plain(entry.name)))
    return _by_path(file, [(entry.name, data) for entry, data in archive.contents(file, entries)])


def folder(name: str, members: Mapping[str, Content]) -> tuple[ResultFile, dict[str, Content]]:
    """Return a folder as a file of its own, and its files without those that are nobody's results.

    Its hash is that of the list ``sha256sum`` prints for its files, sorted by name.
    """
    sealed = ResultFile(name=name, sha256="", content=b"")
    kept = _by_path(sealed, [(path, data) for path, data in members.items() if not member_names.is_ignored(path)])
    lines = [f"{sha256(data)}  {path}\n" for path, data in kept.items()]
    return replace(sealed, sha256=hashlib.sha256("".join(lines).encode()).hexdigest()), kept


def read(bundle: ResultFile, members: Mapping[str, Content], options: ReadOptions, formats: Formats) -> Run:
    """Read the files of a folder or archive into one run.

    Parameters
    ----------
    bundle
        What holds them: its name and hash; its bytes are not looked at.
    members
        Path inside the bundle to bytes.
    options
        What a person asked for; `task` chooses one of several tasks.
    formats
        The readers.

    """
    found, notes = _results(bundle, members, formats)
    by_task: dict[str, list[_Member]] = {}
    for member in found:
        by_task.setdefault(member.task, []).append(member)
    if options.task is not None:
        task = _chosen(bundle, list(by_task), options.task)
        by_task, options = {task: by_task[task]}, replace(options, task=None)
    runs: dict[str, Run] = {}
    for task, parts in by_task.items():
        current, note = _current(bundle, task, parts)
        runs[task], dropped = _whole(bundle, task, current, options, formats.read)
        notes += [*note, *dropped]
    run = next(iter(runs.values())) if len(runs) == 1 else joined.tasks(bundle, runs)
    return replace(run, name=bundle.name, sha256=bundle.sha256, notes=(*run.notes, *notes))


def _plain(path: str) -> str:
    """Return a path with forward slashes that can be written anywhere; names on a disk need not be text."""
    text = path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return "/".join(part for part in text.replace("\\", "/").split("/") if part not in {"", "."})


def _by_path(bundle: ResultFile, files: Sequence[tuple[str, Content]]) -> dict[str, Content]:
    kept: dict[str, Content] = {}
    for path, data in sorted(((_plain(path), data) for path, data in files), key=lambda pair: pair[0]):
        if path in kept:
            raise bundle.problem(f"two files are called `{shown(path)}`", remedy="Write the archive again.")
        kept[path] = data
    return kept


def _results(bundle: ResultFile, members: Mapping[str, Content], formats: Formats) -> tuple[list[_Member], list[str]]:
    """Return the files that hold results, and a note about those that look like data and are not read."""
    recognised = [member for path in members if (member := _recognised(bundle, path, members, formats)) is not None]
    tools = [member for member in recognised if member.reader not in formats.generic]
    generic = [member for member in recognised if member.reader in formats.generic]
    found = next((group for ours in (tools, generic) for group in (_foremost(ours), ours) if group), [])
    if not found:
        raise bundle.problem(
            f"no file in it holds results; there is {_listed(list(members))}",
            remedy="Name the file that the evaluation wrote; docs/formats.md says for each tool which one that is.",
        )
    examples = {member.kind: member.path for member in reversed(found)}
    if len(examples) > 1:
        listed = "; ".join(f"{kind}: `{shown(path)}`" for kind, path in sorted(examples.items()))
        what = f"it holds results in {len(examples)} formats"
        raise bundle.problem(what, where=listed, remedy="Name one of the files, or a folder with those of one tool.")
    seen = {pattern for one in tools for pattern in member_names.wanted_beside(one.path)}
    unread = [one.path for one in generic if tools and not member_names.is_companion(one.path, *seen)]
    return found, [f"Not read as results: {_listed(unread)}."] if unread else []


def _foremost(members: Sequence[_Member]) -> list[_Member]:
    return [member for member in members if not member.aside]


def _recognised(bundle: ResultFile, path: str, members: Mapping[str, Content], formats: Formats) -> _Member | None:
    data = members[path]
    if not data or (isinstance(data, bytes) and data.isspace()):
        return None
    file = replace(_opened(bundle, path, data), beside=Neighbours(members, path))
    seen = outline(file)
    reader = next(reader for reader in formats.all if reader.sniff(file, seen))
    kind = reader.ABOUT.name
    if reader in formats.generic:
        if not member_names.basename(path).lower().removesuffix(".gz").endswith(_GENERIC_SUFFIXES):
            return None
        kind = kind if seen.shape is Shape.OTHER else "JSON"
    plain = member_names.untimed(path)
    task = reader.task_of(path) if isinstance(reader, NamesTasks) else plain
    return _Member(
        path=path,
        file=file,
        reader=reader,
        kind=kind,
        task=plain if task is None else task,
        stamp=member_names.stamp(path),
        aside=task is None or (reader in formats.generic and member_names.is_companion(path)),
    )


def _opened(bundle: ResultFile, path: str, data: Content) -> ResultFile:
    try:
        return open_file(path, data)
    except UnusableResults as problem:
        raise _placed(problem, bundle, path) from problem


def _chosen(bundle: ResultFile, tasks: Sequence[str], wanted: str) -> str:
    fitting = [task for task in tasks if task == wanted] or [task for task in tasks if task.startswith(wanted)]
    if len(fitting) == 1:
        return fitting[0]
    what = f"{len(fitting)} tasks begin with" if fitting else "no task is called"
    raise bundle.problem(
        f"{what} `{shown(wanted)}`", remedy=f"Name one with --task; there is {_listed(fitting or tasks)}."
    )


def _current(bundle: ResultFile, task: str, parts: Sequence[_Member]) -> tuple[list[_Member], list[str]]:
    """Return the files of the newest run of a task: all of them where none is dated."""
    stamps = [part.stamp for part in parts if part.stamp is not None]
    if len(set(stamps)) + (len(stamps) < len(parts)) < 2:
        return list(parts), []
    places = {member_names.home(part.path) for part in parts}
    latest = member_names.newest(stamps) if len(stamps) == len(parts) and len(places) == 1 else None
    if latest is None:
        raise bundle.problem(
            f"task `{shown(task)}` was run several times, and which run is meant cannot be told",
            where=_listed([part.path for part in parts]),
            remedy="Hand in the folder or the file of one run.",
        )
    current = [part for part in parts if part.stamp == latest]
    older = len(set(stamps)) - 1
    return current, [
        f"`{shown(task)}` was run {older + 1} times; the newest was read: {_listed([one.path for one in current])}."
    ]


def _whole(
    bundle: ResultFile, task: str, parts: Sequence[_Member], options: ReadOptions, reading: Read
) -> tuple[Run, list[str]]:
    """Read the files of one task; several are the parts of one run, and share no question."""
    if len(parts) == 1:
        return _run(bundle, parts[0], options, reading), []
    runs: list[Run] = []
    homes: dict[str, str] = {}
    notes: list[str] = []
    for part in parts:
        run = _run(bundle, part, options, reading)
        shared = next((question for question in run.ids if question in homes), None)
        if shared is None:
            homes |= dict.fromkeys(run.ids, part.path)
            runs.append(run)
        elif any(_same(run, other) for other in runs):
            notes.append(f"`{shown(part.path)}` holds the same results as `{shown(homes[shared])}` and was left out.")
        else:
            raise bundle.problem(
                f'question "{shown(shared)}" of task `{shown(task)}` is in two files',
                where=f"`{shown(homes[shared])}` and `{shown(part.path)}`",
                remedy="Are they two runs or two systems? Hand in the file of one. If they are trials of one system, "
                "write them into one file, numbered in a field `trial`.",
            )
    if len(runs) == 1:
        return runs[0], notes
    return joined.shards(bundle, runs), [f"`{shown(task)}` was written in {len(runs)} parts, read as one.", *notes]


def _same(one: Run, other: Run) -> bool:
    return (
        one.ids == other.ids
        and one.metrics.keys() == other.metrics.keys()
        and all(np.array_equal(values, other.metrics[name], equal_nan=True) for name, values in one.metrics.items())
    )


def _run(bundle: ResultFile, member: _Member, options: ReadOptions, reading: Read) -> Run:
    try:
        return reading(member.reader, member.file, options)
    except UnusableResults as problem:
        raise _placed(problem, bundle, member.path) from problem


def _placed(problem: UnusableResults, bundle: ResultFile, path: str) -> UnusableResults:
    """Return the problem with the file's folder in front of its name, with which every problem begins."""
    home = f"{bundle.name}/{path.removesuffix(member_names.basename(path))}"
    return UnusableResults(f"{shown(home)}{problem.what}", where=problem.where, remedy=problem.remedy)


def _listed(names: Sequence[str]) -> str:
    if not names:
        return "nothing"
    listed = ", ".join(f"`{shown(name)}`" for name in names[:_LISTED])
    return f"{listed} and {len(names) - _LISTED} more" if len(names) > _LISTED else listed
