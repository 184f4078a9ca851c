"""The values of a declaration: each normalised to one spelling, a placeholder, or a problem."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from clearband.plain_text import SUITE_NAME, decimal, name_problem, nearest, shown
from clearband.policy import LOOKS_LIMIT
from clearband.vocabulary import NAMES_APART, Requirement

TEXT_LIMIT = 2_000

_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’"}
_UNFILLED = frozenset({"todo", "tbd", "none", "n/a"})
_FILLER = " .…-_?*"
_YES = frozenset({"yes", "true"})
_NO = frozenset({"no", "false"})


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a block that cannot be used."""

    line: int
    what: str
    remedy: str


def is_placeholder(text: str) -> bool:
    """Whether `text` only holds the place of a value: empty, ``<metric>``, ``...``, ``TODO`` or ``none``."""
    text = text.strip()
    return (text.startswith("<") and text.endswith(">")) or not text.strip(_FILLER) or text.casefold() in _UNFILLED


def quoted(text: str) -> tuple[str, str] | None:
    """Return what stands inside the quotes or backticks that `text` begins with, and what follows them."""
    if text.startswith("`"):
        ticks = text[: len(text) - len(text.lstrip("`"))]
        end = text.find(ticks, len(ticks))
    else:
        ticks = _QUOTES.get(text[:1], "")
        end = text.find(ticks, 1) if ticks else -1
    return (text[len(ticks) : end].strip(), text[end + len(ticks) :].strip()) if end >= 0 else None


def read_value(key: str, text: str, line: int) -> str | Problem | None:
    """Return the normalised value of `key`, None for a placeholder, or what is wrong with it."""
    if key in {"hypothesis", "reason"}:
        return _prose(key, text, line)
    if key == "guardrails":
        return _guardrails(_without_comment(text)[0], line)
    inside, after = quoted(text) or _without_comment(text)
    if after and not after.startswith("#"):
        what = f"`{key}` is {shown(text)}, which is not one value"
        return Problem(line, what, "Write one value after the colon; a note goes on a line of its own, after `#`.")
    if is_placeholder(inside):
        return None
    match key:
        case "primary_metric":
            return _metric(text, inside, line)
        case "effect":
            return _effect(inside, line)
        case "require":
            return _requirement(inside, line)
        case "looks":
            return _looks(inside, line)
        case "results_seen_before":
            return _yes_or_no(key, inside, line)
        case _:
            return _suite(inside, line)


def read_name(name: str, line: int) -> str | Problem | None:
    """Return a metric's name, None for a placeholder, or what is wrong with it."""
    if is_placeholder(name):
        return None
    problem = name_problem(name)
    if problem:
        what = f"the primary metric {shown(name)} {problem}"
        return Problem(line, what, "Write the name as the result files spell it.")
    return name


def _without_comment(text: str) -> tuple[str, str]:
    """Part `text` from a comment at its end: a `#` at the beginning or after a space."""
    if text.startswith("#"):
        return "", text
    value, mark, comment = text.partition(" #")
    return value.strip(), f"#{comment}" if mark else ""


def _prose(key: str, text: str, line: int) -> str | Problem | None:
    pair = quoted(text)
    text = " ".join((pair[0] if pair and not pair[1] else text).split())
    if is_placeholder(text):
        return None
    if len(text) > TEXT_LIMIT:
        return Problem(line, f"`{key}` is longer than {TEXT_LIMIT:,} characters", "Shorten it.")
    hidden = next((char for char in text if unicodedata.category(char) in {"Cc", "Cs"}), None)
    if hidden is not None:
        return Problem(line, f"`{key}` contains the character <U+{ord(hidden):04X}>", "Remove that character.")
    return text


def _metric(text: str, inside: str, line: int) -> str | Problem | None:
    if quoted(text) is None and inside != text:
        # Cutting at ` #` might name another metric than the author meant.
        remedy = (
            f"Write `primary_metric: {inside}` with the note on a line of its own, or put the whole name in quotes."
        )
        return Problem(line, f"`primary_metric` is {shown(text)}: a name with a `#`, or a name and a note", remedy)
    return read_name(inside, line)


def _effect(text: str, line: int) -> str | Problem:
    value = decimal(text)
    if value is not None and value > 0:
        return repr(value)
    remedy = "Write the size of the smallest change that matters in the metric's own units, such as `effect: 0.02`."
    if value is None and text.endswith("%"):
        remedy += " Per cent could mean points or a relative change."
    return Problem(line, f"`effect` is {shown(text)}; it is a decimal number above 0", remedy)


def _requirement(text: str, line: int) -> str | Problem:
    word = re.sub(r"[\s_-]+", "-", text.casefold())
    words = [requirement.value for requirement in Requirement]
    if word in words:
        return word
    near = nearest(word, words)
    remedy = f"Did you mean `{near}`?" if near else f"Write one of: {', '.join(words)}."
    return Problem(line, f"`require` is {shown(text)}; it is one of: {', '.join(words)}", remedy)


def _guardrails(text: str, line: int) -> str | Problem | None:
    """Return names parted by commas, sorted, each once; a name with a comma in it cannot be written here."""
    names = []
    for piece in text.split(","):
        pair = quoted(piece.strip())
        read = read_name(pair[0] if pair and not pair[1] else piece.strip(), line)
        if isinstance(read, Problem):
            return read
        names += [] if read is None else [read]
    return NAMES_APART.join(sorted(set(names))) if names else None


def _looks(text: str, line: int) -> str | Problem:
    value = decimal(text)
    if value is not None and value.is_integer() and 1 <= value <= LOOKS_LIMIT:
        return str(int(value))
    what = f"`looks` is {shown(text)}; it is a whole number from 1 to {LOOKS_LIMIT}"
    return Problem(line, what, "Write how many comparisons of new results are planned, such as `looks: 2`.")


def _yes_or_no(key: str, text: str, line: int) -> str | Problem:
    word = text.casefold()
    if word in _YES | _NO:
        return "yes" if word in _YES else "no"
    remedy = "Write yes or no, and explain on a `reason:` line."
    return Problem(line, f"`{key}` is {shown(text)}; it is yes or no", remedy)


def _suite(text: str, line: int) -> str | Problem:
    if SUITE_NAME.fullmatch(text):
        return text
    what = f"`suite` is {shown(text)}; a suite's name has letters, digits, dots, hyphens and underscores, at most 50"
    return Problem(line, what, "Write the name that the workflow gives to the suite, or remove the line.")
