"""Statistics beyond the mean, clusters, budgets and lost questions, from runs to state and verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from clearband.comparing import compare_runs
from clearband.gate import judge
from clearband.policy import MetricPolicy
from clearband.vocabulary import Direction, Flag, IntervalMethod, OnLost, Outcome, Requirement, Role, State, Statistic

from .factories import run, terms

if TYPE_CHECKING:
    from clearband.comparison import MetricResult


def result_of(
    before: Any, after: Any, rules: MetricPolicy | None = None, *, labels: Any = None, **policy: Any
) -> tuple[MetricResult, Outcome]:
    require = policy.pop("require", Requirement.NO_REGRESSION)
    held = terms(metrics={"score": rules or MetricPolicy(role=Role.PRIMARY)}, require=require, **policy)
    more = {} if labels is None else {"labels": {"document": labels}}
    as_scores = [
        [None if value is None or np.isnan(value) else float(value) for value in arm] for arm in (before, after)
    ]
    comparison = compare_runs(run({"score": as_scores[0]}, **more), run({"score": as_scores[1]}, **more), held)
    return comparison.metrics[0], judge(comparison, held).outcome


def latencies(n: int = 400, factor: float = 1.0, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    before = random.lognormal(size=n)
    return before, before * factor * random.lognormal(0.0, 0.05, size=n)


@pytest.mark.parametrize("statistic", [Statistic.MEDIAN, Statistic.P90, Statistic.P95])
def test_the_policy_chooses_the_statistic(statistic: Statistic) -> None:
    before, after = latencies(factor=1.5)
    rules = MetricPolicy(role=Role.PRIMARY, direction=Direction.LOWER, statistic=statistic)
    found, outcome = result_of(before, after, rules)
    share = {Statistic.MEDIAN: 0.5, Statistic.P90: 0.9, Statistic.P95: 0.95}[statistic]
    place = int(np.ceil(400 * share)) - 1
    assert found.baseline_mean == np.sort(before)[place]
    assert found.delta == pytest.approx(np.sort(after)[place] - np.sort(before)[place])
    assert found.state is State.REGRESSED
    assert outcome is Outcome.BLOCKED
    assert found.seed is not None
    assert found.monte_carlo_error is not None


def test_a_metrics_name_never_chooses_the_statistic() -> None:
    before, after = latencies()
    held = terms(metrics={"latency_p95": MetricPolicy(role=Role.PRIMARY)}, primary="latency_p95")
    comparison = compare_runs(run({"latency_p95": before.tolist()}), run({"latency_p95": after.tolist()}), held)
    assert comparison.metrics[0].statistic is Statistic.MEAN


def test_p95_of_too_few_questions_is_too_sparse() -> None:
    before, after = latencies(99, factor=2.0)
    rules = MetricPolicy(role=Role.PRIMARY, direction=Direction.LOWER, statistic=Statistic.P95)
    found, _ = result_of(before, after, rules)
    assert found.state is State.TOO_SPARSE
    assert found.why == "only 4.95 of 99 questions lie beyond the p95; an interval needs 5"
    assert result_of(*latencies(100, factor=2.0), rules)[0].state is State.REGRESSED


def test_a_relative_change_is_that_of_the_means() -> None:
    before, after = latencies(factor=1.1)
    rules = MetricPolicy(role=Role.PRIMARY, direction=Direction.LOWER, statistic=Statistic.RELATIVE)
    found, _ = result_of(before, after, rules)
    assert found.delta == pytest.approx(after.mean() / before.mean() - 1)
    assert found.interval is not None
    assert found.interval[0] < 0.1 < found.interval[1]
    assert found.state is State.REGRESSED


@pytest.mark.parametrize(
    ("factor", "flag", "outcome"),
    [(1.2, Flag.WORSE_THAN_MARGIN, Outcome.BLOCKED), (1.05, Flag.WITHIN_MARGIN, Outcome.PASS)],
)
@pytest.mark.parametrize("statistic", [Statistic.MEAN, Statistic.RELATIVE])
def test_a_relative_budget_decides_like_a_margin(
    factor: float, flag: Flag, outcome: Outcome, statistic: Statistic
) -> None:
    rules = MetricPolicy(role=Role.PRIMARY, direction=Direction.LOWER, statistic=statistic, budget=0.10)
    found, decided = result_of(*latencies(factor=factor), rules)
    assert found.state is State.REGRESSED
    assert flag in found.flags
    assert decided is outcome


def test_a_budget_for_a_metric_that_should_be_high() -> None:
    before, after = latencies(factor=0.97)
    rules = MetricPolicy(role=Role.PRIMARY, budget=0.10)
    found, outcome = result_of(before, after, rules, require=Requirement.NON_INFERIORITY)
    assert Flag.WITHIN_MARGIN in found.flags
    assert outcome is Outcome.PASS


@pytest.mark.parametrize("before", [[-1.0, 2.0] * 20, [0.0] * 40])
def test_a_relative_change_needs_a_baseline_above_zero(before: list[float]) -> None:
    found, outcome = result_of(before, [1.0] * 40, MetricPolicy(role=Role.PRIMARY, statistic=Statistic.RELATIVE))
    assert found.state is State.INVALID
    assert "a relative change needs a baseline" in (found.why or "")
    assert outcome is Outcome.INVALID


class TestClusters:
    labels = tuple(f"doc {place // 5}" for place in range(200))

    def test_four_changed_clusters_of_forty_are_too_sparse(self) -> None:
        after = np.zeros(200)
        after[:20] = 1.0
        found, _ = result_of(np.zeros(200), after, labels=self.labels, cluster="document")
        assert found.state is State.TOO_SPARSE
        assert found.why == "only 4 clusters changed; an interval needs 6"
        assert found.nonzero == 20
        assert found.clustered is not None
        assert (found.clustered.clusters, found.clustered.nonzero) == (40, 4)
        assert found.p_sign_flip == pytest.approx(2 / 2**4)

    def test_correlated_questions_widen_the_interval(self) -> None:
        random = np.random.default_rng(2)
        before = random.random(200)
        after = before + np.repeat(random.normal(0.0, 0.2, 40), 5) + random.normal(0, 0.02, 200)
        alone, _ = result_of(before, after)
        found, _ = result_of(before, after, labels=self.labels, cluster="document")
        assert found.delta == pytest.approx(alone.delta)
        assert found.clustered is not None
        assert found.clustered.design_effect == pytest.approx(5.0, rel=0.05)
        assert found.interval is not None
        assert alone.interval is not None
        widths = [high - low for low, high in (found.interval, alone.interval)]
        assert widths[0] > 2 * widths[1]

    def test_a_question_without_a_cluster_stands_alone(self) -> None:
        labels = (None,) * 200
        random = np.random.default_rng(3)
        arms = random.random(200), random.random(200)
        alone, found = result_of(*arms)[0], result_of(*arms, labels=labels, cluster="document")[0]
        assert found.interval == pytest.approx(alone.interval)

    def test_the_bounded_interval_is_not_for_clusters(self) -> None:
        rules = MetricPolicy(role=Role.PRIMARY, range=(0.0, 1.0))
        found, outcome = result_of(
            [0.0] * 200, [1.0] * 200, rules, labels=self.labels, cluster="document", interval=IntervalMethod.BOUNDED
        )
        assert "not for clusters" in (found.why or "")
        assert outcome is Outcome.INVALID


class TestLostQuestions:
    before = np.array([1.0, 0.0] * 100)

    def lost(self, count: int, *, better: float = 0.02) -> np.ndarray:
        after = self.before + better * (np.arange(200) % 7 != 0)
        after[:count] = np.nan
        return after

    def test_complete_pairs_decide_unless_the_policy_says_worst_case(self) -> None:
        rules = MetricPolicy(role=Role.PRIMARY, range=(0.0, 1.1))
        found, outcome = result_of(self.before, self.lost(10), rules, max_lost=0.2)
        assert found.state is State.IMPROVED
        assert found.worst_case_state is not State.IMPROVED
        assert outcome is Outcome.PASS

    def test_by_the_worst_case_a_loss_that_hides_behind_lost_questions_blocks(self) -> None:
        rules = MetricPolicy(role=Role.PRIMARY, range=(0.0, 1.1))
        found, outcome = result_of(self.before, self.lost(40), rules, max_lost=0.5, on_lost=OnLost.WORST_CASE)
        assert found.worst_case_state is State.REGRESSED
        assert outcome is Outcome.BLOCKED

    def test_without_a_declared_range_the_worst_case_cannot_pass(self) -> None:
        _, outcome = result_of(self.before, self.lost(3), max_lost=0.5, on_lost=OnLost.WORST_CASE)
        assert outcome is Outcome.CANNOT_TELL

    def test_with_a_range_the_worst_case_may_pass(self) -> None:
        rules = MetricPolicy(role=Role.PRIMARY, range=(0.0, 1.1))
        _, outcome = result_of(self.before, self.lost(1), rules, on_lost=OnLost.WORST_CASE)
        assert outcome is Outcome.PASS


def test_questions_taken_out_with_consent_cannot_shrink_a_set_below_the_least() -> None:
    ids = [f"q{place:02}" for place in range(30)]
    baseline = run({"score": [1.0, 0.0] * 15}, ids=ids)
    candidate = run({"score": [0.0] * 5}, ids=ids[:5])
    held = terms(allow_changed_questions=True)
    comparison = compare_runs(baseline, candidate, held)
    assert comparison.metrics[0].why == "only 5 questions are left after 25 were removed or edited"
    assert judge(comparison, held).outcome is Outcome.INVALID


def test_the_tools_own_direction_holds_where_the_policy_is_silent() -> None:
    before, after = latencies(factor=1.5)
    arms = [run({"score": arm.tolist()}, directions={"score": Direction.LOWER}) for arm in (before, after)]
    told = compare_runs(arms[0], arms[1], terms(metrics={}, primary=None, gated=False)).metrics[0]
    assert (told.direction, told.directed, told.state) == (Direction.LOWER, True, State.REGRESSED)
    said = compare_runs(arms[0], arms[1], terms()).metrics[0]
    assert (said.direction, said.state) == (Direction.HIGHER, State.IMPROVED)
    silent = compare_runs(*(run({"score": arm.tolist()}) for arm in (before, after)), terms(metrics={}, primary=None))
    assert (silent.metrics[0].direction, silent.metrics[0].directed) == (Direction.HIGHER, False)
