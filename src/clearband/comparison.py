"""The comparison: every metric of two runs, with interval, state and sizes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clearband.vocabulary import Reducer, Statistic

if TYPE_CHECKING:
    from clearband.stats.family import Family
    from clearband.vocabulary import Direction, Flag, IntervalMethod, MeasurementField, Role, State


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """Questions with a finite value in one run only, by the arm that lacks it."""

    candidate_missing: int
    baseline_missing: int

    @property
    def total(self) -> int:
        """Both arms together."""
        return self.candidate_missing + self.baseline_missing


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterCount:
    """What resampling whole clusters instead of questions came to."""

    clusters: int
    """Clusters with a paired question; the unit of the sparse rule and of every p."""
    nonzero: int
    """Clusters whose summed change is not 0."""
    design_effect: float | None
    """Variance of the change with clusters over the variance without; None where nothing varies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialSplit:
    """Where the spread of the paired differences comes from when questions were measured several times."""

    baseline_trials: float
    """Mean number of trials per paired question."""
    candidate_trials: float
    between: float
    """Variance of the differences between questions, beyond what the trials explain; never below 0."""
    within: float
    """Variance that the trials add to a question's difference, at today's numbers of trials."""
    trials_suggested: int | None
    """Trials per question and arm on today's questions that do as much as `n_suggested`; None where none can."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceResult:
    """One metric on the questions of one slice."""

    field: str
    value: str
    metric: str
    n: int
    baseline_mean: float | None
    candidate_mean: float | None
    delta: float | None
    interval: tuple[float, float] | None
    state: State
    why: str | None
    p_two_sided: float | None
    beyond_margin: bool
    """Whether the whole interval is worse than the metric's margin or budget."""
    p_holm: float | None
    """Holm-adjusted over all gated slices; None where the slice is not gated."""
    worse: bool
    """Whether a gated slice is wholly worse, beyond the margin, and so at the Holm-adjusted level."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MustPassResult:
    """What became of the questions of which none may newly fail."""

    metric: str
    questions: str
    """Which questions, for people: ``3 questions`` or ``category = safety``."""
    n: int
    """Questions looked at."""
    newly_failing: tuple[str, ...]
    cannot_tell: tuple[str, ...]
    """Questions without a value that would decide, or that neither run holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasurementLine:
    """One respect in which two measurements agree, differ or are unknown."""

    field: MeasurementField
    baseline: str | None
    candidate: str | None
    may_vary: bool
    differs: bool
    """Whether both are known and what both speak of is not the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricResult:
    """One metric, compared. Changes are candidate minus baseline in the metric's own units, whatever its direction."""

    name: str
    role: Role
    direction: Direction
    n: int
    """Paired questions of this metric."""
    not_applicable: int
    """Questions null in both runs."""
    baseline_mean: float | None
    candidate_mean: float | None
    delta: float | None
    interval: tuple[float, float] | None
    """None where there are fewer than two pairs; kept for the record, and not shown, where the state is invalid."""
    state: State
    why: str | None
    """Why the state is `invalid` or `too-sparse`, a short sentence; None otherwise."""
    flags: tuple[Flag, ...]
    cleared: bool
    p_two_sided: float | None
    p_better: float | None
    p_sign_flip: float | None
    wins: int
    """Questions on which the candidate is better (greater, where the direction is neutral)."""
    losses: int
    ties: int
    nonzero: int
    sd: float | None
    """Sample standard deviation of the paired differences (n - 1)."""
    effect: float | None
    """The declared smallest effect that matters; None where nobody declared one."""
    margin: float
    n_to_clear: int | None
    n_suggested: int | None
    n_suggested_basis: str | None
    """``declared`` or ``measured``."""
    mde: float | None
    """Smallest true change that this set detects with 80 % power."""
    lost: Lost
    worst_case_interval: tuple[float, float] | None
    """The interval with every lost question filled against the candidate; None where nothing is lost."""
    worst_case_is_bound: bool
    """Whether the filling used a declared range (a bound) or only the observed one."""
    monte_carlo_error: tuple[float, float] | None
    seed: int | None
    exaggeration_at_effect: float | None = None
    """How much a change that cleared would be overstated on average if the true change were the declared effect."""
    exaggeration_at_half: float | None = None
    """The same, if the true change were half the measured one."""
    simultaneous_interval: tuple[float, float] | None = None
    """max-T: holds together with those of all other metrics; None where there is no family."""
    p_holm: float | None = None
    """Holm-adjusted p among the exploratory metrics; None for the others."""
    statistic: Statistic = Statistic.MEAN
    """What `baseline_mean`, `candidate_mean` and `delta` are: the mean unless the policy says otherwise."""
    reducer: Reducer = Reducer.MEAN
    k: int | None = None
    directed: bool = True
    """Whether anybody said which way is better; otherwise `direction` is an assumption."""
    budget: float | None = None
    """Relative margin; None where the margin is absolute."""
    clustered: ClusterCount | None = None
    trial_split: TrialSplit | None = None
    worst_case_state: State | None = None
    """The state of the worst case; None where nothing is lost."""
    worst_case_flags: tuple[Flag, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """What is known of one result file."""

    name: str
    sha256: str
    format: str
    questions: int
    trials: int
    notes: tuple[str, ...]
    key: str = "id"
    """What names the questions, for people."""
    by_position: bool = False
    filled: int = 0
    """Questions of which a second file filled a lost value."""
    filler_sha256: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Questions:
    """Which questions the two runs share, by id."""

    paired: int
    """Ids present in both runs."""
    added: tuple[str, ...]
    removed: tuple[str, ...]
    edited: tuple[str, ...]
    candidate_missing: tuple[str, ...]
    """Lost for at least one metric because the candidate lacks a value; absent ids included."""
    baseline_missing: tuple[str, ...]
    set_sha256: str | None = None
    """Which eval set it is: SHA-256 of the baseline's ids as a sorted JSON array without spaces."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchored:
    """The candidate compared with the anchor instead of the baseline: what many small losses come to."""

    name: str
    """As the policy calls the anchor."""
    arm: Arm
    metrics: tuple[MetricResult, ...]
    """In reading order; changes are candidate minus anchor."""
    measurement: tuple[MeasurementLine, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two runs, compared on every metric; metrics in reading order: primary, guardrails, then by file order."""

    baseline: Arm
    candidate: Arm
    questions: Questions
    metrics: tuple[MetricResult, ...]
    confidence: float
    interval_method: IntervalMethod
    n_boot: int | None
    family: Family | None = None
    """What K metrics would do by chance; None with fewer than two that can clear."""
    slices: tuple[SliceResult, ...] = ()
    """By field, value and metric, in the metrics' reading order."""
    must_pass: tuple[MustPassResult, ...] = ()
    measurement: tuple[MeasurementLine, ...] = ()
    """Respects of which at least one run tells something."""
    cluster: str | None = None
    """The field that makes clusters; None where questions are resampled one by one."""
    anchored: Anchored | None = None
    """The same candidate against the anchor; None where the policy names none, or none was handed in."""

    @property
    def not_comparable(self) -> tuple[MeasurementLine, ...]:
        """Differences in the measurement that the policy does not allow."""
        return tuple(line for line in self.measurement if line.differs and not line.may_vary)

    @property
    def primary(self) -> MetricResult | None:
        """The primary metric's result; None where nothing was declared primary."""
        return next((metric for metric in self.metrics if metric.role == "primary"), None)
