"""A plan as a person sees it in a terminal: what today's questions detect, and how many would detect more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clearband.planning import MetricPlan, Spread
from clearband.report.escape import visible
from clearband.report.numbers import NBSP, NONE, about, count, counted, percent
from clearband.report.terminal import aligned, wrapped

if TYPE_CHECKING:
    from collections.abc import Sequence


def plan_text(plans: Sequence[MetricPlan], *, power: float, confidence: float, correlation: float, width: int) -> str:
    """Return the plans as text of at most `width` columns where names allow, without a newline at the end."""
    if not plans:
        return "Nothing to plan: no metric has a value on two questions."
    paragraphs = [
        wrapped(_basis(plans[0], power, confidence, correlation), width),
        aligned(["metric", "questions", "sd of change", "detects now", "effect", "needs"], [_row(p) for p in plans]),
        _table(plans),
        *(wrapped(sentence, width) for sentence in _warnings(plans)),
        *(_ladder(planned) for planned in plans if planned.ladder),
    ]
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph).replace(NBSP, " ")


def _basis(first: MetricPlan, power: float, confidence: float, correlation: float) -> str:
    asked = f"Detected {percent(power)} of the time by a {percent(confidence)} interval."
    match first.spread:
        case Spread.PAIR:
            return f"{asked} The spread of the changes was measured on the pair of files."
        case Spread.ASSUMED_CORRELATION:
            return (
                f"{asked} The spread of the changes is not measured: two runs are assumed to correlate {correlation:g} "
                "over questions (--correlation). Give a candidate file, even of a pilot, to measure it."
            )


def _row(planned: MetricPlan) -> list[str]:
    return [
        visible(planned.name, 40),
        count(planned.n),
        about(planned.sd),
        about(planned.detectable),
        NONE if planned.effect is None else f"{planned.effect:.12g}",
        NONE if planned.needed is None else count(planned.needed),
    ]


def _table(plans: Sequence[MetricPlan]) -> str:
    shown = [planned for planned in plans if planned.table]
    sizes = {tuple(size for size, _ in planned.table) for planned in shown}
    if len(sizes) != 1:
        head = ["detects with", "½ of today's", "today's", "2×", "4×", "8×"]
    else:
        head = ["detects with", *(count(size) for size in next(iter(sizes)))]
    rows = [[visible(planned.name, 40), *(about(change) for _, change in planned.table)] for planned in shown]
    return aligned(head, rows) if rows else ""


def _warnings(plans: Sequence[MetricPlan]) -> list[str]:
    sentences = []
    for planned in plans:
        name = visible(planned.name, 40)
        if planned.n < planned.decides_from:
            least = counted(planned.decides_from, "question")
            sentences.append(f"{name}: this suite cannot block anything below {least}; it has {count(planned.n)}.")
        elif not planned.can_block:
            able = counted(planned.could_worsen or 0, "question")
            sentences.append(
                f"{name}: no outcome could block, as only {able} could get worse and {planned.least_changed} must."
            )
        if planned.detectable is None:
            sentences.append(f"{name}: nothing varies, so nothing can be planned from these files.")
    return sentences


def _ladder(planned: MetricPlan) -> str:
    rows = [[count(rung.n), about(rung.delta, signed=True), f"±{about(rung.half_width)}"] for rung in planned.ladder]
    return f"{visible(planned.name, 40)}, on random parts of the questions:\n" + aligned(
        ["questions", "change", "half-width"], rows
    )
