"""The one door to the job's log and to the runner's files; whatever passes it can no longer be a command.

The runner reads commands from the log (``::error::`` at the start of a line, ``##[error]`` anywhere) and from files it
names in the environment. Text from result files, pull requests and GitHub's answers goes through here, never past it.
"""

from __future__ import annotations

import secrets
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final, TextIO

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

SUMMARY_CAP: Final = 1024 * 1024
"""Bytes of a step's summary; over it the runner throws the whole summary away."""
MESSAGE_CAP: Final = 4000
"""Characters of an annotation; the runner cuts at 4,096."""
_INVISIBLE: Final = "\u200b"
_CUT: Final = "\n\n*The summary was cut here: the runner keeps 1 MiB. record.json holds everything.*\n"


class Output(StrEnum):
    """The Action's outputs; their names are never made from data."""

    OUTCOME = "outcome"
    EXIT_STATUS = "exit-status"
    PRIMARY_METRIC = "primary-metric"
    DELTA = "delta"
    INTERVAL_LOW = "interval-low"
    INTERVAL_HIGH = "interval-high"
    SUGGESTED_N = "suggested-n"
    RECORD_PATH = "record-path"
    SUBJECTS_PATH = "subjects-path"
    REGISTRATION = "registration"
    OVERRIDDEN_BY = "overridden-by"
    LEDGER_HEAD = "ledger-head"
    SUITES = "suites"
    COMMENT_URL = "comment-url"


class Level(StrEnum):
    """How loud an annotation is."""

    NOTICE = "notice"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Log:
    """The job's log."""

    stream: TextIO

    def say(self, text: str) -> None:
        """Write `text`, whatever it holds, as plain lines."""
        self._write("\n".join(harmless(line) for line in _lines(text)))

    def annotate(self, level: Level, message: str, *, title: str = "Clearband") -> None:
        """Write an annotation, which GitHub shows above the log and on the pull request."""
        lines = "\n".join(harmless(line) for line in _lines(message))
        self._write(f"::{level} title={escape_property(harmless(title))}::{escape_data(_cut(lines, MESSAGE_CAP))}")

    def _write(self, text: str) -> None:
        self.stream.write(f"{text}\n")
        self.stream.flush()


def harmless(line: str) -> str:
    """Return `line` so that the runner finds no command in it and a terminal no control sequence."""
    shown = "".join(one if one.isprintable() or one == "\t" else _replacement(one) for one in line)
    shown = shown.replace("##[", f"##{_INVISIBLE}[")
    return shown.replace("::", f":{_INVISIBLE}:", 1) if shown.lstrip().startswith("::") else shown


def escape_data(text: str) -> str:
    """Return `text` as the message of a workflow command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escape_property(text: str) -> str:
    """Return `text` as a property of a workflow command."""
    return escape_data(text).replace(":", "%3A").replace(",", "%2C")


def outputs(values: Mapping[Output, str]) -> str:
    """Return `values` as lines of the file behind GITHUB_OUTPUT.

    Every value stands between two lines that nobody can guess and that the value does not hold, so that no value can
    end early and go on as another output.
    """
    return "".join(_output(name, value) for name, value in values.items())


def _output(name: Output, value: str) -> str:
    text = value.encode("utf-8", "replace").decode()
    delimiter = f"clearband_{secrets.token_hex(16)}"
    while delimiter in text:
        delimiter = f"clearband_{secrets.token_hex(16)}"
    return f"{name}<<{delimiter}\n{text}\n{delimiter}\n"


def append(path: Path, text: str) -> None:
    """Append `text` to one of the runner's files."""
    with path.open("a", encoding="utf-8", errors="replace", newline="") as file:
        file.write(text)


def summary(text: str, *, used: int) -> str:
    """Return `text` as it fits the step's summary, cut between two sections where it is too long.

    Parameters
    ----------
    text
        The summary as rendered.
    used
        Bytes that the summary's file holds already.

    """
    room = SUMMARY_CAP - used
    whole = text.encode("utf-8", "replace")
    if len(whole) <= room:
        return whole.decode()
    limit = max(room - len(_CUT.encode()), 0)
    size = kept = details = fences = 0
    for section in whole.split(b"\n\n"):
        size += len(section) + 2
        if size - 2 > limit:
            break
        details += section.count(b"<details") - section.count(b"</details>")
        fences += sum(line.startswith(b"```") for line in section.split(b"\n"))
        if details == 0 and fences % 2 == 0:
            kept = size - 2
    return whole[:kept].decode() + _CUT if len(_CUT.encode()) <= room else ""


def _lines(text: str) -> list[str]:
    # The runner ends a line at \r as well.
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _replacement(character: str) -> str:
    return " " if unicodedata.category(character) == "Zs" else f"<U+{ord(character):04X}>"


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
