"""What no template may leave out: the verdict, what it means for the merge, and every metric with its interval.

A repository may word its comment otherwise. It may not make the comment say less than what was found.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from clearband.report.escape import markdown, unmarked
from clearband.report.view import view

if TYPE_CHECKING:
    from clearband.report.phrase import Phrase
    from clearband.several import Several

_UNSEEN = re.compile(r"<!--(?! -->).*?-->", re.DOTALL)
"""Comments, but for the empty ones that keep addresses from becoming links."""


def missing(text: str, several: Several, *, built_in: str) -> str | None:
    """Return what `text` leaves out that the comment of the built-in template, `built_in`, says; None for nothing.

    Rows that the built-in comment has no room for are not asked for.
    """
    said, owed = _UNSEEN.sub("", text), _UNSEEN.sub("", built_in)
    if text.partition("\n")[0] != built_in.partition("\n")[0]:
        return "the first line, by which the comment is found again"
    for answer in several.answers:
        shown = view(answer)
        parts: list[tuple[str, tuple[Phrase, ...]]] = [
            ("the verdict", (shown.headline,)),
            ("what it means for the merge", (shown.merge,)),
        ]
        parts += [(f"the metric {unmarked(row.name)}", (row.name, row.change, row.cleared)) for row in shown.rows]
        for what, phrases in parts:
            for phrase in phrases:
                wanted = markdown(phrase)
                if wanted in owed and wanted not in said:
                    return what
    return None
