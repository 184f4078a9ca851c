"""The comment and the summary of a run: of its one suite, or of several in one.

Several have one head, and then each suite's part, the gravest first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clearband.plain_text import DEFAULT_SUITE
from clearband.report import render
from clearband.report.marker import marker
from clearband.report.render import COMMENT_BYTES, SUMMARY_BYTES, fitting, plain, size
from clearband.report.suites import suites_view
from clearband.report.view import view

if TYPE_CHECKING:
    from clearband.several import Several


def comment(several: Several, *, custom: str | None = None) -> str:
    """Return the pull request's comment: Markdown, marker on the first line, at most `COMMENT_BYTES` of UTF-8.

    `custom` is the source of a template for each suite's part; only `template_process` hands one in.
    """
    if not several.are_listed:
        return render.comment(several.deciding, custom=custom)
    # The one comment of a repository, whether its policy lists suites yet or no more.
    first = marker(DEFAULT_SUITE) + "\n"
    return first + _text(several, COMMENT_BYTES - size(first), custom)


def summary(several: Several) -> str:
    """Return the step summary: the same without the marker, and with far more room."""
    if not several.are_listed:
        return render.summary(several.deciding)
    return _text(several, SUMMARY_BYTES, None)


def _text(several: Several, budget: int, custom: str | None) -> str:
    """Return head and parts within `budget` bytes.

    Every part gets an equal share of the room that those before it left. Parts that cannot even be told in short are
    left out, the mildest first; the head has a line for each suite in any case.
    """
    views = tuple(map(view, several.answers))
    of_suite = {answer.suite: shown for answer, shown in zip(several.answers, views, strict=True)}
    head = plain("suites.md.j2", {"view": suites_view(several, views)})
    # Room for the sentence that says how many parts are missing.
    left = budget - size(head) - 200
    parts: list[str] = []
    ordered = several.gravest_first()
    for position, answer in enumerate(ordered):
        folded = answer.exit_status == 0
        share = left // (len(ordered) - position)
        part = fitting("suite.md.j2", of_suite[answer.suite], share, custom=custom, folded=folded).strip("\n")
        if size(part) + 2 > left:
            break
        left -= size(part) + 2
        parts.append(part)
    missing = len(ordered) - len(parts)
    if missing:
        head = plain("suites.md.j2", {"view": suites_view(several, views, left_out=missing)})
    return "\n\n".join([head.rstrip("\n"), *parts]) + "\n"
