"""The Action's inputs and GitHub's environment as one frozen value; everything that is off is said at once."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from clearband import input_values
from clearband.errors import UsageError
from clearband.input_values import BuiltFrom, CommentMode, inside
from clearband.results.options import PairOptions, ReadOptions
from clearband.urls import api_base, graphql_base

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

DEFAULTS: Final[Mapping[str, str]] = {
    "baseline": "",
    "candidate": "",
    "candidate-artifact": "",
    "candidate-ref": "",
    "baseline-artifact": "",
    "baseline-workflow": "",
    "task": "",
    "series": "",
    "baseline-series": "",
    "candidate-series": "",
    "anchor": "",
    "suite": "",
    "policy": ".github/clearband.yml",
    "primary-metric": "",
    "github-token": "",
    "comment": "always",
    "out": "clearband-out",
}
"""Every input of action.yml and the value it has when it is empty."""

T = TypeVar("T")

_REQUIRED = frozenset({"github-token"})
"""Inputs that nothing stands in for; of each arm's path and artifact exactly one is given."""
PLACEHOLDER: Final = "{suite}"
"""Stands in the names of files, artifacts and tasks for the name of the suite that is compared."""
_FROM_GITHUB = ("GITHUB_API_URL", "GITHUB_REPOSITORY", "GITHUB_EVENT_NAME", "GITHUB_EVENT_PATH", "GITHUB_WORKSPACE")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What one run of the Action was told."""

    baseline: Path | None
    """None where an artifact takes its place."""
    candidate: Path | None
    candidate_artifact: str | None
    """Name of the artifact that holds the candidate; None where a path does."""
    candidate_ref: BuiltFrom
    baseline_artifact: str | None
    baseline_workflow: str | None
    """File name of the workflow that makes the baseline's artifact: the present one unless the input says otherwise."""
    anchor: Path | None
    """The run that the policy's `anchor` speaks of."""
    reading: PairOptions
    out: Path
    suite: str
    """The suite that is compared; where the policy lists several, see `of_suite`."""
    names_suite: bool
    """Whether the input `suite` was given: then this suite alone is compared, however many the policy lists."""
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
    sha: str | None
    """The commit that the runner names: on a pull request the test merge."""
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
        task, both = (
            reader.input("task", input_values.beginning, None),
            reader.input("series", input_values.beginning, None),
        )
        reading = [
            ReadOptions(task=task, series=reader.input(f"{arm}-series", input_values.beginning, None) or both)
            for arm in ("baseline", "candidate")
        ]
        for arm in ("baseline", "candidate"):
            reader.one_of(arm, f"{arm}-artifact")

        def a_path(given: str) -> Path | None:
            return inside(workspace, given) if given else None

        workflow = input_values.workflow_of(env.get("GITHUB_WORKFLOW_REF", ""))
        settings = cls(
            baseline=reader.input("baseline", a_path, None),
            candidate=reader.input("candidate", a_path, None),
            candidate_artifact=reader.input("candidate-artifact", input_values.artifact_name, None),
            candidate_ref=reader.input("candidate-ref", input_values.built_from, BuiltFrom.UNKNOWN),
            baseline_artifact=reader.input("baseline-artifact", input_values.artifact_name, None),
            baseline_workflow=reader.input("baseline-workflow", input_values.workflow_name, None) or workflow,
            anchor=reader.input("anchor", a_path, None),
            reading=PairOptions(baseline=reading[0], candidate=reading[1]),
            out=reader.input("out", lambda given: inside(workspace, given), workspace),
            suite=reader.input("suite", input_values.suite_name, ""),
            names_suite=reader.is_given("suite"),
            policy=reader.input("policy", input_values.repository_path, ""),
            primary_metric=reader.input("primary-metric", input_values.metric_name, None),
            comment=reader.input("comment", input_values.comment_mode, CommentMode.NEVER),
            token=reader.input("github-token", input_values.token, ""),
            api_url=api_url,
            graphql_url=reader.value("GITHUB_GRAPHQL_URL", lambda given: graphql_base(given, api_url), ""),
            repository=reader.value("GITHUB_REPOSITORY", input_values.repository, ""),
            repository_id=input_values.positive(env.get("GITHUB_REPOSITORY_ID")),
            workflow=workflow,
            sha=env.get("GITHUB_SHA") or None,
            event_name=env.get("GITHUB_EVENT_NAME", ""),
            event_path=Path(env.get("GITHUB_EVENT_PATH", "")),
            workspace=workspace,
            output_file=input_values.file(env.get("GITHUB_OUTPUT")),
            summary_file=input_values.file(env.get("GITHUB_STEP_SUMMARY")),
            actor=env.get("GITHUB_ACTOR", ""),
            run_id=input_values.positive(env.get("GITHUB_RUN_ID")),
            run_attempt=input_values.positive(env.get("GITHUB_RUN_ATTEMPT")) or 1,
        )
        reader.finish()
        return settings.of_suite(settings.suite) if settings.names_suite else settings

    def of_suite(self, suite: str) -> Settings:
        """Return what holds for one suite: its name, and its own files where a place says `{suite}`."""

        def named(path: Path | None) -> Path | None:
            return None if path is None else inside(self.workspace, str(path).replace(PLACEHOLDER, suite))

        def called(artifact: str | None) -> str | None:
            return None if artifact is None else artifact.replace(PLACEHOLDER, suite)

        def read(options: ReadOptions) -> ReadOptions:
            return replace(options, task=None if options.task is None else options.task.replace(PLACEHOLDER, suite))

        return replace(
            self,
            suite=suite,
            baseline=named(self.baseline),
            candidate=named(self.candidate),
            baseline_artifact=called(self.baseline_artifact),
            candidate_artifact=called(self.candidate_artifact),
            anchor=named(self.anchor),
            reading=PairOptions(baseline=read(self.reading.baseline), candidate=read(self.reading.candidate)),
        )

    @property
    def tells_suites_apart(self) -> bool:
        """Whether two suites would read different candidates."""
        told = (str(self.candidate or ""), self.candidate_artifact or "", self.reading.candidate.task or "")
        return any(PLACEHOLDER in one for one in told)


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

    def is_given(self, name: str) -> bool:
        """Whether the input `name` is not empty."""
        return bool(self._given(name))

    def one_of(self, one: str, other: str) -> None:
        """Note a problem unless exactly one of two inputs is given."""
        if self.is_given(one) is self.is_given(other):
            how = "both given; give one" if self.is_given(one) else f"missing. Give it, or `{other}`"
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
