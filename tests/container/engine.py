"""Podman and buildah without a daemon, with a storage of their own, and a base image where no registry is at hand.

Needs root and the packages podman, buildah, runc and, to make the base image, mmdebstrap. Environment:

- ``CTR_HOME``: folder of the storage; it is kept, so that a second session starts warm.
- ``CLEARBAND_BASE=pull``: build on the base that the Dockerfile names, from its registry, not on a stand-in.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT: Final = Path(__file__).resolve().parents[2]
STAND_IN: Final = "docker.io/library/python:3.13-slim"
# runc: crun refuses older cgroup layouts. The limits: podman would raise them, which a container may not.
CONTAINERS_CONF: Final = """\
[containers]
default_ulimits = ["nofile=4096:4096", "nproc=8192:8192"]
[engine]
cgroup_manager = "cgroupfs"
runtime = "runc"
events_logger = "file"
"""
STORAGE_CONF: Final = """\
[storage]
driver = "overlay"
graphroot = "{home}/root"
runroot = "{home}/run"
"""


@dataclass(frozen=True, slots=True)
class Ended:
    """A container that ran to its end."""

    status: int
    output: str
    """stdout and stderr, in the order in which they were written."""


def unavailable() -> str | None:
    """Return why no container can be built and run here; None where it can."""
    missing = [name for name in ("podman", "buildah", "runc") if shutil.which(name) is None]
    if missing:
        return f"not installed: {', '.join(missing)}"
    if os.geteuid() != 0:
        return "podman needs root here"
    return None


@dataclass(frozen=True, slots=True)
class Engine:
    """The engine of one test session."""

    home: Path
    environment: Mapping[str, str] = field(repr=False)
    """The machine's own, which a failing test must not print."""

    @classmethod
    def prepare(cls) -> Engine:
        """Write the engine's configuration; the machine's own is left alone."""
        home = Path(os.environ.get("CTR_HOME") or Path(tempfile.gettempdir(), "ctr"))
        home.mkdir(parents=True, exist_ok=True)
        files = {"CONTAINERS_CONF": CONTAINERS_CONF, "CONTAINERS_STORAGE_CONF": STORAGE_CONF.format(home=home)}
        environment = dict(os.environ)
        for name, text in files.items():
            path = home / f"clearband-{name.lower()}"
            path.write_text(text, encoding="utf-8")
            environment[name] = str(path)
        return cls(home, environment)

    def call(self, *command: str | Path, timeout: float = 900) -> str:
        """Run one of the engine's programs and return its stdout; its whole output is the failure's message."""
        ended = subprocess.run(
            command, env=self.environment, capture_output=True, text=True, check=False, timeout=timeout
        )
        if ended.returncode:
            words = " ".join(map(str, command))
            raise RuntimeError(f"{words} ended with {ended.returncode}\n{ended.stdout}\n{ended.stderr}")
        return ended.stdout.strip()

    def exists(self, image: str) -> bool:
        """Whether the storage holds the image."""
        return subprocess.run(["podman", "image", "exists", image], env=self.environment, check=False).returncode == 0

    @property
    def base(self) -> str:
        """The image that the build starts from."""
        if os.environ.get("CLEARBAND_BASE") != "pull":
            return STAND_IN
        lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
        return next(line.removeprefix("ARG BASE=") for line in lines if line.startswith("ARG BASE="))

    def build(self, context: Path) -> str:
        """Build the Dockerfile of a folder on the base image; return the new image's name."""
        if not self.exists(self.base):
            if self.base == STAND_IN:
                self.call("sh", Path(__file__).with_name("make_base.sh"), self.home, STAND_IN)
            else:
                self.call("podman", "pull", "-q", self.base)
        # One name per clone: two clones may be tested at the same time on one machine.
        image = f"localhost/clearband-{hashlib.sha256(str(context).encode()).hexdigest()[:12]}"
        self.call(
            *("buildah", "bud", "--isolation", "chroot", "--layers", "--pull-never"),
            *("--build-arg", f"BASE={self.base}", "-q", "-t", image, context),
        )
        return image

    def size(self, image: str) -> int:
        """Return the image's size in bytes, all layers together."""
        return int(json.loads(self.call("podman", "image", "inspect", image))[0]["Size"])

    def layers(self, image: str) -> list[str]:
        """Return the digests of the image's layers, the base's first."""
        return list(json.loads(self.call("podman", "image", "inspect", image))[0]["RootFS"]["Layers"])

    def run(
        self,
        image: str,
        *arguments: str,
        environment: Mapping[str, str] | None = None,
        options: tuple[str, ...] = (),
        timeout: float = 120,
    ) -> Ended:
        """Run a container to its end, as root, and remove it."""
        # Values go through the engine's own environment (`-e NAME`), as the runner does it: no quoting can go wrong.
        # The two that the engine itself needs are named with their values.
        handed = dict(environment or {})
        own = {name: handed.pop(name) for name in ("PATH", "HOME") if name in handed}
        names = [*handed, *(f"{name}={value}" for name, value in own.items())]
        ended = subprocess.run(
            ["podman", "run", "--rm", *(word for name in names for word in ("-e", name)), *options, image, *arguments],
            env={**self.environment, **handed},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            check=False,
            timeout=timeout,
        )
        return Ended(ended.returncode, ended.stdout)
