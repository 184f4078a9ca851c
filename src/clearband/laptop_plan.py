"""One plan on a laptop: files in, the plan on standard output."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, TextIO

from clearband.laptop import output_width, put, read_policy, read_source
from clearband.planning import plan
from clearband.report.plan_text import plan_text
from clearband.terms import settle
from clearband.vocabulary import Mode

if TYPE_CHECKING:
    from pathlib import Path

    from clearband.policy import Policy
    from clearband.terms import Options


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanArguments:
    """What `clearband plan` was asked."""

    baseline: Path
    candidate: Path | None
    policy: Path | None
    suite: str
    effect: float | None
    power: float
    correlation: float
    ladder: bool
    as_json: bool
    options: Options


def plan_files(arguments: PlanArguments, *, stdout: TextIO, stderr: TextIO) -> int:
    """Plan from one file or two, say the plan, and return the exit status.

    Raises
    ------
    ClearbandError
        If a file or the policy cannot be used.

    """
    policy = None if arguments.policy is None else _policy(arguments.policy, arguments.suite)
    options = arguments.options
    terms = settle(policy=policy, declaration=None, options=options, needs_policy=False)
    labels = () if terms.policy.cluster is None else (terms.policy.cluster,)
    baseline = read_source(arguments.baseline, "baseline").run(replace(options.reading.baseline, labels=labels))
    candidate = None
    if arguments.candidate is not None:
        reading = replace(options.reading.candidate, labels=labels)
        candidate = read_source(arguments.candidate, "candidate").run(reading)
    plans = plan(
        baseline,
        candidate,
        terms,
        power=arguments.power,
        correlation=arguments.correlation,
        effect=arguments.effect,
        only=options.metrics,
        ladder=arguments.ladder,
    )
    if arguments.as_json:
        text = json.dumps([asdict(planned) for planned in plans], indent=2, allow_nan=False)
    else:
        text = plan_text(
            plans,
            power=arguments.power,
            confidence=terms.policy.confidence,
            correlation=arguments.correlation,
            width=output_width(stdout),
        )
    put(text + "\n", stdout, stderr)
    return 0


def _policy(path: Path, suite: str) -> Policy:
    # A plan gates nothing, so the policy need not say which metric would.
    return replace(read_policy(path, suite=suite), mode=Mode.REPORT)
