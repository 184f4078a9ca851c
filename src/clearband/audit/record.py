"""The record of one comparison: pure and canonical, the same bytes for the same files.

No clock, no run id, no place: those belong to the ledger entry that wraps a record. Floats carry 12 significant digits,
keys are sorted, NaN does not exist. Its schema is `record.schema.json` beside this module.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, Final

from clearband import __version__
from clearband.declaration import Declaration, DeclarationProblem, NotDeclared

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clearband.comparison import Arm, Comparison, MetricResult, Questions
    from clearband.gate import Verdict
    from clearband.policy import Policy
    from clearband.stats.family import Family
    from clearband.terms import Terms

VERSION: Final = 1
"""Version of the record's layout; a reader refuses what it does not know."""

MOST_IDS: Final = 1_000
"""Most question ids listed of one kind; the count beside them is always whole."""

Plain = dict[str, Any]


def build_record(
    *,
    suite: str,
    verdict: Verdict,
    comparison: Comparison | None,
    terms: Terms | None,
    policy: Policy | None,
    declaration: Declaration | NotDeclared | DeclarationProblem | None,
) -> Plain:
    """Return the record of one comparison as plain data with canonical floats."""
    record: Plain = _canonical(
        {
            "version": VERSION,
            "clearband": __version__,
            "suite": suite,
            "inputs": None if comparison is None else _inputs(comparison),
            "declaration": _declaration(declaration),
            "policy": _policy(terms.policy if terms is not None else policy, terms),
            "method": None if comparison is None else _method(comparison, terms),
            "metrics": [] if comparison is None else [_metric(metric) for metric in comparison.metrics],
            "family": None if comparison is None else _family(comparison.family),
            "questions": None if comparison is None else _questions(comparison.questions),
            "verdict": {
                "outcome": verdict.outcome.value,
                "exit_status": verdict.exit_status,
                "reasons": [
                    {"code": reason.code, "metric": reason.metric, "text": reason.text} for reason in verdict.reasons
                ],
            },
        }
    )
    return record


def canonical_bytes(record: Plain) -> bytes:
    """Return the record's one serialisation: sorted keys, ASCII, two-space indent, a newline at the end."""
    return (json.dumps(record, sort_keys=True, allow_nan=False, ensure_ascii=True, indent=2) + "\n").encode("ascii")


def digest(record: Plain) -> str:
    """Return the SHA-256 of the canonical bytes, in hex."""
    return hashlib.sha256(canonical_bytes(record)).hexdigest()


def _canonical(value: Any) -> Any:
    """Return `value` with every float rounded to 12 significant digits, and no negative zero."""
    match value:
        case bool() | int() | str() | None:
            return value
        case float():
            return float(f"{value:.12g}") + 0.0
        case dict():
            return {key: _canonical(inner) for key, inner in value.items()}
        case list() | tuple():
            return [_canonical(inner) for inner in value]
        case _:
            raise TypeError(f"a record holds plain data, not {type(value).__name__}")


def _inputs(comparison: Comparison) -> Plain:
    return {"baseline": _arm(comparison.baseline), "candidate": _arm(comparison.candidate)}


def _arm(arm: Arm) -> Plain:
    return {
        "name": arm.name,
        "sha256": arm.sha256,
        "format": arm.format,
        "questions": arm.questions,
        "trials": arm.trials,
        "notes": list(arm.notes),
    }


def _declaration(declaration: Declaration | NotDeclared | DeclarationProblem | None) -> Plain | None:
    """Line numbers stay out: prose around a declaration may move it without changing it."""
    match declaration:
        case None:
            return None
        case NotDeclared():
            return {"status": "not-declared", "reason": declaration.reason}
        case DeclarationProblem():
            return {"status": "problem", "reason": declaration.what}
        case Declaration():
            return {
                "status": "declared",
                "sha256": declaration.sha256,
                "primary_metric": declaration.primary_metric,
                "effect": declaration.effect,
                "require": None if declaration.require is None else declaration.require.value,
                "hypothesis": declaration.hypothesis,
                "looks": declaration.looks,
                "results_seen_before": declaration.results_seen_before,
                "reason": declaration.reason,
            }


def _policy(policy: Policy | None, terms: Terms | None) -> Plain | None:
    if policy is None:
        return None
    return {
        "sha256": policy.sha256,
        "primary": policy.primary,
        "require": (policy.require if terms is None else terms.require).value,
        "confidence": policy.confidence,
        "interval": policy.interval.value,
        "max_lost": policy.max_lost,
        "min_questions": policy.min_questions,
        "allow_changed_questions": policy.allow_changed_questions,
        "mode": policy.mode.value,
        "metrics": {
            name: {
                "direction": rules.direction.value,
                "range": rules.range,
                "unit": rules.unit,
                "margin": rules.margin,
                "effect": rules.effect,
                "role": rules.role.value,
            }
            for name, rules in (policy.metrics if terms is None else terms.metrics).items()
        },
    }


def _method(comparison: Comparison, terms: Terms | None) -> Plain:
    return {
        "interval": comparison.interval_method.value,
        "confidence": comparison.confidence,
        "n_boot": "ideal" if comparison.n_boot is None else comparison.n_boot,
        "seed": None if terms is None else terms.seed,
    }


def _metric(metric: MetricResult) -> Plain:
    return {
        "name": metric.name,
        "role": metric.role.value,
        "direction": metric.direction.value,
        "n": metric.n,
        "not_applicable": metric.not_applicable,
        "baseline_mean": metric.baseline_mean,
        "candidate_mean": metric.candidate_mean,
        "delta": metric.delta,
        "interval": metric.interval,
        "state": metric.state.value,
        "why": metric.why,
        "flags": [flag.value for flag in metric.flags],
        "cleared": metric.cleared,
        "p_two_sided": metric.p_two_sided,
        "p_better": metric.p_better,
        "p_sign_flip": metric.p_sign_flip,
        "wins": metric.wins,
        "losses": metric.losses,
        "ties": metric.ties,
        "nonzero": metric.nonzero,
        "sd": metric.sd,
        "effect": metric.effect,
        "margin": metric.margin,
        "n_to_clear": metric.n_to_clear,
        "n_suggested": metric.n_suggested,
        "n_suggested_basis": metric.n_suggested_basis,
        "mde": metric.mde,
        "lost": {
            "candidate_missing": metric.lost.candidate_missing,
            "baseline_missing": metric.lost.baseline_missing,
        },
        "worst_case": None
        if metric.worst_case_interval is None
        else {"interval": metric.worst_case_interval, "bound": metric.worst_case_is_bound},
        "monte_carlo_error": metric.monte_carlo_error,
        "seed": metric.seed,
        "exaggeration": {"at_effect": metric.exaggeration_at_effect, "at_half_measured": metric.exaggeration_at_half},
        "simultaneous_interval": metric.simultaneous_interval,
        "p_holm": metric.p_holm,
    }


def _family(together: Family | None) -> Plain | None:
    if together is None:
        return None
    return {
        "metrics": together.metrics,
        "chance_any": together.chance_any,
        "chance_any_worse": together.chance_any_worse,
        "max_t": together.critical,
    }


def _questions(questions: Questions) -> Plain:
    return {
        "paired": questions.paired,
        "added": _ids(questions.added),
        "removed": _ids(questions.removed),
        "edited": _ids(questions.edited),
        "lost": {
            "candidate_missing": _ids(questions.candidate_missing),
            "baseline_missing": _ids(questions.baseline_missing),
        },
    }


def _ids(ids: Sequence[str]) -> Plain:
    return {"count": len(ids), "ids": list(ids[:MOST_IDS])}
