"""The second, independent peer: emulate (a stateful GitHub) behind Prism (a judge with GitHub's own description).

Both are npm packages, pinned in package.json beside this file and installed into the repository's .cache folder.
"""

from __future__ import annotations

import fcntl
import os
import signal
import socket
import subprocess
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import npm_packages
import yaml

from github.peer import edge
from github.peer.description import write_trimmed

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent
CACHE = HERE.parents[2] / ".cache" / "github-peer"
_DESCRIPTION = "node_modules/@octokit/openapi/generated/api.github.com.json"


def install() -> Path:
    """Return the folder that holds the packages, installed once and kept; raise `NotAvailable` where Node is not."""
    home = npm_packages.install(CACHE, (HERE / "package.json").read_text(), _DESCRIPTION)
    with (CACHE / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (CACHE / "github.json").exists() or (CACHE / "github.json").stat().st_mtime < _newest_source():
            write_trimmed(CACHE / _DESCRIPTION, CACHE / "github.json")
    return home


def _newest_source() -> float:
    return (HERE / "description.py").stat().st_mtime


@dataclass(frozen=True)
class NodePeer:
    """Addresses of the two servers."""

    state_url: str
    """emulate itself, for setting the scene."""
    api_url: str
    """The edge, with Prism and emulate behind it: what the program is given."""
    log: Path

    def violations(self) -> list[str]:
        return [line for line in self.log.read_text().splitlines() if "violation" in line.lower()]


@contextmanager
def serve(folder: Path, tokens: dict[str, str], *, read_only: frozenset[str] = frozenset()) -> Iterator[NodePeer]:
    """Run all three, with logs in `folder`, `tokens` mapped to logins, and a repository ``<first login>/evals``."""
    home = install()
    state, judged = _free_port(), _free_port()
    seed = {
        "tokens": {token: {"login": login, "scopes": ["repo", "user"]} for token, login in tokens.items()},
        "github": {
            "users": [
                {"login": login, "name": login, "email": "a@example.org"} for login in sorted(set(tokens.values()))
            ],
            "repos": [{"owner": min(tokens.values()), "name": "evals", "auto_init": True}],
        },
    }
    (folder / "seed.yaml").write_text(yaml.safe_dump(seed))
    log = folder / "prism.log"
    emulate = [str(home / "node_modules/emulate/dist/index.js"), "start", "--service", "github"]
    emulate += ["--seed", str(folder / "seed.yaml"), "--port", str(state)]
    prism = [str(home / "node_modules/@stoplight/prism-cli/dist/index.js"), "proxy", "-h", "127.0.0.1"]
    prism += ["-p", str(judged), str(home / "github.json"), f"http://127.0.0.1:{state}"]
    behind = {"judged": f"http://127.0.0.1:{judged}", "state": f"http://127.0.0.1:{state}"}
    with (
        _process(emulate, folder / "emulate.log", state),
        _process(prism, log, judged),
        edge.serve(**behind, logins=tokens, read_only=read_only) as api_url,
    ):
        yield NodePeer(behind["state"], api_url, log)


@contextmanager
def _process(arguments: list[str], log: Path, port: int) -> Iterator[None]:
    with log.open("wb") as out:
        process = subprocess.Popen(
            ["node", *arguments], stdout=out, stderr=out, stdin=subprocess.DEVNULL, start_new_session=True
        )
        try:
            _wait(process, log, port)
            yield
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(timeout=20)


def _wait(process: subprocess.Popen[bytes], log: Path, port: int) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError(f"a server did not start:\n{log.read_text()[-2000:]}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
