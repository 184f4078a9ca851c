"""The policy: what a team agreed on before any pull request, read from the base commit."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING

from clearband.plain_text import nearest, shown
from clearband.vocabulary import Direction, IntervalMethod, Mode, Requirement, Role

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clearband.policy_value import Value


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


CONFIDENCE_RANGE = (0.5, 0.9999)
CONFIDENCE_ALLOWED = "a share between 0.5 and 0.9999, such as 0.95"
METRIC_LIMIT = 200
"""As many metrics as a result file may hold."""

_KEYS = (
    "primary",
    "require",
    "confidence",
    "interval",
    "max_lost",
    "min_questions",
    "allow_changed_questions",
    "mode",
    "metrics",
)
_METRIC_KEYS = ("direction", "range", "unit", "margin", "effect", "role")
_OF_A_METRIC = dict.fromkeys(_METRIC_KEYS, "It belongs to one metric: put it under `metrics:` and that metric's name.")
_OF_THE_POLICY = dict.fromkeys(
    _KEYS, "It holds for the whole policy: put it at the start of a line, without indentation."
)


def load(data: bytes, *, name: str) -> Policy:
    """Return the policy that a file's bytes spell out; what the file leaves out has its default.

    Parameters
    ----------
    data
        The file as it was read.
    name
        The file's name, for messages.

    Raises
    ------
    UnusablePolicy
        Anything that is not exactly a policy: the line, the key, what was given and what is allowed.

    """
    # PyYAML costs 27 ms, a tenth of the start-up of a comparison that has no policy file (measured).
    from clearband.policy_value import Value  # noqa: PLC0415
    from clearband.policy_yaml import read  # noqa: PLC0415

    root = Value(name, "", read(data, name=name))
    given = root.fields(_KEYS, elsewhere=_OF_A_METRIC)
    metrics = _metrics(given["metrics"]) if "metrics" in given else {}
    silent = Policy()
    policy = Policy(
        primary=given["primary"].metric_name() if "primary" in given else None,
        require=given["require"].choice(Requirement) if "require" in given else silent.require,
        confidence=_confidence(given["confidence"]) if "confidence" in given else silent.confidence,
        interval=given["interval"].choice(IntervalMethod) if "interval" in given else silent.interval,
        max_lost=_max_lost(given["max_lost"]) if "max_lost" in given else silent.max_lost,
        min_questions=given["min_questions"].whole(2, 10_000_000) if "min_questions" in given else silent.min_questions,
        allow_changed_questions="allow_changed_questions" in given and given["allow_changed_questions"].flag(),
        mode=given["mode"].choice(Mode) if "mode" in given else silent.mode,
        metrics=metrics,
        sha256=sha256(data).hexdigest(),
    )
    if policy.primary is not None:
        _check_primary(policy, policy.primary, given["primary"])
    return policy


def _confidence(value: Value) -> float:
    return value.share(*CONFIDENCE_RANGE, allowed=CONFIDENCE_ALLOWED)


def _max_lost(value: Value) -> float:
    return value.share(0.0, 0.9999, allowed="a share from 0 to below 1, such as 0.02")


def _metrics(value: Value) -> dict[str, MetricPolicy]:
    named = value.named()
    if len(named) > METRIC_LIMIT:
        raise value.refused(f"lists {len(named):,} metrics; at most {METRIC_LIMIT} are compared", "List fewer metrics.")
    return {name: _metric(settings) for name, settings in named.items()}


def _metric(value: Value) -> MetricPolicy:
    given = value.fields(_METRIC_KEYS, elsewhere=_OF_THE_POLICY)
    silent = MetricPolicy()
    bounds = given["range"].pair(allowed="[smallest, largest] possible value") if "range" in given else None
    metric = MetricPolicy(
        direction=given["direction"].choice(Direction) if "direction" in given else silent.direction,
        range=bounds,
        unit=given["unit"].label(allowed="a short text, such as ms") if "unit" in given else None,
        margin=given["margin"].number(allowed="a number, 0 or larger") if "margin" in given else silent.margin,
        effect=given["effect"].number(allowed="a number above 0") if "effect" in given else None,
        role=given["role"].choice(Role) if "role" in given else silent.role,
    )
    _check_metric(metric, given)
    return metric


def _check_metric(metric: MetricPolicy, given: Mapping[str, Value]) -> None:
    width = metric.range[1] - metric.range[0] if metric.range else None
    if metric.role is Role.PRIMARY:
        remedy = "Name it at the top of the file, `primary: NAME`, and leave `role` out here."
        raise given["role"].refused("is `primary`, which only the key `primary` sets", remedy)
    if metric.role is Role.GUARDRAIL and metric.direction is Direction.NEUTRAL:
        remedy = "Give it the direction higher or lower, or leave `role` out."
        raise given["role"].refused("is `guardrail` for a neutral metric, which could never block", remedy)
    if metric.margin < 0:
        raise given["margin"].refused(f"is {metric.margin:g}; it is 0 or larger", "Write the size without a sign.")
    if width is not None and metric.margin >= width:
        what = f"is {metric.margin:g}, as wide as the metric's whole range: no regression could ever block"
        raise given["margin"].refused(what, "Write a smaller margin, in the metric's own units.")
    if metric.effect is not None and metric.effect <= 0:
        remedy = "Write the size of the smallest change that matters, without a sign."
        raise given["effect"].refused(f"is {metric.effect:g}; it is above 0", remedy)
    if width is not None and metric.effect is not None and metric.effect > width:
        what = f"is {metric.effect:g}, more than the metric's whole range of {width:g}"
        raise given["effect"].refused(what, "Write it in the metric's own units, not in per cent.")


def _check_primary(policy: Policy, primary: str, value: Value) -> None:
    """Refuse a default primary that could not decide: unlisted, without a better direction, or without a margin.

    Where the file lists metrics the primary has to be one of them. An unlisted one would have to be taken as
    "higher is better", and a misspelt name would then gate the wrong way round without anybody noticing.
    """
    listed = policy.metrics.get(primary)
    if policy.metrics and listed is None:
        near = nearest(primary, policy.metrics)
        advice = f"Did you mean {shown(near)}? If not, add" if near else "Add"
        remedy = f"{advice} it under `metrics:`, with its direction."
        raise value.refused(f"is {shown(primary)}, which is not listed under `metrics`", remedy)
    metric = listed or MetricPolicy()
    if metric.direction is Direction.NEUTRAL:
        what = f"is {shown(primary)}, whose direction is neutral: nothing could be better or worse"
        raise value.refused(what, "Give it the direction higher or lower, or choose another primary metric.")
    if policy.require is Requirement.NON_INFERIORITY and metric.margin == 0:
        what = f"is {shown(primary)} without a margin, and `require: non-inferiority` needs one"
        remedy = "Add `margin:` to that metric, or write `require: improvement`."
        raise value.refused(what, remedy)
