"""Populations whose mean difference is known, and what each interval method makes of samples from them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clearband.measure import measure
from clearband.pairing import pair
from clearband.policy import MetricPolicy, Policy
from clearband.results.run import Run
from clearband.terms import Terms
from clearband.vocabulary import IntervalMethod, Requirement, Role, State

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Draw = Callable[[np.random.Generator, int], NDArray[np.float64]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A population of paired differences between -1 and 1."""

    name: str
    truth: float
    draw: Draw
    on_a_lattice: bool = True


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
)
SIZES = (20, 50, 100, 207, 812, 5_000)
METHODS = tuple(IntervalMethod)


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
            known[key] = _measured(values, method)
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


def _measured(values: NDArray[np.float64], method: IntervalMethod) -> tuple[float, float, State]:
    n = values.size
    ids = tuple(f"q{index}" for index in range(n))
    errored = np.zeros(n, dtype=bool)
    # Scores between 0 and 1, as a person would declare them, with these differences.
    baseline = np.where(values < 0, -values, 0.0)
    arms = [
        Run(name=name, sha256="", format="", ids=ids, metrics={"score": scores}, errored=errored)
        for name, scores in (("baseline", baseline), ("candidate", baseline + values))
    ]
    rules = {"score": MetricPolicy(role=Role.PRIMARY, range=(0.0, 1.0))}
    terms = Terms(
        policy=Policy(interval=method, metrics=rules),
        primary="score",
        require=Requirement.NO_REGRESSION,
        declaration=None,
        metrics=rules,
    )
    result = measure(pair(*arms).metrics[0], terms)
    assert result.interval is not None
    return (*result.interval, result.state)
