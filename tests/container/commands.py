"""What GitHub's runner reads out of a step: commands in its log, and the files behind GITHUB_OUTPUT and its like.

The rules are those of the runner's source (ActionCommand, ActionCommandManager, FileCommandManager), written down again
here as pure functions, so that the tests see what a workflow would see and not what the program meant to say.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

ANNOTATIONS: Final = ("notice", "warning", "error")
ANNOTATIONS_PER_TYPE: Final = 10
MESSAGE_LIMIT: Final = 4096
SUMMARY_LIMIT: Final = 1024 * 1024
KNOWN: Final = frozenset(
    {
        *ANNOTATIONS,
        *("add-mask", "add-matcher", "add-path", "debug", "echo", "endgroup", "group", "remove-matcher", "save-state"),
        *("set-env", "set-output", "stop-commands"),
    }
)
_COLONS: Final = re.compile(r"\s*::(?P<name>[^\s:]+)(?:\s(?P<properties>.*?))?::(?P<data>.*)", re.DOTALL)
_BRACKETS: Final = re.compile(r"##\[(?P<name>[^\s\]]+)(?:\s(?P<properties>[^\]]*))?\](?P<data>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Command:
    """One workflow command, unescaped."""

    name: str
    properties: Mapping[str, str]
    data: str


@dataclass(frozen=True, slots=True)
class Annotation:
    """One line that GitHub shows on the run's page."""

    level: str
    message: str
    properties: Mapping[str, str]


@dataclass(slots=True)
class Log:
    """A step's log, as the runner leaves it after it has carried out the commands in it."""

    lines: list[str] = field(default_factory=list)
    annotations: list[Annotation] = field(default_factory=list)
    masks: list[str] = field(default_factory=list)
    outputs: dict[str, str] = field(default_factory=dict)
    """Set through the log (deprecated, but it still works): an injection that succeeded would show here."""
    refused: list[str] = field(default_factory=list)
    """Commands that the runner answers with a failed step."""


class BrokenFile(ValueError):
    """A file command that the runner cannot read; the step fails."""


def command(line: str, *, resume: str | None = None) -> Command | None:
    """Return the command that the runner sees in a line of the log; None where it sees none.

    ``::name key=value::data`` counts at the start of a line only, ``##[name key=value]data`` anywhere in it.
    """
    for pattern, separator in ((_COLONS, ","), (_BRACKETS, ";")):
        found = pattern.match(line) if pattern is _COLONS else pattern.search(line)
        if found is None or not (found["name"].lower() in KNOWN or found["name"] == resume):
            continue
        pairs = (item.partition("=") for item in (found["properties"] or "").strip().split(separator))
        return Command(
            name=found["name"] if found["name"] == resume else found["name"].lower(),
            properties={key.strip(): _unescaped(value, separator) for key, _, value in pairs if key.strip() and value},
            data=_unescaped(found["data"], None),
        )
    return None


def _unescaped(value: str, separator: str | None) -> str:
    escapes = {"%0D": "\r", "%0A": "\n"}
    if separator == ",":
        escapes |= {"%3A": ":", "%2C": ","}
    elif separator == ";":
        escapes |= {"%3B": ";", "%5D": "]"}
    for escape, character in escapes.items():
        value = value.replace(escape, character)
    return value.replace("%25", "%")


def read_log(lines: Iterable[str]) -> Log:
    """Carry out the commands of a log, stdout and stderr alike, as the runner does."""
    log = Log()
    resume: str | None = None
    for line in lines:
        found = command(line, resume=resume)
        if resume is not None:
            if found is not None and found.name == resume:
                resume = None
            log.lines.append(line)
            continue
        match found:
            case Command(name="error" | "warning" | "notice" as level):
                if sum(seen.level == level for seen in log.annotations) < ANNOTATIONS_PER_TYPE:
                    log.annotations.append(Annotation(level, found.data[:MESSAGE_LIMIT], found.properties))
                log.lines.append(f"##[{level}]{found.data}")
            case Command(name="add-mask"):
                log.masks.append(found.data)
            case Command(name="stop-commands"):
                resume = found.data
                log.lines.append(line)
            case Command(name="set-output"):
                log.outputs[found.properties.get("name", "")] = found.data
                log.lines.append(line)
            case Command(name="set-env" | "add-path" as name):
                log.refused.append(name)
                log.lines.append(line)
            case _:
                log.lines.append(line)
    return log


def masked(text: str, secrets: Iterable[str]) -> str:
    """Return the text with every secret hidden, the longest first."""
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        text = text.replace(secret, "***")
    return text


def read_pairs(text: str) -> dict[str, str]:
    r"""Read a file of ``name=value`` lines and ``name<<DELIMITER`` blocks; only ``\n`` ends a line, as on Linux."""
    lines = iter(text.removeprefix("\ufeff").split("\n"))
    pairs: dict[str, str] = {}
    for line in lines:
        equals, heredoc = line.find("="), line.find("<<")
        if not line:
            continue
        if equals >= 0 and (heredoc < 0 or equals < heredoc):
            name, value = line[:equals], line[equals + 1 :]
        elif heredoc >= 0:
            name, value = line[:heredoc], _block(lines, line[heredoc + 2 :])
        else:
            raise BrokenFile(f"Invalid format {line!r}")
        if not name:
            raise BrokenFile(f"Invalid format {line!r}: the name is empty")
        pairs[name] = value
    return pairs


def _block(lines: Iterator[str], delimiter: str) -> str:
    if not delimiter:
        raise BrokenFile("The delimiter is empty")
    block: list[str] = []
    for line in lines:
        if line == delimiter:
            return "\n".join(block)
        block.append(line)
    raise BrokenFile(f"Matching delimiter not found: {delimiter!r}")
