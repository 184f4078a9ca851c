"""One value of the policy file, read strictly, with the place it came from in every message."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar

from clearband.errors import UnusablePolicy
from clearband.plain_text import decimal, name_problem, nearest, shown
from clearband.policy_yaml import Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    from collections.abc import Callable

Word = TypeVar("Word", bound=StrEnum)
Item = TypeVar("Item", bound=str)

_TRUE = frozenset({"true", "True", "TRUE"})
_FALSE = frozenset({"false", "False", "FALSE"})
_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_MEANT = dict.fromkeys(("true", "yes", "on", "y"), "true") | dict.fromkeys(("false", "no", "off", "n"), "false")
"""Words that people and older YAML use for true and false: never read as such, only offered as the remedy."""
_TEXT_LIMIT = 40
_CELL_LIMIT = 1_000  # as many characters as a question's id may have
_AS_SPELLED = "Write the name as the result files spell it."


@dataclass(frozen=True, slots=True)
class Value:
    """A value of the policy and how to talk about it."""

    file: str
    key: str
    """The path of keys that leads here, such as ``metrics.recall.margin``; empty for the whole file."""
    node: Node

    def refused(self, what: str, remedy: str) -> UnusablePolicy:
        """Return the error that this value is `what`."""
        subject = f"{self.file}: {shown(self.key, limit=120)}" if self.key else self.file
        return UnusablePolicy(f"{subject} {what}", where=f"line {self.node.line}", remedy=remedy)

    def fields(self, allowed: tuple[str, ...], *, elsewhere: dict[str, str]) -> dict[str, Value]:
        """Return the values of a mapping that may hold only the `allowed` keys.

        Parameters
        ----------
        allowed
            The valid keys, in the order in which a message lists them.
        elsewhere
            Valid keys of other places, each with the remedy that says where it belongs.

        """
        found = self.entries()
        for key, value in found.items():
            if key in allowed:
                continue
            near = nearest(key, allowed)
            meant = f"Did you mean `{near}`? " if near else ""
            remedy = elsewhere.get(key) or f"{meant}Valid keys: {', '.join(allowed)}."
            place = f" in {shown(self.key, limit=120)}" if self.key else ""
            what = f"{self.file}: unknown key {shown(key)}{place}"
            raise UnusablePolicy(what, where=f"line {value.line}", remedy=remedy)
        return self.below()

    def named(self, *, kind: str = "metric name") -> dict[str, Value]:
        """Return the values of a mapping whose keys are names in the result files; `kind` says of what."""
        for key, entry in self.entries().items():
            problem = name_problem(key)
            if problem:
                what = f"{self.file}: the {kind} {shown(key)} {problem}"
                raise UnusablePolicy(what, where=f"line {entry.line}", remedy=_AS_SPELLED)
        return self.below()

    def below(self) -> dict[str, Value]:
        """Return the values of a mapping by key, whatever the keys are."""
        prefix = f"{self.key}." if self.key else ""
        return {key: Value(self.file, prefix + key, entry.node) for key, entry in self.entries().items()}

    def entries(self) -> dict[str, Entry]:
        """Return the values of a mapping by key; nothing at all where the value was left out."""
        match self.node:
            case Mapping(entries=entries):
                return {key.text: Entry(key.line, value) for key, value in entries}
            case Scalar(plain=True, text=text) if text in _NULL:
                return {}
            case _:
                example = f"{self._last}:\n  key: value" if self.key else "primary: recall"
                raise self.refused(f"is {_kind(self.node)}, not `key: value` lines", f"Write it like this:\n{example}")

    def text(self, *, allowed: str) -> str:
        """Return text as it was written, quoted or not; `allowed` completes "it is ..."."""
        match self.node:
            case Scalar(plain=True, text=text) if text in _NULL:
                raise self.refused(f"has no value; it is {allowed}", "Give it a value, or remove the line.")
            case Scalar(text=text):
                return text
            case _:
                raise self.refused(f"is {_kind(self.node)}; it is {allowed}", "Write one value after the colon.")

    def label(self, *, allowed: str) -> str:
        """Return a short text for people, such as a unit."""
        text = self.text(allowed=allowed)
        problem = name_problem(text)
        if problem or len(text) > _TEXT_LIMIT:
            fault = problem or f"is longer than {_TEXT_LIMIT} characters"
            raise self.refused(f"{fault}; it is {allowed}", "Shorten it to a few visible characters.")
        return text

    def name(self, *, allowed: str) -> str:
        """Return the name of a metric or field, character by character as the result files spell it."""
        text = self.text(allowed=allowed)
        problem = name_problem(text)
        if problem:
            raise self.refused(f"{problem}; it is {allowed}", _AS_SPELLED)
        return text

    def content(self, *, allowed: str) -> str:
        """Return what stands in a cell of the result files, such as a question's id: any text that they can hold."""
        text = self.text(allowed=allowed)
        if not text.strip() or len(text) > _CELL_LIMIT or any("\ud800" <= sign <= "\udfff" for sign in text):
            fault = f"is {shown(text)}; it is {allowed}, of 1 to {_CELL_LIMIT:,} characters"
            raise self.refused(fault, "Write it as the result files spell it.")
        return text

    def items(self, *, allowed: str, example: str) -> tuple[Value, ...]:
        """Return the values of a list; the first is ``key[1]``."""
        match self.node:
            case Sequence(items=items):
                return tuple(Value(self.file, f"{self.key}[{place}]", item) for place, item in enumerate(items, 1))
            case _:
                raise self.refused(f"is {_kind(self.node)}; it is {allowed}", f"Write it like this:\n{example}")

    def each_once(
        self, of: Callable[[Value], Item], *, allowed: str, example: str, may_be_empty: bool = False
    ) -> tuple[Item, ...]:
        """Return the values of a list, in order, each read by `of`; one that stands in it twice is refused."""
        found: dict[Item, int] = {}
        for item in self.items(allowed=allowed, example=example):
            word = of(item)
            if word in found:
                raise item.refused(f"is {shown(word)} again, as on line {found[word]}", "Keep one of the two.")
            found[word] = item.node.line
        if not found and not may_be_empty:
            raise self.refused("is empty", f"Remove the line, or write {allowed}, such as `{example}`.")
        return tuple(found)

    def flag(self) -> bool:
        """Return true or false, and take no other word for it."""
        match self.node:
            case Scalar(plain=True, text=text) if text in _TRUE:
                return True
            case Scalar(plain=True, text=text) if text in _FALSE:
                return False
            case Scalar(text=text):
                meant = _MEANT.get(text.casefold())
                fix = f"Write `{self._last}: {meant}`." if meant else "Write true or false."
                raise self.refused(f"is {shown(text)}; it is true or false", fix)
            case _:
                raise self.refused(f"is {_kind(self.node)}; it is true or false", "Write true or false.")

    def choice(self, words: type[Word]) -> Word:
        """Return one of the words of an enum."""
        allowed = ", ".join(word.value for word in words)
        text = self.text(allowed=f"one of: {allowed}")
        for word in words:
            if word.value == text:
                return word
        near = nearest(text, (word.value for word in words))
        remedy = f"Did you mean `{near}`?" if near else f"Write one of: {allowed}."
        raise self.refused(f"is {shown(text)}; it is one of: {allowed}", remedy)

    def number(self, *, allowed: str) -> float:
        """Return a finite number in decimal notation, without quotes."""
        match self.node:
            case Scalar(text=text, plain=plain):
                value = decimal(text)
                if value is not None and plain and not _ambiguous(text):
                    return value
                raise self.refused(f"is {shown(text)}; it is {allowed}", self._number_remedy(text, plain=plain))
            case _:
                raise self.refused(f"is {_kind(self.node)}; it is {allowed}", "Write one number after the colon.")

    def share(self, low: float, high: float, *, allowed: str) -> float:
        """Return a number from `low` to `high`, both included, helping those who think in per cent."""
        match self.node:
            case Scalar(text=text) if text.endswith("%"):
                per_cent = decimal(text[:-1].strip())
            case _:
                value = self.number(allowed=allowed)
                if low <= value <= high:
                    return value
                text, per_cent = f"{value:g}", value
        fits = per_cent is not None and low <= per_cent / 100 <= high
        fix = f"Write `{self._last}: {per_cent / 100:g}`." if per_cent and fits else f"Write {allowed}."
        raise self.refused(f"is {shown(text)}; it is {allowed}", fix)

    def whole(self, low: int, high: int) -> int:
        """Return a whole number from `low` to `high`."""
        allowed = f"a whole number from {low:,} to {high:,}"
        value = self.number(allowed=allowed)
        if not value.is_integer() or not low <= value <= high:
            raise self.refused(f"is {value:g}; it is {allowed}", f"Write {allowed}.")
        return int(value)

    def pair(self, *, allowed: str) -> tuple[float, float]:
        """Return a list of two numbers, the smaller one first."""
        match self.node:
            case Sequence(items=(first, second)):
                low = Value(self.file, self.key, first).number(allowed=allowed)
                high = Value(self.file, self.key, second).number(allowed=allowed)
                if low < high:
                    return low, high
                raise self.refused(f"is [{low:g}, {high:g}]; it is {allowed}", "Put the smaller number first.")
            case _:
                raise self.refused(f"is not a list of two numbers; it is {allowed}", f"Write `{self._last}: [0, 1]`.")

    @property
    def _last(self) -> str:
        return self.key.rsplit(".", 1)[-1]

    def _number_remedy(self, text: str, *, plain: bool) -> str:
        value = decimal(text)
        if value is not None and not plain:
            return "Remove the quotes."
        if value is not None:
            return f"Write it without leading zeros: `{self._last}: {value:g}`."
        with_point = decimal(text.replace(",", ".", 1))
        if with_point is not None:
            return f"Write a decimal point: `{self._last}: {with_point:g}`."
        return "Write a plain decimal number, such as 0.03 or 1e-3."


@dataclass(frozen=True, slots=True)
class Entry:
    """A value and the line of its key."""

    line: int
    node: Node


def _ambiguous(text: str) -> bool:
    """Whether older YAML reads `text` as octal: a zero before further digits of a whole number."""
    digits = text.lstrip("+-")
    return len(digits) > 1 and digits.isdigit() and digits.startswith("0")


def _kind(node: Node) -> str:
    match node:
        case Scalar(text=text, plain=plain):
            return "empty" if plain and text in _NULL else shown(text)
        case Sequence():
            return "a list"
        case Mapping():
            return "a set of `key: value` lines"
