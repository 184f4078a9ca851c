"""An answer as everything a person will see, still without Markdown or colour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clearband.declaration import NotDeclared
from clearband.plain_text import DEFAULT_SUITE
from clearband.report.advice import also, by_chance, next_step, undeclared_cleared, without_primary
from clearband.report.anchor_text import anchor_facts, anchor_line
from clearband.report.command import command
from clearband.report.data_facts import data_facts
from clearband.report.declared import Paste, declared, paste_declaration
from clearband.report.facts import DetailRow, data_line, detail_rows, facts, winners_curse, worst_case
from clearband.report.headline import headline
from clearband.report.ledger_text import ledger_facts, not_recorded
from clearband.report.meaning import meaning
from clearband.report.numbers import NBSP, percent
from clearband.report.override_text import let_through, not_held, override_facts
from clearband.report.phrase import Block, Phrase, Prose, Quote, say
from clearband.report.problems import trouble
from clearband.report.registration_text import registered, registration_facts
from clearband.report.setting_up import setting_up
from clearband.report.slices_text import SliceRow, slice_line, slice_rows
from clearband.report.special import promises, special
from clearband.report.words import Subject, Tone, before_after, cleared, label, questions_needed, subject
from clearband.vocabulary import Outcome, Requirement, Role, Standing

if TYPE_CHECKING:
    from clearband.answers import Answer
    from clearband.comparison import Comparison
    from clearband.report.fact import Fact
    from clearband.verdict import Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricRow:
    """One metric in the table that everybody reads."""

    name: Phrase
    label: Phrase
    is_primary: bool
    is_decisive: bool
    """Whether this metric made the verdict what it is."""
    before_after: Phrase
    change: Phrase
    cleared: Phrase
    tone: Tone
    needed: Phrase


@dataclass(frozen=True, slots=True, kw_only=True)
class CommentView:
    """Everything that is shown of one answer, in reading order; empty phrases are left out."""

    suite: Phrase
    symbol: Phrase
    tone: Tone
    headline: Phrase
    merge: Phrase
    because: Phrase
    also: Phrase
    promises: tuple[Phrase, ...]
    """Must-pass rules that are broken or cannot be told."""
    next_step: Phrase
    remedy_block: Block | None
    declared: Phrase
    registration_warning: Phrase
    registration: Phrase
    """What can be shown about when it was declared, and which look this is."""
    pastes: tuple[Paste, ...]
    """Shown open: without them nothing goes on."""
    confidence: Phrase
    rows: tuple[MetricRow, ...]
    has_measured_sizes: bool
    undeclared_cleared: Phrase
    by_chance: Phrase
    data: Phrase
    worst_case: Phrase
    anchor: Phrase
    slice_line: Phrase
    slice_rows: tuple[SliceRow, ...]
    detail_rows: tuple[DetailRow, ...]
    has_drawings: bool
    has_monte_carlo: bool
    has_family: bool
    facts: tuple[Fact, ...]
    reasons: tuple[Phrase, ...]
    hints: tuple[Paste, ...]
    """Shown folded: useful the next time."""
    command: Block | None


def view(answer: Answer) -> CommentView:
    """Return everything to show of `answer`."""
    if answer.comparison is None:
        return _without_comparison(answer)
    return _with_comparison(answer, answer.comparison)


def _suite(answer: Answer) -> Phrase:
    return say() if answer.suite == DEFAULT_SUITE else say("Suite ", Quote(answer.suite), ". ")


def _without_comparison(answer: Answer) -> CommentView:
    words = trouble(answer)
    is_gated = answer.verdict.outcome not in {Outcome.NOT_GATED, Outcome.PASS}
    return CommentView(
        suite=_suite(answer),
        symbol=say("⚠️" if is_gated else "ℹ️"),
        tone=Tone.WARN if is_gated else Tone.PLAIN,
        headline=words.headline,
        merge=words.merge,
        because=words.because,
        also=say(),
        promises=(),
        next_step=words.remedy,
        remedy_block=words.remedy_block,
        declared=say(),
        registration_warning=say(),
        registration=say(),
        pastes=words.pastes,
        confidence=say(),
        rows=(),
        has_measured_sizes=False,
        undeclared_cleared=say(),
        by_chance=say(),
        data=say(),
        worst_case=say(),
        anchor=say(),
        slice_line=say(),
        slice_rows=(),
        detail_rows=(),
        has_drawings=False,
        has_monte_carlo=False,
        has_family=False,
        facts=facts(answer),
        reasons=(),
        hints=(),
        command=None,
    )


def _with_comparison(answer: Answer, comparison: Comparison) -> CommentView:
    terms, verdict = answer.terms, answer.verdict
    subjects = tuple(subject(metric, terms, comparison.confidence) for metric in comparison.metrics)
    primary = next((s for s in subjects if s.metric.role is Role.PRIMARY), None)
    gated = (s for s in subjects if s.metric.role is not Role.EXPLORATORY)
    blamed = tuple(s for s in gated if s.metric.name in verdict.deciding)
    names = tuple(s.metric.name for s in subjects)
    same_bytes = comparison.baseline.sha256 == comparison.candidate.sha256
    first = headline(verdict, primary, blamed)
    title = first.text
    merge, because = meaning(
        verdict,
        require=terms.require if terms is not None else Requirement.NO_REGRESSION,
        primary=primary,
        blamed=blamed,
        same_bytes=same_bytes,
        if_gated=verdict.if_gated if terms is not None and terms.primary is not None else None,
    )
    speaker = blamed[0] if blamed else primary
    if speaker is None:
        advice = without_primary(verdict.outcome)
    else:
        advice = next_step(speaker, verdict.outcome, same_bytes=same_bytes)
    instead = special(verdict, comparison, subjects)
    if instead is not None:
        title, merge, because, advice = instead.headline, instead.merge, instead.because, instead.next_step
    is_set_up = terms is None or terms.set_up
    pastes: tuple[Paste, ...] = ()
    if not is_set_up:
        new = setting_up(answer, names)
        title, merge, because, advice, pastes = new.headline, new.merge, say(), new.next_step, new.pastes
    symbol, tone = first.symbol, first.tone
    if answer.override is not None:
        symbol, tone = "🟡", Tone.WARN
        title, merge, because = (
            say("Overridden. ", title),
            let_through(answer.override),
            say("Without the override: ", merge),
        )
        advice = say("mend what it shows in the next change; the override ends with the next commit.")
    first_declared = _first_declared(answer)
    rows = tuple(_row(s, is_decisive=s in blamed, is_first=s.metric.name == first_declared) for s in subjects)
    details = detail_rows(subjects)
    when = registered(answer)
    return CommentView(
        suite=_suite(answer),
        symbol=say(symbol),
        tone=tone,
        headline=title,
        merge=merge,
        because=because,
        also=also(primary, blamed),
        promises=(*not_recorded(answer), *not_held(answer), *promises(comparison, answer.show_questions)),
        next_step=advice,
        remedy_block=None,
        declared=declared(answer, primary.figures if primary is not None else None),
        registration_warning=when.warning,
        registration=when.text,
        pastes=pastes,
        confidence=say(percent(comparison.confidence)),
        rows=rows,
        has_measured_sizes=any("†" in str(row.needed.pieces) for row in rows),
        undeclared_cleared=undeclared_cleared(tuple(s for s in subjects if s.metric.name != first_declared), primary),
        by_chance=by_chance(comparison),
        data=say(
            data_line(comparison, primary), *(piece for note in answer.notes for piece in (" ", Prose(note, 400)))
        ),
        worst_case=worst_case(primary),
        anchor=anchor_line(comparison, terms),
        slice_line=slice_line(comparison, primary),
        slice_rows=slice_rows(comparison, subjects, least=30 if terms is None else terms.policy.min_slice),
        detail_rows=details,
        has_drawings=any(row.drawing for row in details),
        has_monte_carlo=comparison.n_boot is not None,
        has_family=comparison.family is not None,
        facts=(
            *winners_curse(primary),
            *registration_facts(answer.registration),
            *override_facts(answer),
            *ledger_facts(answer),
            *anchor_facts(comparison, terms),
            *data_facts(comparison, subjects, primary),
            *facts(answer),
        ),
        reasons=tuple(_reason(reason) for reason in verdict.reasons[:20]) if len(verdict.reasons) > 1 else (),
        hints=(paste_declaration(answer, names),) if is_set_up and isinstance(answer.declaration, NotDeclared) else (),
        command=command(answer),
    )


def _first_declared(answer: Answer) -> str | None:
    """Return the primary metric of a declaration that was changed after results existed."""
    registration = answer.registration
    if registration is None or registration.registered is None or registration.standing is not Standing.AMENDED:
        return None
    return registration.registered.primary_metric


def _row(about: Subject, *, is_decisive: bool, is_first: bool) -> MetricRow:
    word, tone = cleared(about)
    notes = label(about)
    if is_first:
        notes = say(notes, ", " if notes else "", "declared first")
    return MetricRow(
        name=about.name,
        label=notes,
        is_primary=about.metric.role is Role.PRIMARY,
        is_decisive=is_decisive,
        before_after=say(before_after(about)),
        change=say(about.change.replace(f",{NBSP}", ", ")),  # a phone shows four columns if this one may break
        cleared=word,
        tone=tone,
        needed=say(questions_needed(about)),
    )


def _reason(reason: Reason) -> Phrase:
    return say(Quote(reason.metric), ": ", Prose(reason.text)) if reason.metric else say(Prose(reason.text))
