"""The workflow that `clearband init` writes: the shipped one with a repository's own evaluation in it. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clearband.errors import UsageError
from clearband.plain_text import shown
from clearband.scaffold_tools import GENERIC, PROMPTFOO, Tool

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

SETUP_PYTHON: Final = "actions/setup-python@5fda3b95a4ea91299a34e894583c3862153e4b97 # v7.0.0"

_HEADER: Final = re.compile(r"\A# Clearband: .*?(?=^name: )", re.MULTILINE | re.DOTALL)
_EVALUATION: Final = re.compile(
    r"^      # CHANGE: run the evaluation.*?^      - run: [^\n]*\n", re.MULTILINE | re.DOTALL
)
_RESULTS: Final = re.compile(r"^          path: results\.jsonl\n", re.MULTILINE)
_ARMS: Final = re.compile(
    r"^          baseline: base/evals/baseline\.jsonl\n          candidate: candidate\n", re.MULTILINE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """What the two jobs do."""

    tool: Tool
    results: str
    """File or folder that the evaluation leaves behind."""
    baseline: str
    """File or folder of the repository with the baseline's results."""
    series: str | None = None
    task: str | None = None


def workflow_text(template: str, job: Evaluation, names: Collection[str]) -> str:
    """Return the text of the workflow.

    Parameters
    ----------
    template
        The shipped workflow.
    job
        What is evaluated and compared.
    names
        The repository's files, by which it is seen what has to be installed.

    Raises
    ------
    UsageError
        The name of a series or task cannot stand in a workflow.

    """
    header = (
        "# Clearband: gates a pull request on its own evaluation. Written by `clearband init`; what is marked CHANGE\n"
        "# is a proposal. The check to require in the branch's rules is `gate`.\n"
    )
    arms = f"          baseline: base/{job.baseline}\n          candidate: candidate\n{_choices(job)}"
    text = template
    for place, new in (
        (_HEADER, header),
        (_EVALUATION, "".join(f"{line}\n" for line in _steps(job, names))),
        (_RESULTS, f"          path: {job.results}\n"),
        (_ARMS, arms),
    ):
        text, count = place.subn(new.replace("\\", r"\\"), text)
        if count != 1:
            raise ValueError(place.pattern)  # a defect of ours: the shipped workflow has another shape
    return text


def _steps(job: Evaluation, names: Collection[str]) -> Iterable[str]:
    """Yield the lines of the steps that evaluate."""
    tool = job.tool
    # A tool that writes one file writes it into the folder, where the results are a folder of such files.
    is_file = tool is GENERIC or tool.writes_folder or "." in job.results
    target = job.results if is_file else f"{job.results}/{tool.results}"
    yield "      # CHANGE: the evaluation with what it needs. Keys come as `env:` from the repository's secrets. A pull"
    yield "      # request from a fork does not get them."
    yield f"      # {tool.says}"
    yield from _installing(tool, names)
    yield f"      - run: {tool.command.format(results=target)}"


def _installing(tool: Tool, names: Collection[str]) -> Iterable[str]:
    if tool is PROMPTFOO:
        yield from ["      - run: npm ci"] if "package-lock.json" in names else []
        return
    what = "-r requirements.txt" if "requirements.txt" in names else "." if "pyproject.toml" in names else None
    if what is not None:
        yield f"      - uses: {SETUP_PYTHON}"
        yield "        with:"
        yield '          python-version: "3.13"'
        yield f"      - run: python -m pip install {what}"


def _choices(job: Evaluation) -> str:
    lines = ""
    for name, value in (("task", job.task), ("series", job.series)):
        if value is None:
            continue
        if "${{" in value or not value.isprintable():
            raise UsageError(
                f"--{name} is {shown(value)}, which a workflow would not take as it is",
                remedy="A beginning of the name that only one has is enough.",
            )
        quoted = value.replace("'", "''")
        lines += f"          {name}: '{quoted}'\n"
    return lines
