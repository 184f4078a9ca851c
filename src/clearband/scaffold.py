"""What `clearband init` writes into a repository, and what it leaves alone. Pure: a survey in, steps out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from clearband.declaration_block import read_line
from clearband.errors import UsageError
from clearband.markdown import Fence, TextLine, blocks
from clearband.plain_text import name_problem, shown
from clearband.policy_file import load
from clearband.scaffold_policy import (
    UNKNOWN_PRIMARY,
    Metric,
    Sample,
    checks,
    default_primary,
    find,
    policy_text,
    proposed,
)
from clearband.scaffold_tools import GENERIC, Tool, Trace, detect, of_format
from clearband.scaffold_workflow import Evaluation, workflow_text

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

POLICY: Final = ".github/clearband.yml"
WORKFLOWS: Final = ".github/workflows"
WORKFLOW: Final = f"{WORKFLOWS}/clearband.yml"
PULL_REQUEST: Final = ".github/pull_request_template.md"

_FOLDERS: Final = 12
_NO_SOURCES: Final = frozenset({
    "build", "coverage", "dist", "doc", "docs", "log", "logs", "node_modules", "out", "results", "site", "target",
    "tmp", "venv",
})  # fmt: skip
"""Folders that hold what was made, or what is only read."""
_PLAIN: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_TEMPLATE_FOLDERS: Final = ("", ".github", "docs")
_TEMPLATE_NAME: Final = re.compile(r"pull_request_template(\.(md|markdown|txt))?", re.IGNORECASE)
_USES_CLEARBAND: Final = re.compile(r"^\s*(?:- )?uses:\s*[\"']?[\w.-]+/clearband@", re.MULTILINE)
_SUFFIX: Final = re.compile(r"(?:\.(?:jsonl|ndjson|json|csv|tsv|parquet|xml|eval|txt|zip))(?:\.gz)?$", re.IGNORECASE)


class Action(StrEnum):
    """What becomes of one file."""

    WRITE = "written"
    REPLACE = "replaced"
    EXTEND = "extended"
    KEEP = "unchanged"
    LEAVE = "left alone"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One file, and why it is treated so."""

    path: str
    action: Action
    why: str
    text: str | None = None
    """The whole new content; None where nothing is written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """What there is in the repository, as far as it matters here."""

    names: frozenset[str]
    """Paths of files and folders."""
    folders: frozenset[str]
    """Those of them that are folders of the root."""
    texts: Mapping[str, str]
    """Path to content of those that are read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Templates:
    """The shipped texts that are filled in."""

    policy: str
    workflow: str
    pull_request: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What the command line says."""

    primary: str | None = None
    lower_is_better: Collection[str] = ()
    series: str | None = None
    task: str | None = None
    force: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Scaffold:
    """Everything that is written, and everything that is said."""

    tool: Tool
    origin: str
    """What the proposals come from, as the end of a sentence."""
    steps: tuple[Step, ...]
    checks: tuple[str, ...]
    """What a person should look at."""
    others: tuple[Trace, ...]
    """Further tools that the repository shows."""
    block: str
    """The declaration block, where a person has to paste it; else empty."""
    results: str
    """Where the evaluation leaves its results."""
    baseline: str
    """Where the baseline's results belong."""


def is_read(path: str) -> bool:
    """Whether the content of a file of the repository matters beyond its name, dependencies apart."""
    place = PurePosixPath(path)
    is_workflow = place.parent.as_posix() == WORKFLOWS and place.suffix in {".yml", ".yaml"}
    return is_workflow or path == POLICY or _is_pull_request_template(path)


def scaffold(
    survey: Survey, sample: Sample | None, wishes: Wishes, templates: Templates, *, detects: str | None = None
) -> Scaffold:
    """Return what to write.

    Parameters
    ----------
    survey
        The repository as it is.
    sample
        A result file of the repository's evaluation; None where none was handed in.
    wishes
        What the command line says.
    templates
        The shipped texts.
    detects
        What the sample's questions detect of the primary metric, a sentence; None where that is not known.

    Raises
    ------
    UsageError
        A wish does not fit the sample, or cannot be written into a workflow.

    """
    traces = detect(survey.names, survey.texts)
    tool = of_format(sample.inspection.run.format) if sample else traces[0].tool if traces else GENERIC
    metrics, primary = propose(sample, tool, wishes)
    origin = _origin(sample, tool, traces)
    results, baseline = _places(tool, sample)
    policy = policy_text(
        templates.policy, metrics, primary, origin=origin, paths=_paths(survey, traces), detects=detects
    )
    load(policy.encode(), name=POLICY)  # what is proposed must be one, whatever metrics are called
    job = Evaluation(tool=tool, results=results, baseline=baseline, series=wishes.series, task=wishes.task)
    workflow = workflow_text(templates.workflow, job, survey.names)
    steps = (
        _step(POLICY, policy, survey, wishes, f"policy: primary {shown(primary.name)}, metrics: {len(metrics)}"),
        _workflow_step(workflow, survey, wishes),
        _pull_request_step(templates.pull_request, survey, wishes),
    )
    return Scaffold(
        tool=tool,
        origin=origin,
        steps=steps,
        checks=checks(metrics, primary, is_read=sample is not None),
        others=tuple(trace for trace in traces if trace.tool is not tool),
        block=_block(templates.pull_request) if steps[2].action is Action.LEAVE else "",
        results=results,
        baseline=baseline,
    )


def propose(sample: Sample | None, tool: Tool, wishes: Wishes) -> tuple[tuple[Metric, ...], Metric]:
    """Return the metrics of the policy, and the primary one among them."""
    if sample is None:
        if wishes.lower_is_better:
            raise UsageError(
                "--lower-is-better names a metric of a result file, and none was handed in",
                remedy="Add --from FILE.",
            )
        known = wishes.primary or tool.primary
        problem = name_problem(known or UNKNOWN_PRIMARY)
        if problem:
            raise UsageError(f"--primary names a metric that {problem}", remedy="Spell it as the result files do.")
        only = Metric(name=known or UNKNOWN_PRIMARY, is_unit=wishes.primary is None)
        return (only,), only
    metrics = proposed(sample, lower_is_better=wishes.lower_is_better)
    if wishes.primary is not None:
        return metrics, find(wishes.primary, metrics, option="--primary")
    lost = {metric.name: metric.missing for metric in sample.inspection.metrics}
    return metrics, default_primary(metrics, [lost[metric.name] for metric in metrics])


def _origin(sample: Sample | None, tool: Tool, traces: tuple[Trace, ...]) -> str:
    if sample is not None:
        return f"{shown(sample.name)} ({sample.inspection.run.format})"
    return f"{shown(traces[0].path)} ({tool.name})" if traces else "nothing but the starter policy"


def _paths(survey: Survey, traces: tuple[Trace, ...]) -> tuple[str, ...]:
    """Return patterns of what may matter to the evaluation: the gate's own files, folders, files that name tools."""
    folders = [name for name in sorted(survey.folders) if _PLAIN.fullmatch(name) and name not in _NO_SOURCES]
    if not folders:
        return ()
    files = sorted({trace.path for trace in traces if "/" not in trace.path and _PLAIN.fullmatch(trace.path)})
    return (".github/**", *(f"{name}/**" for name in folders[:_FOLDERS]), *files)


def _places(tool: Tool, sample: Sample | None) -> tuple[str, str]:
    """Return where the evaluation leaves its results, and where the baseline's belong: a folder, or a file alike."""
    if tool.writes_folder or (sample is not None and sample.is_folder):
        return "results", "evals/baseline"
    # Of the sample's name its known ending alone is taken: a workflow is no place for whatever a file is called.
    ending = _SUFFIX.search(sample.name) if sample is not None and tool is GENERIC else None
    suffix = ending.group().lower() if ending else PurePosixPath(tool.results).suffix
    return f"results{suffix}", f"evals/baseline{suffix}"


def _step(path: str, text: str, survey: Survey, wishes: Wishes, what: str) -> Step:
    there = survey.texts.get(path)
    if path not in survey.names:
        return Step(path=path, action=Action.WRITE, why=what, text=text)
    if there == text:
        return Step(path=path, action=Action.KEEP, why="as it would be written")
    if wishes.force:
        return Step(path=path, action=Action.REPLACE, why=what, text=text)
    return Step(path=path, action=Action.LEAVE, why="it is there already; --force replaces it")


def _workflow_step(text: str, survey: Survey, wishes: Wishes) -> Step:
    for path, content in sorted(survey.texts.items()):
        if path.startswith(f"{WORKFLOWS}/") and path != WORKFLOW and _USES_CLEARBAND.search(content):
            return Step(path=path, action=Action.LEAVE, why="it uses Clearband already, and one workflow is enough")
    return _step(WORKFLOW, text, survey, wishes, "workflow: the jobs `eval` and `gate`")


def _pull_request_step(text: str, survey: Survey, wishes: Wishes) -> Step:
    """Return what becomes of the template for descriptions: its own text is the team's, so it is only ever extended."""
    there = min((path for path in survey.names if _is_pull_request_template(path)), default=None)
    several = [path for path in survey.names if PurePosixPath(path).name.upper() == "PULL_REQUEST_TEMPLATE"]
    if there is None or there in several:
        if several:
            why = "it holds several templates; paste the block into those that need it"
            return Step(path=min(several), action=Action.LEAVE, why=why)
        return Step(path=PULL_REQUEST, action=Action.WRITE, why="description with the declaration block", text=text)
    content = survey.texts.get(there)
    if content is None:
        return Step(path=there, action=Action.LEAVE, why="it cannot be read as text; paste the block into it")
    if any(_declares(part) for part in blocks(content)):
        return Step(path=there, action=Action.KEEP, why="it holds a declaration already")
    if not wishes.force:
        why = "it is the team's own text; paste the block into it, or --force appends it"
        return Step(path=there, action=Action.LEAVE, why=why)
    newline = "\r\n" if "\r\n" in content else "\n"
    extended = content.rstrip() + "\n\n" + _section(text)
    whole = newline.join(extended.splitlines()) + newline
    if not any(_declares(part) for part in blocks(whole)):
        why = "a comment or code block in it is never closed and would hide the block; close it, and paste the block"
        return Step(path=there, action=Action.LEAVE, why=why)
    return Step(path=there, action=Action.EXTEND, why="the declaration block stands at its end", text=whole)


def _is_pull_request_template(path: str) -> bool:
    folder, _, name = path.rpartition("/")
    return folder in _TEMPLATE_FOLDERS and _TEMPLATE_NAME.fullmatch(name) is not None


def _declares(part: object) -> bool:
    match part:
        case Fence(info=info):
            return info.casefold().split()[:1] == ["clearband"]
        case TextLine():
            return read_line(part) is not None
        case _:
            return False


def _section(template: str) -> str:
    """Return the part of the shipped template that is about the declaration."""
    return template[template.index("## Declared") :]


def _block(template: str) -> str:
    """Return the block alone."""
    return template[template.index("```clearband") :].rstrip()
