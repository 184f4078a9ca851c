"""Each tool in an environment of its own, so that no tool's dependencies slow or break another's."""

from __future__ import annotations

import json
import subprocess
import venv
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_PIP: Final = ("-m", "pip", "--disable-pip-version-check", "--no-input", "install", "-qq")


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """A virtual environment by name, and what is installed in it."""

    name: str
    requirements: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """An environment that is there; `missing` says why it is not."""

    folder: Path
    missing: str = ""

    @property
    def python(self) -> Path:
        """Return its interpreter."""
        return self.folder / "bin" / "python"

    def program(self, name: str) -> Path:
        """Return one of its programs."""
        return self.folder / "bin" / name

    def versions(self) -> dict[str, str]:
        """Return what is installed, by name."""
        if self.missing:
            return {}
        command = [str(self.python), "-m", "pip", "--disable-pip-version-check", "list", "--format=json"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return {entry["name"].lower(): entry["version"] for entry in json.loads(done.stdout)}


def prepared(wanted: Environment, home: Path, *, say: Callable[[str], None]) -> Ready:
    """Return the environment, made where it is not there yet."""
    folder = home / "envs" / wanted.name
    done = folder / "installed.json"
    listed = json.dumps(wanted.requirements)
    if done.exists() and done.read_text("utf-8") == listed:
        return Ready(folder=folder)
    say(f"installing {' '.join(wanted.requirements)}")
    venv.EnvBuilder(clear=True, with_pip=True, symlinks=True).create(folder)
    problem = _installed(folder, wanted.requirements)
    if problem:
        return Ready(folder=folder, missing=problem)
    done.write_text(listed, "utf-8")
    return Ready(folder=folder)


def own(root: Path, home: Path, *, say: Callable[[str], None]) -> Ready:
    """Return an environment with Clearband as people install it: a wheel and the locked packages, bytecode compiled."""
    ready = prepared(
        Environment(name="clearband", requirements=("-r", str(root / "requirements" / "image.lock"))), home, say=say
    )
    if ready.missing:
        return ready
    builder = prepared(
        Environment(name="build", requirements=("-r", str(root / "requirements" / "build.lock"))), home, say=say
    )
    say("installing Clearband from this clone")
    wheels = home / "wheels"
    for old in wheels.glob("*.whl"):
        old.unlink()
    build = ["-m", "pip", "--disable-pip-version-check", "wheel", "-qq", "--no-deps", "--no-build-isolation"]
    subprocess.run([builder.python, *build, "-w", wheels, root], check=True, cwd=home)
    wheel = next(wheels.glob("*.whl"))
    subprocess.run([ready.python, *_PIP, "--no-deps", "--force-reinstall", wheel], check=True, cwd=home)
    return ready


def _installed(folder: Path, requirements: tuple[str, ...]) -> str:
    """Install the requirements; return why that was not possible, or nothing."""
    command = [str(folder / "bin" / "python"), *_PIP, *requirements]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return ""
    lines: list[str] = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
    return (lines or ["ERROR: pip failed"])[-1].removeprefix("ERROR: ")[:160]
