"""What a reader of a pull request's description sees: its fenced code blocks and its lines of text.

The block structure of GitHub's Markdown as far as it decides what is visible text, what is code and what is hidden:
fences, HTML comments and other raw HTML that swallows what stands in it, indented code, quotes, list items and
paragraphs. Tests hold it against GitHub's own parser. One pass over the lines, each looked at a fixed number of times:
no description can make it slow.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from clearband.markdown_marks import (
    CODE_INDENT,
    fence_mark,
    indent_of,
    is_rule,
    item_columns,
    may_interrupt,
    raw_html,
    starts_block,
)

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced code block."""

    line: int
    """1-based line of the opening fence."""
    info: str
    """What follows the opening fence, such as ``clearband``."""
    content: tuple[str, ...]
    closed: bool
    """Whether a closing fence was met before the end of the text or of the list item around it."""


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of visible text, without list markers, HTML comments and surrounding spaces."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Hidden:
    """A line inside raw HTML (a comment, mostly) or a quote: nothing a reader takes for the author's own text."""

    line: int
    text: str
    inside: str
    """What it is inside of, such as ``an HTML comment``."""


def lines_of(text: str) -> list[str]:
    r"""Return the lines of `text`, which may end in ``\r\n``, ``\r`` or ``\n``, also mixed."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def blocks(text: str) -> Iterator[Fence | TextLine | Hidden]:
    """Yield the fences, lines of text and hidden lines of `text`, in their order."""
    scanner = _Scanner()
    for number, line in enumerate(lines_of(text), start=1):
        yield from scanner.feed(number, line.expandtabs(CODE_INDENT))
    yield from scanner.close()


@dataclass(slots=True)
class _OpenFence:
    line: int
    mark: str
    """The opening run of backticks or tildes."""
    info: str
    column: int
    """Indentation of the list item around the fence."""
    indent: int
    content: list[str] = field(default_factory=list)

    def closes(self, line: str) -> bool:
        """Whether `line` is the closing fence."""
        body = line.strip()
        within = indent_of(line) - self.column < CODE_INDENT
        return within and len(body) >= len(self.mark) and body == self.mark[0] * len(body)

    def take(self, line: str) -> None:
        """Add a line of content, without the indentation of the opening fence."""
        self.content.append(line[min(indent_of(line), self.indent) :])

    def block(self, *, closed: bool) -> Fence:
        return Fence(self.line, self.info, tuple(self.content), closed)


@dataclass(slots=True)
class _OpenHtml:
    line: int
    closer: re.Pattern[str]
    name: str
    column: int


class _Scanner:
    """Remembers what is open between two lines."""

    def __init__(self) -> None:
        self._fence: _OpenFence | None = None
        self._html: _OpenHtml | None = None
        self._items: list[int] = []
        """Columns at which the content of the open list items begins."""
        self._item_is_empty = False
        """Whether the line before opened an item and put nothing in it; a blank line then ends that item."""
        self._in_quote = False
        """Whether a quote has text that the next line could continue without a `>` of its own."""
        self._paragraph: list[tuple[int, str]] = []

    def feed(self, number: int, line: str) -> Iterator[Fence | TextLine | Hidden]:
        blank = not line.strip(" ")
        indent = indent_of(line)
        if self._fence is not None:
            if blank or indent >= self._fence.column:
                yield from self._in_fence(self._fence, line)
                return
            yield self._fence.block(closed=False)  # the list item around it has ended
            self._fence = None
        if self._html is not None:
            if blank or indent >= self._html.column:
                yield from self._in_html(self._html, number, line)
                return
            self._html = None
        if not blank:
            yield from self._outside(number, line, indent)
            return
        yield from self._end_paragraph()
        if self._item_is_empty and indent < self._items[-1]:
            self._items.pop()
            self._item_is_empty = False

    def close(self) -> Iterator[Fence | TextLine | Hidden]:
        if self._fence is not None:
            yield self._fence.block(closed=False)
        yield from self._end_paragraph()

    def _in_fence(self, fence: _OpenFence, line: str) -> Iterator[Fence]:
        if fence.closes(line):
            self._fence = None
            yield fence.block(closed=True)
        else:
            fence.take(line)

    def _in_html(self, html: _OpenHtml, number: int, line: str) -> Iterator[TextLine | Hidden]:
        end = html.closer.search(line)
        hidden, after = (line[: end.start()], line[end.end() :]) if end else (line, "")
        yield Hidden(number, hidden.strip(), f"{html.name} that begins on line {html.line}")
        if end:
            self._html = None
            if after.strip():
                yield TextLine(number, after.strip())

    def _outside(self, number: int, line: str, indent: int) -> Iterator[Fence | TextLine | Hidden]:
        open_items = bisect_right(self._items, indent)
        column = self._items[open_items - 1] if open_items else 0
        self._item_is_empty = False
        if indent - column >= CODE_INDENT:
            if self._paragraph:  # indented code cannot interrupt a paragraph: this is its next line
                self._paragraph.append((number, line.strip()))
            elif not self._in_quote:
                del self._items[open_items:]
            return
        columns = item_columns(line, indent)
        if self._paragraph and open_items == len(self._items):
            if line.strip(" ").strip("-") == "" or line.strip(" ").strip("=") == "":
                yield from self._end_paragraph()  # underlined: it was a heading
                return
            if not may_interrupt(line, indent):
                columns = []
        position = columns[-1] if columns else indent
        if not columns and not starts_block(line, position):
            if self._paragraph:  # also where it is lazy, less indented than the items around, which stay open
                self._paragraph.append((number, line.strip()))
                return
            if self._in_quote:  # shown as part of the quote before, but no mark says so: take it for the author's own
                yield TextLine(number, _without_comments(line.strip()))
                return
        yield from self._end_paragraph()
        del self._items[open_items:]
        self._items.extend(columns)
        self._item_is_empty = bool(columns) and not line[position:].strip()
        yield from self._open(number, line, position, self._items[-1] if self._items else 0)

    def _open(self, number: int, line: str, position: int, column: int) -> Iterator[Fence | TextLine | Hidden]:
        """Begin whatever `line` begins at `position`, inside the list item whose content starts at `column`."""
        mark = fence_mark(line, position)
        html = raw_html(line, position)
        if line.startswith(" ", position) or is_rule(line, position):
            return  # indented code inside a list item, or a rule
        if mark:
            info = line[position + len(mark) :].strip()
            self._fence = _OpenFence(number, mark, info, column, position)
        elif html:
            self._html = _OpenHtml(number, *html, column)
            yield from self._in_html(self._html, number, line[position:])
        elif line.startswith(">", position):
            quoted = line[position + 1 :]
            yield Hidden(number, quoted.lstrip("> "), "a quote")
            self._in_quote = (
                indent_of(quoted) <= CODE_INDENT and bool(quoted.strip()) and not starts_block(quoted.strip(), 0)
            )
        elif line.startswith("#", position):
            yield TextLine(number, _without_comments(line[position:].strip()))
        elif line[position:].strip():
            self._paragraph.append((number, line[position:].strip()))

    def _end_paragraph(self) -> Iterator[TextLine]:
        """Yield the lines of the paragraph, without the HTML comments in it; such a comment may span lines."""
        if self._paragraph:
            text = _without_comments("\n".join(text for _, text in self._paragraph))
            for (number, _), visible in zip(self._paragraph, text.split("\n"), strict=True):
                yield TextLine(number, visible.strip())
        self._paragraph = []
        self._in_quote = False


def _without_comments(text: str) -> str:
    """Return `text` without closed HTML comments, keeping its line breaks."""
    kept: list[str] = []
    position = 0
    while (start := text.find("<!--", position)) >= 0 and (end := text.find("-->", start)) >= 0:
        kept.append(text[position:start])
        kept.append("\n" * text.count("\n", start, end))
        position = end + 3
    kept.append(text[position:])
    return "".join(kept)
