"""The anchor in words: one line on the primary metric, one fact for each other metric."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clearband.report.fact import Fact
from clearband.report.phrase import Phrase, Quote, say
from clearband.report.words import Subject, state_in_words, subject
from clearband.vocabulary import Role

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clearband.comparison import Comparison
    from clearband.terms import Terms


def anchor_line(comparison: Comparison, terms: Terms | None) -> Phrase:
    """Return how the primary metric stands against the anchor; empty where there is no anchor."""
    anchored = comparison.anchored
    if anchored is None:
        return say()
    shown = _subjects(comparison, terms)
    about = next((one for one in shown if one.metric.role is Role.PRIMARY), None)
    if about is None:
        return say("Compared with the anchor ", Quote(anchored.name), " too; see the details.")
    return say("Against the anchor ", Quote(anchored.name), ", ", state_in_words(about), ".")


def anchor_facts(comparison: Comparison, terms: Terms | None) -> Iterator[Fact]:
    """Yield the anchor's file and how the other metrics stand against it."""
    anchored = comparison.anchored
    if anchored is None:
        return
    arm = anchored.arm
    yield Fact(label=say("Anchor"), text=say(Quote(arm.name), ", SHA-256 ", Quote(arm.sha256, 64)))
    for about in _subjects(comparison, terms):
        if about.metric.role is not Role.PRIMARY:
            text = say(state_in_words(about), ".")
            yield Fact(label=say("Against the anchor"), text=text, is_extra=about.metric.role is Role.EXPLORATORY)


def _subjects(comparison: Comparison, terms: Terms | None) -> tuple[Subject, ...]:
    metrics = () if comparison.anchored is None else comparison.anchored.metrics
    return tuple(subject(metric, terms, comparison.confidence) for metric in metrics)
