"""Metric results to show, with defaults: the demo's, unless told otherwise."""

from __future__ import annotations

from typing import Any

from clearband.comparison import Lost, MetricResult
from clearband.vocabulary import Direction, Flag, Role, State

_PLAIN: dict[str, Any] = {
    "name": "nDCG@10",
    "role": Role.EXPLORATORY,
    "direction": Direction.HIGHER,
    "n": 225,
    "not_applicable": 0,
    "baseline_mean": 0.385121743822,
    "candidate_mean": 0.407020576089,
    "delta": 0.0218988322667,
    "interval": (-0.00305, 0.0463),
    "state": State.INCONCLUSIVE,
    "why": None,
    "flags": (),
    "cleared": False,
    "p_two_sided": 0.0847,
    "p_better": 0.9577,
    "p_sign_flip": 0.0834,
    "wins": 115,
    "losses": 85,
    "ties": 25,
    "nonzero": 200,
    "sd": 0.189079778647,
    "effect": None,
    "margin": 0.0,
    "n_to_clear": 293,
    "n_suggested": 592,
    "n_suggested_basis": "measured",
    "mde": 0.0355,
    "lost": Lost(candidate_missing=0, baseline_missing=0),
    "worst_case_interval": None,
    "worst_case_is_bound": False,
    "monte_carlo_error": None,
    "seed": None,
}


def metric(name: str = "nDCG@10", **changes: Any) -> MetricResult:
    """The demo's nDCG@10, inconclusive, unless told otherwise."""
    return MetricResult(**{**_PLAIN, "name": name, **changes})


def primary(name: str = "nDCG@10", **changes: Any) -> MetricResult:
    return metric(
        name, **{"role": Role.PRIMARY, "effect": 0.03, "n_suggested": 316, "n_suggested_basis": "declared", **changes}
    )


def improved(name: str = "nDCG@10", **changes: Any) -> MetricResult:
    return metric(
        name,
        **{
            "candidate_mean": 0.426121743822,
            "delta": 0.041,
            "interval": (0.0163, 0.0659),
            "state": State.IMPROVED,
            "cleared": True,
            "p_two_sided": 0.0012,
            "p_better": 0.9994,
            "p_sign_flip": 0.0011,
            "wins": 124,
            "losses": 76,
            **changes,
        },
    )


def regressed(name: str = "nDCG@10", **changes: Any) -> MetricResult:
    return metric(
        name,
        **{
            "candidate_mean": 0.354121743822,
            "delta": -0.031,
            "interval": (-0.0553, -0.0069),
            "state": State.REGRESSED,
            "flags": (Flag.WORSE_THAN_MARGIN,),
            "cleared": True,
            "p_two_sided": 0.0119,
            "p_better": 0.006,
            "p_sign_flip": 0.0124,
            "wins": 78,
            "losses": 122,
            **changes,
        },
    )


def identical(name: str = "nDCG@10", **changes: Any) -> MetricResult:
    return metric(
        name,
        **{
            "candidate_mean": 0.385121743822,
            "delta": 0.0,
            "interval": (0.0, 0.0),
            "state": State.IDENTICAL,
            "p_two_sided": 1.0,
            "p_better": 0.5,
            "p_sign_flip": 1.0,
            "wins": 0,
            "losses": 0,
            "ties": 225,
            "nonzero": 0,
            "sd": 0.0,
            "n_to_clear": None,
            "n_suggested": None,
            "n_suggested_basis": None,
            "mde": None,
            **changes,
        },
    )


def accuracy(
    name: str = "pass_at_1", *, up: int, down: int, n: int = 800, before: int = 400, **changes: Any
) -> MetricResult:
    """A 0/1 metric: so many questions newly right, so many newly wrong."""
    delta = (up - down) / n
    sd = ((up + down - n * delta**2) / (n - 1)) ** 0.5
    half = 1.96 * sd / n**0.5
    low, high = delta - half, delta + half
    state = State.IMPROVED if low > 0 else State.REGRESSED if high < 0 else State.INCONCLUSIVE
    return metric(
        name,
        **{
            "n": n,
            "baseline_mean": before / n,
            "candidate_mean": (before + up - down) / n,
            "delta": delta,
            "interval": (low, high),
            "state": state,
            "cleared": state is not State.INCONCLUSIVE,
            "p_two_sided": 0.2 if state is State.INCONCLUSIVE else 0.0004,
            "wins": up,
            "losses": down,
            "ties": n - up - down,
            "nonzero": up + down,
            "sd": sd,
            "mde": half * 1.43,
            "n_to_clear": None,
            "n_suggested": None,
            "n_suggested_basis": None,
            **changes,
        },
    )


def sparse(name: str = "pass_at_1", **changes: Any) -> MetricResult:
    return accuracy(
        name,
        up=1,
        down=3,
        n=225,
        before=190,
        **{
            "state": State.TOO_SPARSE,
            "why": "4 questions differ, at least 6 must",
            "cleared": False,
            "p_two_sided": 0.37,
            "p_sign_flip": 0.625,
            **changes,
        },
    )


def invalid(name: str = "nDCG@10", **changes: Any) -> MetricResult:
    return metric(
        name,
        **{
            "n": 190,
            "state": State.INVALID,
            "why": "35 of 225 questions lost, more than max_lost allows (0.02)",
            "wins": 97,
            "losses": 72,
            "ties": 21,
            "nonzero": 169,
            "lost": Lost(candidate_missing=35, baseline_missing=0),
            **changes,
        },
    )


def unmeasured(name: str = "nDCG@10", **changes: Any) -> MetricResult:
    """A metric that one file does not hold."""
    nothing = dict.fromkeys(
        ("baseline_mean", "candidate_mean", "delta", "interval", "p_two_sided", "p_better", "p_sign_flip", "sd",
         "n_to_clear", "n_suggested", "n_suggested_basis", "mde")
    )  # fmt: skip
    counts = dict.fromkeys(("n", "wins", "losses", "ties", "nonzero"), 0)
    return metric(
        name, **{**nothing, **counts, "state": State.INVALID, "why": "not measured in the candidate", **changes}
    )


def others() -> tuple[MetricResult, ...]:
    """The demo's other four metrics."""
    return (
        metric(
            "AP",
            baseline_mean=0.299701385911,
            candidate_mean=0.323785179511,
            delta=0.0240837936,
            interval=(0.0037, 0.0441),
            state=State.IMPROVED,
            cleared=True,
            p_two_sided=0.0208,
            p_better=0.9896,
            p_sign_flip=0.0211,
            wins=120,
            losses=94,
            ties=11,
            nonzero=214,
            n_to_clear=162,
            n_suggested=329,
            mde=0.0291,
        ),
        metric(
            "RR",
            baseline_mean=0.538447411956,
            candidate_mean=0.537957137689,
            delta=-0.00049027426667,
            interval=(-0.0428, 0.0419),
            p_two_sided=0.985,
            p_better=0.4926,
            p_sign_flip=0.982,
            wins=65,
            losses=66,
            ties=94,
            nonzero=131,
            n_to_clear=1_676_095,
            n_suggested=3_433_165,
            mde=0.0606,
        ),
        metric(
            "P@10",
            baseline_mean=0.233777777778,
            candidate_mean=0.26,
            delta=0.0262222222222,
            interval=(0.0102, 0.0427),
            state=State.IMPROVED,
            cleared=True,
            p_two_sided=0.0012,
            p_better=0.9994,
            p_sign_flip=0.0018,
            wins=80,
            losses=50,
            ties=95,
            nonzero=130,
            n_to_clear=84,
            n_suggested=181,
            mde=0.0235,
        ),
        metric(
            "R@100",
            baseline_mean=0.735380769645,
            candidate_mean=0.776060609556,
            delta=0.0406798399111,
            interval=(0.0169, 0.0637),
            state=State.IMPROVED,
            cleared=True,
            p_two_sided=0.0009,
            p_better=0.9996,
            p_sign_flip=0.0006,
            wins=76,
            losses=27,
            ties=122,
            nonzero=103,
            n_to_clear=78,
            n_suggested=157,
            mde=0.034,
        ),
    )
