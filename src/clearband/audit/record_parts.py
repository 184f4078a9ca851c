"""The parts of a record that come in lists: metrics, slices, must-pass rules, and the rules that held."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clearband.vocabulary import ShowQuestions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clearband.comparison import MetricResult, MustPassResult, SliceResult
    from clearband.policy import Policy
    from clearband.stats.family import Family
    from clearband.terms import Terms

Plain = dict[str, Any]

MOST_IDS: Final = 1_000
"""Most question ids listed of one kind; the count beside them is always whole."""


def policy_part(policy: Policy | None, terms: Terms | None) -> Plain | None:
    """Return the rules that held, with the declaration's put in; None where there was no policy."""
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
        "on_lost": policy.on_lost.value,
        "cluster": policy.cluster,
        "slices": list(policy.slices),
        "min_slice": policy.min_slice,
        "slice_guardrails": policy.slice_guardrails,
        "must_pass": [
            {
                "metric": rule.metric,
                "ids": ids_part(rule.ids),
                "field": rule.field,
                "value": rule.value,
                "passes_at": rule.passes_at,
            }
            for rule in policy.must_pass
        ],
        "varies": sorted(field.value for field in policy.varies),
        "mode": policy.mode.value,
        "paths": list(policy.paths),
        "max_looks": policy.max_looks,
        "anchor": None
        if policy.anchor is None
        else {"name": policy.anchor.name, "sha256": policy.anchor.sha256, "gate": policy.anchor.gate},
        "baseline_commit": policy.baseline_commit.value,
        "baseline_runs": policy.baseline_runs.value,
        "baseline_missing": policy.baseline_missing.value,
        "comment_template": policy.comment_template,
        "ledger": policy.ledger.value,
        "override_by_author": policy.override_by_author,
        "show_questions": None if policy.show_questions is None else policy.show_questions.value,
        "metrics": {
            name: {
                "direction": rules.direction.value,
                "range": rules.range,
                "unit": rules.unit,
                "margin": rules.margin,
                "effect": rules.effect,
                "statistic": rules.statistic.value,
                "budget": rules.budget,
                "reducer": rules.reducer.value,
                "k": rules.k,
                "directed": rules.directed,
                "role": rules.role.value,
            }
            for name, rules in (policy.metrics if terms is None else terms.metrics).items()
        },
    }


def metric_part(metric: MetricResult) -> Plain:
    """Return everything that was computed about one metric."""
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
        else {
            "interval": metric.worst_case_interval,
            "bound": metric.worst_case_is_bound,
            "state": None if metric.worst_case_state is None else metric.worst_case_state.value,
            "flags": [flag.value for flag in metric.worst_case_flags],
        },
        "monte_carlo_error": metric.monte_carlo_error,
        "seed": metric.seed,
        "exaggeration": {"at_effect": metric.exaggeration_at_effect, "at_half_measured": metric.exaggeration_at_half},
        "simultaneous_interval": metric.simultaneous_interval,
        "p_holm": metric.p_holm,
        "statistic": metric.statistic.value,
        "reducer": metric.reducer.value,
        "k": metric.k,
        "directed": metric.directed,
        "budget": metric.budget,
        "clusters": None
        if metric.clustered is None
        else {
            "clusters": metric.clustered.clusters,
            "nonzero": metric.clustered.nonzero,
            "design_effect": metric.clustered.design_effect,
        },
        "trials": None
        if metric.trial_split is None
        else {
            "baseline": metric.trial_split.baseline_trials,
            "candidate": metric.trial_split.candidate_trials,
            "variance_between": metric.trial_split.between,
            "variance_within": metric.trial_split.within,
            "suggested": metric.trial_split.trials_suggested,
        },
    }


def family_part(together: Family | None) -> Plain | None:
    """Return what the metrics would do together by chance."""
    if together is None:
        return None
    return {
        "metrics": together.metrics,
        "chance_any": together.chance_any,
        "chance_any_worse": together.chance_any_worse,
        "max_t": together.critical,
    }


def slice_part(result: SliceResult) -> Plain:
    """Return one metric on one slice."""
    return {
        "field": result.field,
        "value": result.value,
        "metric": result.metric,
        "n": result.n,
        "baseline_mean": result.baseline_mean,
        "candidate_mean": result.candidate_mean,
        "delta": result.delta,
        "interval": result.interval,
        "state": result.state.value,
        "why": result.why,
        "p_two_sided": result.p_two_sided,
        "beyond_margin": result.beyond_margin,
        "p_holm": result.p_holm,
        "worse": result.worse,
    }


def must_pass_part(result: MustPassResult, show: ShowQuestions) -> Plain:
    """Return what became of one must-pass rule."""
    return {
        "metric": result.metric,
        "questions": result.questions,
        "n": result.n,
        "newly_failing": ids_part(result.newly_failing, show),
        "cannot_tell": ids_part(result.cannot_tell, show),
    }


def ids_part(ids: Sequence[str], show: ShowQuestions = ShowQuestions.IDS) -> Plain:
    """Return how many questions there are, and the first of them where they may be named."""
    return {"count": len(ids), "ids": list(ids[:MOST_IDS]) if show is ShowQuestions.IDS else None}
