"""The record of one comparison: pure and canonical, the same bytes for the same files.

No clock, no run id, no place: those belong to the ledger entry that wraps a record. Floats carry 12 significant digits,
keys are sorted, NaN does not exist. Its schema is `record.schema.json` beside this module.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, Final

from clearband import __version__
from clearband.audit.asked import Asked, asked_part
from clearband.audit.record_parts import (
    Plain,
    family_part,
    ids_part,
    metric_part,
    must_pass_part,
    policy_part,
    slice_part,
)
from clearband.declaration import Declaration, DeclarationProblem, NotDeclared
from clearband.vocabulary import ShowQuestions

if TYPE_CHECKING:
    from clearband.comparison import Anchored, Arm, Comparison, MeasurementLine, Questions
    from clearband.policy import Policy
    from clearband.registration import Registration
    from clearband.terms import Terms
    from clearband.verdict import Verdict

VERSION: Final = 1
"""Version of the record's layout; a reader refuses what it does not know."""


def build_record(
    *,
    suite: str,
    verdict: Verdict,
    comparison: Comparison | None,
    terms: Terms | None,
    policy: Policy | None,
    declaration: Declaration | NotDeclared | DeclarationProblem | None,
    registration: Registration | None,
    asked: Asked | None = None,
    show: ShowQuestions = ShowQuestions.IDS,
) -> Plain:
    """Return the record of one comparison as plain data with canonical floats."""
    record: Plain = _canonical(
        {
            "version": VERSION,
            "clearband": __version__,
            "suite": suite,
            "asked": asked_part(asked),
            "inputs": None if comparison is None else _inputs(comparison),
            "declaration": _declaration(declaration),
            "registration": _registration(registration),
            "policy": policy_part(terms.policy if terms is not None else policy, terms),
            "method": None if comparison is None else _method(comparison, terms),
            "metrics": [] if comparison is None else [metric_part(metric) for metric in comparison.metrics],
            "slices": [] if comparison is None else [slice_part(result) for result in comparison.slices],
            "must_pass": []
            if comparison is None
            else [must_pass_part(result, show) for result in comparison.must_pass],
            "measurement": [] if comparison is None else [_measurement(line) for line in comparison.measurement],
            "family": None if comparison is None else family_part(comparison.family),
            "anchor": None if comparison is None else _anchored(comparison.anchored),
            "questions": None if comparison is None else _questions(comparison.questions, show),
            "verdict": {
                "outcome": verdict.outcome.value,
                "exit_status": verdict.exit_status,
                "reasons": [
                    {
                        "code": reason.code,
                        "metric": reason.metric,
                        "text": reason.text,
                        "outcome": reason.outcome.value,
                    }
                    for reason in verdict.reasons
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
        "key": arm.key,
        "by_position": arm.by_position,
        "filled": arm.filled,
        "filler_sha256": arm.filler_sha256,
        "notes": list(arm.notes),
    }


def _anchored(anchored: Anchored | None) -> Plain | None:
    if anchored is None:
        return None
    return {
        "name": anchored.name,
        "input": _arm(anchored.arm),
        "metrics": [metric_part(metric) for metric in anchored.metrics],
        "measurement": [_measurement(line) for line in anchored.measurement],
    }


def _measurement(line: MeasurementLine) -> Plain:
    return {
        "field": line.field.value,
        "baseline": line.baseline,
        "candidate": line.candidate,
        "differs": line.differs,
        "may_vary": line.may_vary,
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
                "guardrails": list(declaration.guardrails),
                "hypothesis": declaration.hypothesis,
                "looks": declaration.looks,
                "results_seen_before": declaration.results_seen_before,
                "reason": declaration.reason,
            }


def _registration(registration: Registration | None) -> Plain | None:
    """Only what the verdict rests on; the times that show it belong to the ledger's entry."""
    if registration is None:
        return None
    return {
        "standing": registration.standing.value,
        "registrar": registration.registrar.value,
        "registered": None if registration.registered is None else _declaration(registration.registered),
    }


def _method(comparison: Comparison, terms: Terms | None) -> Plain:
    return {
        "interval": comparison.interval_method.value,
        "confidence": comparison.confidence,
        "n_boot": "ideal" if comparison.n_boot is None else comparison.n_boot,
        "cluster": comparison.cluster,
        "seed": None if terms is None else terms.seed,
    }


def _questions(questions: Questions, show: ShowQuestions) -> Plain:
    return {
        "set_sha256": questions.set_sha256,
        "paired": questions.paired,
        "added": ids_part(questions.added, show),
        "removed": ids_part(questions.removed, show),
        "edited": ids_part(questions.edited, show),
        "lost": {
            "candidate_missing": ids_part(questions.candidate_missing, show),
            "baseline_missing": ids_part(questions.baseline_missing, show),
        },
    }
