"""Which evaluation tools a repository shows, by its files and by what it installs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clearband.scaffold_tools import GENERIC, TOOLS, detect, of_format

if TYPE_CHECKING:
    from clearband.scaffold_tools import Tool


@pytest.mark.parametrize(
    ("names", "texts", "tool"),
    [
        ("promptfooconfig.yaml", {}, "promptfoo"),
        ("evals/promptfooconfig.json", {}, "promptfoo"),
        ("package.json", {"package.json": '{"devDependencies": {"promptfoo": "^0.123.1"}}'}, "promptfoo"),
        (".deepeval", {}, "DeepEval"),
        ("", {"requirements-eval.txt": "deepeval>=3\n"}, "DeepEval"),
        ("logs/2026-01-01_task.eval", {}, "Inspect AI"),
        ("", {"pyproject.toml": 'dependencies = ["inspect_ai>=0.3"]'}, "Inspect AI"),
        ("", {"requirements.txt": "lm-eval[hf]==0.4.13\n"}, "lm-evaluation-harness"),
        ("", {"requirements.txt": "lm_eval\n"}, "lm-evaluation-harness"),
        ("", {"requirements.txt": "pytest-json-report\n"}, "pytest-json-report"),
        ("pytest.ini", {}, "pytest"),
        ("tests/conftest.py", {}, "pytest"),
        ("", {"pyproject.toml": "[tool.pytest.ini_options]\n"}, "pytest"),
    ],
)
def test_tools_are_known_by_their_files_and_their_packages(names: str, texts: dict[str, str], tool: str) -> None:
    assert detect(names.split(), texts)[0].tool.name == tool


@pytest.mark.parametrize(
    "texts",
    [
        {"requirements.txt": "# deepeval\nmydeepeval\npytestify\n"},
        {"README.md": "We use promptfoo."},
        {"vendored/conftest.py": ""},
    ],
)
def test_tools_are_not_seen_where_they_are_only_mentioned(texts: dict[str, str]) -> None:
    assert detect(texts, texts) == ()


@pytest.mark.parametrize("tool", [tool for tool in TOOLS if tool.format], ids=lambda tool: tool.name)
def test_a_format_belongs_to_the_tool_that_writes_it(tool: Tool) -> None:
    assert of_format(tool.format or "") is tool
    assert of_format(f"{tool.format}/json") is tool


def test_every_other_format_is_of_nobody_in_particular() -> None:
    assert of_format("ragas/csv") is GENERIC
    assert of_format("promptfoo-like/json") is GENERIC
