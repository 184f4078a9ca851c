"""Packages from npm that only tests use, kept in the repository's .cache folder."""

from __future__ import annotations

import fcntl
import shutil
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

TRIES = 3
_COMMAND = ("npm", "install", "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts")


class NotAvailable(Exception):
    """Why Node's packages are not there."""


def install(cache: Path, manifest: str, proof: str) -> Path:
    """Return `cache`, which holds the packages of `manifest` (a package.json), installed once and kept.

    `proof` is a file that a complete installation has: npm may end well and leave nothing behind when the connection
    breaks, so it is looked for, and the installation tried again. Raises `NotAvailable`.
    """
    cache.mkdir(parents=True, exist_ok=True)
    with (cache / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        stamp = cache / "package.json"
        if not (stamp.exists() and stamp.read_text() == manifest and (cache / proof).exists()):
            _install(cache, manifest, proof)
    return cache


def _install(cache: Path, manifest: str, proof: str) -> None:
    if not (shutil.which("node") and shutil.which("npm")):
        raise NotAvailable("node and npm are not installed")
    fresh = cache / "fresh"
    failures = []
    for _ in range(TRIES):
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir()
        (fresh / "package.json").write_text(manifest)
        try:
            done = subprocess.run(_COMMAND, cwd=fresh, capture_output=True, text=True, timeout=300, check=False)
        except subprocess.TimeoutExpired:
            failures.append("npm took longer than five minutes")
            continue
        if done.returncode == 0 and (fresh / proof).exists():
            break
        failures.append(f"npm ended with {done.returncode}: {done.stderr.strip()[-500:] or done.stdout.strip()[-500:]}")
    else:
        raise NotAvailable(f"npm could not install the packages in {TRIES} tries: " + "; ".join(failures))
    shutil.rmtree(cache / "node_modules", ignore_errors=True)
    (fresh / "node_modules").rename(cache / "node_modules")
    (cache / "package.json").write_text(manifest)  # last: it says that the rest is complete
    shutil.rmtree(fresh)
