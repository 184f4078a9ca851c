"""`clearband init` on a laptop: a repository is looked at, files are written, what remains is said. No network."""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from importlib import resources
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final, TextIO

from clearband.errors import ClearbandError, UsageError
from clearband.input_values import inside
from clearband.inspection import inspect
from clearband.laptop import output_width, put, read_source
from clearband.plain_text import shown
from clearband.planning import plan
from clearband.report.init_text import init_text
from clearband.results.options import ReadOptions
from clearband.scaffold import Action, Scaffold, Survey, Templates, is_read, propose, scaffold
from clearband.scaffold_policy import Sample
from clearband.scaffold_tools import DEPENDENCIES, FOLDERS, of_format
from clearband.terms import Options, settle

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clearband.scaffold import Wishes

TEXT_CAP: Final = 1 << 20
"""Bytes of a file of the repository that is read."""
NAMES_CAP: Final = 10_000
"""Entries of a folder of the repository that are looked at."""
POWER: Final = 0.8
CORRELATION: Final = 0.5
"""As `clearband plan` assumes."""

_LOOKED_AT: Final = (*FOLDERS, ".github", ".github/workflows", "docs")


@dataclass(frozen=True, slots=True, kw_only=True)
class InitArguments:
    """What `clearband init` was asked."""

    sample: Path | None
    """A result file, archive or folder; None where there is none yet."""
    wishes: Wishes


def init(arguments: InitArguments, *, here: Path, stdout: TextIO, stderr: TextIO) -> int:
    """Write what is missing, say what was done and what remains, and return the exit status.

    Parameters
    ----------
    arguments
        What was asked.
    here
        The folder that the command runs in; the files go into the repository around it.
    stdout, stderr
        Where it is said.

    Raises
    ------
    ClearbandError
        If the result file cannot be used, or a file cannot be written.

    """
    root = _root(here)
    sample = None if arguments.sample is None else _sample(arguments.sample, arguments.wishes)
    detects, notes = (None, []) if sample is None else _planned(sample, arguments.wishes)
    done = scaffold(survey(root or here), sample, arguments.wishes, _templates(), detects=detects)
    _write(done, root or here)
    if root is None:
        notes.append("No git repository was found around this folder; the files were written into it all the same.")
    text = init_text(
        done,
        notes=notes,
        baseline_command=_baseline_command(done, arguments.sample, root or here, here),
        width=output_width(stdout),
    )
    put(text + "\n", stdout, stderr)
    return 0


def survey(root: Path) -> Survey:
    """Return the names in the folders that matter, and the texts of the few files that do."""
    names: set[str] = set()
    texts: dict[str, str] = {}
    try:
        for folder in _LOOKED_AT:
            for path in _entries(root / folder):
                name = path.relative_to(root).as_posix()
                names.add(name)
                if is_read(name) or any(PurePosixPath(name).match(pattern) for pattern in DEPENDENCIES):
                    text = _text(path)
                    if text is not None:
                        texts[name] = text
    except OSError as problem:
        raise UsageError(
            f"The repository cannot be looked at: {problem.strerror or 'unknown reason'} ({problem.filename!r})",
            remedy="Run `clearband init` in a folder that may be read.",
        ) from None
    folders = frozenset(name for name in names if "/" not in name and (root / name).is_dir())
    return Survey(names=frozenset(names), folders=folders, texts=texts)


def _entries(folder: Path) -> Iterator[Path]:
    if folder.is_dir():
        for number, path in enumerate(sorted(folder.iterdir())):
            if number == NAMES_CAP:
                return
            yield path


def _text(path: Path) -> str | None:
    """Return a file's text, its line ends kept; None where it is no text, or far too long for what it should be."""
    if not path.is_file() or path.stat().st_size > TEXT_CAP:
        return None
    try:
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        return None


def _root(here: Path) -> Path | None:
    """Return the folder of the repository around `here`; None where there is none."""
    return next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), None)


def _sample(path: Path, wishes: Wishes) -> Sample:
    run = read_source(path, "result").run(ReadOptions(series=wishes.series, task=wishes.task))
    tool = of_format(run.format)
    return Sample(
        name=path.resolve().name,
        tool=tool.name if tool.format else run.format,
        inspection=inspect(run),
        is_folder=path.is_dir(),
    )


def _planned(sample: Sample, wishes: Wishes) -> tuple[str | None, list[str]]:
    """Return what the sample's questions detect of the primary metric, and what is to be noted of them."""
    run = sample.inspection.run
    metrics, primary = propose(sample, of_format(run.format), wishes)
    terms = settle(policy=None, declaration=None, options=Options(metrics=(primary.name,)), needs_policy=False)
    try:
        (found,) = plan(run, None, terms, power=POWER, correlation=CORRELATION, only=(primary.name,))
    except ClearbandError as problem:
        return None, [f"How much these questions detect cannot be planned: {problem.what}."]
    detects = None
    if found.detectable is not None:
        detects = f"{found.n} questions detect about {found.detectable:.2g} (two runs that correlate {CORRELATION:g})"
    few = f"{found.n} questions are too few to block anything: `clearband plan` says how many it takes."
    notes = [] if found.can_block else [few]
    kept = {metric.name for metric in metrics}
    left_out = [shown(metric.name) for metric in sample.inspection.metrics if metric.name not in kept]
    if left_out:
        notes.append(f"Left out of the policy, without a value or a name that it can hold: {', '.join(left_out[:10])}.")
    if of_format(run.format).writes_folder and not sample.is_folder:
        notes.append(
            "The tool writes a folder, and one file of it was read: `--from FOLDER` takes every task and setting."
        )
    if run.notes or run.by_position:
        notes.append("Something was assumed while reading the file: `clearband inspect` says what.")
    return detects, notes


def _templates() -> Templates:
    folder = resources.files("clearband").joinpath("templates")
    return Templates(
        policy=folder.joinpath("policy.yml").read_text(encoding="utf-8"),
        workflow=folder.joinpath("workflows", "clearband.yml").read_text(encoding="utf-8"),
        pull_request=folder.joinpath("pull_request_template.md").read_text(encoding="utf-8"),
    )


def _write(done: Scaffold, root: Path) -> None:
    written: list[str] = []
    # Every path is looked at before the first file is written: links out of the repository stop all of it.
    targets = [(step, inside(root, step.path)) for step in done.steps if step.text is not None]
    for step, path in targets:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # A file that came into being since the survey is somebody's, too.
            with path.open("xb" if step.action is Action.WRITE else "wb") as file:
                file.write((step.text or "").encode())
        except OSError as problem:
            before = f" Written before it: {', '.join(written)}." if written else ""
            raise UsageError(
                f"{step.path} cannot be written: {problem.strerror or 'unknown reason'}.{before}",
                remedy="Mend that and run `clearband init` again: what is there already stays.",
            ) from None
        written.append(step.path)


def _baseline_command(done: Scaffold, sample: Path | None, root: Path, here: Path) -> str:
    """Return the shell line that puts a result file, or what the evaluation will write, in the baseline's place."""
    source = str(sample or _seen_from(here, root / done.results))
    target = root / done.baseline
    is_folder = PurePosixPath(done.baseline).suffix == ""
    copies_folder = is_folder and (sample is None or sample.is_dir())
    folder = target if is_folder and not copies_folder else target.parent
    copy = "cp -r" if copies_folder else "cp"
    return (
        f"mkdir -p {shlex.quote(_seen_from(here, folder))} && "
        f"{copy} {shlex.quote(source)} {shlex.quote(_seen_from(here, target))}"
    )


def _seen_from(here: Path, path: Path) -> str:
    return os.path.relpath(path, here)
