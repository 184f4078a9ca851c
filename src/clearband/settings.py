"""The Action's inputs and GitHub's environment as one frozen value; everything that is off is said at once."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from clearband.errors import UsageError
from clearband.plain_text import SUITE_NAME
from clearband.results.options import PairOptions, ReadOptions
from clearband.urls import api_base, same_origin

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

DEFAULTS: Final[Mapping[str, str]] = {
    "baseline": "",
    "candidate": "",
    "candidate-artifact": "",
    "baseline-artifact": "",
    "baseline-workflow": "",
    "task": "",
    "series": "",
    "baseline-series": "",
    "candidate-series": "",
    "anchor": "",
    "suite": "default",
    "policy": ".github/clearband.yml",
    "primary-metric": "",
    "github-token": "",
    "comment": "always",
    "out": "clearband-out",
}
"""Every input of action.yml and the value it has when it is empty."""

T = TypeVar("T")

_REPOSITORY = re.compile(r"[A-Za-z0-9._-]{1,100}/[A-Za-z0-9._-]{1,100}")
_WORKFLOW = re.compile(r"[^/]+/[^/]+/\.github/workflows/([^/@]{1,200})@.+")
_WORKFLOW_FILE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._ -]{0,194}\.ya?ml")
_NAME_CAP: Final = 255
_TOKEN = re.compile(r"[!-~]+")
_REQUIRED = frozenset({"github-token"})
"""Inputs that nothing stands in for; of each arm's path and artifact exactly one is given."""
_FROM_GITHUB = ("GITHUB_API_URL", "GITHUB_REPOSITORY", "GITHUB_EVENT_NAME", "GITHUB_EVENT_PATH", "GITHUB_WORKSPACE")


class CommentMode(StrEnum):
    """When the comment on the pull request is written."""

    ALWAYS = "always"
    ON_CHANGE = "on-change"
    NEVER = "never"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What one run of the Action was told."""

    baseline: Path | None
    """None where an artifact takes its place."""
    candidate: Path | None
    candidate_artifact: str | None
    """Name of the artifact that holds the candidate; None where a path does."""
    baseline_artifact: str | None
    baseline_workflow: str | None
    """File name of the workflow that makes the baseline's artifact: the present one unless the input says otherwise."""
    anchor: Path | None
    """The run that the policy's `anchor` speaks of."""
    reading: PairOptions
    out: Path
    suite: str
    policy: str
    """Path of the policy inside the repository, with forward slashes."""
    primary_metric: str | None
    comment: CommentMode
    token: str = field(repr=False)
    api_url: str
    graphql_url: str
    repository: str
    """``owner/name``."""
    repository_id: int | None
    workflow: str | None
    """The file name of the workflow that runs, such as ``eval.yml``."""
    event_name: str
    event_path: Path
    workspace: Path
    output_file: Path | None
    summary_file: Path | None
    actor: str
    """Login of the person or bot that started the run; only ever used to word a message."""
    run_id: int | None
    run_attempt: int

    @classmethod
    def from_environment(cls, env: Mapping[str, str]) -> Settings:
        """Read the settings from `env`; one `UsageError` names everything that is missing or wrong."""
        reader = _Reader(env)
        workspace = Path(env.get("GITHUB_WORKSPACE") or ".")
        api_url = reader.value("GITHUB_API_URL", api_base, "")
        task, both = reader.input("task", _choice, None), reader.input("series", _choice, None)
        reading = [
            ReadOptions(task=task, series=reader.input(f"{arm}-series", _choice, None) or both)
            for arm in ("baseline", "candidate")
        ]
        for arm in ("baseline", "candidate"):
            reader.one_of(arm, f"{arm}-artifact")

        def a_path(given: str) -> Path | None:
            return inside(workspace, given) if given else None

        workflow = _workflow(env.get("GITHUB_WORKFLOW_REF", ""))
        settings = cls(
            baseline=reader.input("baseline", a_path, None),
            candidate=reader.input("candidate", a_path, None),
            candidate_artifact=reader.input("candidate-artifact", _artifact, None),
            baseline_artifact=reader.input("baseline-artifact", _artifact, None),
            baseline_workflow=reader.input("baseline-workflow", _file_name, None) or workflow,
            anchor=reader.input("anchor", a_path, None),
            reading=PairOptions(baseline=reading[0], candidate=reading[1]),
            out=reader.input("out", lambda given: inside(workspace, given), workspace),
            suite=reader.input("suite", _suite, ""),
            policy=reader.input("policy", _repository_path, ""),
            primary_metric=reader.input("primary-metric", _optional, None),
            comment=reader.input("comment", _comment_mode, CommentMode.NEVER),
            token=reader.input("github-token", _token, ""),
            api_url=api_url,
            graphql_url=reader.value("GITHUB_GRAPHQL_URL", lambda given: _graphql_base(given, api_url), ""),
            repository=reader.value("GITHUB_REPOSITORY", _repository, ""),
            repository_id=_positive(env.get("GITHUB_REPOSITORY_ID")),
            workflow=workflow,
            event_name=env.get("GITHUB_EVENT_NAME", ""),
            event_path=Path(env.get("GITHUB_EVENT_PATH", "")),
            workspace=workspace,
            output_file=_file(env.get("GITHUB_OUTPUT")),
            summary_file=_file(env.get("GITHUB_STEP_SUMMARY")),
            actor=env.get("GITHUB_ACTOR", ""),
            run_id=_positive(env.get("GITHUB_RUN_ID")),
            run_attempt=_positive(env.get("GITHUB_RUN_ATTEMPT")) or 1,
        )
        reader.finish()
        return settings


class _Reader:
    """Reads one value after the other and keeps what is wrong with them until the end."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self._env = env
        self._problems: list[str] = []
        missing = [name for name in _FROM_GITHUB if not env.get(name)]
        if missing:
            self._problems.append(
                f"{', '.join(missing)}: not set. GitHub sets these in a workflow; "
                "on your own machine run `clearband compare BASELINE CANDIDATE`."
            )

    def input(self, name: str, read: Callable[[str], T], otherwise: T) -> T:
        """Return the input `name`, read; an empty one has its default. `otherwise` never outlives `finish`."""
        given = self._given(name) or DEFAULTS[name]
        if not given and name in _REQUIRED:
            self._problems.append(f"input `{name}`: missing.")
            return otherwise
        return self._try(f"input `{name}`", given, read, otherwise)

    def one_of(self, one: str, other: str) -> None:
        """Note a problem unless exactly one of two inputs is given."""
        if bool(self._given(one)) is bool(self._given(other)):
            how = "both given; give one" if self._given(one) else f"missing. Give it, or `{other}`"
            self._problems.append(f"input `{one}`: {how}.")

    def _given(self, name: str) -> str:
        return self._env.get(f"INPUT_{name.upper()}", "").strip()

    def value(self, name: str, read: Callable[[str], T], otherwise: T) -> T:
        """Return GitHub's own variable `name`, read."""
        given = self._env.get(name, "").strip()
        if not given and name in _FROM_GITHUB:  # said already
            return otherwise
        return self._try(name, given, read, otherwise)

    def _try(self, what: str, given: str, read: Callable[[str], T], otherwise: T) -> T:
        try:
            return read(given)
        except UsageError as problem:
            self._problems.append(f"{what}: {problem.what}")
            return otherwise

    def finish(self) -> None:
        """Raise one error for everything that was wrong."""
        if self._problems:
            raise UsageError(
                "The Action cannot start. " + " ".join(self._problems),
                remedy="Mend the `with:` block of the step; action.yml describes every input.",
            )


def inside(workspace: Path, given: str) -> Path:
    """Return `given` as an absolute path, links resolved; it must lie inside `workspace`."""
    try:
        root = workspace.resolve()
        path = (root / given).resolve()
    except (OSError, RuntimeError, ValueError):  # a loop of links; a NUL character
        raise UsageError(f"`{given[:200]}` is not a usable path.") from None
    if not path.is_relative_to(root):
        raise UsageError(f"`{given[:200]}` leads out of the workspace. Give a path inside it.")
    return path


def _graphql_base(given: str, api_url: str) -> str:
    if not given:  # Enterprise Server has it beside /api/v3
        return f"{api_url.removesuffix('/v3')}/graphql"
    base = api_base(given)
    if api_url and not same_origin(base, api_url):
        raise UsageError("must be on the same host as GITHUB_API_URL.")
    return base


def _suite(given: str) -> str:
    if not SUITE_NAME.fullmatch(given):
        raise UsageError("1 to 50 letters, digits, `.`, `_` or `-`.")
    return given


def _repository(given: str) -> str:
    if not _REPOSITORY.fullmatch(given) or {".", ".."} & set(given.split("/")):
        raise UsageError("must be `owner/name`.")
    return given


def _repository_path(given: str) -> str:
    parts = given.split("/")
    if len(given) > 500 or not given.isprintable() or "\\" in given or {"", ".", ".."} & set(parts):
        raise UsageError("must be the path of a file inside the repository, such as `.github/clearband.yml`.")
    return given


def _comment_mode(given: str) -> CommentMode:
    try:
        return CommentMode(given)
    except ValueError:
        allowed = ", ".join(f"`{mode}`" for mode in CommentMode)
        raise UsageError(f"must be one of {allowed}.") from None


def _token(given: str) -> str:
    if not _TOKEN.fullmatch(given):
        raise UsageError("holds characters that no token has.")
    return given


def _optional(given: str) -> str | None:
    if len(given) > 200:
        raise UsageError("longer than any metric's name (200 characters).")
    return given or None


def _artifact(given: str) -> str | None:
    if len(given) > _NAME_CAP or not given.isprintable() or set(given) & set('"/\\:<>|*?'):
        raise UsageError("is not a name that an artifact can have.")
    return given or None


def _file_name(given: str) -> str | None:
    if given and not _WORKFLOW_FILE.fullmatch(given):
        raise UsageError("must be a file name such as `eval.yml`, without its folder.")
    return given or None


def _choice(given: str) -> str | None:
    if len(given) > 1_000:
        raise UsageError("longer than 1,000 characters; a beginning of the name is enough.")
    return given or None


def _workflow(reference: str) -> str | None:
    """Return the file name out of ``owner/name/.github/workflows/eval.yml@refs/heads/main``."""
    found = _WORKFLOW.fullmatch(reference)
    return found[1] if found else None


def _file(given: str | None) -> Path | None:
    return Path(given) if given else None


def _positive(given: str | None) -> int | None:
    return int(given) if given and given.isascii() and given.isdigit() and len(given) < 20 else None
