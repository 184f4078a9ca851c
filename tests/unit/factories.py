"""Runs, terms and results with defaults: a test names only what it is about."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np

from clearband.comparison import Lost, MetricResult
from clearband.policy import MetricPolicy, Policy
from clearband.results.run import Run, Trials
from clearband.terms import Terms
from clearband.vocabulary import Direction, Requirement, Role, State

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def run(
    metrics: Mapping[str, Sequence[float | None]],
    *,
    ids: Sequence[str] | None = None,
    name: str = "results.jsonl",
    **more: Any,
) -> Run:
    """Return a run; None is a null score, ids default to q000, q001, ...; `more` are fields of `Run`."""
    arrays = {
        metric: np.array([np.nan if value is None else value for value in values], dtype=float)
        for metric, values in metrics.items()
    }
    size = len(next(iter(arrays.values())))
    return Run(
        name=name,
        sha256=hashlib.sha256(name.encode()).hexdigest(),
        format="generic/jsonl",
        ids=tuple(ids) if ids is not None else tuple(f"q{index:03}" for index in range(size)),
        metrics=arrays,
        errored=np.zeros(size, dtype=bool),
        **more,
    )


def tried(metric: str, trials: Sequence[Sequence[float]], *, ordered: bool = True, **more: Any) -> Run:
    """Return a run of one metric from the trials of each question, averaged and kept as a reader does."""
    question = np.array([place for place, values in enumerate(trials) for _ in values], dtype=np.int64)
    kept = Trials(question=question, values=np.array([v for values in trials for v in values], float), ordered=ordered)
    means = [float(np.mean(values)) if len(values) else None for values in trials]
    return run({metric: means}, trials=max(map(len, trials)), trials_of={metric: kept}, **more)


def terms(
    *,
    primary: str | None = "score",
    require: Requirement = Requirement.NO_REGRESSION,
    metrics: Mapping[str, MetricPolicy] | None = None,
    n_boot: int | None = None,
    seed: int | None = None,
    gated: bool = True,
    **policy: Any,
) -> Terms:
    """Return terms whose primary is `score`, higher is better."""
    if metrics is None:
        metrics = {} if primary is None else {primary: MetricPolicy(role=Role.PRIMARY)}
    return Terms(
        policy=Policy(primary=primary, require=require, metrics=metrics, **policy),
        primary=primary,
        require=require,
        declaration=None,
        metrics=metrics,
        n_boot=n_boot,
        seed=seed,
        gated=gated,
        ungated_reason=None if gated else "Nothing was declared primary.",
    )


def metric(**changes: Any) -> MetricResult:
    """Return one metric's result: inconclusive, primary, higher is better."""
    values: dict[str, Any] = {
        "name": "score",
        "role": Role.PRIMARY,
        "direction": Direction.HIGHER,
        "n": 207,
        "not_applicable": 0,
        "baseline_mean": 0.5,
        "candidate_mean": 0.51,
        "delta": 0.01,
        "interval": (-0.02, 0.04),
        "state": State.INCONCLUSIVE,
        "why": None,
        "flags": (),
        "cleared": False,
        "p_two_sided": 0.5,
        "p_better": 0.75,
        "p_sign_flip": 0.5,
        "wins": 30,
        "losses": 27,
        "ties": 150,
        "nonzero": 57,
        "sd": 0.3,
        "effect": None,
        "margin": 0.0,
        "n_to_clear": 1900,
        "n_suggested": 4000,
        "n_suggested_basis": "measured",
        "mde": 0.05,
        "lost": Lost(candidate_missing=0, baseline_missing=0),
        "worst_case_interval": None,
        "worst_case_is_bound": False,
        "monte_carlo_error": None,
        "seed": None,
    }
    return MetricResult(**{**values, **changes})
