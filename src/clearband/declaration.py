"""The declaration: what the author of a pull request wrote down before the result existed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING

from clearband.plain_text import DEFAULT_SUITE, nearest, shown
from clearband.vocabulary import NAMES_APART, Requirement

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clearband.declaration_block import Block

BODY_LIMIT = 262_144
"""Bytes of the longest description that GitHub stores."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """One declaration block, read."""

    suite: str
    primary_metric: str
    effect: float | None = None
    require: Requirement | None = None
    guardrails: tuple[str, ...] = ()
    """Further metrics that may not get worse, sorted."""
    hypothesis: str | None = None
    looks: int | None = None
    """How many comparisons of new results the author plans."""
    results_seen_before: bool | None = None
    """Whether the author had seen results before declaring."""
    reason: str | None = None
    """Why a declaration was changed, or why results had been seen."""
    line: int
    """1-based line of the pull request's body where the block starts."""
    sha256: str
    """Hex digest of the canonical block (sorted ``key: value`` lines), not of the body around it."""

    @property
    def canonical(self) -> str:
        """The canonical block: everything the declaration says, whatever form it was written in."""
        seen = {None: None, True: "yes", False: "no"}[self.results_seen_before]
        given = {
            "suite": self.suite,
            "primary_metric": self.primary_metric,
            "effect": None if self.effect is None else repr(self.effect),
            "require": self.require,
            "guardrails": NAMES_APART.join(self.guardrails) or None,
            "hypothesis": self.hypothesis,
            "looks": self.looks,
            "results_seen_before": seen,
            "reason": self.reason,
        }
        return "".join(f"{key}: {value}\n" for key, value in sorted(given.items()) if value is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class NotDeclared:
    """The body holds no declaration for the suite."""

    suite: str
    reason: str
    """Why nothing was read, such as "the template's placeholder was left as it was"; one sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclarationProblem:
    """Something was declared, and it cannot be used."""

    suite: str
    what: str
    remedy: str
    lines: tuple[int, ...]


def parse(body: str | None, *, suite: str = DEFAULT_SUITE) -> Declaration | NotDeclared | DeclarationProblem:
    r"""Return what the description of a pull request declares for `suite`.

    Parameters
    ----------
    body
        The description as GitHub gives it; lines may end in ``\r\n``, ``\r`` or ``\n``.
    suite
        The comparison whose declaration is wanted; a block without `suite` belongs to the suite ``default``.

    """
    if body is None or not body.strip():
        return NotDeclared(suite=suite, reason="the pull request has no description")
    if len(body) > BODY_LIMIT or len(body.encode("utf-8", "surrogatepass")) > BODY_LIMIT:
        what = f"the description is longer than {BODY_LIMIT:,} bytes and was not read"
        return DeclarationProblem(suite=suite, what=what, remedy="Shorten the description.", lines=())
    # Most comparisons on a laptop have no description: reading Markdown waits for one (8 ms of a start-up, measured).
    from clearband.declaration_text import MOST_BLOCKS, blocks_of  # noqa: PLC0415

    found, unread = blocks_of(body)
    if len(found) > MOST_BLOCKS:
        what = f"the description holds more than {MOST_BLOCKS} declarations"
        lines = tuple(block.line for block in found)
        return DeclarationProblem(suite=suite, what=what, remedy="Keep one for each suite.", lines=lines)
    mine = [block for block in found if block.suite in {suite, None}]
    return _decided(mine, suite) if mine else NotDeclared(suite=suite, reason=_absence(found, unread, suite))


def to_paste(*, suite: str = DEFAULT_SUITE, metrics: Iterable[str] = ()) -> str:
    """Return the block that an author pastes into the description and fills in; it offers the first few `metrics`."""
    offered = ", ".join(islice(metrics, 10))
    lines = [
        "```clearband",
        *([f"# one of: {offered}"] if offered else []),
        *([f"suite: {suite}"] if suite != DEFAULT_SUITE else []),
        "primary_metric: <metric>",
        "```",
    ]
    return "\n".join(lines)


def _absence(found: Sequence[Block], unread: str | None, suite: str) -> str:
    """Return why nothing is declared for `suite` although the description is not empty."""
    others = sorted({block.suite for block in found if block.suite is not None and block.values})
    if others:
        near = nearest(suite, others) or others[0]
        return f"the description declares for the suite {shown(near)}, and nothing for {shown(suite)}"
    return unread or "the description holds no declaration"


def _decided(mine: Sequence[Block], suite: str) -> Declaration | NotDeclared | DeclarationProblem:
    """Return what the blocks of one suite come to, together."""
    problems = [problem for block in mine for problem in block.problems]
    if problems:
        several = [f"line {problem.line}: {problem.what}" for problem in problems]
        return DeclarationProblem(
            suite=suite,
            what=problems[0].what if len(problems) == 1 else "; ".join(several),
            remedy=" ".join(dict.fromkeys(problem.remedy for problem in problems)),
            lines=tuple(problem.line for problem in problems),
        )
    filled = [block for block in mine if block.values]
    if not filled:
        return NotDeclared(suite=suite, reason=f"the placeholder on line {mine[0].line} was left as it was")
    nameless = next((block for block in filled if "primary_metric" not in block.values), None)
    if nameless:
        what = "the block does not name its primary metric"
        remedy = "Add a line `primary_metric: NAME`, or empty the block if nothing is declared."
        return DeclarationProblem(suite=suite, what=what, remedy=remedy, lines=(nameless.line,))
    chosen = next((block for block in filled if block.is_fence), filled[0])
    for other in filled:
        difference = _difference(chosen, other)
        if difference:
            first, second = sorted((chosen, other), key=lambda block: block.line)
            what = f"two declarations contradict each other in `{difference}`, on lines {first.line} and {second.line}"
            remedy = "Keep one of the two, or make them the same."
            return DeclarationProblem(suite=suite, what=what, remedy=remedy, lines=(first.line, second.line))
    return _declaration(chosen, suite)


def _difference(chosen: Block, other: Block) -> str | None:
    """Return the first key in which two blocks differ; a line of Markdown can only name the metric."""
    keys = sorted({*chosen.values, *other.values}) if other.is_fence else ["primary_metric"]
    return next((key for key in keys if chosen.values.get(key) != other.values.get(key)), None)


def _declaration(block: Block, suite: str) -> Declaration:
    values = block.values
    unsigned = Declaration(
        suite=suite,
        primary_metric=values["primary_metric"],
        effect=float(values["effect"]) if "effect" in values else None,
        require=Requirement(values["require"]) if "require" in values else None,
        guardrails=tuple(values["guardrails"].split(NAMES_APART)) if "guardrails" in values else (),
        hypothesis=values.get("hypothesis"),
        looks=int(values["looks"]) if "looks" in values else None,
        results_seen_before=values["results_seen_before"] == "yes" if "results_seen_before" in values else None,
        reason=values.get("reason"),
        line=block.line,
        sha256="",
    )
    return replace(unsigned, sha256=sha256(unsigned.canonical.encode()).hexdigest())
