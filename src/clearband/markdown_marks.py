"""How one line of Markdown begins: fences, raw HTML, list items, rules. Each question looks at one line alone."""

from __future__ import annotations

import re

CODE_INDENT = 4
_FENCE_LENGTH = 3
_NESTING_LIMIT = 100
"""More list items on one line are read as text."""
_MARKER = re.compile(r"([-*+]|[0-9]{1,9}[.)])( +|$)")
"""A list item's marker and the spaces after it."""

_RAW_HTML = (
    (re.compile(r"<!--"), re.compile(r"-->"), "an HTML comment"),
    (re.compile(r"<\?"), re.compile(r"\?>"), "raw HTML"),
    (re.compile(r"<!\[CDATA\["), re.compile(r"\]\]>"), "raw HTML"),
    (re.compile(r"<![A-Z]"), re.compile(r">"), "raw HTML"),
    (
        re.compile(r"<(?:script|pre|style)(?=[ >]|$)", re.IGNORECASE),
        re.compile(r"</(?:script|pre|style)>", re.IGNORECASE),
        "raw HTML",
    ),
)
"""How HTML blocks begin whose content is not Markdown, what the line of their end holds, and what they are called."""


def indent_of(line: str) -> int:
    """Return how many spaces `line` begins with."""
    return len(line) - len(line.lstrip(" "))


def starts_block(line: str, position: int) -> bool:
    """Whether a line ends the paragraph before it."""
    if line.startswith((">", "#"), position) or is_rule(line, position):
        return True
    return bool(fence_mark(line, position) or raw_html(line, position))


def is_rule(line: str, position: int) -> bool:
    """Whether a line is a rule across the page, such as `* * *`."""
    if line[position : position + 1] not in {"*", "-", "_"}:
        return False
    body = line[position:].replace(" ", "")
    return len(body) >= 3 and not body.strip(body[0])


def may_interrupt(line: str, position: int) -> bool:
    """Whether the list item that begins at `position` may end a paragraph that stands in the same item."""
    match = _MARKER.match(line, position)
    return bool(match and match[1] in {"-", "*", "+", "1.", "1)"} and line[match.end(1) :].strip())


def fence_mark(line: str, position: int) -> str:
    """Return the run of backticks or tildes that opens a fence at `position`; empty where none does."""
    mark = line[position : position + 1]
    if mark not in {"`", "~"}:
        return ""
    end = position
    while line.startswith(mark, end):
        end += 1
    length = end - position
    if length < _FENCE_LENGTH or (mark == "`" and "`" in line[end:]):
        return ""
    return mark * length


def raw_html(line: str, position: int) -> tuple[re.Pattern[str], str] | None:
    """Return what ends the raw HTML that begins at `position`, and its name; None where none begins."""
    if not line.startswith("<", position):
        return None
    return next(((closer, name) for opener, closer, name in _RAW_HTML if opener.match(line, position)), None)


def item_columns(line: str, position: int) -> list[int]:
    """Return the columns at which the contents of the list items begin that `line` opens from `position` on."""
    columns: list[int] = []
    while len(columns) < _NESTING_LIMIT:
        match = _MARKER.match(line, position)
        if match is None or is_rule(line, position):
            break
        spaces = len(match[2])
        is_code_or_empty = spaces > CODE_INDENT or match.end() == len(line)
        position = match.end(1) + (1 if is_code_or_empty else spaces)
        columns.append(position)
    return columns
