"""What a plain comparison makes Python load: start-up is part of the product, and modules are what it consists of."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.metadata import packages_distributions
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROWS = 40

COMPARE = """
import json, sys
from clearband.cli import main
with open("out.txt", "w", encoding="utf-8") as sys.stdout:
    status = main(["compare", "baseline.jsonl", "candidate.jsonl", "--primary", "right"])
print(json.dumps([status, sorted(sys.modules)]), file=sys.__stdout__)
"""

IDLE = {
    "clearband.audit.entry": "a ledger",
    "clearband.declaration_block": "a description",
    "clearband.declaration_text": "a description",
    "clearband.declaration_value": "a description",
    "clearband.filling": "--fill",
    "clearband.github": "the Action",
    "clearband.markdown": "a description",
    "clearband.override": "the Action",
    "clearband.policy_file": "a policy",
    "clearband.pooling": "--pool",
    "clearband.publish": "--out",
    "clearband.registration": "the Action",
    "clearband.report.aa_text": "--aa",
    "clearband.report.render": "--out",
    "clearband.results.bundle": "a folder or an archive",
    "clearband.results.delimited": "CSV",
    "clearband.results.json_document": "a JSON document",
    "clearband.results.pairwise": "--pairwise",
    "clearband.results.parquet": "Parquet",
    "clearband.stats.betting": "the bounded interval",
    "clearband.steadiness": "--aa",
    "numpy.ma": "nobody",
    "tempfile": "--out",
    "zipfile": "an archive",
}
"""Modules that wait until somebody asks for what they do."""


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Return the modules that one comparison of two JSON-lines files leaves loaded."""
    folder = tmp_path_factory.mktemp("start-up")
    _write(folder / "baseline.jsonl", right_every=2)
    _write(folder / "candidate.jsonl", right_every=3)
    done = subprocess.run(
        [sys.executable, "-P", "-c", COMPARE], capture_output=True, text=True, cwd=folder, timeout=120, check=False
    )
    assert done.stderr == ""
    status, modules = json.loads(done.stdout)
    assert status in {0, 1, 2}
    assert "right" in (folder / "out.txt").read_text(encoding="utf-8")
    return set(modules)


def _write(path: Path, *, right_every: int) -> None:
    rows = ({"id": f"q{i}", "right": int(i % right_every == 0), "score": i / right_every} for i in range(ROWS))
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def test_of_what_an_install_brings_only_numpy_and_the_json_parser_are_loaded(loaded: set[str]) -> None:
    locked = set(
        re.findall(r"^([a-z0-9-]+)==", (ROOT / "requirements" / "image.lock").read_text("utf-8"), re.MULTILINE)
    )
    owners = packages_distributions()
    used = {owner.lower() for name in loaded for owner in owners.get(name, ())}
    assert {"numpy", "msgspec", "jinja2", "requests"} <= locked
    assert used & locked == {"numpy", "msgspec"}


@pytest.mark.parametrize(("module", "waits_for"), IDLE.items())
def test_what_nobody_asked_for_is_not_loaded(loaded: set[str], module: str, waits_for: str) -> None:
    assert find_spec(module) is not None, "a module that was renamed is not guarded any more"
    assert module not in loaded, f"{module} waits for {waits_for}"
