"""The policy file's text as a tree of values with their lines: the harmless part of YAML and nothing else.

PyYAML splits the text into events; the tree is built here, so that what YAML can do beyond mappings, lists and
scalars never happens: anchors, aliases, tags, merge keys, duplicate keys and further documents are refused, and size,
depth and number of values are bounded. Scalars stay text: what they mean is decided by the key they belong to
(`policy_value`), so ``no`` is never false by accident and ``1:30`` never 90.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import yaml

from clearband.errors import UnusablePolicy
from clearband.plain_text import shown

SIZE_LIMIT = 65_536
DEPTH_LIMIT = 20
VALUE_LIMIT = 20_000

_QUOTING = "Check indentation and quotes there; text with `: `, ` #` or an unusual first character needs quotes."


@dataclass(frozen=True, slots=True)
class Scalar:
    """One scalar, as it was written."""

    text: str
    plain: bool
    """Whether it stood without quotes."""
    line: int


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list."""

    items: tuple[Node, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Mapping:
    """A mapping, keys in the order of the file and each only once."""

    entries: tuple[tuple[Scalar, Node], ...]
    line: int


Node = Scalar | Sequence | Mapping


@dataclass(slots=True)
class _Open:
    """A list or mapping whose end has not been met."""

    line: int
    is_mapping: bool
    items: list[Node] = field(default_factory=list)
    keys: dict[str, int] = field(default_factory=dict)
    """Keys met so far, with their lines."""


def read(data: bytes, *, name: str) -> Node:
    """Return the tree of the one document in `data`; an empty file is an empty mapping.

    Parameters
    ----------
    data
        The file as it was read.
    name
        The file's name, for messages.

    Raises
    ------
    UnusablePolicy
        Whatever is wrong with the text, with the line.

    """
    text = _text(data, name=name)
    tree = _Tree(name)
    try:
        return tree.build(text)
    except UnusablePolicy:
        raise
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"line {mark.line + 1}" if mark else None
        problem = error.problem or error.context or "it is not YAML"
        raise UnusablePolicy(f"{name} is not a policy: {problem}", where=where, remedy=_QUOTING) from error
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        what = f"{name} holds the character <U+{ord(text[error.position]):04X}>, which YAML does not allow"
        raise UnusablePolicy(what, where=f"line {line}", remedy="Remove that character.") from error
    except Exception as error:
        # PyYAML lets a few plain exceptions through (an escape beyond Unicode, very deep nesting); none is a policy.
        what = f"{name} is not a policy: YAML could not be read ({type(error).__name__})"
        raise UnusablePolicy(what, where=f"line {tree.line} or after", remedy=_QUOTING) from error


def _text(data: bytes, *, name: str) -> str:
    if len(data) > SIZE_LIMIT:
        what = f"{name} is {len(data):,} bytes long; a policy has at most {SIZE_LIMIT:,}"
        raise UnusablePolicy(what, remedy="Check that this is the policy file.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        what = f"{name} is not UTF-8 text (byte {error.start})"
        raise UnusablePolicy(what, where=f"line {line}", remedy="Save the file as UTF-8.") from error


class _Tree:
    """Builds the tree from PyYAML's events."""

    def __init__(self, name: str) -> None:
        self.line = 1
        """Where the last event began."""
        self._name = name
        self._open: list[_Open] = []
        self._root: Node | None = None
        self._values = 0
        self._documents = 0

    def build(self, text: str) -> Node:
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            self._take(event)
        return self._root or Mapping((), 1)

    def _take(self, event: yaml.Event) -> None:
        self.line = line = event.start_mark.line + 1 if event.start_mark else self.line
        match event:
            case yaml.DocumentStartEvent():
                self._documents += 1
                if self._documents > 1:
                    raise self._refused("a second document begins (`---`)", line, "Keep one document in the file.")
            case yaml.AliasEvent():
                raise self._refused(f"the alias {shown(f'*{event.anchor}')} is used", line, _written_out())
            case yaml.ScalarEvent():
                self._refuse_anchor_and_tag(event, line)
                self._add(Scalar(event.value, event.style is None, line))
            case yaml.SequenceStartEvent() | yaml.MappingStartEvent():
                self._refuse_anchor_and_tag(event, line)
                self._open.append(_Open(line, isinstance(event, yaml.MappingStartEvent)))
                if len(self._open) > DEPTH_LIMIT:
                    raise self._refused(f"values are nested deeper than {DEPTH_LIMIT}", line, "Flatten the file.")
            case yaml.SequenceEndEvent() | yaml.MappingEndEvent():
                self._add(_closed(self._open.pop()))
            case _:  # start and end of the stream, end of the document
                pass

    def _refuse_anchor_and_tag(self, event: yaml.NodeEvent, line: int) -> None:
        if event.anchor is not None:
            raise self._refused(f"the anchor {shown(f'&{event.anchor}')} is set", line, _written_out())
        tag = getattr(event, "tag", None)
        if tag is not None:
            raise self._refused(f"the tag {shown(tag)} is used", line, "Write the value without a tag.")

    def _add(self, node: Node) -> None:
        self._values += 1
        if self._values > VALUE_LIMIT:
            raise self._refused(f"there are more than {VALUE_LIMIT:,} values", node.line, "Shorten the file.")
        if not self._open:
            self._root = node
            return
        parent = self._open[-1]
        if parent.is_mapping and len(parent.items) % 2 == 0:
            self._check_key(node, parent)
        parent.items.append(node)

    def _check_key(self, key: Node, parent: _Open) -> None:
        if not isinstance(key, Scalar):
            raise self._refused("a key is itself a list or mapping", key.line, "Use plain text as a key.")
        if key.plain and key.text == "<<":
            raise self._refused("the merge key `<<` is used", key.line, _written_out())
        if key.text in parent.keys:
            first = parent.keys[key.text]
            what = f"{shown(key.text)} appears twice, on lines {first} and {key.line}"
            raise self._refused(what, key.line, "Keep one of the two.")
        parent.keys[key.text] = key.line

    def _refused(self, what: str, line: int, remedy: str) -> UnusablePolicy:
        return UnusablePolicy(f"{self._name}: {what}", where=f"line {line}", remedy=remedy)


def _closed(part: _Open) -> Node:
    if not part.is_mapping:
        return Sequence(tuple(part.items), part.line)
    keys = (item for item in part.items[::2] if isinstance(item, Scalar))  # `_check_key` let nothing else in
    return Mapping(tuple(zip(keys, part.items[1::2], strict=True)), part.line)


def _written_out() -> str:
    return "Write the value out where it is needed; anchors, aliases and merge keys are not part of a policy."
