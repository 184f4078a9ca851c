"""Runs a Docker action as GitHub's runner does: inputs, mounts, environment, file commands, conclusion.

Mirrors ContainerActionHandler of the runner. Known differences: `args` and `entrypoint` of an action are not supported
(Clearband has none), and expressions in defaults are limited to ``github.*`` and ``runner.*``.
"""

from __future__ import annotations

import json
import os
import re
import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import yaml

from .commands import SUMMARY_LIMIT, Annotation, BrokenFile, masked, read_log, read_pairs

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from .engine import Engine

FILES: Final = {
    "output": "set_output_",
    "env": "set_env_",
    "state": "save_state_",
    "path": "add_path_",
    "step_summary": "step_summary_",
}
# The properties of the github context that the runner hands to a container.
HANDED: Final = frozenset(
    {
        *(
            "action",
            "action_path",
            "action_ref",
            "action_repository",
            "actor",
            "actor_id",
            "api_url",
            "base_ref",
            "env",
        ),
        *("event_name", "event_path", "graphql_url", "head_ref", "job", "output", "path", "ref", "ref_name"),
        *("ref_protected", "ref_type", "repository", "repository_id", "repository_owner", "repository_owner_id"),
        *("retention_days", "run_attempt", "run_id", "run_number", "server_url", "sha", "state", "step_summary"),
        *("triggering_actor", "workflow", "workflow_ref", "workflow_sha", "workspace"),
    }
)
DEFAULTS: Final = """
    action=__self action_path= actor=octocat actor_id=1 job=gate repository=octocat/hello-world repository_id=1
    api_url=https://api.github.com graphql_url=https://api.github.com/graphql server_url=https://github.com
    repository_owner_id=1 retention_days=90 triggering_actor=octocat run_attempt=1 run_id=1 run_number=1
    workflow=clearband sha=0000000000000000000000000000000000000000 ref=refs/heads/main ref_name=main
    ref_protected=false ref_type=branch base_ref= head_ref= token=
    event_path=/github/workflow/event.json workspace=/github/workspace
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One `uses:` step: what a workflow says of it, and the event that started the workflow."""

    action: Path
    """Folder of action.yml."""
    event: Mapping[str, Any]
    event_name: str = "pull_request"
    inputs: Mapping[str, str] = field(default_factory=dict)
    env: Mapping[str, str] = field(default_factory=dict)
    """`env:` of workflow, job and step."""
    github: Mapping[str, str] = field(default_factory=dict)
    """Properties of the github context that differ from the defaults, `token` among them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepResult:
    """What the workflow sees of a step after it ended."""

    exit_status: int
    conclusion: str
    """success | failure."""
    outputs: Mapping[str, str]
    summary: str
    annotations: tuple[Annotation, ...]
    log: str
    """stdout and stderr, commands carried out and secrets hidden."""
    raw_log: str
    """stdout and stderr as the container wrote them."""
    warnings: tuple[str, ...]
    env: Mapping[str, str]
    state: Mapping[str, str]
    path: str


def run_step(
    step: Step,
    engine: Engine,
    image: str,
    *,
    workspace: Path,
    temp: Path,
    network: str = "host",
    options: tuple[str, ...] = (),
) -> StepResult:
    """Run the step's container to its end and read what it left behind.

    Parameters
    ----------
    workspace
        The job's workspace, mounted as the working directory.
    temp
        The runner's temporary folder, made anew by the caller.
    network
        ``host`` to reach a peer on loopback, ``none`` for no network at all.
    options
        More options for the engine's `run`, such as ``--read-only``.

    """
    home, workflow, commands = temp / "_github_home", temp / "_github_workflow", temp / "_runner_file_commands"
    for folder in (home, workflow, commands, workspace):
        folder.mkdir(parents=True, exist_ok=True)
    (workflow / "event.json").write_text(json.dumps(step.event), encoding="utf-8")
    github = context(step)
    token = github.pop("token", "")
    suffix = str(uuid.uuid4())
    files = {name: commands / (prefix + suffix) for name, prefix in FILES.items()}
    for name, file in files.items():
        file.touch()
        github[name] = f"/github/file_commands/{file.name}"
    inputs, warnings = settle_inputs(step, github | {"token": token})
    environment = dict(step.env)
    environment |= {f"INPUT_{name.replace(' ', '_').upper()}": value for name, value in inputs.items()}
    environment |= {"HOME": "/github/home", "GITHUB_ACTIONS": "true", "CI": environment.get("CI", "true")}
    environment |= {f"GITHUB_{name.upper()}": value for name, value in github.items() if name in HANDED}
    environment |= {f"RUNNER_{name.upper()}": value for name, value in _runner().items()}
    mounts = {
        temp: "/github/runner_temp",
        home: "/github/home",
        workflow: "/github/workflow",
        commands: "/github/file_commands",
        workspace: "/github/workspace",
    }
    ended = engine.run(
        image,
        environment=environment,
        options=(
            *("--workdir", "/github/workspace", "--network", network),
            *(word for source, target in mounts.items() for word in ("-v", f"{source}:{target}")),
            *options,
        ),
    )
    log = read_log(ended.output.splitlines())
    failures = list(log.refused)
    pairs: dict[str, dict[str, str]] = {}
    for name in ("output", "env", "state"):
        try:
            pairs[name] = read_pairs(files[name].read_text(encoding="utf-8"))
        except BrokenFile as problem:
            pairs[name] = {}
            failures.append(f"Unable to process file command {name!r}: {problem}")
    summary = files["step_summary"].read_bytes()
    if len(summary) > SUMMARY_LIMIT:
        log.annotations.append(Annotation("error", "$GITHUB_STEP_SUMMARY upload aborted", {}))
        summary = b""
    secrets = [*log.masks, token]
    return StepResult(
        exit_status=ended.status,
        conclusion="failure" if ended.status or failures else "success",
        outputs=pairs["output"] | log.outputs,
        summary=masked(summary.decode("utf-8"), secrets),
        annotations=tuple(log.annotations),
        log=masked("\n".join([*log.lines, *failures]), secrets),
        raw_log=ended.output,
        warnings=tuple(warnings),
        env=pairs["env"],
        state=pairs["state"],
        path=files["path"].read_text(encoding="utf-8"),
    )


def context(step: Step) -> dict[str, str]:
    """Return the github context of the step, as far as a container sees it, plus `token`."""
    event = step.event
    github = {name: value for name, _, value in (word.partition("=") for word in DEFAULTS.split())}
    github["event_name"] = step.event_name
    if repository := event.get("repository"):
        github["repository"] = repository["full_name"]
    if pull := event.get("pull_request"):
        number = event.get("number", pull.get("number"))
        github |= {"ref": f"refs/pull/{number}/merge", "ref_name": f"{number}/merge"}
        github |= {"base_ref": pull["base"]["ref"], "head_ref": pull["head"]["ref"]}
    github |= step.github
    github["repository_owner"] = github["repository"].partition("/")[0]
    github["workflow_ref"] = f"{github['repository']}/.github/workflows/clearband.yml@{github['ref']}"
    github["workflow_sha"] = github["sha"]
    return github


def settle_inputs(step: Step, github: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """Return every input with its value, and the runner's warnings; names are case-insensitive, defaults are evaluated."""
    # The base loader makes every scalar a string, as the runner does.
    declared = yaml.load((step.action / "action.yml").read_bytes(), Loader=yaml.BaseLoader)["inputs"]  # noqa: S506  strings only
    names = {name.lower() for name in declared}
    unknown = [name for name in step.inputs if name.lower() not in names]
    warnings = [f"Unexpected input(s) {unknown}"] if unknown else []
    given = {name.lower() for name in step.inputs}
    defaults = {
        name: _evaluated(spec.get("default", ""), {"github": github, "runner": _runner()})
        for name, spec in declared.items()
        if name.lower() not in given
    }
    return {**step.inputs, **defaults}, warnings


def _evaluated(text: str, scope: Mapping[str, Mapping[str, str]]) -> str:
    def value(found: re.Match[str]) -> str:
        namespace, _, name = found[1].strip().partition(".")
        return scope[namespace].get(name, "")

    return re.sub(r"\$\{\{(.*?)\}\}", value, text)


def _runner() -> dict[str, str]:
    return {
        "os": "Linux",
        "arch": {"x86_64": "X64", "aarch64": "ARM64"}.get(os.uname().machine, "X64"),
        "name": "GitHub Actions 1",
        "environment": "github-hosted",
        "temp": "/github/runner_temp",
        "tool_cache": "/opt/hostedtoolcache",
        "workspace": "/home/runner/work/project",
    }
