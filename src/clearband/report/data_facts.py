"""The details about the data: how they were measured, what was assumed, and what clusters and trials came to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clearband.report.fact import Fact
from clearband.report.numbers import about, count, counted
from clearband.report.phrase import Phrase, Quote, listed, say
from clearband.vocabulary import Direction, State

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clearband.comparison import Comparison, MeasurementLine
    from clearband.report.words import Subject

_FEW_CLUSTERS = 20


def data_facts(comparison: Comparison, subjects: tuple[Subject, ...], primary: Subject | None) -> tuple[Fact, ...]:
    """Return the facts about the data that apply to this comparison."""
    return (
        *_clusters(comparison, primary),
        *_trials(primary),
        *_measurement(comparison),
        *_assumed(subjects),
        *_filled(comparison),
        *_by_position(comparison),
    )


def _clusters(comparison: Comparison, primary: Subject | None) -> Iterator[Fact]:
    if comparison.cluster is None or primary is None or primary.metric.clustered is None:
        return
    found = primary.metric.clustered
    effect = "" if found.design_effect is None else f"; design effect {about(found.design_effect)}"
    few = f" Fewer than {_FEW_CLUSTERS} clusters say little about others." if found.clusters < _FEW_CLUSTERS else ""
    text = say(
        f"{counted(found.clusters, 'cluster')} by ", Quote(comparison.cluster), f", resampled whole{effect}.{few}"
    )
    yield Fact(label=say("Clusters"), text=text, is_brief=True)


def _trials(primary: Subject | None) -> Iterator[Fact]:
    split = None if primary is None else primary.metric.trial_split
    if primary is None or split is None or primary.metric.state is State.INVALID:
        return
    total = split.between + split.within
    share = (
        f"{100 * split.within / total:.0f} % of the spread of the changes comes from the trials"
        if total
        else "no spread"
    )
    routes = ""
    if primary.metric.n_suggested is not None and primary.metric.n_suggested > primary.metric.n:
        have = counted(primary.metric.n, "question")
        by_trials = (
            "trials alone cannot do as much"
            if split.trials_suggested is None
            else f"{counted(split.trials_suggested, 'trial')} on today's {have} would do as much"
        )
        routes = f" {counted(primary.metric.n_suggested, 'question')}, or: {by_trials}."
    yield Fact(label=say("Trials"), text=say(f"{share}, the rest from the questions.{routes}"), is_brief=True)


def _measurement(comparison: Comparison) -> Iterator[Fact]:
    lines = comparison.measurement
    if not lines:
        return
    same = [line for line in lines if line.baseline is not None and line.baseline == line.candidate]
    half_known = [line for line in lines if (line.baseline is None) is not (line.candidate is None)]
    differing = [line for line in lines if line.differs]
    if same:
        yield Fact(
            label=say("Measured alike"), text=say(listed(tuple(line.field.value for line in same)), "."), is_extra=True
        )
    for line in differing:
        yield Fact(label=say(f"Another {line.field.value}"), text=_both(line))
    if half_known:
        fields = listed(tuple(line.field.value for line in half_known))
        yield Fact(label=say("Unknown"), text=say(fields, ": only one of the two files tells."), is_extra=True)


def _both(line: MeasurementLine) -> Phrase:
    allowed = ", which the policy lets vary" if line.may_vary else ""
    return say(
        Quote(line.baseline or "", 120),
        " in the baseline, ",
        Quote(line.candidate or "", 120),
        f" in the candidate{allowed}.",
    )


def _assumed(subjects: tuple[Subject, ...]) -> Iterator[Fact]:
    names = tuple(
        Quote(s.metric.name) for s in subjects if not s.metric.directed and s.metric.direction is Direction.HIGHER
    )
    if names:
        text = say("higher is taken as better for ", listed(names, most=8), "; neither the policy nor the files say.")
        yield Fact(label=say("Direction assumed"), text=text, is_brief=True, is_extra=True)


def _filled(comparison: Comparison) -> Iterator[Fact]:
    for which, arm in (("baseline", comparison.baseline), ("candidate", comparison.candidate)):
        if arm.filled:
            text = say(
                f"{count(arm.filled)} lost by the {which} were filled from a second file, SHA-256 ",
                Quote(arm.filler_sha256 or "", 64),
            )
            yield Fact(label=say("Filled"), text=text, is_brief=True)


def _by_position(comparison: Comparison) -> Iterator[Fact]:
    if comparison.baseline.by_position or comparison.candidate.by_position:
        text = say("by their place in the file alone: an inserted question would shift all that follow.")
        yield Fact(label=say("Questions are paired"), text=text, is_brief=True)
