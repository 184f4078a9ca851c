"""The words of the project as enums: one spelling in code, policy, record and comment."""

from __future__ import annotations

from enum import StrEnum

NAMES_APART = ", "
"""Between the names of a list, in a declaration's normalised form."""


class Direction(StrEnum):
    """Which way is better; declared, never guessed from a metric's name."""

    HIGHER = "higher"
    LOWER = "lower"
    NEUTRAL = "neutral"


class Role(StrEnum):
    """What a metric may decide."""

    PRIMARY = "primary"
    GUARDRAIL = "guardrail"
    EXPLORATORY = "exploratory"


class Requirement(StrEnum):
    """What the primary metric has to show."""

    NO_REGRESSION = "no-regression"
    NON_INFERIORITY = "non-inferiority"
    IMPROVEMENT = "improvement"


class IntervalMethod(StrEnum):
    """How the ends of the interval are read from the bootstrap distribution."""

    PERCENTILE = "percentile"
    EXPANDED = "expanded"
    BCA = "bca"
    BOUNDED = "bounded"


class Statistic(StrEnum):
    """What is compared: a number per run, whose change is bootstrapped."""

    MEAN = "mean"
    MEDIAN = "median"
    P90 = "p90"
    P95 = "p95"
    P99 = "p99"
    RELATIVE = "relative"
    """Ratio of the two means, minus 1."""


class Reducer(StrEnum):
    """How the trials of a question become its one value."""

    MEAN = "mean"
    MAJORITY = "majority"
    PASS_AT_K = "pass_at_k"  # noqa: S105  an estimator's name, not a password
    PASS_HAT_K = "pass_hat_k"  # noqa: S105  likewise


class OnLost(StrEnum):
    """Which interval decides where questions are lost."""

    COMPLETE_PAIRS = "complete-pairs"
    WORST_CASE = "worst-case"


class LedgerMode(StrEnum):
    """Whether comparisons on pull requests are kept in the ledger's branch."""

    NONE = "none"
    BRANCH = "branch"
    REQUIRED = "required"
    """As `BRANCH`, and a comparison that could not be recorded is no verdict."""


class ShowQuestions(StrEnum):
    """How questions are named in comments and ledgers."""

    COUNTS = "counts"
    IDS = "ids"


class MeasurementField(StrEnum):
    """With what a value was measured; two runs compare only where these agree or the policy lets them vary."""

    MODEL = "model"
    PROMPT = "prompt"
    COMMIT = "commit"
    JUDGE = "judge"
    JUDGE_PROMPT = "judge-prompt"
    SCORER = "scorer"
    DATASET = "dataset"
    TRIALS = "trials"
    TOOL = "tool"


class Mode(StrEnum):
    """Whether the verdict decides the merge or is only reported."""

    GATE = "gate"
    REPORT = "report"


class BaselineCommit(StrEnum):
    """Which commit's results may be the baseline."""

    EXACT = "exact"
    NEAREST_ANCESTOR = "nearest-ancestor"


class BaselineRuns(StrEnum):
    """Which of several runs on that commit are read."""

    NEWEST = "newest"
    ALL = "all"


class BaselineMissing(StrEnum):
    """What it means that no baseline was ever uploaded."""

    FAIL = "fail"
    RECORD = "record"


class State(StrEnum):
    """What the data say about one metric."""

    INVALID = "invalid"
    IDENTICAL = "identical"
    TOO_SPARSE = "too-sparse"
    IMPROVED = "improved"
    REGRESSED = "regressed"
    CHANGED = "changed"
    INCONCLUSIVE = "inconclusive"


class Flag(StrEnum):
    """What is said beside a state and never changes it."""

    WITHIN_EFFECT = "within-effect"
    WORSE_THAN_MARGIN = "worse-than-margin"
    """Wholly worse, beyond the margin or the budget."""
    WITHIN_MARGIN = "within-margin"
    """Wholly not worse than the margin or the budget: non-inferior."""


class Outcome(StrEnum):
    """What the verdict means for the merge."""

    PASS = "pass"  # noqa: S105  a word of the record, not a password
    BLOCKED = "blocked"
    CANNOT_TELL = "cannot-tell"
    INVALID = "invalid"
    NOT_GATED = "not-gated"

    @property
    def may_be_overridden(self) -> bool:
        """Whether somebody may let the merge through all the same; not where nobody knows what the verdict would be."""
        return self in {Outcome.BLOCKED, Outcome.CANNOT_TELL}

    @property
    def exit_status(self) -> int:
        """The process's exit status; nothing that goes wrong is ever 0."""
        match self:
            case Outcome.PASS | Outcome.NOT_GATED:
                return 0
            case Outcome.BLOCKED:
                return 1
            case Outcome.CANNOT_TELL:
                return 2
            case Outcome.INVALID:
                return 3


class Standing(StrEnum):
    """What can be shown about when a declaration was made: before the first CI result, or not."""

    BEFORE = "declared-before-first-result"
    AMENDED = "amended-after-results"
    AFTER = "declared-after-results"
    UNKNOWN = "unknown"


class Registrar(StrEnum):
    """Who registered the primary metric."""

    DESCRIPTION = "description"
    POLICY = "policy"
    """The policy's own primary: it stood on the base branch before the pull request's branch began."""
