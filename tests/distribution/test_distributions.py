"""Wheel and source distribution: the templates, which lie behind a link in the repository, are in both."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def build(project: Path, target: str, into: Path) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(into)]
    subprocess.run(command, cwd=project, check=True, capture_output=True)
    return next(into.iterdir())


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, "wheel", tmp_path_factory.mktemp("wheel"))


def test_the_wheel_holds_every_file_of_the_package_and_every_template(wheel: Path) -> None:
    # Links are followed: `clearband/templates` is one, to the folder at the top of the repository.
    walked = os.walk(ROOT / "src" / "clearband", followlinks=True)
    there = {Path(folder, name).relative_to(ROOT / "src").as_posix() for folder, _, names in walked for name in names}
    templates = {f"clearband/templates/{path.name}" for path in (ROOT / "templates").glob("*.j2")}
    assert len(templates) >= 2
    assert templates <= there
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert held == {name for name in there if not name.endswith(".pyc")}


def test_a_wheel_built_from_the_source_distribution_is_the_same_to_the_byte(wheel: Path, tmp_path: Path) -> None:
    sdist = build(ROOT, "sdist", tmp_path / "sdist")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    again = build(tmp_path / sdist.name.removesuffix(".tar.gz"), "wheel", tmp_path / "wheel")
    assert again.read_bytes() == wheel.read_bytes()
