"""The real program in a real process."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "cranfield"


@dataclass(frozen=True)
class Ended:
    """How the program ended."""

    status: int
    out: str
    err: str

    @property
    def record(self) -> dict[str, Any]:
        return json.loads(self.out)  # type: ignore[no-any-return]


def run_clearband(folder: Path, *arguments: object) -> Ended:
    """Run `clearband` in `folder`; a traceback fails the test whatever the exit status."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", "clearband", *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=folder,
        check=False,
        timeout=120,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return Ended(status=done.returncode, out=done.stdout, err=done.stderr)


@pytest.fixture
def clearband(tmp_path: Path) -> Callable[..., Ended]:
    """Return a function that runs `clearband` in an empty folder."""
    return partial(run_clearband, tmp_path)
