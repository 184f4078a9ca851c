"""Planning: how many questions a comparison takes, before there is a candidate or with a pilot pair. Pure."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

import numpy as np

from clearband.measure import measure
from clearband.pairing import pair
from clearband.stats.interval import exact_alpha, least_changed
from clearband.stats.levels import normal_quantile
from clearband.stats.monte_carlo import derived_seed
from clearband.stats.size import questions
from clearband.vocabulary import Direction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clearband.pairing import MetricPairs
    from clearband.policy import MetricPolicy
    from clearband.results.run import Run
    from clearband.terms import Terms

MULTIPLES: Final = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Sizes of the table, as multiples of today's questions."""

RUNGS: Final = (0.125, 0.25, 0.5, 1.0)
"""Shares of the questions that the ladder draws."""


class Spread(StrEnum):
    """Where the spread of the paired differences comes from."""

    PAIR = "pair"
    ASSUMED_CORRELATION = "assumed-correlation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """One random subset of the questions there are."""

    n: int
    delta: float
    half_width: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricPlan:
    """What today's questions can do for one metric, and how many would do more."""

    name: str
    n: int
    """Questions with a value: in both runs for a pair, in the one run otherwise."""
    sd: float
    """Standard deviation of the paired differences, measured or assumed."""
    spread: Spread
    effect: float | None
    detectable: float | None
    """Smallest true change that n questions detect with the power; None where nothing varies."""
    needed: int | None
    """Questions that detect `effect` with the power; None without an effect."""
    table: tuple[tuple[int, float], ...]
    """(questions, smallest detectable change), for `MULTIPLES` of n."""
    decides_from: int
    """Fewest questions at which any outcome could clear or block."""
    could_worsen: int | None
    """Questions whose baseline value can still get worse, where the range is declared."""
    ladder: tuple[Rung, ...] = ()

    @property
    def can_block(self) -> bool:
        """Whether any candidate at all could be blocked by this metric on these questions."""
        return self.n >= self.decides_from and (self.could_worsen is None or self.could_worsen >= self.least_changed)

    least_changed: int = 0
    """Fewest changed questions with which any interval could exclude 0."""


def plan(
    baseline: Run,
    candidate: Run | None,
    terms: Terms,
    *,
    power: float,
    correlation: float,
    effect: float | None = None,
    only: Sequence[str] = (),
    ladder: bool = False,
) -> tuple[MetricPlan, ...]:
    """Plan every metric.

    Parameters
    ----------
    baseline, candidate
        A pilot pair measures the spread of the differences; with the baseline alone it follows from `correlation`.
    terms
        Confidence, interval, directions, ranges and effects.
    power
        Probability of detecting the effect, such as 0.8.
    correlation
        Assumed correlation between the two runs' values over questions, below 1; used without a candidate.
    effect
        Smallest change that matters, for every metric; None for each metric's own.
    only
        Names of the metrics to plan; empty for all.
    ladder
        Whether to draw subsets of the pair's questions as well.

    Raises
    ------
    UnusableResults
        If the runs cannot be paired, or `only` names a metric that neither holds.

    """
    other = baseline if candidate is None else candidate
    pairs = pair(
        baseline,
        other,
        allow_changed_questions=True,
        only=only,
        rules=terms.metrics,
        cluster=terms.policy.cluster,
    )
    return tuple(
        _plan_pair(metric, terms, power, effect, ladder=ladder)
        if candidate is not None
        else _plan_run(metric, terms, power, effect, correlation)
        for metric in pairs.metrics
        if metric.n >= 2
    )


def _plan_pair(metric: MetricPairs, terms: Terms, power: float, effect: float | None, *, ladder: bool) -> MetricPlan:
    measured = measure(metric, terms)
    result = measured.result
    low, high = result.interval or (0.0, 0.0)
    delta = result.delta or 0.0
    half = max(delta - low, high - delta)
    detectable = half + normal_quantile(power) * measured.standard_error if half > 0.0 else None
    rungs = _ladder(metric, terms) if ladder else ()
    return _of(
        metric, terms, sd=result.sd or 0.0, spread=Spread.PAIR, detectable=detectable, effect=effect, rungs=rungs
    )


def _plan_run(metric: MetricPairs, terms: Terms, power: float, effect: float | None, correlation: float) -> MetricPlan:
    sd = float(metric.baseline.std(ddof=1)) * math.sqrt(2.0 * (1.0 - correlation))
    reach = normal_quantile(1.0 - exact_alpha(terms.policy.confidence) / 2.0) + normal_quantile(power)
    detectable = reach * sd / math.sqrt(metric.n) if sd > 0.0 else None
    return _of(metric, terms, sd=sd, spread=Spread.ASSUMED_CORRELATION, detectable=detectable, effect=effect)


def _of(
    metric: MetricPairs,
    terms: Terms,
    *,
    sd: float,
    spread: Spread,
    detectable: float | None,
    effect: float | None,
    rungs: tuple[Rung, ...] = (),
) -> MetricPlan:
    rules = terms.of(metric.name)
    wanted = rules.effect if effect is None else effect
    fewest = least_changed(exact_alpha(terms.policy.confidence))
    table: tuple[tuple[int, float], ...] = ()
    needed = None
    if detectable is not None:
        sizes = [max(2, round(multiple * metric.n)) for multiple in MULTIPLES]
        table = tuple((size, detectable * math.sqrt(metric.n / size)) for size in sizes)
        if wanted is not None:
            needed = questions(metric.n, detectable / wanted)
            needed = None if needed is None else max(fewest, needed)
    return MetricPlan(
        name=metric.name,
        n=metric.n,
        sd=sd,
        spread=spread,
        effect=wanted,
        detectable=detectable,
        needed=needed,
        table=table,
        decides_from=max(fewest, terms.policy.min_questions),
        could_worsen=_could_worsen(metric.baseline, rules),
        ladder=rungs,
        least_changed=fewest,
    )


def _could_worsen(baseline: NDArray[np.float64], rules: MetricPolicy) -> int | None:
    if rules.range is None or rules.direction is Direction.NEUTRAL:
        return None
    worst = rules.range[1] if rules.direction is Direction.LOWER else rules.range[0]
    return int((baseline != worst).sum())


def _ladder(metric: MetricPairs, terms: Terms) -> tuple[Rung, ...]:
    """Measure growing random subsets, each inside the next; the order comes from the data, so nobody chose it."""
    seed = derived_seed(metric.name, metric.ids, metric.baseline, metric.candidate)
    order = np.random.default_rng(seed).permutation(metric.n)
    rungs = []
    for share in RUNGS:
        chosen = np.zeros(metric.n, dtype=bool)
        chosen[order[: max(2, round(share * metric.n))]] = True
        subset = metric.only(chosen)
        result = measure(subset, terms).result
        low, high = result.interval or (0.0, 0.0)
        rungs.append(Rung(n=subset.n, delta=result.delta or 0.0, half_width=(high - low) / 2.0))
    return tuple(rungs)
