"""Trials become one value per question before pairing, by the policy's reducer; retries until a pass are refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from clearband.comparing import compare_runs
from clearband.pairing import pair
from clearband.policy import MetricPolicy
from clearband.reduction import reduce
from clearband.vocabulary import Reducer, Role, State, Statistic

from .factories import run, terms, tried

if TYPE_CHECKING:
    from clearband.results.run import Run


def rules(reducer: Reducer, k: int | None = None) -> MetricPolicy:
    return MetricPolicy(role=Role.PRIMARY, reducer=reducer, k=k)


FOUR = tried("score", [[1, 1, 1, 1], [0, 1, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1], [0, 0, 0, 0]])


@pytest.mark.parametrize(
    ("reducer", "k", "expected"),
    [
        (Reducer.MEAN, None, [1, 0.75, 0.5, 0.25, 0]),
        (Reducer.MAJORITY, None, [1, 1, 0.5, 0, 0]),
        (Reducer.PASS_AT_K, 2, [1, 1, 5 / 6, 0.5, 0]),
        (Reducer.PASS_HAT_K, 2, [1, 0.5, 1 / 6, 0, 0]),
    ],
)
def test_each_reducer_on_one_table(reducer: Reducer, k: int | None, expected: list[float]) -> None:
    reduced = reduce(FOUR, "score", rules(reducer, k))
    assert not isinstance(reduced, str)
    assert reduced.values.tolist() == pytest.approx(expected)


@pytest.mark.parametrize(
    ("arm", "how", "why"),
    [
        (FOUR, rules(Reducer.PASS_HAT_K, 5), "needs 5 trials, and results.jsonl has 4 at most"),
        (tried("score", [[0.5, 1.0]]), rules(Reducer.MAJORITY), "needs trials of 0 and 1"),
        (run({"score": [1.0]}), rules(Reducer.PASS_AT_K, 2), "needs 2 trials, and results.jsonl has 1"),
        (run({"score": [0.5]}), rules(Reducer.MAJORITY), "needs trials of 0 and 1"),
    ],
)
def test_a_reducer_that_does_not_fit_the_trials_says_why(arm: Run, how: MetricPolicy, why: str) -> None:
    assert why in str(reduce(arm, "score", how))
    result = compare_runs(arm, arm, terms(metrics={"score": how})).metrics[0]
    assert result.state is State.INVALID
    assert why in (result.why or "")


def retried(count: int, *, most: int = 3) -> Run:
    return tried("score", ([[1], [0, 1], [0] * most] * count)[:count])


def test_retries_until_a_pass_in_one_arm_are_refused() -> None:
    honest = tried("score", [[0, 1, 0]] * 30)
    result = compare_runs(honest, retried(30), terms()).metrics[0]
    assert result.state is State.INVALID
    assert "attempts were repeated until they passed, and not by the same rule" in (result.why or "")


def test_retries_by_the_same_rule_compare_on_their_last_attempt() -> None:
    paired = pair(retried(30), retried(30)).metrics[0]
    assert paired.refused is None
    assert paired.baseline.tolist() == [1, 1, 0] * 10


def test_another_number_of_retries_is_another_rule() -> None:
    assert pair(retried(30), retried(30, most=4)).metrics[0].refused is not None


class TestVarianceSplit:
    @staticmethod
    def arms(trials: int, *, noise: float, seed: int = 0, n: int = 400) -> tuple[Run, Run]:
        random = np.random.default_rng(seed)
        truth, change = random.normal(size=n), random.normal(0.05, 0.1, size=n)
        return (
            tried("score", (truth[:, None] + random.normal(scale=noise, size=(n, trials))).tolist()),
            tried("score", ((truth + change)[:, None] + random.normal(scale=noise, size=(n, trials))).tolist()),
        )

    def test_it_recovers_both_sources_and_prices_both_routes(self) -> None:
        held = terms(metrics={"score": MetricPolicy(role=Role.PRIMARY, effect=0.03)})
        result = compare_runs(*self.arms(4, noise=0.3), held).metrics[0]
        split = result.trial_split
        assert split is not None
        assert split.within == pytest.approx(2 * 0.3**2 / 4, rel=0.1)
        assert split.between == pytest.approx(0.1**2, rel=0.5)
        assert split.between + split.within == pytest.approx((result.sd or 0) ** 2, rel=1e-9)
        assert result.n_suggested is not None
        # By the definition: at that many trials today's questions have the variance of n_suggested questions.
        assert split.trials_suggested is not None
        needed = (result.sd or 0) ** 2 * result.n / result.n_suggested
        at = split.between + 4 * split.within / split.trials_suggested
        one_less = split.between + 4 * split.within / (split.trials_suggested - 1)
        assert at <= needed < one_less

    def test_trials_alone_cannot_do_what_only_questions_can(self) -> None:
        held = terms(metrics={"score": MetricPolicy(role=Role.PRIMARY, effect=0.005)})
        split = compare_runs(*self.arms(4, noise=0.3), held).metrics[0].trial_split
        assert split is not None
        assert split.trials_suggested is None

    def test_a_percentile_is_not_priced_by_the_variance_of_differences(self) -> None:
        held = terms(metrics={"score": MetricPolicy(role=Role.PRIMARY, statistic=Statistic.MEDIAN)})
        assert compare_runs(*self.arms(4, noise=0.3), held).metrics[0].trial_split is None

    def test_one_arm_without_trials_tells_nothing(self) -> None:
        first, second = self.arms(4, noise=0.3)
        single = run({"score": second.metrics["score"].tolist()})
        assert compare_runs(first, single, terms()).metrics[0].trial_split is None
