"""Which files a policy's paths mean."""

from __future__ import annotations

import time

import pytest

from clearband.paths import touches


@pytest.mark.parametrize(
    ("pattern", "file", "means"),
    [
        ("src/**", "src/a.py", True),
        ("src/**", "src/a/b/c.py", True),
        ("src/", "src/a/b.py", True),
        ("src/**", "lib/src/a.py", False),
        ("**/prompts/*.md", "prompts/a.md", True),
        ("**/prompts/*.md", "a/b/prompts/c.md", True),
        ("**/prompts/*.md", "prompts/deep/c.md", False),
        ("*.py", "a.py", True),
        ("*.py", "src/a.py", False),
        ("**", "anything/at/all", True),
        ("src/**/test_*.py", "src/test_a.py", True),
        ("src/**/test_*.py", "src/x/y/test_a.py", True),
        ("./src/a.py", "src/a.py", True),
        ("/src/a.py", "src/a.py", True),
        ("src/a?.py", "src/ab.py", True),
        ("SRC/*", "src/a", False),
        ("src/[ab].py", "src/b.py", True),
        ("src", "src/a.py", False),
    ],
)
def test_a_pattern_means_what_it_looks_like(pattern: str, file: str, means: bool) -> None:
    assert touches([file], [pattern]) is means


def test_one_file_that_is_meant_is_enough() -> None:
    assert touches(["docs/a.md", "src/a.py"], ["lib/**", "src/**"])
    assert not touches(["docs/a.md", "README.md"], ["lib/**", "src/**"])


def test_hostile_names_and_patterns_take_no_time() -> None:
    start = time.monotonic()
    touches(["a/" * 500 + "b"] * 100, ["**/a/" * 60 + "x", "*a" * 40 + "b"])
    assert time.monotonic() - start < 30  # it takes tenths; a matcher that goes back takes for ever
