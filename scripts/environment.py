# ruff: noqa: INP001  a script, run by its path and never imported
"""Bring a virtual environment to what the lock files say, or leave it alone if it is there already.

``python scripts/environment.py run|dev FOLDER`` with the interpreter that the environment is to use; `setup.sh` finds
that interpreter. Only the standard library is used, because nothing is installed yet.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import venv
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
LOCKS: Final = {
    "run": ("runtime.lock", "build.lock"),
    "dev": ("dev.lock",),  # a superset of the other two
}
PIP: Final = ("-m", "pip", "--disable-pip-version-check", "--no-input", "install", "-qq")


def fingerprint(profile: str, folder: Path) -> str:
    """Return a digest of everything that the environment is made from, the clone's own place included."""
    digest = hashlib.sha256(f"{folder} {sys.version_info[:2]}".encode())
    for source in (*(ROOT / "requirements" / name for name in LOCKS[profile]), ROOT / "pyproject.toml"):
        digest.update(source.read_bytes())
    return digest.hexdigest()


def usable(folder: Path) -> bool:
    """Whether the folder holds an environment of this Python version that was made in this place and still works.

    An environment holds absolute paths, so one that was moved with its clone is dead; its pyvenv.cfg says where it was
    made.
    """
    if not any(
        line.startswith("command = ") and line.endswith(f" {folder}")
        for line in text(folder / "pyvenv.cfg").splitlines()
    ):
        return False
    check = f"import sys, pip; sys.exit(sys.version_info[:2] != {sys.version_info[:2]})"
    return subprocess.run([folder / "bin" / "python", "-c", check], check=False, capture_output=True).returncode == 0


def text(path: Path) -> str:
    """Return the file's text; empty where there is no such file."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""


def create(folder: Path) -> None:
    """Make an empty environment with pip in it, in the place of whatever was there."""
    try:
        venv.EnvBuilder(clear=True, with_pip=True, symlinks=True).create(folder)
    except (subprocess.CalledProcessError, OSError) as error:
        sys.exit(
            f"{folder} could not be made with {sys.executable}: {error}.\n"
            "On Debian and Ubuntu the missing piece is the package python3-venv: apt-get install python3-venv"
        )


def install(profile: str, folder: Path) -> None:
    """Install the locked packages, by hash, and the program itself as an editable install."""
    locked = [word for name in LOCKS[profile] for word in ("-r", f"requirements/{name}")]
    program = ["--no-deps", "--no-index", "--no-build-isolation", "-e", "."]
    for arguments in (["--require-hashes", *locked], program):
        command = [str(folder / "bin" / "python"), *PIP, *arguments]
        status = subprocess.run(command, cwd=ROOT, check=False).returncode
        if status:
            sys.exit(
                f"pip ended with status {status}; its own words are above.\n"
                f"The environment is {folder}: run the same command again once the cause is mended."
            )


def main(profile: str, folder: Path) -> None:
    """Do what is needed, and nothing where nothing is."""
    stamps = {name: folder / f".clearband-{name}" for name in LOCKS}
    kept = usable(folder)
    if kept and any(text(stamps[name]) == fingerprint(name, folder) for name in {profile, "dev"}):
        return
    sys.stderr.write(f"Setting up {folder.name} with Python {sys.version.split()[0]}. Done once, then kept.\n")
    if not kept:
        create(folder)
    install(profile, folder)
    stamps[profile].write_text(fingerprint(profile, folder), encoding="utf-8")


if __name__ == "__main__":
    match sys.argv[1:]:
        case [("run" | "dev") as profile, folder]:
            main(profile, ROOT / folder)
        case _:
            sys.exit("usage: python scripts/environment.py run|dev FOLDER")
