"""What every test may use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# How long an example takes depends on what else the machine does: a test that fails by the clock says nothing.
settings.register_profile("clearband", deadline=None)
settings.load_profile("clearband")

REPOSITORY = Path(__file__).resolve().parents[1]
SAMPLES = REPOSITORY.parent / "shared" / "samples"
TESTS = Path(__file__).parent

# Hundreds of tests start the program anew; without its bytecode each would compile two hundred modules first.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
os.environ["PYTHONPYCACHEPREFIX"] = str(REPOSITORY / ".cache" / "pycache")

ONE_BY_ONE = frozenset({"browser", "container", "distribution", "github"})
"""Folders whose tests share an image, a server or an environment: one process runs them all."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep together what shares something costly, when several processes run the tests; otherwise file by file."""
    for item in items:
        if item.get_closest_marker("xdist_group"):
            continue
        place = item.path.relative_to(TESTS)
        group = "one by one" if place.parts[0] in ONE_BY_ONE else str(place)
        item.add_marker(pytest.mark.xdist_group(group))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real result files; it lies beside the repository and is no part of it."""
    if not SAMPLES.is_dir():
        pytest.skip("needs the shared samples in ../shared/samples")
    return SAMPLES
