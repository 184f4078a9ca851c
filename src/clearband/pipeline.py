"""The way through the house: result bytes, policy and declaration in; comparison, verdict and record out. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clearband.comparison import Comparison
    from clearband.declaration import Declaration, DeclarationProblem, NotDeclared
    from clearband.errors import ClearbandError
    from clearband.gate import Verdict
    from clearband.policy import Policy
    from clearband.terms import Options, Terms


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A result file as handed in."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Everything one comparison needs, already read."""

    suite: str = "default"
    baseline: Source
    candidate: Source
    policy: Policy | None
    """None where there is none: on a laptop without --policy, or a repository that is not set up yet."""
    declaration: Declaration | NotDeclared | DeclarationProblem | None
    """None where no pull request's body was read."""
    options: Options
    needs_policy: bool = False
    """In a repository (the Action) a missing policy means "not set up yet"; on a laptop it means nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Everything one run of Clearband has to say; what is written, shown and exited with comes from here."""

    suite: str
    verdict: Verdict
    comparison: Comparison | None
    """None where the inputs, the policy or the declaration were unusable: then no change is shown at all."""
    terms: Terms | None
    policy: Policy | None
    declaration: Declaration | NotDeclared | DeclarationProblem | None
    """None where no pull request's body was read."""
    problem: ClearbandError | None
    record: dict[str, Any]
    """The record as plain data, canonical floats; `audit.record.canonical_bytes` writes it."""

    @property
    def exit_status(self) -> int:
        """The process's exit status: the verdict's, and nothing else's."""
        return self.verdict.exit_status


def answer(request: Request) -> Answer:
    """Read, pair, compare, judge and record; whatever is unusable becomes an `Answer` with exit status 3."""
    raise NotImplementedError


def unusable(problem: ClearbandError, *, suite: str = "default", policy: Policy | None = None) -> Answer:
    """Return the `Answer` for a problem met before there was anything to compare."""
    raise NotImplementedError
