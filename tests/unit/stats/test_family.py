"""Several metrics at once: against real resamples of the union, known values, and statsmodels' definition of Holm."""

from __future__ import annotations

import numpy as np
import pytest

from clearband.stats.family import _BLOCK, Family, Member, family, holm


def correlated(k: int, correlation: float, n: int = 400, seed: int = 0) -> list[Member]:
    generator = np.random.default_rng(seed)
    shared = generator.standard_normal(n)
    own = generator.standard_normal((k, n))
    values = np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * own
    return [Member(rows=np.arange(n), influence=row, worse=-1) for row in values]


def of(members: list[Member], questions: int = 400) -> Family:
    result = family(members, units=questions, alpha=0.05)
    assert result is not None
    return result


@pytest.mark.parametrize(
    ("k", "correlation", "expected"),
    [(3, 0.5, 0.127), (5, 0.5, 0.184), (10, 0.5, 0.287), (5, 0.0, 0.227), (5, 0.8, 0.128)],
)
def test_chance_line_of_equally_correlated_metrics(k: int, correlation: float, expected: float) -> None:
    assert of(correlated(k, correlation, n=20_000), 20_000).chance_any == pytest.approx(expected, abs=0.012)


def test_chance_agrees_with_centred_resamples_of_the_union() -> None:
    generator = np.random.default_rng(1)
    n = 300
    first, second = generator.normal(0, 0.3, n), generator.exponential(0.2, n) - 0.2
    second = second + 0.5 * first
    third = generator.choice([-1.0, 0.0, 1.0], n, p=[0.1, 0.8, 0.1])
    covered = [np.arange(n), np.arange(n), np.arange(50, n)]
    columns = [values[rows] for values, rows in zip((first, second, third), covered, strict=True)]
    members = [Member(rows=rows, influence=values, worse=-1) for rows, values in zip(covered, columns, strict=True)]
    table = np.full((3, n), np.nan)
    for place, member in enumerate(members):
        table[place, member.rows] = member.influence - member.influence.mean()
    means = np.array([np.nanmean(table[:, generator.integers(0, n, n)], axis=1) for _ in range(6_000)])
    clears = np.abs(means) / means.std(axis=0) > 1.959964
    assert of(members, n).chance_any == pytest.approx(clears.any(axis=1).mean(), abs=0.02)


def test_only_the_bad_direction_counts_as_worse() -> None:
    members = correlated(5, 0.5)
    mirrored = [Member(rows=m.rows, influence=m.influence, worse=1) for m in members]
    neither = [Member(rows=m.rows, influence=m.influence, worse=0) for m in members]
    assert of(members).chance_any_worse == pytest.approx(of(members).chance_any / 2, abs=0.01)
    assert of(mirrored).chance_any_worse == pytest.approx(of(members).chance_any_worse, abs=0.01)
    assert of(neither).chance_any_worse == 0.0


def test_two_copies_of_one_metric_are_one() -> None:
    member = correlated(1, 0.0)[0]
    twins = of([member, member])
    assert twins.chance_any == pytest.approx(0.05, abs=0.005)
    assert twins.critical == pytest.approx(1.96, abs=0.03)


def test_one_metric_is_no_family() -> None:
    assert family(correlated(1, 0.0), units=400, alpha=0.05) is None


def test_the_same_metrics_give_the_same_digits() -> None:
    assert of(correlated(4, 0.3)) == of(correlated(4, 0.3))


@pytest.mark.parametrize(
    ("raw", "adjusted"),
    [
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),
        ([0.5], [0.5]),
        ([0.9, 0.8], [1.0, 1.0]),
        ([], []),
    ],
)
def test_holm_steps_down_and_never_falls(raw: list[float], adjusted: list[float]) -> None:
    assert holm(raw) == pytest.approx(adjusted)


def test_units_are_added_up_block_by_block_to_the_same_family() -> None:
    few = 100_000
    some = [
        Member(rows=np.arange(few)[keep], influence=member.influence[keep], worse=-1)
        for member, keep in zip(
            correlated(3, 0.6, n=few), (slice(None), slice(10, None), slice(None, None, 3)), strict=True
        )
    ]
    thrice = [
        Member(
            rows=np.concatenate([member.rows + few * turn for turn in range(3)]),
            influence=np.tile(member.influence, 3),
            worse=-1,
        )
        for member in some
    ]

    once, more = family(some, units=few, alpha=0.05), family(thrice, units=3 * few, alpha=0.05)

    assert 3 * few > _BLOCK > few
    assert once is not None
    assert more is not None
    assert more.critical == pytest.approx(once.critical, rel=1e-9)
    assert (more.chance_any, more.chance_any_worse) == pytest.approx((once.chance_any, once.chance_any_worse), abs=1e-4)
