"""How the tests read a comment."""

from __future__ import annotations

import html
import os
import re
from pathlib import Path

GOLDEN = Path(__file__).resolve().parents[2] / "golden"
FORBIDDEN = re.compile(r"(?i:noise|\bprove|significan|p = 0\.000)|SHIP|BLOCK|[Nn]a[Nn]\b|None|\binf\b|e-\d")


def check_golden(file: Path, text: str) -> None:
    if os.environ.get("CLEARBAND_UPDATE_GOLDEN") == "1":
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")
    assert file.read_text(encoding="utf-8") == text


def read(text: str) -> str:
    """The comment as a person reads it, without markup."""
    return html.unescape(re.sub(r"</?code[^>]*>|\*\*|^### |<!--.*?-->\n", "", text, flags=re.MULTILINE)).replace(
        "\u00a0", " "
    )


def rows(text: str) -> list[list[str]]:
    """The cells of the first table, header and alignment left out."""
    lines = [line for line in text.partition("<details>")[0].split("\n") if line.startswith("|")]
    return [[cell.strip() for cell in read(line).strip("|").split(" | ")] for line in lines[2:]]
