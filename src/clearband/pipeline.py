"""The way through the house: result bytes, policy and declaration in; comparison, verdict and record out. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from clearband.anchoring import compare_with_anchor
from clearband.answers import Answer, unusable
from clearband.audit.asked import Asked
from clearband.audit.record import build_record
from clearband.comparing import compare_runs
from clearband.declaration import Declaration
from clearband.errors import ClearbandError, UsageError
from clearband.gate import hold_to_first, judge
from clearband.looks import Look, look
from clearband.plain_text import DEFAULT_SUITE
from clearband.results.options import PairOptions
from clearband.terms import settle
from clearband.verdict import Reason, Verdict
from clearband.vocabulary import Outcome, Role, ShowQuestions, Standing

if TYPE_CHECKING:
    from collections.abc import Callable

    from clearband.answers import Declared
    from clearband.policy import Policy
    from clearband.registration import Registration
    from clearband.results.run import Run
    from clearband.sources import Filled, Pooled, Source
    from clearband.terms import Options, Terms


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Everything one comparison needs, already read."""

    suite: str = DEFAULT_SUITE
    baseline: Source | Filled | Pooled
    candidate: Source | Filled | Pooled
    anchor: Source | None = None
    """The run that the policy's `anchor` speaks of; None where none was handed in."""
    policy: Policy | None
    """None where there is none: on a laptop without --policy, or a repository that is not set up yet."""
    declaration: Declared | None
    """None where no pull request's body was read."""
    options: Options
    judgements: Source | None = None
    """One file of pairwise judgements that takes the place of both result files; None where there are two."""
    registration: Registration | None = None
    """What can be shown about when the declaration was made; None on a laptop."""
    earlier_candidates: tuple[str, ...] | None = None
    """SHA-256 of the candidates compared before under the same declaration; None where nobody counts."""
    show_questions: ShowQuestions = ShowQuestions.IDS
    """Whether questions are named, or only counted."""
    needs_policy: bool = False
    """In a repository (the Action) a missing policy means "not set up yet"; on a laptop it means nothing."""


def answer(request: Request, *, progress: Callable[[str, float], None] | None = None) -> Answer:
    """Read, pair, compare, judge and record; whatever is unusable becomes an `Answer` with exit status 3.

    Parameters
    ----------
    request
        Everything handed in.
    progress
        Called with what is being done and the share done.

    """
    terms = None
    try:
        terms = settle(
            policy=request.policy,
            declaration=request.declaration,
            options=request.options,
            needs_policy=request.needs_policy,
            exploratory=request.registration is not None and request.registration.is_exploratory,
        )
        baseline, candidate = _runs(request, terms)
        terms = replace(terms, look=_look(request, candidate))
        _check_names(baseline, candidate, terms, request.options)
        comparison = compare_runs(baseline, candidate, terms, only=request.options.metrics, progress=progress)
        anchored = compare_with_anchor(
            request.anchor, candidate, terms, reading=request.options.reading.baseline, only=request.options.metrics
        )
        comparison = replace(comparison, anchored=anchored)
    except ClearbandError as problem:
        return unusable(
            problem, suite=request.suite, policy=request.policy, declaration=request.declaration, terms=terms
        )
    verdict = judge(comparison, terms)
    if request.registration is not None and request.registration.standing is Standing.AMENDED:
        verdict = _amended(request, request.registration, verdict, terms, (baseline, candidate))
    return Answer(
        suite=request.suite,
        verdict=verdict,
        comparison=comparison,
        terms=terms,
        policy=request.policy,
        declaration=request.declaration,
        problem=None,
        show_questions=request.show_questions,
        registration=request.registration,
        record=build_record(
            suite=request.suite,
            verdict=verdict,
            comparison=comparison,
            terms=terms,
            policy=request.policy,
            declaration=request.declaration,
            registration=request.registration,
            show=request.show_questions,
            asked=Asked(
                policy=request.policy,
                options=request.options,
                needs_policy=request.needs_policy,
                pairwise=request.judgements is not None,
                show_questions=request.show_questions,
                look=None if terms.look is None else terms.look.number,
            ),
        ),
    )


def _look(request: Request, candidate: Run) -> Look | None:
    if request.earlier_candidates is None:
        return None
    planned = request.declaration.looks if isinstance(request.declaration, Declaration) else None
    return look(request.earlier_candidates, candidate.sha256, planned=planned)


def _amended(
    request: Request, registration: Registration, verdict: Verdict, terms: Terms, runs: tuple[Run, Run]
) -> Verdict:
    """Judge again under the registered declaration: an amendment never gets rid of what was declared first."""
    registered = registration.registered
    if registered is None:
        return verdict
    try:
        first_terms = settle(
            policy=request.policy, declaration=registered, options=request.options, needs_policy=request.needs_policy
        )
        first = judge(compare_runs(*runs, first_terms, only=request.options.metrics), first_terms)
    except ClearbandError as problem:
        reason = Reason(code=problem.code, metric=None, text=problem.what, outcome=Outcome.INVALID)
        first = Verdict(outcome=Outcome.INVALID, reasons=(reason,))
    return hold_to_first(verdict, first, metric=registered.primary_metric, terms=terms)


def _runs(request: Request, terms: Terms) -> tuple[Run, Run]:
    """Read both arms, with the fields that the policy uses as labels."""
    both = request.options.reading
    reading = PairOptions(
        baseline=replace(both.baseline, labels=terms.policy.labels),
        candidate=replace(both.candidate, labels=terms.policy.labels),
    )
    if request.judgements is not None:
        from clearband.results import pairwise  # noqa: PLC0415  brings the readers of every table

        return pairwise.read(request.judgements.name, request.judgements.data, reading)
    return request.baseline.run(reading.baseline), request.candidate.run(reading.candidate)


def _check_names(baseline: Run, candidate: Run, terms: Terms, options: Options) -> None:
    """Refuse options that name what is not there, or leave out what decides."""
    there = {**baseline.metrics, **candidate.metrics}
    for name in options.lower_is_better:
        if name not in there:
            raise UsageError(
                f"--lower-is-better names {name!r}, which neither file holds",
                remedy="Metrics there are: " + ", ".join(map(repr, list(there)[:12])),
            )
    if not options.metrics:
        return
    deciding = {name for name, rules in terms.metrics.items() if rules.role is not Role.EXPLORATORY}
    deciding.update(rule.metric for rule in terms.policy.must_pass)
    for name in sorted(deciding.intersection(there) - set(options.metrics)):
        raise UsageError(
            f"--metric leaves out {name!r}, which decides", remedy=f"Add --metric {name!r}, or leave --metric out."
        )
