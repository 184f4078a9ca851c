"""One build for the whole session; a printed reason where none can be made."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

# The peer on loopback, every exchange with which is held against GitHub's own description.
from github.conftest import judge, peer, serve

from .engine import ROOT, Engine, unavailable

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["engine", "image", "judge", "peer", "serve", "workspace"]


@pytest.fixture(scope="session")
def engine() -> Engine:
    reason = unavailable()
    if reason and os.environ.get("CLEARBAND_REQUIRE_ALL") == "1":
        pytest.fail(f"containers are required (CLEARBAND_REQUIRE_ALL=1), but {reason}")
    if reason:
        pytest.skip(reason)
    return Engine.prepare()


@pytest.fixture(scope="session")
def image(engine: Engine) -> str:
    return engine.build(ROOT)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder
