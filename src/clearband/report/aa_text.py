"""An A/A comparison as a person sees it in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clearband.report.escape import visible
from clearband.report.numbers import NBSP, NONE, about, count, decimals_for, fixed
from clearband.report.terminal import aligned, wrapped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clearband.steadiness import Steadiness


def aa_text(metrics: Sequence[Steadiness], *, width: int) -> str:
    """Return how steady the evaluation is as text of about `width` columns, without a newline at the end."""
    head = ["metric", "questions", "differ", "moved by", "sd of difference", "detects at best"]
    intro = "The same system twice: what differs is the evaluation itself (sampling, judge, order, time), not a change."
    paragraphs = [wrapped(intro, width), aligned(head, [_row(metric) for metric in metrics])]
    paragraphs += [wrapped(_warning(metric), width) for metric in metrics]
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph).replace(NBSP, " ")


def _row(metric: Steadiness) -> list[str]:
    return [
        visible(metric.name, 40),
        count(metric.n),
        f"{100 * metric.differ / metric.n:.1f} %",
        _moved(metric),
        about(metric.sd),
        about(metric.detectable),
    ]


def _moved(metric: Steadiness) -> str:
    if metric.delta is None or metric.interval is None:
        return NONE
    low, high = metric.interval
    decimals = decimals_for((high - low) / 2) if high > low else 0
    shown = [fixed(value, decimals, signed=True) for value in (metric.delta, low, high)]
    return f"{shown[0]} [{shown[1]}, {shown[2]}]"


def _warning(metric: Steadiness) -> str:
    """Return what to mend before comparing anything; empty where nothing is."""
    name = visible(metric.name, 40)
    if metric.moved:
        return f"{name}: the two runs differ by more than chance. Find what changed between them before comparing."
    if metric.is_steady_enough is False:
        return (
            f"{name}: not steady enough for the declared {metric.effect:.12g}. Even if nothing but this movement were "
            f"there, changes below {about(metric.detectable)} would be missed. Average several trials per question, or "
            "lower the temperature."
        )
    return ""
