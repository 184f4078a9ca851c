"""Slow erosion: what unresolved changes add up to, and what is not counted."""

from __future__ import annotations

import pytest

from clearband.audit.erosion import Erosion, erosion
from clearband.audit.log import exposure, line_of

from .ledgers import adoption, chained, comparison, override


def quality(drafts: list[object], suite: str = "default") -> Erosion | None:
    found = erosion(chained(drafts))  # type: ignore[arg-type]
    return next((one for one in found if (one.metric, one.suite) == ("quality", suite)), None)


def delta(shift: float, seed: int = 1) -> float:
    return line_of(chained([comparison(1, shift, seed=seed)])[0]).delta or 0.0


def test_unresolved_changes_of_several_pull_requests_are_added() -> None:
    found = quality([comparison(number, -0.006, seed=number) for number in range(1, 6)])
    assert found is not None
    assert (found.unresolved, found.deciding, found.is_worse, found.since) == (5, True, True, None)
    assert found.total == pytest.approx(sum(delta(-0.006, number) for number in range(1, 6)))
    assert len(found.sums) == 5


def test_lower_is_better_turns_the_sign() -> None:
    found = erosion(chained([comparison(number, -0.006, seed=number) for number in (1, 2)]))
    latency = next(one for one in found if one.metric == "latency")
    assert latency.total > 0
    assert latency.is_worse
    assert not latency.deciding


def test_what_cleared_is_not_unresolved() -> None:
    found = quality([comparison(1, -0.006), comparison(2, 0.06), comparison(3, -0.006, seed=3)])
    assert found is not None
    assert found.unresolved == 2
    assert found.sums[1] == found.sums[0]


def test_only_the_last_comparison_of_a_pull_request_counts() -> None:
    found = quality([comparison(1, -0.004), comparison(1, -0.006, seed=2), comparison(2, -0.006, seed=3)])
    assert found is not None
    assert found.total == pytest.approx(delta(-0.006, 2) + delta(-0.006, 3))


def test_what_was_stopped_does_not_count_unless_somebody_let_it_through() -> None:
    stopped = [comparison(1, -0.004), comparison(2, -0.09), comparison(3, -0.006, seed=3)]
    found = quality(stopped)
    assert found is not None
    assert len(found.sums) == 2
    found = quality([*stopped, override(chained(stopped)[1])])
    assert found is not None
    assert len(found.sums) == 3


@pytest.mark.parametrize("suite", [None, "default"])
def test_an_adopted_baseline_begins_a_new_sum(suite: str | None) -> None:
    drafts = [comparison(number, -0.006, seed=number) for number in (1, 2)]
    later = [comparison(number, 0.004, seed=number) for number in (3, 4)]
    found = quality([*drafts, adoption(suite), *later])
    assert found is not None
    assert (found.since, found.unresolved, found.is_worse) == (3, 2, False)
    other = quality([*drafts, adoption("another"), *later])
    assert other is not None
    assert (other.since, other.unresolved) == (None, 4)


def test_suites_are_added_apart_and_one_change_alone_is_no_erosion() -> None:
    drafts = [comparison(1, -0.006), comparison(2, -0.006, seed=2), comparison(3, -0.006, seed=3, suite="other")]
    assert quality([*drafts]) is not None
    assert quality([*drafts], "other") is None


def test_comparisons_on_a_laptop_count_one_by_one() -> None:
    found = quality([comparison(None, -0.006, seed=seed, standing=None) for seed in (1, 2, 3)])
    assert found is not None
    assert found.unresolved == 3


def test_an_eval_set_is_exposed_by_every_different_candidate_on_it() -> None:
    drafts = [comparison(1, -0.004), comparison(1, -0.006, seed=2), comparison(2, -0.006, seed=2, suite="other")]
    again = comparison(2, -0.004)
    (one,) = exposure(chained([*drafts, again]))
    assert (one.looks, one.pull_requests, one.comparisons, one.suites) == (2, 2, 4, ("default", "other"))
