"""The evaluation tools that `clearband init` knows: how a repository shows them, how a workflow runs them. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

FOLDERS: Final = ("", "eval", "evals", "logs", "test", "tests")
"""Where traces of a tool are looked for, from the repository's root."""
DEPENDENCIES: Final = (
    "pyproject.toml",
    "requirements*.txt",
    "setup.cfg",
    "setup.py",
    "tox.ini",
    "Pipfile",
    "environment.yml",
    "package.json",
)
"""Files of the root that name what is installed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One evaluation tool."""

    name: str
    format: str | None = None
    """What `Run.format` says of its result files, up to the slash; None for every other format."""
    files: tuple[str, ...] = ()
    """Patterns of file names that only this tool's users have."""
    packages: tuple[str, ...] = ()
    """Regular expressions of its package's names."""
    command: str
    """What the shell runs; ``{results}`` is where the results go."""
    results: str
    """File or folder that the command writes; a folder has no ending."""
    says: str
    """What a person should know of the command, one sentence."""
    primary: str | None = None
    """A metric that every result of the tool has, from 0 to 1; None where there is none."""

    @property
    def writes_folder(self) -> bool:
        """Whether the results are a folder of files."""
        return not PurePosixPath(self.results).suffix


PROMPTFOO: Final = Tool(
    name="promptfoo",
    format="promptfoo",
    files=("promptfooconfig.*",),
    packages=("promptfoo",),
    command="npx promptfoo eval --no-cache -o {results} || [ $? -eq 100 ]",
    results="results.json",
    says="promptfoo ends with 100 where tests failed, which is a result and no reason to stop.",
    primary="success",
)
DEEPEVAL: Final = Tool(
    name="DeepEval",
    format="deepeval",
    files=(".deepeval",),
    packages=("deepeval",),
    command="DEEPEVAL_RESULTS_FOLDER={results} deepeval test run evals || [ $? -eq 1 ]",
    results="results",
    says="DeepEval ends with 1 where tests failed, which is a result and no reason to stop.",
    primary="success",
)
INSPECT: Final = Tool(
    name="Inspect AI",
    format="inspect-ai",
    files=("*.eval",),
    packages=("inspect[-_.]ai", "inspect[-_.]evals"),
    command="inspect eval evals --log-dir {results}",
    results="results",
    says="Name the tasks and the model (`--model`); the logs are the results.",
)
LM_EVAL: Final = Tool(
    name="lm-evaluation-harness",
    format="lm-evaluation-harness",
    packages=("lm[-_.]eval", "lm[-_.]evaluation[-_.]harness"),
    command="lm_eval --model hf --model_args pretrained=MODEL --tasks TASK --log_samples --output_path {results}",
    results="results",
    says="Name the model and the tasks; without `--log_samples` there is nothing for each question.",
)
PYTEST_JSON: Final = Tool(
    name="pytest-json-report",
    format="pytest-json-report",
    packages=("pytest[-_.]json[-_.]report",),
    command="python -m pytest --json-report --json-report-file={results} || [ $? -eq 1 ]",
    results="results.json",
    says="pytest ends with 1 where tests failed, which is a result and no reason to stop.",
    primary="passed",
)
PYTEST: Final = Tool(
    name="pytest",
    format="junit",
    files=("pytest.ini", "conftest.py"),
    packages=("pytest", r"tool\.pytest\.ini_options"),
    command="python -m pytest --junitxml={results} || [ $? -eq 1 ]",
    results="results.xml",
    says="pytest ends with 1 where tests failed, which is a result and no reason to stop.",
    primary="passed",
)
GENERIC: Final = Tool(
    name="result files of your own",
    command="make eval RESULTS={results}",
    results="results.jsonl",
    says="One row for each question, with an id and a score for each metric.",
)
TOOLS: Final = (PROMPTFOO, DEEPEVAL, INSPECT, LM_EVAL, PYTEST_JSON, PYTEST)
"""Asked in this order: a repository that evaluates with the others has pytest too, for its own tests."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """A tool, and the file that shows that the repository uses it."""

    tool: Tool
    path: str


def detect(names: Iterable[str], texts: Mapping[str, str]) -> tuple[Trace, ...]:
    """Return the tools that a repository shows, each with its first trace.

    Parameters
    ----------
    names
        Paths of files and folders, with forward slashes.
    texts
        Path to content, of the files that name what is installed.

    """
    paths = sorted(names, key=lambda path: (path.count("/"), path))
    found = ((tool, _trace(tool, paths, texts)) for tool in TOOLS)
    return tuple(Trace(tool=tool, path=path) for tool, path in found if path is not None)


def of_format(name: str) -> Tool:
    """Return the tool that writes the format of a run."""
    return next((tool for tool in TOOLS if tool.format == name.partition("/")[0]), GENERIC)


def _trace(tool: Tool, paths: list[str], texts: Mapping[str, str]) -> str | None:
    for path in paths:
        place = PurePosixPath(path)
        folder = place.parent.as_posix().removeprefix(".")
        if folder in FOLDERS and any(fnmatchcase(place.name, pattern) for pattern in tool.files):
            return path
    package = re.compile(rf"(?<![\w.-])(?:{'|'.join(tool.packages)})(?!\w)", re.IGNORECASE)
    for path in sorted(texts):
        if any(fnmatchcase(path, pattern) for pattern in DEPENDENCIES) and package.search(_uncommented(texts[path])):
            return path
    return None


def _uncommented(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
