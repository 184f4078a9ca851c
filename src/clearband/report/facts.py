"""The details: how it was computed, from which bytes, and the command that does it again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from clearband.declaration import Declaration
from clearband.report.drawing import drawings
from clearband.report.fact import Fact
from clearband.report.numbers import NBSP, count, counted, p_value, percent
from clearband.report.phrase import Phrase, Prose, Quote, listed, say
from clearband.vocabulary import IntervalMethod, ShowQuestions, State

if TYPE_CHECKING:
    from clearband.answers import Answer
    from clearband.comparison import Arm, Comparison
    from clearband.report.words import Subject

HASH_LIMIT = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class DetailRow:
    """The finer numbers of one metric."""

    name: Phrase
    drawing: Phrase
    n: Phrase
    nonzero: Phrase
    split: Phrase
    """Better, worse, same."""
    p: Phrase
    p_sign_flip: Phrase
    to_clear: Phrase
    detects: Phrase
    monte_carlo: Phrase
    together: Phrase
    """The interval that holds together with those of all other metrics."""
    p_holm: Phrase


def detail_rows(subjects: tuple[Subject, ...]) -> tuple[DetailRow, ...]:
    """Return the finer numbers of every metric."""
    return tuple(_row(about, drawn) for about, drawn in zip(subjects, drawings(subjects), strict=True))


def _row(about: Subject, drawn: Phrase) -> DetailRow:
    metric, alpha = about.metric, 1 - about.confidence
    is_valid = metric.state is not State.INVALID
    error = metric.monte_carlo_error
    return DetailRow(
        name=about.name,
        drawing=drawn,
        n=say(count(metric.n)),
        nonzero=say(count(metric.nonzero)),
        split=say(f"{count(metric.wins)} / {count(metric.losses)} / {count(metric.ties)}"),
        p=say(p_value(metric.p_two_sided if is_valid else None, alpha)),
        p_sign_flip=say(p_value(metric.p_sign_flip if is_valid else None, alpha)),
        to_clear=say(
            "–" if metric.n_to_clear is None or metric.cleared else _at_most_tenfold(metric.n_to_clear, metric.n)
        ),
        detects=say("–" if metric.mde is None else about.figures.about(metric.mde)),
        together=say(
            "–" if metric.simultaneous_interval is None else about.figures.interval(metric.simultaneous_interval)
        ),
        p_holm=say(p_value(metric.p_holm, alpha)),
        monte_carlo=say("–" if error is None else f"±{about.figures.about(max(error))}"),
    )


def _at_most_tenfold(number: int, n: int) -> str:
    return f">{NBSP}10×" if number > 10 * n else count(number)


def method(comparison: Comparison) -> Phrase:
    """Return how the intervals were made."""
    level = percent(comparison.confidence)
    match comparison.interval_method:
        case IntervalMethod.BOUNDED:
            return say(f"paired betting over questions on the declared ranges, {level} bounded interval, no seed.")
        case IntervalMethod.BCA:
            name = "BCa"
        case IntervalMethod.PERCENTILE | IntervalMethod.EXPANDED:
            name = comparison.interval_method.value
        case _:
            assert_never(comparison.interval_method)
    over = "questions" if comparison.cluster is None else "clusters of questions"
    how = f"paired bootstrap over {over}, {level} {name} interval"
    if comparison.n_boot is None:
        drawn = any(metric.seed is not None for metric in comparison.metrics)
        but = " Percentiles and medians alone are resampled, with a seed made from their data." if drawn else ""
        return say(how, f", computed outright: no resampling, no seed.{but}")
    seeds = {metric.seed for metric in comparison.metrics if metric.seed is not None}
    seed = f"seed {min(seeds)}" if len(seeds) == 1 else "one seed per metric, made from its data"
    more = "More resamples would steady the digits, not narrow the interval."
    return say(how, f", {counted(comparison.n_boot, 'resample')}, {seed}. {more}")


def winners_curse(primary: Subject | None) -> tuple[Fact, ...]:
    """Return how much a change of the primary that cleared would be overstated on average (Type M)."""
    if primary is None or primary.metric.state is State.INVALID:
        return ()
    metric = primary.metric
    cases = [(f"the declared {primary.effect}", metric.exaggeration_at_effect)] if metric.effect is not None else []
    cases.append(("half the measured change", metric.exaggeration_at_half))
    parts = [f"{_times(ratio)} if the true change were {truth}" for truth, ratio in cases if ratio is not None]
    if not parts:
        return ()
    return (Fact(label=say("Winner's curse"), text=say(f"a change that clears is overstated {', '.join(parts)}.")),)


def _times(ratio: float) -> str:
    return f"more than 10{NBSP}times" if ratio > 10 else f"{ratio:.1f}{NBSP}times"


def _arm(arm: Arm) -> Phrase:
    trials = f", up to {counted(arm.trials, 'trial')} each" if arm.trials > 1 else ""
    size = f", {counted(arm.questions, 'question')}{trials}, SHA-256 "
    return say(Quote(arm.name), " as ", Quote(arm.format), size, Quote(arm.sha256, HASH_LIMIT))


def facts(answer: Answer) -> tuple[Fact, ...]:
    """Return the details of a comparison, in reading order."""
    comparison = answer.comparison
    found: list[Fact] = []
    if comparison is not None:
        found += [
            Fact(label=say("Method"), text=method(comparison), is_brief=True),
            Fact(label=say("Baseline"), text=_arm(comparison.baseline)),
            Fact(label=say("Candidate"), text=_arm(comparison.candidate)),
        ]
    if answer.policy is not None and answer.policy.sha256 is not None:
        found.append(Fact(label=say("Policy"), text=say("SHA-256 ", Quote(answer.policy.sha256, HASH_LIMIT))))
    if isinstance(answer.declaration, Declaration):
        found.append(Fact(label=say("Declaration"), text=say("SHA-256 ", Quote(answer.declaration.sha256, HASH_LIMIT))))
    if comparison is not None:
        found += _which_questions(comparison, answer)
        found += [
            Fact(label=say(f"Note on the {which}"), text=say(Prose(note)), is_brief=True, is_extra=True)
            for which, arm in (("baseline", comparison.baseline), ("candidate", comparison.candidate))
            for note in arm.notes[:10]
        ]
    version = answer.record.get("clearband")
    if isinstance(version, str):
        found.append(Fact(label=say("Clearband"), text=say(Quote(version, 20))))
    return tuple(found)


def _which_questions(comparison: Comparison, answer: Answer) -> list[Fact]:
    questions = comparison.questions
    lists = (
        ("Lost, missing in the candidate", questions.candidate_missing),
        ("Lost, missing in the baseline", questions.baseline_missing),
        ("Removed", questions.removed),
        ("Edited", questions.edited),
        ("Added", questions.added),
    )
    return [
        Fact(label=say(label), text=listed(tuple(Quote(i, 40) for i in ids)), is_extra=True)
        for label, ids in lists
        if ids and answer.show_questions is ShowQuestions.IDS
    ]


def data_line(comparison: Comparison, primary: Subject | None) -> Phrase:
    """Return which questions the comparison rests on."""
    questions = comparison.questions
    lost = (len(questions.candidate_missing), len(questions.baseline_missing))
    parts = [f"{counted(questions.paired, 'question')} paired"]
    if any(lost):
        parts.append(f"lost: {count(lost[0])} in the candidate, {count(lost[1])} in the baseline")
    else:
        parts.append("none lost")
    for number, word in ((len(questions.added), "added (not compared)"), (len(questions.removed), "removed")):
        if number:
            parts.append(f"{count(number)} {word}")
    if questions.edited:
        parts.append(f"{count(len(questions.edited))} edited")
    line = say("; ".join(parts))
    if primary is not None and primary.metric.not_applicable:
        line = say(line, f"; {count(primary.metric.not_applicable)} not applicable to ", primary.name)
    return say(line, ".")


def worst_case(primary: Subject | None) -> Phrase:
    """Return the interval with every lost question counted against the candidate; empty where none is lost."""
    if primary is None or primary.metric.worst_case_interval is None or not primary.metric.lost.total:
        return say()
    lost = primary.metric.lost.total
    ends = primary.figures.interval(primary.metric.worst_case_interval)
    of_range = "the declared range" if primary.metric.worst_case_is_bound else "the observed range, no bound"
    which = "the lost question" if lost == 1 else f"all {count(lost)} lost questions"
    return say(
        f"If {which} had gone against the candidate, the interval of ",
        primary.name,
        f" would be {ends} (values from {of_range}).",
    )
