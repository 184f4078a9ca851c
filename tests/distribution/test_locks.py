"""The locks: complete, in step with pyproject.toml and with each other, and free of the machine that wrote them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
LOCKS = ("runtime", "image", "build", "dev")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
EXTRAS: dict[str, list[str]] = PROJECT["project"]["optional-dependencies"]


def text(lock: str) -> str:
    return (ROOT / "requirements" / f"{lock}.lock").read_text()


def pins(lock: str) -> dict[str, str]:
    return dict(re.findall(r"^([a-z0-9][a-z0-9.-]*)==(\S+)", text(lock), flags=re.MULTILINE))


def wanted(lock: str) -> list[Requirement]:
    groups = PROJECT["dependency-groups"]
    flat = [item for item in groups["dev"] if isinstance(item, str)]
    runtime = PROJECT["project"]["dependencies"]
    image = [*runtime, *EXTRAS["duckdb"]]
    texts = {
        "runtime": runtime,
        "image": image,
        "build": [*groups["build"], *PROJECT["build-system"]["requires"]],
        "dev": [*image, *groups["build"], *flat],
    }
    return [Requirement(text) for text in texts[lock]]


@pytest.mark.parametrize("lock", LOCKS)
def test_every_requirement_of_the_project_is_locked_to_a_version_it_allows(lock: str) -> None:
    locked = pins(lock)
    assert {
        str(one) for one in wanted(lock) if locked.get(canonicalize_name(one.name), "0") not in one.specifier
    } == set()


@pytest.mark.parametrize("lock", LOCKS)
def test_every_pin_has_hashes(lock: str) -> None:
    blocks = re.split(r"^(?=[a-z0-9])", text(lock), flags=re.MULTILINE)[1:]
    assert blocks
    assert [block.split()[0] for block in blocks if "--hash=sha256:" not in block] == []


@pytest.mark.parametrize("lock", LOCKS)
def test_no_index_no_address_and_no_path_is_named(lock: str) -> None:
    assert re.findall(r".*(?:--index|--extra|--find-links|://| @ |\s/).*", text(lock)) == []


def test_the_tests_run_on_the_versions_that_are_shipped() -> None:
    assert (pins("image") | pins("build")).items() <= pins("dev").items()


def test_the_image_has_what_a_plain_install_has_and_the_extras_for_it_and_nothing_else() -> None:
    assert pins("runtime").items() <= pins("image").items()
    assert pins("image").keys() - pins("runtime").keys() == {
        canonicalize_name(Requirement(text).name) for text in EXTRAS["duckdb"]
    }


def test_the_container_installs_the_lock_of_the_image_and_the_builder_is_sent_no_other() -> None:
    recipe = (ROOT / "Dockerfile").read_text()
    sent = re.findall(r"^!requirements(\S*)$", (ROOT / ".dockerignore").read_text(), flags=re.MULTILINE)
    assert set(sent) == {"/build.lock", "/image.lock"}
    assert set(re.findall(r"\w+\.lock", recipe)) == {"build.lock", "image.lock"}
