"""The answer as a person sees it in a terminal: the comment's sentences and table, without Markdown.

Nothing from outside reaches the terminal but visible characters: no escape sequence, no line of its own. Colour repeats
what the words say. Widths are counted in columns, so names in wide scripts line up too.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from clearband.report.escape import lines_of, unmarked, visible_line
from clearband.report.numbers import NBSP
from clearband.report.view import CommentView, MetricRow, view
from clearband.report.words import Tone

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from clearband.answers import Answer
    from clearband.report.declared import Paste
    from clearband.report.phrase import Phrase

    Paint = Callable[[str, Tone], str]

NARROWEST = 40
_GAP = "  "
_SHORTEST_NAME = 12
_MESSAGE_LINES, _MESSAGE_COLUMNS = 200, 2_000
_CLEARED = 3
_LEFT = (0, _CLEARED)
"""The columns that hold words."""
_COLOURS = {Tone.GOOD: "1;32", Tone.BAD: "1;31", Tone.WARN: "1;33", Tone.PLAIN: "1"}


def text(answer: Answer, *, colour: bool, width: int) -> str:
    """Return the answer for a terminal, without a newline at the end.

    Parameters
    ----------
    answer
        What to show.
    colour
        Whether the terminal takes colours; without them the text has no escape sequence at all.
    width
        Columns of the terminal; below `NARROWEST` lines are longer than it.

    """
    shown = view(answer)
    columns = max(width, NARROWEST)

    def paint(words: str, tone: Tone) -> str:
        return f"\x1b[{_COLOURS[tone]}m{words}\x1b[0m" if colour and words else words

    paragraphs = [*_verdict(shown, columns, paint), *_table(shown, columns, paint), *_data(shown, columns)]
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph).replace(NBSP, " ")


def headline(answer: Answer, *, colour: bool) -> str:
    """Return the first line alone, on one line however long it is."""
    shown = view(answer)
    line = f"{unmarked(shown.suite)}{unmarked(shown.headline)}".replace(NBSP, " ")
    return f"\x1b[{_COLOURS[shown.tone]}m{line}\x1b[0m" if colour else line


def plain(message: str) -> str:
    """Return a message of unknown origin, its lines kept, with nothing in it that a terminal would obey."""
    return "\n".join(visible_line(line, _MESSAGE_COLUMNS) for line in message.splitlines()[:_MESSAGE_LINES])


def _verdict(shown: CommentView, columns: int, paint: Paint) -> Iterable[str]:
    headline = wrapped(unmarked(shown.suite) + unmarked(shown.headline), columns)
    yield "\n".join(paint(line, shown.tone) for line in headline.split("\n"))
    yield wrapped(_joined(shown.merge, shown.because, shown.also), columns)
    yield "\n".join(wrapped(f"- {unmarked(line)}", columns) for line in shown.promises)
    if shown.next_step:
        yield wrapped(f"Next: {unmarked(shown.next_step)}", columns)
    if shown.remedy_block is not None:
        yield _indented(lines_of(shown.remedy_block))
    for paste in shown.pastes:
        yield from _paste(paste, columns)
    yield wrapped(_joined(shown.registration_warning, shown.declared, shown.registration), columns)


def _joined(*phrases: Phrase) -> str:
    return " ".join(unmarked(phrase) for phrase in phrases if phrase)


def _paste(paste: Paste, columns: int) -> Iterable[str]:
    yield wrapped(unmarked(paste.intro), columns)
    yield _indented(lines_of(paste.block))


def _indented(lines: list[str]) -> str:
    return "\n".join(f"    {line}".rstrip() for line in lines)


def _data(shown: CommentView, columns: int) -> Iterable[str]:
    yield wrapped(_joined(shown.undeclared_cleared, shown.by_chance), columns)
    lines = [unmarked(line) for line in (shown.data, shown.worst_case, shown.anchor, shown.slice_line)]
    if shown.has_measured_sizes:
        lines.append("† if the measured change were true")
    lines += [f"{unmarked(fact.label)}: {unmarked(fact.text)}" for fact in shown.facts if fact.is_brief]
    yield "\n".join(wrapped(line, columns) for line in lines if line)


def _table(shown: CommentView, columns: int, paint: Paint) -> Iterable[str]:
    if not shown.rows:
        return
    head = ["metric", "before → after", f"change [{unmarked(shown.confidence)}]", "cleared zero?", "needed"]
    cells = [_cells(row) for row in shown.rows]
    for kept in ((0, 1, 2, 3, 4), (0, 2, 3, 4), (0, 2, 3)):
        widths = [max(display_width(line[column]) for line in [head, *cells]) for column in kept]
        rest = 2 + sum(widths[1:]) + len(_GAP) * (len(kept) - 1)
        widths[0] = min(widths[0], max(_SHORTEST_NAME, columns - rest))
        if rest + widths[0] <= columns:
            lines = [_line(head, kept, widths, lambda cell: cell), *_marked(shown.rows, cells, kept, widths, paint)]
            yield "\n".join(lines)
            return
    yield "\n".join(line for row in shown.rows for line in _stacked(row, columns, paint))


def _cells(row: MetricRow) -> list[str]:
    label = f" ({unmarked(row.label)})" if row.label else ""
    return [
        unmarked(row.name) + label,
        unmarked(row.before_after).replace(NBSP, " "),
        unmarked(row.change).replace(NBSP, " "),
        unmarked(row.cleared),
        unmarked(row.needed).replace(NBSP, " "),
    ]


def _line(cells: list[str], kept: tuple[int, ...], widths: list[int], paint_cleared: Callable[[str], str]) -> str:
    shown = []
    for column, width in zip(kept, widths, strict=True):
        cell = shortened(cells[column], width)
        space = " " * (width - display_width(cell))
        cell = paint_cleared(cell) if column == _CLEARED else cell
        shown.append(cell + space if column in _LEFT else space + cell)
    return "  " + _GAP.join(shown).rstrip()


def _marked(
    rows: tuple[MetricRow, ...], cells: list[list[str]], kept: tuple[int, ...], widths: list[int], paint: Paint
) -> Iterable[str]:
    for row, line in zip(rows, cells, strict=True):

        def coloured(cell: str, tone: Tone = row.tone) -> str:
            return cell if tone is Tone.PLAIN else paint(cell, tone)

        shown = _line(line, kept, widths, coloured)
        yield f"* {shown.removeprefix('  ')}" if row.is_primary else shown


def _stacked(row: MetricRow, columns: int, paint: Paint) -> Iterable[str]:
    name, _, change, cleared, _ = _cells(row)
    yield shortened(f"{'*' if row.is_primary else ' '} {name}", columns)
    yield f"    {change}"
    yield f"    cleared zero: {paint(cleared, row.tone) if row.tone is not Tone.PLAIN else cleared}"


def display_width(line: str) -> int:
    """Return how many terminal columns `line` takes."""
    if line.isascii():
        return len(line)
    return sum(_character_width(character) for character in line)


def _character_width(character: str) -> int:
    if unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1


def shortened(line: str, columns: int) -> str:
    """Return `line`, its middle cut out where it is wider than `columns`."""
    if display_width(line) <= columns:
        return line
    head, tail = "", ""
    for character in line:
        if display_width(head + character) > (columns - 1) * 2 // 3:
            break
        head += character
    for character in reversed(line):
        if display_width(character + tail) > columns - 1 - display_width(head):
            break
        tail = character + tail
    return f"{head}…{tail}"


def wrapped(paragraph: str, columns: int) -> str:
    """Return `paragraph` in lines of at most `columns`, broken at spaces; longer words stay whole."""
    lines: list[str] = []
    line = ""
    for word in paragraph.split(" "):
        longer = f"{line} {word}" if line else word
        if line and display_width(longer) > columns:
            lines.append(line)
            line = word
        else:
            line = longer
    return "\n".join([*lines, line])


def aligned(head: list[str], rows: list[list[str]]) -> str:
    """Return a table whose first column holds words and whose others hold numbers."""
    lines = [head, *rows]
    widths = [max(display_width(line[column]) for line in lines) for column in range(len(head))]

    def line(cells: list[str]) -> str:
        spaces = [" " * (width - display_width(cell)) for cell, width in zip(cells, widths, strict=True)]
        padded = [cells[0] + spaces[0], *(space + cell for cell, space in zip(cells[1:], spaces[1:], strict=True))]
        return ("  " + _GAP.join(padded)).rstrip()

    return "\n".join(line(cells) for cells in lines)
