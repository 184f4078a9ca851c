"""The verdict: what a comparison means for the merge, and the reasons that say why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from clearband.vocabulary import Outcome


class Code(StrEnum):
    """Reasons that are no state of a metric; the others carry the state's name."""

    NOT_GATED = "not-gated"
    NOT_SET_UP = "not-set-up"
    NOT_APPLICABLE = "not-applicable"
    QUEUED = "queued"
    """Passed before it came into the merge queue."""
    FIRST_BASELINE = "first-baseline"
    """No baseline was ever uploaded."""
    RESULTS_ABSENT = "results-absent"
    """A suite among several that has no result to compare."""
    PRIMARY_MISSING = "primary-missing"
    GUARDRAIL_MISSING = "guardrail-missing"
    MUST_PASS = "must-pass"  # noqa: S105  a word of the record, not a password
    MUST_PASS_UNKNOWN = "must-pass-unknown"  # noqa: S105  likewise
    SLICE_REGRESSED = "slice-regressed"
    LOST_QUESTIONS = "lost-questions"
    DECLARED_LATE = "declared-late"
    """An improvement that cannot be shown, as the metric may have been chosen by it."""
    LOOKS_SPENT = "looks-spent"
    """An improvement that one look shows, and the planned looks together do not."""
    AMENDED = "amended-after-results"
    """What the first declaration means for the merge."""
    ANCHOR_REGRESSED = "anchor-regressed"
    ANCHOR_INVALID = "anchor-invalid"


_NO_METRICS_OWN = frozenset(
    {
        Code.MUST_PASS,
        Code.MUST_PASS_UNKNOWN,
        Code.SLICE_REGRESSED,
        Code.AMENDED,
        Code.ANCHOR_REGRESSED,
        Code.ANCHOR_INVALID,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """One reason of a verdict."""

    code: str
    """Stable and machine-readable, such as ``regressed`` or ``primary-missing``."""
    metric: str | None
    text: str
    """A plain sentence; may quote untrusted names, so whoever prints it escapes it."""
    outcome: Outcome
    """What this reason alone means for the merge."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What the comparison means for the merge."""

    outcome: Outcome
    reasons: tuple[Reason, ...]

    @property
    def exit_status(self) -> int:
        """0 pass or not gated, 1 blocked, 2 cannot tell, 3 unusable."""
        return self.outcome.exit_status

    @property
    def applies(self) -> bool:
        """Whether the change is one that the policy's `paths` mean."""
        return all(reason.code != Code.NOT_APPLICABLE for reason in self.reasons)

    @property
    def if_gated(self) -> Outcome | None:
        """What the outcome would be if the comparison were gated; None where nothing could decide."""
        return first_of({reason.outcome for reason in self.reasons} - {Outcome.NOT_GATED})

    @property
    def deciding(self) -> frozenset[str]:
        """Names of the metrics that alone give the outcome; none for a verdict that stops nothing."""
        if self.outcome in {Outcome.PASS, Outcome.NOT_GATED}:
            return frozenset()
        return frozenset(
            reason.metric
            for reason in self.reasons
            if reason.metric and reason.outcome is self.outcome and reason.code not in _NO_METRICS_OWN
        )


PRECEDENCE = (Outcome.BLOCKED, Outcome.INVALID, Outcome.CANNOT_TELL, Outcome.PASS)
"""The first of these that any gated metric has is the outcome of the whole."""


def first_of(outcomes: set[Outcome]) -> Outcome | None:
    """Return the outcome of the whole: the first in precedence; None for none at all."""
    return next((outcome for outcome in PRECEDENCE if outcome in outcomes), None)
