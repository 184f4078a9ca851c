"""The terminal: the comment's sentences and table, in columns, and nothing that a terminal would obey."""

from __future__ import annotations

import re
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from clearband.report.terminal import display_width, plain, shortened, text, wrapped

from .reading import check_golden
from .variants import HOSTILE_NAMES, VARIANTS

GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "terminal"
EVERY = pytest.mark.parametrize("name", VARIANTS)
ESCAPE = re.compile("\x1b\\[[0-9;]*m")


def shown(name: str, *, width: int = 80, colour: bool = False) -> str:
    return text(VARIANTS[name](), colour=colour, width=width)


@pytest.mark.parametrize("name", ["inconclusive", "blocked", "undeclared", "hostile_names", "zero_one_metric"])
def test_the_text_has_its_expected_bytes(name: str) -> None:
    check_golden(GOLDEN / f"{name}.txt", shown(name) + "\n")


@EVERY
def test_the_verdict_is_the_first_line_and_the_merge_the_second_paragraph(name: str) -> None:
    first, merge, *_ = shown(name, width=300).split("\n\n")
    assert "\n" not in first
    assert re.match(r"Not blocked|Not gated|The merge is blocked|Held back|Stopped", merge)


@EVERY
@pytest.mark.parametrize("width", [80, 100, 120])
def test_lines_fit_the_terminal(name: str, width: int) -> None:
    lines = shown(name, width=width).split("\n")
    assert [line for line in lines if display_width(line) > width and " " in line.strip()] == []


@EVERY
def test_narrow_terminals_get_every_metric_with_its_change(name: str) -> None:
    answer = VARIANTS[name]()
    narrow = shown(name, width=40)
    metrics = answer.comparison.metrics if answer.comparison else ()
    rows = narrow.count("cleared zero:") or len(
        re.findall(r"^[* ] \S.*(?:no, identical|not comparable)$", narrow, re.MULTILINE)
    )
    assert rows == len(metrics)


@pytest.mark.parametrize("width", [-5, 0, 1, 12])
def test_an_absurd_width_is_no_reason_to_fail(width: int) -> None:
    assert "Inconclusive" in shown("inconclusive", width=width)


def test_columns_line_up() -> None:
    table = [line for line in shown("inconclusive").split("\n") if "→" in line]
    assert len(table) == 6
    assert len({line.index("→") for line in table}) == 1
    assert len({line.index("[") for line in table[1:]}) == 1


def test_wide_scripts_line_up_too() -> None:
    table = [line for line in shown("hostile_names").split("\n") if "→ 0." in line]
    assert len({display_width(line.partition("→")[0]) for line in table}) == 1


def test_the_primary_metric_is_starred() -> None:
    starred = [line for line in shown("inconclusive").split("\n") if line.startswith("* ")]
    assert len(starred) == 1
    assert "nDCG@10" in starred[0]


@EVERY
def test_without_colour_there_is_no_control_character_but_the_newline(name: str) -> None:
    plain = shown(name)
    assert {sign for sign in plain if unicodedata.category(sign) == "Cc"} <= {"\n"}
    assert "\u202e" not in plain
    assert "\u00a0" not in plain


@EVERY
def test_colour_adds_nothing_but_colour(name: str) -> None:
    coloured = shown(name, colour=True)
    assert ESCAPE.sub("", coloured) == shown(name)
    assert "\x1b" in coloured
    assert coloured.count("\x1b[0m") * 2 == len(ESCAPE.findall(coloured))


def test_names_cannot_write_escape_sequences() -> None:
    assert any("\x1b" in name for name in HOSTILE_NAMES)
    codes = set(ESCAPE.findall(shown("hostile_names", colour=True)))
    assert codes == {"\x1b[1m", "\x1b[1;32m", "\x1b[0m"}


def test_a_blocked_metric_is_red_and_an_improvement_green() -> None:
    assert shown("blocked", colour=True).startswith("\x1b[1;31mBlocked")
    assert shown("improved", colour=True).startswith("\x1b[1;32mImproved")
    assert "\x1b[1;31myes, worse\x1b[0m" in shown("blocked", colour=True)


def test_blocks_to_paste_keep_their_lines() -> None:
    assert (
        "    ```clearband\n    # one of: nDCG@10, AP, RR, P@10, R@100\n    primary_metric: <metric>\n    ```"
        in shown("undeclared")
    )
    assert "\n    confidence: 0.95\n    metrics:\n      accuracy: {direction: higher}" in shown("unusable_policy")


def test_a_message_keeps_its_lines_and_loses_its_teeth() -> None:
    message = "\x1b]0;title\x07cannot read 'a\u202eb'\r\n    primary: x\n\ttab"
    assert plain(message) == "<U+001B>]0;title<U+0007>cannot read 'a<U+202E>b'\n    primary: x\n tab"
    assert len(plain("x" * 10**6)) <= 2_000
    assert plain("x\n" * 10**5).count("\n") < 200


def test_width_is_counted_in_columns() -> None:
    assert display_width("准确") == 4
    assert display_width("e\u0301") == 1
    assert display_width("abc") == 3


def test_long_names_lose_their_middle() -> None:
    assert shortened("a" * 20 + "z", 12) == "aaaaaaa…aaaz"
    assert display_width(shortened("准" * 30, 11)) <= 11
    assert shortened("short", 12) == "short"


def test_words_longer_than_the_line_stay_whole() -> None:
    assert wrapped("a " + "b" * 50 + " c", 10) == "a\n" + "b" * 50 + "\nc"
    assert wrapped("", 10) == ""


def test_the_terminal_needs_no_template_engine() -> None:
    code = (
        "import sys, clearband.report.terminal\n"
        "assert not {'jinja2', 'requests', 'markupsafe'} & set(sys.modules), sorted(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
