"""Scripts that measure inside their own process, so that neither start-up nor reading counts."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from bench.timing import PATIENCE, environment

if TYPE_CHECKING:
    from pathlib import Path

    from bench.environments import Ready


def said(ready: Ready, *arguments: str | Path) -> tuple[str, str]:
    """Run a script in an environment; return what it printed, and why it failed or nothing."""
    command = [ready.python, *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, env=environment(), timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return "", f"stopped after {PATIENCE:.0f} s"
    if done.returncode:
        last = next((line for line in reversed(done.stderr.splitlines()) if line.strip()), "")
        return "", f"exit status {done.returncode}: {last[:120]}"
    return done.stdout, ""
