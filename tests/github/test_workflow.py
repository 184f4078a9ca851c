"""The door to the log and to the runner's files. The runner's side is written here once more, from its behaviour."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearband.github.workflow import SUMMARY_CAP, Level, Log, Output, append, outputs, summary

if TYPE_CHECKING:
    from pathlib import Path

HOSTILE = [
    "::error::owned",
    "  ::set-output name=outcome::pass",
    "\t\u3000::stop-commands::x",
    "a\r::error::after a carriage return",
    "a\n::add-mask::pass",
    "text ##[error]anywhere",
    "##[set-env name=PATH]x",
    "\x1b[2J\x1b]0;title\x07",
    "\u202egnp.exe",
    "\udcff",
]


def commands(text: str) -> list[str]:
    """What a runner would take for commands."""
    lines = re.split(r"\r\n|\r|\n", text)
    return [line for line in lines if line.strip().startswith("::") or "##[" in line]


def read_outputs(text: str) -> dict[str, str]:
    """The output file, read as the runner reads it: lines end at \\n alone."""
    lines, values = text.split("\n"), {}
    assert lines.pop() == ""
    while lines:
        name, _, delimiter = lines.pop(0).partition("<<")
        assert "=" not in name
        end = lines.index(delimiter)
        values[name] = "\n".join(lines[:end])
        del lines[: end + 1]
    return values


def logged(text: str) -> str:
    stream = io.StringIO()
    Log(stream).say(text)
    return stream.getvalue()


def annotated(level: Level, message: str, title: str = "Clearband") -> str:
    stream = io.StringIO()
    Log(stream).annotate(level, message, title=title)
    return stream.getvalue()


class TestLog:
    @pytest.mark.parametrize("text", HOSTILE)
    def test_no_text_becomes_a_command(self, text: str) -> None:
        assert commands(logged(text)) == []

    @given(st.lists(st.sampled_from(["::", "##[", *" :#[]\t\r\n\x0b\x0c\x85\u2028\u3000ae"]), max_size=30).map("".join))
    def test_no_text_at_all_becomes_a_command(self, text: str) -> None:
        assert commands(logged(text)) == []

    @given(st.text(max_size=80))
    def test_the_log_can_always_be_written(self, text: str) -> None:
        assert logged(text).encode().endswith(b"\n")

    def test_a_terminal_gets_no_control_sequence(self) -> None:
        assert logged("\x1b[31mred\x07\u202e") == "<U+001B>[31mred<U+0007><U+202E>\n"

    def test_plain_text_stays_as_it_is(self) -> None:
        text = "nDCG@10  −0.0219 [−0.0030, 0.0463]\n  std::vector, a # b, 日本語"
        assert logged(text) == f"{text}\n"

    def test_spaces_of_every_width_stay_spaces(self) -> None:
        assert logged("5\u202f%\u00a0x") == "5 % x\n"


class TestAnnotations:
    def test_an_annotation_is_one_command_with_its_message(self) -> None:
        said = annotated(Level.ERROR, "100 % of\r\nquestions: lost, a")
        assert said == "::error title=Clearband::100 %25 of%0Aquestions: lost, a\n"

    @pytest.mark.parametrize("text", HOSTILE)
    @pytest.mark.parametrize("level", Level)
    def test_neither_message_nor_title_can_say_more_than_one_command(self, level: Level, text: str) -> None:
        said = annotated(level, text, title=text)
        assert said.count("\n") == 1
        assert commands(said) == [said.rstrip("\n")]
        head, _, _ = said.removeprefix(f"::{level} title=").partition("::")
        assert "," not in head
        assert ":" not in head.replace("%3A", "")

    def test_a_long_message_is_cut_before_the_runner_does_it(self) -> None:
        assert len(annotated(Level.NOTICE, "x" * 10_000)) < 4096


class TestOutputs:
    def test_every_output_is_read_back_as_it_was(self) -> None:
        values = {Output.OUTCOME: "pass", Output.DELTA: "0.0219", Output.PRIMARY_METRIC: "", Output.RECORD_PATH: "a b"}
        assert read_outputs(outputs(values)) == values

    @given(st.dictionaries(st.sampled_from(list(Output)), st.text(max_size=60)))
    def test_no_value_becomes_another_output(self, values: dict[Output, str]) -> None:
        expected = {name: value.encode("utf-8", "replace").decode() for name, value in values.items()}
        assert read_outputs(outputs(values)) == expected

    def test_no_two_writes_share_a_delimiter(self) -> None:
        seen = {line for _ in range(50) for line in outputs({Output.DELTA: "x"}).split("\n")[2:3]}
        assert len(seen) == 50

    def test_values_written_later_are_added(self, tmp_path: Path) -> None:
        file = tmp_path / "output"
        append(file, outputs({Output.OUTCOME: "a\r\nb"}))
        append(file, outputs({Output.COMMENT_URL: "https://x"}))
        assert read_outputs(file.read_bytes().decode()) == {"outcome": "a\r\nb", "comment-url": "https://x"}


class TestSummary:
    def test_one_that_fits_is_left_alone(self) -> None:
        assert summary("# Title\n\ntext\n", used=0) == "# Title\n\ntext\n"
        assert summary("x" * SUMMARY_CAP, used=0) == "x" * SUMMARY_CAP

    @pytest.mark.parametrize("used", [0, 1000, SUMMARY_CAP - 500])
    @pytest.mark.parametrize(
        "filler", ["row\n\n", "日本語\n\n", "<details>\n\nx\n\n</details>\n\n", "```\n\ncode\n\n```\n\n"]
    )
    def test_one_that_does_not_is_cut_between_sections_and_says_so(self, filler: str, used: int) -> None:
        text = "# Title\n\n" + filler * (SUMMARY_CAP // len(filler.encode()) + 50)
        cut = summary(text, used=used)
        assert len(cut.encode()) <= SUMMARY_CAP - used
        assert len(cut.encode()) > SUMMARY_CAP - used - 300
        assert "was cut here" in cut
        assert cut.count("<details>") == cut.count("</details>")
        assert cut.count("```") % 2 == 0

    def test_one_block_without_an_end_is_dropped_whole(self) -> None:
        cut = summary("# Title\n\n<details>\n\n" + "x\n\n" * SUMMARY_CAP, used=0)
        assert cut.startswith("# Title\n\n*The summary was cut here")

    def test_a_full_file_gets_nothing_more(self) -> None:
        assert summary("text", used=SUMMARY_CAP) == ""
        assert summary("text", used=SUMMARY_CAP * 2) == ""
