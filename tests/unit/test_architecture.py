"""The direction of the arrows, and which doors there are: read from the code's own imports and calls."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "clearband"
MODULES = sorted(path for path in SOURCE.rglob("*.py") if "templates" not in path.parts)

# From what everything may use down to what nothing may use. A module imports its own floor and those above it.
FLOORS = (
    ("vocabulary", "errors", "plain_text"),
    (
        "results",
        "stats",
        "policy",
        "policy_value",
        "policy_yaml",
        "policy_file",
        "policy_checks",
        "policy_suites",
        "policy_questions",
        "markdown",
        "markdown_marks",
    ),
    (
        "declaration",
        "declaration_text",
        "declaration_block",
        "declaration_value",
        "comparison",
        "override",
        "verdict",
        "looks",
    ),
    ("terms", "tightening", "comparability", "matching", "reduction", "filling", "pooling", "pairing", "paths"),
    ("estimate", "state", "must_pass", "registration"),
    ("measure", "slices"),
    ("comparing", "planning", "steadiness"),
    ("gate", "audit"),
    ("sources", "proposal"),
    ("own_baseline",),
    ("anchoring",),
    ("answers",),
    ("pipeline", "inspection"),
    ("several",),
    ("scaffold", "scaffold_policy", "scaffold_tools", "scaffold_workflow"),
    ("report",),
    ("publish", "folder", "template_process", "__init__"),
    (
        "clock",
        "defect",
        "urls",
        "input_values",
        "settings",
        "result_files",
        "ledger_folder",
        "ledger_clone",
        "ledger_source",
        "github",
    ),
    ("pull_facts",),
    ("trail", "arms", "action_outputs"),
    ("publishing", "situation"),
    ("suite_run",),
    ("action", "laptop"),
    (
        "laptop_audit",
        "laptop_adopt",
        "laptop_replay",
        "laptop_plan",
        "laptop_inspect",
        "laptop_init",
        "arguments_audit",
        "arguments_init",
        "arguments",
    ),
    ("cli", "__main__"),
)
PURE = ("stats", "results", "report", "audit", "policy", "declaration", "terms", "pairing", "measure", "estimate", "state", "slices", "must_pass",
        "comparability", "matching", "reduction", "filling", "pooling", "comparing", "planning", "gate",
        "sources", "answers", "pipeline", "several", "comparison", "markdown", "inspection", "scaffold", "registration", "looks", "verdict", "tightening", "override")  # fmt: skip

# DuckDB opens files only, so bytes get a name for a while, and large files are copied away: neither changes what is
# computed.
SCRATCH = ("scratch.py", "snapshot.py")


def name_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def floor_of(name: str) -> int:
    return next(level for level, names in enumerate(FLOORS) if name in names)


def imported(tree: ast.AST) -> set[str]:
    """Return the full names of everything a module imports, for types too."""
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Import():
                found.update(alias.name for alias in node.names)
            case ast.ImportFrom(module=str(module)):
                found.update(f"{module}.{alias.name}" for alias in node.names)
    return found


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_import_runs_back_up_the_house(path: Path) -> None:
    own = floor_of(name_of(path))
    for target in imported(parsed(path)):
        first, _, rest = target.partition(".")
        if first == "clearband" and rest:
            room = rest.split(".")[0]
            known = {name for names in FLOORS for name in names}
            assert not (room in known and floor_of(room) > own), f"{path.name} imports {target}"


@pytest.mark.parametrize(
    "path",
    [p for p in MODULES if name_of(p).startswith(PURE) and p.name not in SCRATCH],
    ids=lambda p: str(p.relative_to(SOURCE)),
)
def test_the_pure_part_knows_no_clock_network_environment_or_chance(path: Path) -> None:
    effects = {
        "os",
        "time",
        "datetime",
        "socket",
        "requests",
        "urllib",
        "http",
        "random",
        "secrets",
        "subprocess",
        "tempfile",
    }
    used = {target.split(".")[0] for target in imported(parsed(path))}
    assert not used & effects


def called(tree: ast.AST) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            match node.func:
                case ast.Name(id=name):
                    names.add(name)
                case ast.Attribute(value=ast.Name(id=owner), attr=attribute):
                    names.add(f"{owner}.{attribute}")
    return names


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_there_are_no_other_doors(path: Path) -> None:
    tree = parsed(path)
    assert not called(tree) & {
        "eval",
        "exec",
        "compile",
        "print",
        "__import__",
        "yaml.load",
        "yaml.safe_load",
        "os.system",
    }
    assert not {target.split(".")[0] for target in imported(tree)} & {
        "pickle",
        "marshal",
        "shelve",
        "subprocess",
        "ctypes",
    }


@pytest.mark.parametrize(
    ("module", "allowed"),
    [
        ("yaml", {"policy_yaml.py"}),
        ("jinja2", {"render.py"}),
        ("requests", {"action.py", "client.py", "download.py", "retry.py", "failures.py"}),
        ("duckdb", {"parquet_file.py", "parquet_schema.py"}),
        ("tempfile", {*SCRATCH, "publish.py"}),
        ("zipfile", {"archive.py"}),
    ],
)
def test_each_risky_library_has_one_door(module: str, allowed: set[str]) -> None:
    users = {path.name for path in MODULES if any(t.split(".")[0] == module for t in imported(parsed(path)))}
    assert users <= allowed


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_every_module_says_why_it_exists_and_fits_on_a_few_screens(path: Path) -> None:
    assert ast.get_docstring(parsed(path))
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 300
