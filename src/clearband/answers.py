"""What a run has to say: of a comparison that was made, or why there is none. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clearband.audit.record import build_record
from clearband.plain_text import DEFAULT_SUITE
from clearband.verdict import Code, Reason, Verdict
from clearband.vocabulary import LedgerMode, Outcome, ShowQuestions

if TYPE_CHECKING:
    from clearband.audit.entry import NotRecorded, Recorded
    from clearband.comparison import Comparison
    from clearband.declaration import Declaration, DeclarationProblem, NotDeclared
    from clearband.errors import ClearbandError
    from clearband.override import Override, Overrides
    from clearband.policy import Policy
    from clearband.proposal import Proposal
    from clearband.registration import Registration
    from clearband.terms import Terms

    Declared = Declaration | NotDeclared | DeclarationProblem


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """One artifact that was read."""

    arm: str
    """``baseline`` or ``candidate``."""
    artifact_id: int
    run_id: int
    commit: str
    created_at: str
    """When it was uploaded: UTC, ISO 8601, as GitHub has it."""
    sha256: str | None
    """Of the stored file, verified; None where the server keeps none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Everything one run of Clearband has to say; what is written, shown and exited with comes from here."""

    suite: str
    verdict: Verdict
    comparison: Comparison | None
    """None where the inputs, the policy or the declaration were unusable: then no change is shown at all."""
    terms: Terms | None
    policy: Policy | None
    declaration: Declared | None
    """None where no pull request's body was read."""
    problem: ClearbandError | None
    show_questions: ShowQuestions = ShowQuestions.IDS
    registration: Registration | None = None
    ledger: Recorded | NotRecorded | None = None
    """What became of the ledger's entry; None where none is kept."""
    proposal: Proposal | None = None
    """The policy that the pull request brings, where the base has none; None where it brings none either."""
    overrides: Overrides | None = None
    """What comments ask for about the commit that was judged; None where nobody looked."""
    origins: tuple[Origin, ...] = ()
    """The artifacts that were compared; none for paths in the workspace. In the ledger's entry, not in the record."""
    notes: tuple[str, ...] = ()
    """Where the two sides come from; said above the table, never part of the record."""
    record: dict[str, Any]
    """The record as plain data, canonical floats; `audit.record.canonical_bytes` writes it."""

    @property
    def exit_status(self) -> int:
        """The process's exit status: the verdict's, unless somebody who may overrides it.

        Where the policy says `ledger: required`, what could not be recorded passes nothing.
        """
        status = 0 if self.override is not None else self.verdict.exit_status
        required = self.policy is not None and self.policy.ledger is LedgerMode.REQUIRED
        if not required or status == Outcome.BLOCKED.exit_status:
            return status
        from clearband.audit.entry import NotRecorded  # noqa: PLC0415  most comparisons keep no ledger

        return Outcome.INVALID.exit_status if isinstance(self.ledger, NotRecorded) else status

    @property
    def override(self) -> Override | None:
        """The override that lets the merge through; None where there is none, or nothing to override."""
        if self.overrides is None or not self.verdict.outcome.may_be_overridden:
            return None
        return self.overrides.held


def not_applicable(*, suite: str, policy: Policy) -> Answer:
    """Return the `Answer` for a change that the policy's `paths` do not mean: nothing is compared, nothing is gated."""
    text = "No file of this pull request is among the policy's `paths`."
    return _for_one_reason(Code.NOT_APPLICABLE, text, Outcome.NOT_GATED, suite=suite, policy=policy)


def absent(problem: ClearbandError, *, suite: str, policy: Policy | None, declaration: Declared | None) -> Answer:
    """Return the `Answer` for a suite among several whose results are not there: it cannot tell, and does not pass."""
    return _for_one_reason(
        Code.RESULTS_ABSENT,
        problem.what,
        Outcome.CANNOT_TELL,
        problem=problem,
        suite=suite,
        policy=policy,
        declaration=declaration,
    )


def first_baseline(
    problem: ClearbandError, *, suite: str, policy: Policy | None, declaration: Declared | None
) -> Answer:
    """Return the `Answer` for the first candidate of all: it is recorded, and there is nothing to hold it to."""
    return _for_one_reason(
        Code.FIRST_BASELINE, problem.what, Outcome.NOT_GATED, suite=suite, policy=policy, declaration=declaration
    )


def queued(text: str, *, suite: str, policy: Policy | None, declaration: Declared | None) -> Answer:
    """Return the `Answer` for a pull request in a merge queue that the ledger has a pass for."""
    return _for_one_reason(Code.QUEUED, text, Outcome.PASS, suite=suite, policy=policy, declaration=declaration)


def not_set_up(problem: ClearbandError, *, suite: str) -> Answer:
    """Return the `Answer` for a repository without a policy where nothing could be compared either: that is no failure.

    The pull request that brings workflow and policy has no baseline yet, and nothing that it could be held to.
    """
    absent = "This repository is not set up yet: there is no policy at the base commit"
    text = f"{absent}. Nothing was compared either: {problem.what}"
    return _for_one_reason(Code.NOT_SET_UP, text, Outcome.NOT_GATED, suite=suite, policy=None)


def unusable(
    problem: ClearbandError,
    *,
    suite: str = DEFAULT_SUITE,
    policy: Policy | None = None,
    declaration: Declared | None = None,
    terms: Terms | None = None,
) -> Answer:
    """Return the `Answer` for a problem met before there was anything to compare: no numbers, exit status 3."""
    return _for_one_reason(
        problem.code,
        problem.what,
        Outcome.INVALID,
        problem=problem,
        suite=suite,
        policy=policy,
        declaration=declaration,
        terms=terms,
    )


def _for_one_reason(
    code: str,
    text: str,
    outcome: Outcome,
    *,
    suite: str,
    policy: Policy | None,
    problem: ClearbandError | None = None,
    declaration: Declared | None = None,
    terms: Terms | None = None,
) -> Answer:
    """Return an `Answer` without a comparison."""
    reason = Reason(code=code, metric=None, text=text, outcome=outcome)
    verdict = Verdict(outcome=outcome, reasons=(reason,))
    return Answer(
        suite=suite,
        verdict=verdict,
        comparison=None,
        terms=terms,
        policy=policy,
        declaration=declaration,
        problem=problem,
        record=build_record(
            suite=suite,
            verdict=verdict,
            comparison=None,
            terms=terms,
            policy=policy,
            declaration=declaration,
            registration=None,
        ),
    )
