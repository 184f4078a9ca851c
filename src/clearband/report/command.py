"""The command that makes a comparison again, to be pasted into a shell."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Final

from clearband.report.declared import POLICY_PATH
from clearband.report.phrase import Block
from clearband.vocabulary import Direction

if TYPE_CHECKING:
    from clearband.answers import Answer
    from clearband.comparison import Comparison
    from clearband.policy import Policy
    from clearband.terms import Terms

_SHELL_SAFE: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._@+/:%-]{0,80}")


def command(answer: Answer) -> Block | None:
    """Return the command that makes this comparison again, given the same files."""
    comparison, terms = answer.comparison, answer.terms
    if comparison is None or terms is None:
        return None
    parts = ["clearband", "compare", *_files(comparison), *_rules(comparison, terms, answer.policy)]
    return Block(shlex.join([*parts, *_method(comparison, terms, answer.policy)]), "sh")


def _files(comparison: Comparison) -> list[str]:
    parts = [_safe(comparison.baseline.name, "baseline-file"), _safe(comparison.candidate.name, "candidate-file")]
    if comparison.anchored is not None:
        parts += ["--anchor", _safe(comparison.anchored.arm.name, "anchor-file")]
    return parts


def _rules(comparison: Comparison, terms: Terms, policy: Policy | None) -> list[str]:
    """Return what decides, as far as the policy file does not say it."""
    parts = []
    if policy is not None and policy.sha256 is not None:
        parts += ["--policy", POLICY_PATH]
    if terms.primary is not None and (policy is None or policy.primary != terms.primary):
        parts += ["--primary", _safe(terms.primary, "primary-metric")]
    primary = comparison.primary
    agreed = policy.metrics.get(terms.primary) if policy is not None and terms.primary is not None else None
    stated = agreed.effect if agreed is not None else None
    if primary is not None and primary.effect is not None and primary.effect != stated:
        parts += ["--effect", f"{primary.effect:.12g}"]
    for metric in comparison.metrics:
        known = policy is not None and metric.name in policy.metrics
        if metric.direction is Direction.LOWER and not known:
            parts += ["--lower-is-better", _safe(metric.name, "metric")]
    return parts


def _method(comparison: Comparison, terms: Terms, policy: Policy | None) -> list[str]:
    parts = []
    default = 0.95 if policy is None else policy.confidence
    if comparison.confidence != default:
        parts += ["--confidence", f"{comparison.confidence:.12g}"]
    if comparison.n_boot is not None:
        parts += ["--n-boot", str(comparison.n_boot)]
    if terms.seed is not None:
        parts += ["--seed", str(terms.seed)]
    return parts


def _safe(name: str, instead: str) -> str:
    """Return a name that a shell takes as it is, or a word that says what belongs there.

    A command is there to be pasted: whoever names a file or a metric must not be able to write a part of it.
    """
    return name if _SHELL_SAFE.fullmatch(name) else instead
