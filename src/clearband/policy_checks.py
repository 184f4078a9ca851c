"""What may not stand together in a policy: a rule that could never decide, or would decide otherwise than it reads.

The keys were read one by one (`policy_file`); here they are held against each other, before anything is compared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clearband.plain_text import nearest, shown
from clearband.policy import MetricPolicy
from clearband.vocabulary import Direction, IntervalMethod, Reducer, Requirement, Role, Statistic

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clearband.policy import MustPass, Policy
    from clearband.policy_value import Value

    Given = Mapping[str, Value]

_OF_MEANS = frozenset({Statistic.MEAN, Statistic.RELATIVE})
_ESTIMATES = frozenset({Reducer.PASS_AT_K, Reducer.PASS_HAT_K})
"""The reducers that are about a number of trials."""


def check_metric(metric: MetricPolicy, given: Given) -> None:
    """Refuse what one metric's keys cannot mean together.

    Parameters
    ----------
    metric
        The metric as it was read.
    given
        Its keys as the file holds them; only those that were written.

    Raises
    ------
    UnusablePolicy
        The first contradiction, at the key that has to change.

    """
    _check_role(metric, given)
    _check_margin(metric, given)
    _check_budget(metric, given)
    _check_effect(metric, given)
    _check_reducer(metric, given)


def _check_role(metric: MetricPolicy, given: Given) -> None:
    if metric.role is Role.PRIMARY:
        remedy = "Name it at the top of the file, `primary: NAME`, and leave `role` out here."
        raise given["role"].refused("is `primary`, which only the key `primary` sets", remedy)
    if metric.role is Role.GUARDRAIL and metric.direction is Direction.NEUTRAL:
        remedy = "Give it the direction higher or lower, or leave `role` out."
        raise given["role"].refused("is `guardrail` for a neutral metric, which could never block", remedy)


def _check_margin(metric: MetricPolicy, given: Given) -> None:
    if metric.margin < 0:
        raise given["margin"].refused(f"is {metric.margin:g}; it is 0 or larger", "Write the size without a sign.")
    if metric.range is not None and metric.margin >= metric.range[1] - metric.range[0]:
        what = f"is {metric.margin:g}, as wide as the metric's whole range: no regression could ever block"
        raise given["margin"].refused(what, "Write a smaller margin, in the metric's own units.")
    if metric.statistic is Statistic.RELATIVE and "margin" in given:
        what = f"is {metric.margin:g} in the metric's own units, and `statistic: relative` compares shares"
        raise given["margin"].refused(what, "Write `budget:` instead, such as `budget: 0.1` for 10 %.")
    if metric.direction is Direction.NEUTRAL and metric.has_margin:
        key = "margin" if metric.budget is None else "budget"
        what = "is for a neutral metric, which is never worse"
        raise given[key].refused(what, f"Give the metric the direction higher or lower, or remove `{key}`.")


def _check_budget(metric: MetricPolicy, given: Given) -> None:
    if "budget" in given and "margin" in given:
        remedy = "Keep one: `margin` is in the metric's own units, `budget` a share of the baseline's mean."
        raise given["budget"].refused("stands beside `margin`, and only one of them can hold", remedy)
    if metric.budget is not None and metric.statistic not in _OF_MEANS:
        what = f"is a share of the baseline's mean, and the metric is compared by its {metric.statistic}"
        raise given["budget"].refused(what, "Write `margin:` in the metric's own units, or remove `statistic`.")
    if metric.range is None or metric.range[0] >= 0:
        return
    key = "budget" if metric.budget is not None else "statistic"
    if metric.budget is not None or metric.statistic is Statistic.RELATIVE:
        what = f"needs a metric that is never negative, and its range begins at {metric.range[0]:g}"
        raise given[key].refused(what, "Correct `range`, or compare the metric in its own units.")


def _check_effect(metric: MetricPolicy, given: Given) -> None:
    if metric.effect is None:
        return
    if metric.effect <= 0:
        remedy = "Write the size of the smallest change that matters, without a sign."
        raise given["effect"].refused(f"is {metric.effect:g}; it is above 0", remedy)
    fault = metric.why_too_large(metric.effect)
    if fault is not None:
        remedy = "Write it in the metric's own units, not in per cent."
        raise given["effect"].refused(f"is {metric.effect:g}, {fault}", remedy)


def _check_reducer(metric: MetricPolicy, given: Given) -> None:
    if metric.reducer in _ESTIMATES and metric.k is None:
        what = f"is {metric.reducer} without a number of trials"
        raise given["reducer"].refused(what, "Add `k:` beside it, such as `k: 4`.")
    if metric.reducer not in _ESTIMATES and metric.k is not None:
        remedy = "Remove it, or write `reducer: pass_at_k` or `reducer: pass_hat_k`."
        raise given["k"].refused("is for the reducers pass_at_k and pass_hat_k alone", remedy)
    if metric.reducer is Reducer.MEAN:
        return
    if metric.range not in {None, (0.0, 1.0)}:
        what = f"is {metric.reducer}, which counts trials that are 0 or 1, and the metric's range is another"
        raise given["reducer"].refused(what, "Write `range: [0, 1]`, or `reducer: mean`.")
    if metric.statistic not in _OF_MEANS:
        what = f"is {metric.statistic}, which says next to nothing of questions that pass or fail (`{metric.reducer}`)"
        raise given["statistic"].refused(what, "Remove `statistic`, or write `reducer: mean`.")


def check_must_pass(rule: MustPass, given: Given, metrics: Mapping[str, MetricPolicy]) -> None:
    """Refuse a rule on a metric that is unlisted or neutral, or that every question or none could pass.

    Parameters
    ----------
    rule
        The rule as it was read.
    given
        Its keys as the file holds them.
    metrics
        The metrics that the policy lists.

    Raises
    ------
    UnusablePolicy
        The first contradiction.

    """
    _check_listed(rule.metric, metrics, given["metric"])
    metric = metrics.get(rule.metric, MetricPolicy())
    if metric.direction is Direction.NEUTRAL:
        what = f"is {shown(rule.metric)}, whose direction is neutral: no value of it passes or fails"
        raise given["metric"].refused(what, "Give it the direction higher or lower, or choose another metric.")
    if rule.passes_at is None or metric.range is None:
        return
    low, high = metric.range
    if not low <= rule.passes_at <= high:
        what = f"is {rule.passes_at:g}, outside the metric's range from {low:g} to {high:g}"
        raise given["passes_at"].refused(what, "Write the value from which a question passes, in the metric's units.")
    if rule.passes_at == (high if metric.direction is Direction.LOWER else low):
        what = f"is {rule.passes_at:g}, the worst value of the metric's range: no question could ever fail"
        raise given["passes_at"].refused(what, "Write the value from which a question passes.")


def check_policy(policy: Policy, given: Given) -> None:
    """Refuse what the keys of the whole policy cannot mean together, or with those of its metrics.

    Parameters
    ----------
    policy
        The policy as it was read.
    given
        Its keys as the file holds them.

    Raises
    ------
    UnusablePolicy
        The first contradiction.

    """
    if policy.primary is not None:
        _check_primary(policy, policy.primary, given["primary"])
    if not policy.slices:
        for key in ("slice_guardrails", "min_slice"):
            if key in given and (key == "min_slice" or policy.slice_guardrails):
                raise given[key].refused("is about slices, and the policy names none", "Add `slices: [FIELD]`.")
    if policy.interval is IntervalMethod.BOUNDED and policy.cluster is not None:
        what = "is bounded, which bets on questions one by one, and `cluster` draws them together"
        raise given["interval"].refused(what, "Write `interval: percentile`, or remove `cluster`.")
    for name, metric in policy.metrics.items():
        _check_interval(policy, name, metric, given)


def _check_listed(name: str, metrics: Mapping[str, MetricPolicy], value: Value) -> None:
    """Refuse a metric that is not listed where the policy lists any.

    An unlisted one would have to be taken as "higher is better", and a misspelt name would then gate the wrong way
    round without anybody noticing.
    """
    if not metrics or name in metrics:
        return
    near = nearest(name, metrics)
    advice = f"Did you mean {shown(near)}? If not, add" if near else "Add"
    remedy = f"{advice} it under `metrics:`, with its direction."
    raise value.refused(f"is {shown(name)}, which is not listed under `metrics`", remedy)


def _check_primary(policy: Policy, primary: str, value: Value) -> None:
    """Refuse a default primary that could not decide: unlisted, without a better direction, or without a margin."""
    _check_listed(primary, policy.metrics, value)
    metric = policy.metrics.get(primary, MetricPolicy())
    if metric.direction is Direction.NEUTRAL:
        what = f"is {shown(primary)}, whose direction is neutral: nothing could be better or worse"
        raise value.refused(what, "Give it the direction higher or lower, or choose another primary metric.")
    if policy.require is Requirement.NON_INFERIORITY and not metric.has_margin:
        what = f"is {shown(primary)} without a margin, and `require: non-inferiority` needs one"
        remedy = "Add `margin:` or `budget:` to that metric, or write `require: improvement`."
        raise value.refused(what, remedy)


def _check_interval(policy: Policy, name: str, metric: MetricPolicy, given: Given) -> None:
    """Refuse a metric whose change the policy's interval cannot be found for."""
    keys = given["metrics"].below()[name].below()
    if policy.interval is IntervalMethod.BCA and metric.statistic not in _OF_MEANS:
        what = f"is {metric.statistic}, and `interval: bca` corrects by a jackknife, which misleads for a quantile"
        raise keys["statistic"].refused(what, "Write `interval: percentile`, or remove `statistic`.")
    if policy.interval is not IntervalMethod.BOUNDED:
        return
    if metric.statistic is not Statistic.MEAN:
        what = f"is {metric.statistic}, and `interval: bounded` is for means alone"
        raise keys["statistic"].refused(what, "Write `interval: percentile`, or remove `statistic`.")
    if metric.budget is not None:
        what = "is a share of the baseline, and `interval: bounded` is for differences of means alone"
        raise keys["budget"].refused(what, "Write `interval: percentile`, or `margin:` in the metric's own units.")
    if metric.range is None and (metric.role is Role.GUARDRAIL or name == policy.primary):
        what = f"is bounded, which needs the range of {shown(name)}, a metric that decides"
        raise given["interval"].refused(what, "Add `range: [smallest, largest]` to the metric, or remove `interval`.")
