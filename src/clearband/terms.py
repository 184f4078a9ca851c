"""The terms of one comparison: policy, declaration and command line made into one set of rules.

A declaration may choose the primary among the policy's metrics and only tighten; the command line is the person's own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clearband.policy import MetricPolicy, Policy

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clearband.declaration import Declaration
    from clearband.vocabulary import IntervalMethod, Requirement


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the command line (or the Action's inputs) asks for; None where it is silent."""

    primary: str | None = None
    effect: float | None = None
    """The smallest effect that matters for the primary metric."""
    confidence: float | None = None
    interval: IntervalMethod | None = None
    n_boot: int | None = None
    """Number of Monte Carlo resamples; None for the ideal bootstrap."""
    seed: int | None = None
    id_field: str | None = None
    metrics: tuple[str, ...] = ()
    """Compare only these; empty for all that both files hold."""
    lower_is_better: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What this comparison is held to."""

    policy: Policy
    primary: str | None
    """The primary metric; None where nothing names one (then nothing is gated)."""
    require: Requirement
    declaration: Declaration | None
    metrics: Mapping[str, MetricPolicy]
    """The policy's metrics with the declared effect and the roles put in; see `of`."""
    n_boot: int | None = None
    """Number of Monte Carlo resamples; None for the ideal bootstrap."""
    seed: int | None = None
    """Monte Carlo seed; None for one derived from the data."""
    gated: bool = True
    ungated_reason: str | None = None
    """Why nothing is gated, a sentence; None where `gated`."""

    def of(self, metric: str) -> MetricPolicy:
        """Return what holds for `metric`; the defaults where nobody said anything."""
        return self.metrics.get(metric, MetricPolicy())
