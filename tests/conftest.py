"""What every test may use."""

from __future__ import annotations

from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]
SAMPLES = REPOSITORY.parent / "shared" / "samples"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real result files; it lies beside the repository and is no part of it."""
    if not SAMPLES.is_dir():
        pytest.skip("needs the shared samples in ../shared/samples")
    return SAMPLES
