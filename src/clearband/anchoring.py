"""The anchor: the candidate compared with a run that stays the same while baselines move on. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from clearband.comparing import compare_runs
from clearband.comparison import Anchored
from clearband.errors import UsageError
from clearband.plain_text import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clearband.results.options import ReadOptions
    from clearband.results.run import Run
    from clearband.sources import Source
    from clearband.terms import Terms


def compare_with_anchor(
    anchor: Source | None, candidate: Run, terms: Terms, *, reading: ReadOptions, only: Sequence[str]
) -> Anchored | None:
    """Compare the candidate with the anchor; None where the policy speaks of none, or only reports one that is absent.

    An anchor handed in without a policy is compared all the same and decides nothing.

    Raises
    ------
    UsageError
        The policy gates against an anchor that was not handed in, or that is another file.
    UnusableResults
        The anchor's file cannot be read or paired.

    """
    rules = terms.policy.anchor
    if anchor is None:
        if rules is None or not rules.gate:
            return None
        raise UsageError(
            f"The policy gates against the anchor {shown(rules.name)}, and no file of it was handed in",
            remedy="Name its result file: --anchor FILE, in a workflow the input `anchor`.",
        )
    run = anchor.run(reading)
    if rules is not None and rules.sha256 not in {None, run.sha256}:
        raise UsageError(
            f"{run.name} is not the anchor {shown(rules.name)}: its SHA-256 is {run.sha256}",
            remedy=f"The policy asks for {rules.sha256}. Hand in that file, or change the policy on the base branch.",
        )
    alone = replace(terms, policy=replace(terms.policy, slices=(), must_pass=()))
    compared = compare_runs(run, candidate, alone, only=only)
    return Anchored(
        name=run.name if rules is None else rules.name,
        arm=compared.baseline,
        metrics=compared.metrics,
        measurement=compared.measurement,
    )
