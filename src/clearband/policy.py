"""The policy: what a team agreed on before any pull request, read from the base commit."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from clearband.vocabulary import (
    BaselineCommit,
    BaselineMissing,
    BaselineRuns,
    Direction,
    IntervalMethod,
    LedgerMode,
    MeasurementField,
    Mode,
    OnLost,
    Reducer,
    Requirement,
    Role,
    ShowQuestions,
    Statistic,
)

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricPolicy:
    """What the policy says of one metric."""

    direction: Direction = Direction.HIGHER
    range: tuple[float, float] | None = None
    """Smallest and largest possible value; None where not declared."""
    unit: str | None = None
    margin: float = 0.0
    """A regression smaller than this, in the metric's own units, does not block."""
    effect: float | None = None
    """The smallest change that matters, in the metric's own units, above 0."""
    statistic: Statistic = Statistic.MEAN
    budget: float | None = None
    """Relative margin, a share of the baseline's mean: a regression within it does not block. Excludes `margin`."""
    reducer: Reducer = Reducer.MEAN
    k: int | None = None
    """Number of trials that `pass_at_k` and `pass_hat_k` are about; None for the other reducers."""
    directed: bool = True
    """Whether anybody said which way is better; `direction` is an assumption otherwise."""
    role: Role = Role.EXPLORATORY
    """`GUARDRAIL` or `EXPLORATORY`; the primary is named by `Policy.primary` or by the declaration."""

    @property
    def has_margin(self) -> bool:
        """Whether it says how large a regression may be: non-inferiority is shown against that."""
        return self.margin > 0.0 or self.budget is not None

    def why_too_large(self, effect: float) -> str | None:
        """Return what a smallest effect is that cannot be meant as it was written; None where it can."""
        if self.statistic is Statistic.RELATIVE:
            return "more than 1: on a relative change it is a share of the baseline's mean" if effect > 1.0 else None
        width = math.inf if self.range is None else self.range[1] - self.range[0]
        return f"more than the metric's whole range of {width:g}" if effect > width else None


@dataclass(frozen=True, slots=True, kw_only=True)
class MustPass:
    """Questions of which none may newly fail: no interval, one is enough to block."""

    metric: str
    ids: tuple[str, ...] = ()
    """The questions; empty where a slice names them."""
    field: str | None = None
    """The label whose `value` makes the slice; None where `ids` names the questions."""
    value: str | None = None
    passes_at: float | None = None
    """The value from which a question passes, in the metric's better direction; None: the best of
    the range; without one 1, or 0 where lower is better."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """A run that stays the same while baselines move on, such as the last release: against slow erosion."""

    name: str
    sha256: str | None = None
    """Hex digest that the anchor's file must have; None for any."""
    gate: bool = False
    """Whether a gated metric that is wholly worse than the anchor, beyond its margin, blocks."""


DEFAULT_VARIES = frozenset({MeasurementField.MODEL, MeasurementField.PROMPT, MeasurementField.COMMIT})
"""What a pull request changes on purpose: the evaluated system, never the way it is measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The whole policy, with the defaults that hold where the file is silent."""

    primary: str | None = None
    require: Requirement = Requirement.NO_REGRESSION
    confidence: float = 0.95
    interval: IntervalMethod = IntervalMethod.PERCENTILE
    max_lost: float = 0.02
    min_questions: int = 10
    allow_changed_questions: bool = False
    on_lost: OnLost = OnLost.COMPLETE_PAIRS
    cluster: str | None = None
    """The field whose equal values make questions a cluster, such as a document; None where questions are apart."""
    slices: tuple[str, ...] = ()
    """Fields whose values are reported apart."""
    min_slice: int = 30
    """Slices with fewer paired questions are reported and never gated."""
    slice_guardrails: bool = False
    """Whether a slice on which a gated metric is wholly worse, at the Holm-adjusted level, blocks."""
    must_pass: tuple[MustPass, ...] = ()
    varies: frozenset[MeasurementField] = DEFAULT_VARIES
    """In which respects the two measurements may differ."""
    mode: Mode = Mode.GATE
    paths: tuple[str, ...] = ()
    """Which files a change must touch to be gated; empty for any."""
    max_looks: int = 1
    """Most comparisons of new results that a declaration may plan, where an improvement has to be shown."""
    anchor: Anchor | None = None
    """A second comparison of every candidate; None for none."""
    baseline_commit: BaselineCommit = BaselineCommit.EXACT
    """Which commit's uploaded results may be the baseline."""
    baseline_runs: BaselineRuns = BaselineRuns.NEWEST
    """Which of several runs on that commit are read."""
    baseline_missing: BaselineMissing = BaselineMissing.FAIL
    """Whether the first candidate of all passes without a baseline."""
    ledger: LedgerMode = LedgerMode.NONE
    override_by_author: bool = False
    """Whether the author of a pull request may override its verdict."""
    comment_template: str | None = None
    """Path of a template for the comment inside the repository; None for the built-in one."""
    show_questions: ShowQuestions | None = None
    """How questions are named in public; None: by their ids in private, by counts in public repositories."""
    metrics: Mapping[str, MetricPolicy] = field(default_factory=dict)
    sha256: str | None = None
    """Hex digest of the policy file's bytes; None for the defaults without a file."""

    @property
    def labels(self) -> tuple[str, ...]:
        """The fields of the result files that clusters, slices and must-pass rules need."""
        fields = [self.cluster, *self.slices, *(rule.field for rule in self.must_pass)]
        return tuple(dict.fromkeys(field for field in fields if field is not None))


CONFIDENCE_RANGE = (0.5, 0.9999)
CONFIDENCE_ALLOWED = "a share between 0.5 and 0.9999, such as 0.95"
LOOKS_LIMIT = 100
"""Most looks that anybody may plan."""

UNSAID = MetricPolicy(directed=False)
"""What holds for a metric of which nobody said anything."""
