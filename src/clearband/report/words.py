"""The words for one metric: name, change, state. Every sentence of a report is built from these."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from clearband.policy import MetricPolicy
from clearband.report.numbers import (
    NBSP,
    NONE,
    Figures,
    count,
    counted,
    needed,
    percent,
    shows_unit,
)
from clearband.report.phrase import Phrase, Prose, Quote, say
from clearband.stats.interval import exact_alpha, least_changed
from clearband.vocabulary import Direction, Flag, Reducer, Role, State, Statistic

if TYPE_CHECKING:
    from clearband.comparison import MetricResult
    from clearband.terms import Terms


class Tone(StrEnum):
    """How something is coloured where there is colour; the words carry the meaning alone."""

    GOOD = "good"
    BAD = "bad"
    WARN = "warn"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """One metric with everything that is needed to speak about it."""

    metric: MetricResult
    policy: MetricPolicy
    figures: Figures
    confidence: float
    min_questions: int = 10

    @property
    def name(self) -> Phrase:
        """The metric's name, quoted."""
        return say(Quote(self.metric.name))

    @property
    def change(self) -> str:
        """The change with its interval: ``+0.022 [−0.003, +0.046]``."""
        if self.metric.state is State.IDENTICAL:
            return "0"  # an interval without width would look like evidence
        if self.metric.state is State.INVALID:
            return NONE  # what is not comparable has no change to quote
        return self.figures.change_with_interval(self.metric.delta, self.metric.interval)

    @property
    def share(self) -> str:
        """The confidence: ``95 %``."""
        return percent(self.confidence)

    @property
    def has_few_questions(self) -> bool:
        """Whether too-sparse is said for the number of questions, not of those that differ."""
        return self.metric.n < self.min_questions or self.metric.nonzero >= least_changed(exact_alpha(self.confidence))

    @property
    def margin(self) -> str:
        """The policy's margin as written; a budget is a share of the baseline."""
        if self.metric.budget is not None:
            return f"{percent(self.metric.budget)} of the baseline"
        return self.figures.given(self.metric.margin)

    @property
    def has_margin(self) -> bool:
        """Whether the policy allows any loss at all."""
        return self.metric.margin > 0.0 or self.metric.budget is not None

    @property
    def effect(self) -> str | None:
        """The declared smallest effect as written."""
        return None if self.metric.effect is None else self.figures.given(self.metric.effect)

    @property
    def is_beyond_margin(self) -> bool:
        """Whether the whole interval is worse than the margin; where the margin is 0, worse than zero."""
        return Flag.WORSE_THAN_MARGIN in self.metric.flags

    @property
    def is_within_effect(self) -> bool:
        """Whether the whole interval is smaller than the declared effect."""
        return Flag.WITHIN_EFFECT in self.metric.flags


def subject(metric: MetricResult, terms: Terms | None, confidence: float) -> Subject:
    """Return `metric` as something to speak about."""
    policy = terms.of(metric.name) if terms is not None else MetricPolicy(direction=metric.direction)
    return Subject(
        metric=metric,
        policy=policy,
        figures=Figures.of(metric, policy),
        confidence=confidence,
        min_questions=10 if terms is None else terms.policy.min_questions,
    )


_SMALL_WORD = re.compile("[a-z]+[ ,]")  # a name such as `lsa200.csv` keeps its first letter
_ENDS = (".", "!", "?", ":")


def sentence(text: str) -> str:
    """Return `text` with a full stop and, where it starts with a plain word, a capital."""
    text = text.strip()
    start = text[:1].upper() if _SMALL_WORD.match(text) else text[:1]
    return start + text[1:] + ("" if text.endswith(_ENDS) else ".")


def label(about: Subject) -> Phrase:
    """Return what stands beside the name in the table: role, direction, a unit that cannot stand behind numbers."""
    notes = [say(text) for text in _made_of(about.metric)]
    if about.metric.role is Role.GUARDRAIL:
        notes.append(say("guardrail"))
    if about.metric.direction is Direction.LOWER:
        notes.append(say("lower is better"))
    if about.metric.direction is Direction.NEUTRAL:
        notes.append(say("no better or worse"))
    if not shows_unit(about.policy):
        notes.append(say("in ", Quote(about.policy.unit or "", 20)))
    joined: list[Phrase | str] = []
    for note in notes:
        joined += [", ", note] if joined else [note]
    return say(*joined)


def _made_of(metric: MetricResult) -> list[str]:
    """Return which statistic, reducer and budget the row is about, where they are not the usual ones."""
    notes = []
    match metric.statistic:
        case Statistic.MEAN:
            pass
        case Statistic.RELATIVE:
            notes.append("relative change")
        case Statistic.MEDIAN | Statistic.P90 | Statistic.P95 | Statistic.P99:
            notes.append(metric.statistic.value)
    match metric.reducer:
        case Reducer.MEAN:
            pass
        case Reducer.MAJORITY:
            notes.append("majority of trials")
        case Reducer.PASS_AT_K:
            notes.append(f"pass@{metric.k}")
        case Reducer.PASS_HAT_K:
            notes.append(f"pass^{metric.k}")
    if metric.budget is not None:
        notes.append(f"budget {percent(metric.budget)}")
    return notes


def before_after(about: Subject) -> str:
    """Return ``0.412 → 0.434``, the unit once."""
    if about.metric.baseline_mean is None and about.metric.candidate_mean is None:
        return NONE
    before, after = (about.figures.level(v) for v in (about.metric.baseline_mean, about.metric.candidate_mean))
    unit = about.figures.level_unit
    if unit and before.endswith(unit) and after.endswith(unit):
        before = before.removesuffix(unit)
    return f"{before}{NBSP}→ {after}"


def cleared(about: Subject) -> tuple[Phrase, Tone]:
    """Return the answer to "cleared zero?" and its tone."""
    metric = about.metric
    within = f" (within ±{about.effect})" if about.is_within_effect else ""
    match metric.state:
        case State.IMPROVED:
            return say(f"yes, better{within}"), Tone.GOOD
        case State.REGRESSED:
            return say(f"yes, worse{within}"), Tone.BAD
        case State.CHANGED:
            return say(f"yes, {'higher' if (metric.delta or 0) > 0 else 'lower'}{within}"), Tone.PLAIN
        case State.INCONCLUSIVE:
            return say(f"no{within}"), Tone.PLAIN
        case State.IDENTICAL:
            return say("no, identical"), Tone.PLAIN
        case State.TOO_SPARSE:
            return say("too few questions" if about.has_few_questions else "too few differences"), Tone.WARN
        case State.INVALID:
            return say("not comparable"), Tone.WARN


def questions_needed(about: Subject) -> str:
    """Return the suggested size for the table; a dagger where it rests on the measured change."""
    if about.metric.cleared or about.metric.state in {State.INVALID, State.IDENTICAL, State.TOO_SPARSE}:
        return NONE
    measured = about.metric.n_suggested is not None and about.metric.n_suggested_basis == "measured"
    return needed(about.metric) + (f"{NBSP}†" if measured else "")


def differing(about: Subject) -> str:
    """Return ``4 of 225 questions differ``."""
    verb = "differs" if about.metric.nonzero == 1 else "differ"
    return f"{count(about.metric.nonzero)} of {counted(about.metric.n, 'question')} {verb}"


def state_in_words(about: Subject) -> Phrase:
    """Return a clause about a metric that is not the subject of the heading: "is inconclusive, ..."."""
    metric = about.metric
    match metric.state:
        case State.IMPROVED | State.REGRESSED | State.CHANGED:
            verb = {State.IMPROVED: "got better", State.REGRESSED: "got worse"}.get(metric.state, "changed")
            return say(about.name, f" {verb}: {about.change}")
        case State.INCONCLUSIVE:
            return say(about.name, f" is inconclusive: {about.change}")
        case State.IDENTICAL:
            return say(about.name, " is the same on every question")
        case State.TOO_SPARSE:
            return say(about.name, f" cannot be judged: {differing(about)}")
        case State.INVALID:
            return say(about.name, " cannot be compared", *why(metric, before=": "))


def why(metric: MetricResult, *, before: str = "", after: str = "") -> tuple[str | Prose, ...]:
    """Return the reader's reason for `invalid` or `too-sparse`, where there is one."""
    if metric.why is None:
        return ()
    return (before, Prose(metric.why.strip().removesuffix(".")), after)
