"""The harness itself: it must see what GitHub's runner would see, or the tests beside it prove nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from .commands import BrokenFile, Command, command, masked, read_log, read_pairs

text = st.text(st.characters(codec="utf-8", exclude_characters="\n"))


@pytest.mark.parametrize(
    ("line", "seen"),
    [
        ("::error::no", Command("error", {}, "no")),
        ("   ::Error file=a.py,line=3::no", Command("error", {"file": "a.py", "line": "3"}, "no")),
        ("::warning title=a%3Ab%2Cc::100%25%0Amore", Command("warning", {"title": "a:b,c"}, "100%\nmore")),
        ("##[error]no", Command("error", {}, "no")),
        ("a metric called ##[set-output name=outcome]pass", Command("set-output", {"name": "outcome"}, "pass")),
        ("a metric called ::error::no", None),
        ("::unheard-of::no", None),
        ("##[unheard-of]no", None),
        ("::error no end", None),
        ("", None),
    ],
)
def test_a_command_counts_with_colons_at_the_start_and_with_brackets_anywhere(line: str, seen: Command | None) -> None:
    assert command(line) == seen


def test_commands_between_stop_and_resume_are_only_text() -> None:
    log = read_log(["::stop-commands::t0ken", "::error::quoted", "::t0ken::", "::error::meant"])
    assert [annotation.message for annotation in log.annotations] == ["meant"]
    assert "::error::quoted" in log.lines


def test_ten_annotations_of_each_level_are_kept_and_long_ones_are_cut() -> None:
    log = read_log([f"::{level}::{'x' * 5000}" for level in ("error", "notice") for _ in range(12)])
    assert [annotation.level for annotation in log.annotations] == ["error"] * 10 + ["notice"] * 10
    assert {len(annotation.message) for annotation in log.annotations} == {4096}


def test_the_deprecated_output_command_still_sets_an_output() -> None:
    assert read_log(["::set-output name=outcome::pass"]).outputs == {"outcome": "pass"}


@pytest.mark.parametrize("line", ["::set-env name=PATH::/evil", "::add-path::/evil"])
def test_commands_that_the_runner_forbids_fail_the_step(line: str) -> None:
    assert read_log([line]).refused


def test_secrets_are_hidden_the_longest_first() -> None:
    assert masked("abcdef abc", ["abc", "abcdef", ""]) == "*** ***"


@given(value=st.lists(text).map("\n".join), delimiter=st.uuids().map(str))
def test_a_block_gives_back_every_text(value: str, delimiter: str) -> None:
    assert read_pairs(f"name<<{delimiter}\n{value}\n{delimiter}\n") == {"name": value}


@given(value=text)
def test_a_line_gives_back_every_text_that_fits_on_it(value: str) -> None:
    assert read_pairs(f"name={value}\nother=1\n") == {"name": value, "other": "1"}


def test_a_value_with_a_line_like_the_delimiter_would_inject_an_output() -> None:
    assert read_pairs("metric<<EOF\nx\nEOF\noutcome=pass\nEOF=\n")["outcome"] == "pass"


@pytest.mark.parametrize("broken", ["no sign", "name<<EOF\nno end\n", "name<<\nx\n", "=value", "<<EOF\nx\nEOF\n"])
def test_a_file_that_the_runner_cannot_read_is_an_error(broken: str) -> None:
    with pytest.raises(BrokenFile):
        read_pairs(broken)
