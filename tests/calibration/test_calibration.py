"""The claims that the documentation makes about calibration, each on a few hundred repetitions."""

from __future__ import annotations

import pytest

from clearband.vocabulary import IntervalMethod

from .cases import CASES, Case, flips, simulate

SPARSE = flips(0.01, 0.04)


@pytest.mark.parametrize(("n", "expected"), [(20, 0.56), (50, 0.86), (100, 0.96)])
def test_percentile_covers_too_little_where_few_questions_change(n: int, expected: float) -> None:
    result = simulate(SPARSE, n, IntervalMethod.PERCENTILE, repetitions=3_000)
    assert result.coverage == pytest.approx(expected, abs=0.03)


@pytest.mark.parametrize("n", [20, 50, 100])
@pytest.mark.parametrize("case", [SPARSE, flips(0.025, 0.025)], ids=lambda case: case.name)
def test_the_guards_keep_sparse_data_from_deciding(case: Case, n: int) -> None:
    result = simulate(case, n, IntervalMethod.PERCENTILE, repetitions=3_000)
    assert (result.false_clear or 0) <= 0.025 + 0.009
    assert (result.false_block or 0) <= 0.025 + 0.009
    if n == 20:
        assert result.undecidable > 0.99


@pytest.mark.parametrize("n", [207, 812])
def test_percentile_is_calibrated_on_moderate_flips(n: int) -> None:
    result = simulate(flips(0.12, 0.18), n, IntervalMethod.PERCENTILE, repetitions=2_000)
    assert result.coverage == pytest.approx(0.95, abs=0.016)


@pytest.mark.parametrize(
    "case", [case for case in CASES if IntervalMethod.BOUNDED in case.methods], ids=lambda case: case.name
)
def test_bounded_covers_on_every_population(case: Case) -> None:
    assert simulate(case, 50, IntervalMethod.BOUNDED, repetitions=250).coverage >= 0.95 - 0.03


def test_expanded_covers_more_than_percentile_on_small_samples() -> None:
    case = next(case for case in CASES if case.name.startswith("{0"))
    percentile, expanded = (
        simulate(case, 20, method, repetitions=2_000) for method in (IntervalMethod.PERCENTILE, IntervalMethod.EXPANDED)
    )
    assert expanded.coverage > percentile.coverage


def test_resampling_questions_of_one_document_apart_covers_too_little() -> None:
    together, apart = (case for case in CASES if case.name.startswith("documents"))
    right, wrong = (simulate(case, 100, IntervalMethod.PERCENTILE, repetitions=200) for case in (together, apart))
    assert right.coverage > 0.85
    assert wrong.coverage < right.coverage - 0.1
    assert wrong.width < right.width
