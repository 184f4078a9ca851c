"""The comment and the step summary: an answer through the templates, within GitHub's limits.

The templates run in Jinja's sandbox, print through `clearband.report.escape.door` alone and see nothing but a view.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from jinja2 import BaseLoader, StrictUndefined, TemplateNotFound, Undefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from clearband.report.escape import door
from clearband.report.marker import marker
from clearband.report.numbers import count
from clearband.report.phrase import Phrase, say
from clearband.report.view import CommentView, view

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jinja2 import Environment

    from clearband.answers import Answer

COMMENT_BYTES = 60_000
"""Right under every reading of GitHub's limit of 65,536, whatever it counts."""
SUMMARY_BYTES = 900_000
"""A step summary may have 1 MiB; beyond it GitHub drops all of it."""
_TEMPLATES = ("comment.md.j2", "summary.md.j2", "suites.md.j2", "suite.md.j2", "ledger.html.j2")


CUSTOM = "the repository's own template"


class _Packaged(BaseLoader):
    """The package's own templates, one that a repository may bring, and no file besides."""

    def __init__(self, custom: str | None) -> None:
        self._custom = custom

    def get_source(self, environment: Environment, template: str) -> tuple[str, None, None]:
        del environment
        if template == CUSTOM and self._custom is not None:
            return self._custom, None, None
        if template not in _TEMPLATES:
            raise TemplateNotFound(template)
        file = resources.files("clearband").joinpath("templates", template)
        return file.read_text(encoding="utf-8"), None, None


def _printed(value: object) -> str:
    if isinstance(value, Undefined):
        return str(value)  # which raises, with the name of what is missing or forbidden
    return door(value)


@cache
def _environment(custom: str | None = None) -> ImmutableSandboxedEnvironment:
    environment = ImmutableSandboxedEnvironment(
        loader=_Packaged(custom),
        undefined=StrictUndefined,
        finalize=_printed,
        autoescape=False,  # `door` escapes every expression, for Markdown and not only for HTML
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals.clear()
    environment.filters.clear()
    return environment


def comment(answer: Answer, *, custom: str | None = None) -> str:
    """Return the pull request's comment: Markdown, marker on the first line, at most `COMMENT_BYTES` of UTF-8.

    `custom` is the source of a template that extends `base`; only `template_process` hands one in.
    """
    # Not the template's business: whatever a template does, the first line is how the comment is found again.
    first = marker(answer.suite) + "\n"
    return first + fitting("comment.md.j2", view(answer), COMMENT_BYTES - size(first), custom=custom)


def summary(answer: Answer) -> str:
    """Return the step summary: the comment with its details, without its marker and with far more room."""
    return fitting("summary.md.j2", view(answer), SUMMARY_BYTES)


def ledger_page(values: Mapping[str, object]) -> str:
    """Return the page of a ledger: HTML whose every expression passes the same door as the comment's."""
    return plain("ledger.html.j2", values)


def plain(template: str, values: Mapping[str, object], *, custom: str | None = None) -> str:
    """Return a template's text for values that need no shortening."""
    name = template if custom is None else CUSTOM
    return _environment(custom).get_template(name).render({**values, "base": template})


def fitting(template: str, shown: CommentView, budget: int, *, custom: str | None = None, **more: object) -> str:
    """Return the fullest text of one answer that fits into `budget` bytes.

    Finer numbers go first, then lists and notes, then whole rows from the end; never the verdict or the first row,
    which is the primary metric's. `more` goes into the template as it is.
    """
    every = len(shown.rows)
    for finer, extras in ((True, True), (False, True), (False, False)):
        text = _text(template, shown, every, custom, finer=finer, extras=extras, more=more)
        if size(text) <= budget:
            return text
    fits, too_many = 1, every
    while too_many - fits > 1:
        middle = (fits + too_many) // 2
        if size(_text(template, shown, middle, custom, finer=False, extras=False, more=more)) <= budget:
            fits = middle
        else:
            too_many = middle
    return _text(template, shown, fits, custom, finer=False, extras=False, more=more)


def size(text: str) -> int:
    """Return the length that every limit here is about: bytes of UTF-8."""
    return len(text.encode())


def _text(
    template: str,
    shown: CommentView,
    rows: int,
    custom: str | None,
    *,
    finer: bool,
    extras: bool,
    more: Mapping[str, object],
) -> str:
    values: dict[str, Any] = {
        **more,
        "view": shown,
        "rows": shown.rows[:rows],
        "detail_rows": shown.detail_rows if finer else (),
        "slice_rows": shown.slice_rows if finer else (),
        "facts": tuple(fact for fact in shown.facts if extras or not fact.is_extra),
        "reasons": shown.reasons if extras else (),
        "cut": _cut(shown, rows, finer=finer),
    }
    return plain(template, values, custom=custom)


def _cut(shown: CommentView, rows: int, *, finer: bool) -> Phrase:
    total = len(shown.rows)
    if rows < total:
        return say(f"{count(rows)} of {count(total)} metrics shown; the record has every one.")
    return say() if finer or not total else say("The finer numbers of each metric are in the record.")
