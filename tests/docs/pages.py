"""The pages that people read, and what can be checked of them."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    path
    for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")]
    if "images" not in path.parts and path.name != "pull_request.md"
)

_FENCE = re.compile(r"^( *)(`{3,})(\w*)\n(.*?)^\1\2 *$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<!!)\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^)\s]+)\)")
_IMAGE = re.compile(r'(?:src|srcset)="([^"]+)"|!\[[^\]]*\]\(([^)\s]+)\)')


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def blocks(path: Path, *languages: str) -> list[str]:
    """Return the fenced blocks of a page in the given languages."""
    text = path.read_text(encoding="utf-8")
    return [match[4] for match in _FENCE.finditer(text) if match[3] in languages]


def prose(path: Path) -> str:
    """Return a page without its fenced blocks."""
    return _FENCE.sub("", path.read_text(encoding="utf-8"))


def links(path: Path) -> Iterator[str]:
    """Yield where the links and pictures of a page lead."""
    text = prose(path)
    yield from (match[1] for match in _LINK.finditer(text))
    yield from (match[1] or match[2] for match in _IMAGE.finditer(text))


def anchors(path: Path) -> set[str]:
    """Return the anchors that GitHub gives to the headings of a page."""
    found: set[str] = set()
    for line in prose(path).splitlines():
        if re.match(r"#{1,6} ", line):
            found.add(_anchor(line.lstrip("#").strip()))
    return found


def _anchor(heading: str) -> str:
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
    kept = "".join(sign for sign in text if sign in " -_" or unicodedata.category(sign)[0] in {"L", "N"})
    return kept.replace(" ", "-")
