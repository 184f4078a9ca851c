"""The policy: what a team agreed on before any pull request, read from the base commit."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from clearband.vocabulary import Direction, IntervalMethod, Mode, Requirement, Role

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricPolicy:
    """What the policy says of one metric."""

    direction: Direction = Direction.HIGHER
    range: tuple[float, float] | None = None
    """Smallest and largest possible value; None where not declared."""
    unit: str | None = None
    margin: float = 0.0
    """A regression smaller than this, in the metric's own units, does not block."""
    effect: float | None = None
    """The smallest change that matters, in the metric's own units, above 0."""
    role: Role = Role.EXPLORATORY
    """`GUARDRAIL` or `EXPLORATORY`; the primary is named by `Policy.primary` or by the declaration."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The whole policy, with the defaults that hold where the file is silent."""

    primary: str | None = None
    require: Requirement = Requirement.NO_REGRESSION
    confidence: float = 0.95
    interval: IntervalMethod = IntervalMethod.PERCENTILE
    max_lost: float = 0.02
    min_questions: int = 10
    allow_changed_questions: bool = False
    mode: Mode = Mode.GATE
    metrics: Mapping[str, MetricPolicy] = field(default_factory=dict)
    sha256: str | None = None
    """Hex digest of the policy file's bytes; None for the defaults without a file."""
