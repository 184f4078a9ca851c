"""A peer that is judged, a clock that tests move, and the environment of a run."""

from __future__ import annotations

import io
import json
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest
import requests

from clearband import action
from clearband.github.client import Client
from github.ledgers import ledger_of
from github.peer import Peer, World, node
from github.peer.description import Judge
from github.peer.storage import Storage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from clearband.github.ledger_branch import LedgerBranch
    from github.acting import Done
    from github.peer.world import Pull

OURS = "ghs_ours"
"""The token that the peer knows as the run's own."""


@dataclass
class Time:
    """Seconds since 1970, moved by sleeping alone."""

    now: float = 1_800_000_000.0
    slept: list[float] = field(default_factory=list)

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def time() -> Time:
    return Time()


def node_packages() -> Path:
    """The npm packages' folder; a skip with the reason where Node is missing, a failure where it is required."""
    try:
        return node.install()
    except node.NotAvailable as reason:
        if os.environ.get("CLEARBAND_REQUIRE_ALL") == "1":
            pytest.fail(f"Node's packages are required (CLEARBAND_REQUIRE_ALL=1), but {reason}")
        pytest.skip(f"{reason}")


@pytest.fixture(scope="session")
def judge() -> Iterator[Judge | None]:
    """GitHub's own description as a judge; None on a machine without Node, where the tests run unjudged."""
    try:
        judge = Judge(node.install() / "github.json")
    except node.NotAvailable as reason:
        if os.environ.get("CLEARBAND_REQUIRE_ALL") == "1":
            pytest.fail(f"Node's packages are required (CLEARBAND_REQUIRE_ALL=1), but {reason}")
        print(f"requests are not judged by GitHub's description: {reason}")
        yield None
        return
    yield judge
    judge.close()


@pytest.fixture
def serve(judge: Judge | None) -> Iterator[Callable[..., Peer]]:
    """Start peers; at the end every exchange with them must fit GitHub's description."""
    started: list[Peer] = []

    def start(world: World | None = None, **options: Any) -> Peer:
        started.append(Peer(world, **options).__enter__())
        return started[-1]

    yield start
    for peer in started:
        peer.__exit__(None, None, None)
    if judge is not None:
        assert [said for peer in started for said in judge.violations(peer.exchanges, peer.prefix)] == []


@pytest.fixture
def peer(serve: Callable[..., Peer]) -> Peer:
    return serve()


@pytest.fixture
def storage(peer: Peer) -> Iterator[Storage]:
    """Where the peer's artifacts lie."""
    with Storage(peer.world.past) as started:
        yield started


@pytest.fixture
def connect(time: Time) -> Iterator[Callable[..., Client]]:
    """Make clients of a peer."""
    session = requests.Session()
    session.trust_env = False  # a proxy of the developer's machine has no business with loopback

    def make(peer: Peer, *, token: str = OURS, patience: float = 300.0) -> Client:
        return Client(
            session=session,
            api_url=peer.api_url,
            graphql_url=peer.graphql_url,
            token=token,
            clock=time.clock,
            sleep=time.sleep,
            patience=patience,
        )

    yield make
    session.close()


@pytest.fixture
def ledger(peer: Peer, connect: Callable[..., Client]) -> LedgerBranch:
    return ledger_of(peer, connect(peer))


@dataclass(frozen=True)
class Runner:
    """The runner's side of a job: workspace, event file, command files and the environment that names them."""

    workspace: Path
    folder: Path
    env: dict[str, str]

    @property
    def output(self) -> str:
        return (self.folder / "output").read_text()

    @property
    def outputs(self) -> dict[str, str]:
        """The output file, read as the runner reads it."""
        lines, values = self.output.split("\n"), {}
        while lines and lines != [""]:
            name, _, delimiter = lines.pop(0).partition("<<")
            end = lines.index(delimiter)
            values[name] = "\n".join(lines[:end])
            del lines[: end + 1]
        return values

    @property
    def summary(self) -> str:
        return (self.folder / "summary").read_text()

    def but(self, **changes: str) -> Runner:
        return Runner(self.workspace, self.folder, self.env | changes)


def event_of(pull: Pull, repository: str) -> dict[str, Any]:
    """The payload of a pull_request event, as far as anyone may rely on it."""
    head = None if pull.head_repository is None else {"full_name": pull.head_repository}
    return {
        "action": "synchronize",
        "number": pull.number,
        "pull_request": {
            "number": pull.number,
            "body": "the body as it was when the event fired",
            "head": {"sha": pull.head_sha, "ref": "topic", "repo": head},
            "base": {"sha": pull.base_sha, "ref": "main", "repo": {"full_name": repository}},
            "user": {"login": "octocat"},
        },
        "repository": {"full_name": repository, "default_branch": "main"},
    }


@pytest.fixture
def runner(tmp_path: Path) -> Callable[..., Runner]:
    """Make the runner's side of one job."""

    def make(peer: Peer, event: object, *, name: str = "pull_request", **inputs: str) -> Runner:
        folder = tmp_path / f"runner-{len(list(tmp_path.iterdir()))}"
        workspace = tmp_path / "workspace"
        workspace.mkdir(exist_ok=True)
        folder.mkdir()
        (folder / "event.json").write_text(json.dumps(event))
        (folder / "output").touch()
        (folder / "summary").touch()
        given = {"baseline": "baseline.jsonl", "candidate": "candidate.jsonl", "github_token": OURS} | inputs
        env = {f"INPUT_{key.upper().replace('_', '-')}": value for key, value in given.items()} | {
            "GITHUB_API_URL": peer.api_url,
            "GITHUB_GRAPHQL_URL": peer.graphql_url,
            "GITHUB_SERVER_URL": peer.origin,
            "GITHUB_REPOSITORY": peer.world.repository,
            "GITHUB_EVENT_NAME": name,
            "GITHUB_EVENT_PATH": str(folder / "event.json"),
            "GITHUB_WORKSPACE": str(workspace),
            "GITHUB_OUTPUT": str(folder / "output"),
            "GITHUB_STEP_SUMMARY": str(folder / "summary"),
            "GITHUB_RUN_ID": "1001",
            "GITHUB_RUN_ATTEMPT": "1",
            "GITHUB_ACTOR": "octocat",
            "GITHUB_REPOSITORY_ID": "1",
            "GITHUB_WORKFLOW_REF": f"{peer.world.repository}/.github/workflows/clearband.yml@refs/pull/7/merge",
        }
        return Runner(workspace, folder, env)

    return make


@pytest.fixture
def act(runner: Callable[..., Runner], time: Time) -> Iterator[Callable[..., Done]]:
    """Run the Action once on a pull request."""
    from github.acting import BASELINE, BETTER, Done

    session = requests.Session()
    session.trust_env = False

    def once(
        peer: Peer,
        pull: Pull,
        *,
        baseline: str | None = BASELINE,
        candidate: str | None = BETTER,
        event: object = None,
        name: str = "pull_request",
        env: dict[str, str] | None = None,
        **inputs: str,
    ) -> Done:
        payload = event_of(pull, peer.world.repository) if event is None else event
        side = runner(peer, payload, name=name, **inputs).but(**(env or {}))
        for file, text in (("baseline.jsonl", baseline), ("candidate.jsonl", candidate)):
            if text is not None:
                (side.workspace / file).write_text(text)
        out = io.StringIO()
        status = action.run(side.env, session=session, clock=time.clock, sleep=time.sleep, stdout=out)
        return Done(status, out.getvalue(), side)

    yield once
    session.close()
