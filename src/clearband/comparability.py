"""Whether two runs were measured alike: judge, scorer, dataset, trials and tool, as far as their files tell. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clearband.comparison import MeasurementLine
from clearband.errors import UnusableResults
from clearband.plain_text import shown
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


def require_alike(run: Run, other: Run, *, purpose: str, remedy: str) -> None:
    """Refuse a second file of one system that was measured differently, or on other questions under the same ids.

    The policy's `varies` is about what a change may change between the arms; both files belong to one arm.

    Parameters
    ----------
    run, other
        The two files.
    purpose
        What the other file cannot do to the first, for the message, such as ``cannot fill``.
    remedy
        What such a file has to be.

    Raises
    ------
    UnusableResults
        The two do not go together.

    """
    for field in MeasurementField:
        known, found = run.measurement.get(field), other.measurement.get(field)
        if field is not MeasurementField.TRIALS and known is not None and found is not None and _differ(known, found):
            raise UnusableResults(
                f"{other.name} {purpose} {run.name}: another {field}, {shown(found)} instead of {shown(known)}",
                remedy=remedy,
            )
    if run.content is None or other.content is None or run.format != other.format:
        return
    content = dict(zip(run.ids, run.content, strict=True))
    for question, text in zip(other.ids, other.content, strict=True):
        if text is not None and content.get(question) not in {None, text}:
            raise UnusableResults(
                f"{other.name} {purpose} {run.name}: question {shown(question)} has another content",
                remedy=f"A reworded question is another question. {remedy}",
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
