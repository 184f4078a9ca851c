"""The estimate of one metric's change on some questions: statistic, bootstrap distribution, interval. Pure.

Whole metrics, slices, worst cases and ladders all come through here, so they cannot disagree about how a change is
measured.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, assert_never

from clearband.stats.differences import paired_differences
from clearband.stats.exact_sum import exact_sum
from clearband.stats.interval import bootstrap_interval, bounded_interval, exact_alpha
from clearband.stats.monte_carlo import derived_seed, monte_carlo_bootstrap
from clearband.stats.quantile import RESAMPLES, QuantileChange, order_statistic, quantile_bootstrap
from clearband.stats.units import units_of
from clearband.stats.weighted import ideal_distribution
from clearband.vocabulary import Direction, IntervalMethod, Statistic

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from clearband.pairing import MetricPairs
    from clearband.policy import MetricPolicy
    from clearband.stats.differences import Differences
    from clearband.stats.distribution import BootstrapDistribution
    from clearband.stats.interval import Interval, Resampled
    from clearband.stats.units import Resampling, Units
    from clearband.terms import Terms

SHARES = {
    Statistic.MEDIAN: Fraction(1, 2),
    Statistic.P90: Fraction(9, 10),
    Statistic.P95: Fraction(19, 20),
    Statistic.P99: Fraction(99, 100),
}
"""The statistics that are order statistics, as shares."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What some questions say about one metric's change."""

    baseline: float
    """The statistic of the baseline; the mean for a relative change."""
    candidate: float
    differences: Differences
    """Question by question."""
    resampling: Resampling
    distribution: BootstrapDistribution
    ends: Interval
    standard_error: float
    seed: int | None

    @property
    def delta(self) -> float:
        """The change of the statistic."""
        return self.resampling.delta


def estimate(
    pairs: MetricPairs, rules: MetricPolicy, terms: Terms, *, progress: Callable[[float], None] | None = None
) -> Estimate:
    """Estimate the change of a metric.

    Parameters
    ----------
    pairs
        At least two paired questions, of which `why_not` has nothing to say.
    rules, terms
        The metric's own rules and those of the comparison.
    progress
        Called with the share of resamples drawn, where any are.

    """
    differences = paired_differences(pairs.baseline, pairs.candidate, value_range=rules.range)
    share = SHARES.get(rules.statistic)
    if share is not None:
        return _quantile(pairs, differences, share, terms, progress)
    weights = pairs.baseline if rules.statistic is Statistic.RELATIVE else None
    units = units_of(differences, weights=weights, clusters=pairs.clusters)
    distribution, seed = _distribution(units, pairs, terms, progress)
    return Estimate(
        baseline=_mean(pairs.baseline),
        candidate=_mean(pairs.candidate),
        differences=differences,
        resampling=units,
        distribution=distribution,
        ends=_ends(units, distribution, pairs, rules, terms),
        standard_error=units.standard_error,
        seed=seed,
    )


def beyond_budget(pairs: MetricPairs, rules: MetricPolicy, terms: Terms) -> Interval:
    """Return the interval of how far the candidate is beyond its relative budget, in the metric's own direction.

    A budget b is held where mean(B - (1 + b) A) is not above 0 (lower is better), or mean(B - (1 - b) A) not below.
    """
    allowed = 1.0 + (rules.budget or 0.0) * (1.0 if rules.direction is Direction.LOWER else -1.0)
    differences = paired_differences(allowed * pairs.baseline, pairs.candidate)
    units = units_of(differences, clusters=pairs.clusters)
    distribution, _ = _distribution(units, pairs, terms, None)
    return _ends(units, distribution, pairs, rules, terms)


def why_not(pairs: MetricPairs, rules: MetricPolicy, method: IntervalMethod) -> str | None:
    """Return why these values cannot be measured as the policy asks; None where they can."""
    if rules.statistic is Statistic.RELATIVE or rules.budget is not None:
        if pairs.baseline.min() < 0.0:
            return f"a relative change needs a baseline that is never negative; it reaches {pairs.baseline.min():g}"
        if not pairs.baseline.any():
            return "a relative change needs a baseline that is not 0 throughout"
    if method is IntervalMethod.BCA and rules.statistic in SHARES:
        return f"the bca interval has no acceleration for the {rules.statistic}; use percentile"
    if method is not IntervalMethod.BOUNDED:
        return None
    if rules.range is None:
        return "the bounded interval needs the metric's range, and the policy declares none"
    if rules.statistic is not Statistic.MEAN or rules.budget is not None:
        return "the bounded interval is for means alone"
    if pairs.clusters is not None:
        return "the bounded interval is for questions that are drawn one by one, not for clusters"
    return None


def _quantile(
    pairs: MetricPairs,
    differences: Differences,
    share: Fraction,
    terms: Terms,
    progress: Callable[[float], None] | None,
) -> Estimate:
    seed = _seed(pairs, terms)
    distribution = quantile_bootstrap(
        pairs.baseline,
        pairs.candidate,
        share,
        clusters=pairs.clusters,
        n_boot=terms.n_boot or RESAMPLES,
        seed=seed,
        progress=progress,
    )
    change = QuantileChange(
        baseline=pairs.baseline,
        candidate=pairs.candidate,
        share=share,
        units=units_of(differences, clusters=pairs.clusters),
        clusters=pairs.clusters,
    )
    return Estimate(
        baseline=order_statistic(pairs.baseline, share),
        candidate=order_statistic(pairs.candidate, share),
        differences=differences,
        resampling=change,
        distribution=distribution,
        ends=bootstrap_interval(distribution, change, method=_resampled(terms), confidence=terms.policy.confidence),
        standard_error=float(distribution.means.std()),
        seed=seed,
    )


def _distribution(
    units: Units, pairs: MetricPairs, terms: Terms, progress: Callable[[float], None] | None
) -> tuple[BootstrapDistribution, int | None]:
    if terms.n_boot is None:
        return ideal_distribution(units), None
    seed = _seed(pairs, terms)
    return monte_carlo_bootstrap(units, n_boot=terms.n_boot, seed=seed, progress=progress), seed


def _seed(pairs: MetricPairs, terms: Terms) -> int:
    if terms.seed is not None:
        return terms.seed
    return derived_seed(pairs.name, pairs.ids, pairs.baseline, pairs.candidate)


def _ends(
    units: Units, distribution: BootstrapDistribution, pairs: MetricPairs, rules: MetricPolicy, terms: Terms
) -> Interval:
    method, confidence = terms.policy.interval, terms.policy.confidence
    match method:
        case IntervalMethod.BOUNDED:
            from clearband.stats.betting import bettor  # noqa: PLC0415  few policies ask for it

            width = 0.0 if rules.range is None else rules.range[1] - rules.range[0]
            bets = bettor(units.differences.values, pairs.ids, width=width, alpha=exact_alpha(confidence))
            return bounded_interval(bets, units, confidence=confidence)
        case IntervalMethod.PERCENTILE | IntervalMethod.EXPANDED | IntervalMethod.BCA:
            return bootstrap_interval(distribution, units, method=method, confidence=confidence)
        case _:
            assert_never(method)


def _resampled(terms: Terms) -> Resampled:
    """Return the method for a statistic that only resampling can read; `why_not` has refused the others."""
    method = terms.policy.interval
    return IntervalMethod.PERCENTILE if method is IntervalMethod.BOUNDED else method


def _mean(values: NDArray[np.float64]) -> float:
    """Return the mean by exact summation: the two means' difference is then the mean difference to the last digits."""
    return exact_sum(values) / values.size
