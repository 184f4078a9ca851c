"""Whether two runs were measured alike: judge, scorer, dataset, trials and tool, as far as their files tell. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clearband.comparison import MeasurementLine
from clearband.vocabulary import MeasurementField

if TYPE_CHECKING:
    from clearband.policy import Policy
    from clearband.results.run import Run


def comparability(baseline: Run, candidate: Run, policy: Policy) -> tuple[MeasurementLine, ...]:
    """Return, field by field, what either run tells of its measurement; what neither tells is left out.

    Unknown is never "same": a field that only one run tells is listed, and stops nothing.
    """
    return tuple(
        MeasurementLine(
            field=field,
            baseline=baseline.measurement.get(field),
            candidate=candidate.measurement.get(field),
            may_vary=field in policy.varies,
            differs=_differ(baseline.measurement.get(field), candidate.measurement.get(field)),
        )
        for field in MeasurementField
        if field in baseline.measurement or field in candidate.measurement
    )


def contradictions(first: Run, second: Run) -> tuple[MeasurementField, ...]:
    """Return in which respects two files of one system say that they were measured differently."""
    return tuple(
        field for field in MeasurementField if _differ(first.measurement.get(field), second.measurement.get(field))
    )


def _differ(before: str | None, after: str | None) -> bool:
    """Tell whether two descriptions contradict each other.

    Descriptions such as ``recall: exact; tone: judge`` list several scorers by name: only names that both have can
    contradict each other, so that adding an evaluator does not make the others incomparable.
    """
    if before is None or after is None or before == after:
        return False
    first, second = _by_name(before), _by_name(after)
    common = first.keys() & second.keys()
    return not common or any(first[name] != second[name] for name in common)


def _by_name(description: str) -> dict[str, set[str]]:
    named: dict[str, set[str]] = {}
    for part in description.split("; "):
        name, _, rest = part.partition(": ")
        named.setdefault(name, set()).add(rest)
    return named
