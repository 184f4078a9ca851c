"""The one door for text on its way into Markdown, HTML or a terminal.

Result files, policies and pull requests are written by anyone. Nothing of them may become a link, a mention, an image,
a table cell, a colour code or an invisible difference. Three rules do it:

- `visible` takes away what cannot be seen: control, format and bidirectional characters are shown as ``<U+202E>``,
  white space is one space, and length has an end;
- in Markdown, quoted text stands in ``<code>`` with every character but letters, digits and spaces as a numeric
  entity, and mail addresses are taken apart. Code is also where GitHub looks for no mentions, issue numbers, commits
  or formulas, which entities alone do not prevent;
- `door` is what the templates print through. It takes the types of `clearband.report.phrase` and text, treats plain
  text as untrusted, and refuses everything else, so a template cannot forget to escape.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import accumulate

from clearband.report.phrase import NAME_LIMIT, SENTENCE_LIMIT, Block, Phrase, Piece, Prose, Quote

BLOCK_LINES = 60
BLOCK_COLUMNS = 300
BLOCK_CHARACTERS = 6_000
_SEEN_AS_NOTHING = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
_SELECTORS = frozenset(chr(code) for code in (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
_JOINER, _EMOJI_STYLE = "\u200d", "\ufe0f"
_MOST_MARKS = 4  # marks stacked on one letter; writing systems need fewer, overprinting a page needs more
_ENTITIES = str.maketrans({sign: f"&#{ord(sign)};" for sign in "&<>*_`|@#~\\$"})


def _is_hidden(character: str) -> bool:
    code = ord(character)
    return (
        unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
        or character in _SEEN_AS_NOTHING
        or character in _SELECTORS
        or code & 0xFFFE == 0xFFFE
        or 0xFDD0 <= code <= 0xFDEF
    )


def _is_symbol(character: str) -> bool:
    return unicodedata.category(character) in {"So", "Sk"}


def _units(text: str) -> list[str]:
    """Return what each character of `text` is shown as; emoji keep the joiners that hold them together."""
    units: list[str] = []
    marks = 0
    for position, character in enumerate(text):
        before = text[position - 1] if position else ""
        after = text[position + 1] if position + 1 < len(text) else ""
        marks = marks + 1 if unicodedata.category(character) in {"Mn", "Me"} else 0
        joins_emoji = (
            character == _JOINER
            and bool(before and after)
            and _is_symbol(after)
            and (_is_symbol(before) or before == _EMOJI_STYLE)
        ) or (character == _EMOJI_STYLE and bool(before) and _is_symbol(before))
        hidden = not joins_emoji and (_is_hidden(character) or marks > _MOST_MARKS)
        units.append(f"<U+{ord(character):04X}>" if hidden else character)
    return units


def visible(text: str, limit: int = NAME_LIMIT) -> str:
    """Return `text` on one line with nothing hidden in it, at most `limit` characters in all.

    Long text loses its middle: names that differ tend to differ at the end.
    """
    return _cut(" ".join(_ends(text, 4 * limit).split()), limit)


def _ends(text: str, size: int) -> str:
    """Return `text`, or the two ends of it where it is too long to look at every character."""
    return text if len(text) <= 2 * size else f"{text[:size]}…{text[-size:]}"


def _cut(text: str, limit: int) -> str:
    units = _units(text)
    if sum(map(len, units)) <= limit:
        return "".join(units)
    head = _fitting(units, limit * 2 // 3)
    tail = _fitting(units[::-1], limit - 1 - sum(map(len, head)))
    return f"{''.join(head)}…{''.join(reversed(tail))}"


def _fitting(units: list[str], size: int) -> list[str]:
    """Return as many of `units` as are `size` characters together."""
    ends = accumulate(map(len, units))
    return [unit for unit, end in zip(units, ends, strict=True) if end <= size]


def _is_right_to_left(text: str) -> bool:
    return any(unicodedata.bidirectional(character) in {"R", "AL"} for character in text)


def inline_code(text: str, limit: int = NAME_LIMIT) -> str:
    """Return untrusted `text` as Markdown that shows it and does nothing else."""
    shown = visible(text, limit) or "(empty)"
    # `dir` isolates right-to-left names: the numbers after them would change places otherwise.
    direction = ' dir="auto"' if _is_right_to_left(shown) else ""
    return f"<code{direction}>{_entities(shown)}</code>"


_ADDRESS = re.compile(r"@[^@ ]*\.")


def _entities(text: str) -> str:
    # GitHub's parser makes links of mail addresses last, out of decoded text and even inside code; it cannot see across
    # an HTML comment, which nobody sees.
    at = "<!-- -->&#64;" if _ADDRESS.search(text) else "&#64;"
    return "".join(_entity(sign) if sign != "@" else at for sign in text)


def _entity(sign: str) -> str:
    return sign if sign == " " or (sign.isascii() and sign.isalnum()) else f"&#{ord(sign)};"


_LEADING, _TRAILING = "(\"'", ")\"',.;:!?"
_WORD = re.compile(r"[A-Za-z\u00c0-\u024f]+(?:['’-][A-Za-z\u00c0-\u024f]+)*")
_FIGURE = re.compile(r"[+\u2212-]?[0-9]{1,6}(?:[.,][0-9]{1,6})?%?|[%–—→×±]")
_COMMIT = re.compile(r"[0-9a-f]{7,40}")  # GitHub links what may be a commit


def _is_plain(core: str) -> bool:
    return bool(_WORD.fullmatch(core) or _FIGURE.fullmatch(core)) and not _COMMIT.fullmatch(core.lower())


def prose(text: str, limit: int = SENTENCE_LIMIT) -> str:
    """Return a sentence of unknown origin as Markdown: plain words stay words, everything else becomes code.

    A span in backticks is quoted without them; so is every word with a sign in it that Markdown or GitHub might act on.
    """
    parts = visible(text, limit).split("`")
    if len(parts) % 2 == 0:  # an unpaired backtick quotes nothing
        parts[-2:] = [f"{parts[-2]}`{parts[-1]}"]
    return "".join(inline_code(part, limit) if odd else _plain_or_code(part) for part, odd in _numbered(parts) if part)


def _numbered(parts: list[str]) -> list[tuple[str, bool]]:
    return [(part, index % 2 == 1) for index, part in enumerate(parts)]


def _plain_or_code(text: str) -> str:
    shown: list[str] = []
    for token in text.split(" "):
        core = token.strip(_LEADING + _TRAILING)
        head, _, tail = token.partition(core) if core else ("", "", token)
        if _is_tidy(head, tail) and (not core or _is_plain(core)):
            # Entities keep "1.", "1)" and "-" at the start of a line from becoming lists.
            shown.append(_punctuation(head) + _punctuation(core) + _punctuation(tail, after=core))
        elif core and _is_tidy(head, tail):
            shown.append(_punctuation(head) + inline_code(core, SENTENCE_LIMIT) + _punctuation(tail))
        else:
            shown.append(inline_code(token, SENTENCE_LIMIT))
    return " ".join(shown).replace("</code> <code>", " ")


def _is_tidy(head: str, tail: str) -> bool:
    return all(sign in _LEADING for sign in head) and all(sign in _TRAILING for sign in tail) and len(tail) <= 3


def _punctuation(text: str, after: str = "") -> str:
    risky = "+-[]!" + (".)" if after[-1:].isdigit() else "")
    return "".join(f"&#{ord(sign)};" if sign in risky else sign for sign in text)


def words(text: str) -> str:
    """Return our own `text` as Markdown; even there no sign is left that Markdown acts on."""
    return text.translate(_ENTITIES)


def lines_of(block: Block) -> list[str]:
    """Return the lines of `block` with nothing hidden in them, their spaces kept."""
    whole = block.text[: 4 * BLOCK_CHARACTERS].splitlines()
    lines = [visible_line(line, BLOCK_COLUMNS) for line in whole[:BLOCK_LINES]]
    fitting = [line for line, end in zip(lines, accumulate(map(len, lines)), strict=True) if end <= BLOCK_CHARACTERS]
    is_cut = len(fitting) < len(whole) or len(block.text) > 4 * BLOCK_CHARACTERS
    return [*fitting, "…"] if is_cut else fitting


def visible_line(line: str, limit: int) -> str:
    """Return one line with nothing hidden in it, as `visible` does, but with its spaces kept."""
    return _cut("".join(" " if sign.isspace() else sign for sign in _ends(line.rstrip(), 4 * limit)), limit)


def fenced(block: Block) -> str:
    """Return `block` as a code fence that nothing inside can close."""
    body = "\n".join(lines_of(block))
    longest = max((len(run) for run in re.findall("`+", body)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{block.language}\n{body}\n{fence}"


def _markdown(piece: Piece) -> str:
    match piece:
        case Quote():
            return inline_code(piece.text, piece.limit)
        case Prose():
            return prose(piece.text, piece.limit)
        case str():
            return words(piece)


def markdown(phrase: Phrase) -> str:
    """Return `phrase` as Markdown."""
    return "".join(_markdown(piece) for piece in phrase.pieces)


def unmarked(phrase: Phrase) -> str:
    """Return `phrase` without Markdown: on one line, with nothing in it that a terminal would obey."""
    return "".join(piece if isinstance(piece, str) else visible(piece.text, piece.limit) for piece in phrase.pieces)


def door(value: object) -> str:
    """Return what a template may print for `value`; plain text is untrusted, and numbers are rounded elsewhere."""
    match value:
        case Phrase():
            return markdown(value)
        case Block():
            return fenced(value)
        case Quote() | Prose():
            return _markdown(value)
        case str():
            return inline_code(value)
        case _:
            msg = f"a template printed a {type(value).__name__}; only phrases, blocks and text can be printed"
            raise TypeError(msg)
