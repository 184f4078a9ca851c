"""Populations whose mean difference is known, and what each interval method makes of samples from them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from clearband.measure import measure
from clearband.pairing import MetricPairs, pair
from clearband.policy import MetricPolicy, Policy
from clearband.results.run import Run
from clearband.terms import Terms
from clearband.vocabulary import IntervalMethod, Requirement, Role, State

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Draw = Callable[[np.random.Generator, int], NDArray[np.float64]]


METHODS = tuple(IntervalMethod)
RESAMPLED = tuple(method for method in METHODS if method is not IntervalMethod.BOUNDED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A population of paired differences between -1 and 1."""

    name: str
    truth: float
    draw: Draw
    on_a_lattice: bool = True
    clusters: Callable[[int], NDArray[np.int64]] | None = None
    """The cluster of each of n questions; None where questions are drawn one by one."""
    methods: tuple[IntervalMethod, ...] = METHODS


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """How one method fared on samples of one size from one case; shares of the repetitions."""

    coverage: float
    width: float
    false_clear: float | None
    """State `improved` although the truth is no gain."""
    false_block: float | None
    """State `regressed` although the truth is no loss."""
    power: float | None
    """Cleared in the direction of the truth, where there is one."""
    undecidable: float
    """Too sparse or identical: the guards of the states."""


def flips(up: float, down: float) -> Case:
    """0/1 scores of which `up` turn from 0 to 1 and `down` from 1 to 0."""
    return Case(
        name=f"0/1, {100 * up:g} % up, {100 * down:g} % down",
        truth=up - down,
        draw=lambda generator, n: generator.choice([1.0, -1.0, 0.0], n, p=[up, down, 1 - up - down]),
    )


def documents(n: int) -> NDArray[np.int64]:
    """Return the document of each of n questions: sizes go round from 1 to 9."""
    sizes = np.resize(np.array([5, 1, 9, 3, 7, 2, 8, 4, 6]), n)
    return np.repeat(np.arange(n), sizes)[:n]


def of_documents(generator: np.random.Generator, n: int) -> NDArray[np.float64]:
    """Draw changes that the questions of a document share in part: correlation 0.5 within a document."""
    shared = generator.normal(0.0, 0.1, n)[documents(n)]
    return np.clip(shared + generator.normal(0.0, 0.1, n), -1.0, 1.0)


CASES = (
    flips(0.025, 0.025),
    flips(0.01, 0.04),
    flips(0.04, 0.07),
    flips(0.12, 0.18),
    Case(
        name="{0, ½, 1}, no change",
        truth=0.0,
        draw=lambda generator, n: generator.choice([-1.0, -0.5, 0.0, 0.5, 1.0], n, p=[0.05, 0.1, 0.7, 0.1, 0.05]),
    ),
    Case(
        name="skewed continuous, no change",
        truth=0.0,
        draw=lambda generator, n: generator.beta(0.6, 5.4, n) - 0.1,
        on_a_lattice=False,
    ),
    Case(
        name="rare large losses, true −0.008",
        truth=0.02 * 0.97 - 0.9 * 0.03 - 0.0004,
        draw=lambda generator, n: np.where(generator.random(n) < 0.03, -0.9, 0.02 - 0.0004 / 0.97),
        on_a_lattice=False,
    ),
    Case(
        name="sorted by difficulty, no change",
        truth=0.0,
        draw=lambda generator, n: np.sort(generator.uniform(-0.5, 0.5, n)),
        on_a_lattice=False,
        methods=(IntervalMethod.PERCENTILE, IntervalMethod.BOUNDED),
    ),
    Case(
        name="documents of 1 to 9 questions, by document",
        truth=0.0,
        draw=of_documents,
        on_a_lattice=False,
        clusters=documents,
        methods=RESAMPLED,
    ),
    Case(
        name="documents of 1 to 9 questions, by question (wrong)",
        truth=0.0,
        draw=of_documents,
        on_a_lattice=False,
        methods=RESAMPLED,
    ),
)
SIZES = (20, 50, 100, 207, 812, 5_000)


def simulate(case: Case, n: int, method: IntervalMethod, *, repetitions: int, seed: int = 0) -> Result:
    """Draw `repetitions` samples of `n` questions and measure each as the product does."""
    generator = np.random.default_rng([seed, n, CASES.index(case) if case in CASES else 99])
    known: dict[bytes, tuple[float, float, State]] = {}
    lows, highs, states = np.empty(repetitions), np.empty(repetitions), Counter[State]()
    for repetition in range(repetitions):
        values = case.draw(generator, n)
        if case.on_a_lattice and method is not IntervalMethod.BOUNDED:
            values = np.sort(values)  # only the counts matter, and equal counts need no second look
        key = values.tobytes()
        if key not in known:
            known[key] = _measured(values, method, None if case.clusters is None else case.clusters(n))
        lows[repetition], highs[repetition], state = known[key]
        states[state] += 1
    share = {state: count / repetitions for state, count in states.items()}
    gain, loss = share.get(State.IMPROVED, 0.0), share.get(State.REGRESSED, 0.0)
    power = None if case.truth == 0 else (gain if case.truth > 0 else loss)
    return Result(
        coverage=float(np.mean((lows <= case.truth + 1e-12) & (case.truth - 1e-12 <= highs))),
        width=float(np.mean(highs - lows)),
        false_clear=gain if case.truth <= 0 else None,
        false_block=loss if case.truth >= 0 else None,
        power=power,
        undecidable=share.get(State.TOO_SPARSE, 0.0) + share.get(State.IDENTICAL, 0.0),
    )


def _measured(
    values: NDArray[np.float64], method: IntervalMethod, clusters: NDArray[np.int64] | None
) -> tuple[float, float, State]:
    # Scores between 0 and 1, as a person would declare them, with these differences.
    baseline = np.where(values < 0, -values, 0.0)
    pairs = replace(_paired(values.size), baseline=baseline, candidate=baseline + values, clusters=clusters)
    rules = {"score": MetricPolicy(role=Role.PRIMARY, range=(0.0, 1.0))}
    terms = Terms(
        policy=Policy(interval=method, metrics=rules, cluster=None if clusters is None else "document"),
        primary="score",
        require=Requirement.NO_REGRESSION,
        declaration=None,
        metrics=rules,
    )
    result = measure(pairs, terms).result
    assert result.interval is not None
    return (*result.interval, result.state)


@cache
def _paired(n: int) -> MetricPairs:
    """Pair n questions once; every sample brings scores of its own."""
    ids = tuple(f"q{index}" for index in range(n))
    arms = [
        Run(name=name, sha256="", format="", ids=ids, metrics={"score": np.zeros(n)}, errored=np.zeros(n, dtype=bool))
        for name in ("baseline", "candidate")
    ]
    return pair(*arms).metrics[0]
