"""The policy that `clearband init` proposes: the starter policy with a repository's own metrics. Pure.

What a tool says is written as it says it. Everything else is a proposal and marked CHECK: which way is better is never
guessed, so a direction that nobody told stays a comment, and Clearband goes on saying what it assumes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from clearband.errors import UsageError
from clearband.inspection import Kind
from clearband.plain_text import name_problem, nearest, shown
from clearband.policy_file import METRIC_LIMIT
from clearband.vocabulary import Direction

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from clearband.inspection import Inspection, MetricInspection

EFFECT: Final = 0.02
"""Proposed for a metric from 0 to 1, as in the starter policy."""
UNKNOWN_PRIMARY: Final = "accuracy"
"""The starter policy's own metric, for tools of which no metric is known before a result is."""

_OFTEN_LOWER: Final = frozenset({
    "bias", "brier", "cer", "cost", "costs", "duration", "ece", "elapsed", "error", "errors", "hallucination",
    "latency", "loss", "mae", "ms", "mse", "nats", "nll", "perplexity", "price", "refusals", "rmse", "seconds", "ter",
    "time", "tokens", "toxicity", "usd", "wer",
})  # fmt: skip
"""Words in names of metrics that are mostly better when lower: worth a question, never an answer."""
_WORDS: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_PATHS: Final = re.compile(r"^# paths: .*$", re.MULTILINE)
_SIMPLE: Final = re.compile(r"(?!null$)[A-Za-z][A-Za-z0-9_./@-]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """What is proposed for one metric."""

    name: str
    direction: Direction | None = None
    """As the tool or the command line says; None where neither does."""
    said_by: str = ""
    """Who says it."""
    seems_lower: bool = False
    """Whether the name is one of those that are mostly better when lower."""
    is_unit: bool = False
    """Whether it goes from 0 to 1, as far as the values show."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A result file as it was read, with what a plan says of it."""

    name: str
    """The file's or folder's name."""
    tool: str
    """The tool's name, for people."""
    inspection: Inspection
    is_folder: bool


def proposed(sample: Sample, *, lower_is_better: Collection[str]) -> tuple[Metric, ...]:
    """Return the metrics of a result file that a policy can name, in the file's order.

    Raises
    ------
    UsageError
        A metric of `lower_is_better` is not in the file, or the file holds no metric at all.

    """
    found = [metric for metric in sample.inspection.metrics if metric.kind is not Kind.NONE]
    metrics = tuple(_metric(sample, metric, lower_is_better) for metric in found if not name_problem(metric.name))
    if not metrics:
        raise UsageError(
            f"{shown(sample.name)} holds no metric with a value and a name that can be written down",
            remedy="Hand in the results of a run that scored its questions; `clearband inspect` shows what was read.",
        )
    for name in lower_is_better:
        find(name, metrics, option="--lower-is-better")
    return metrics[:METRIC_LIMIT]


def find(name: str, metrics: Sequence[Metric], *, option: str) -> Metric:
    """Return the metric that an option names, or raise `UsageError`."""
    for metric in metrics:
        if metric.name == name:
            return metric
    near = nearest(name, (metric.name for metric in metrics))
    raise UsageError(
        f"{option} names {shown(name)}, which is not in the result file",
        remedy=f"Did you mean {shown(near)}?" if near else f"It holds: {listed(metrics)}.",
    )


def listed(metrics: Sequence[Metric]) -> str:
    """Return the names of the first few metrics."""
    names = ", ".join(shown(metric.name) for metric in metrics[:10])
    return f"{names} and {len(metrics) - 10} more" if len(metrics) > 10 else names


def default_primary(metrics: Sequence[Metric], missing: Sequence[int]) -> Metric:
    """Return the metric that is proposed to decide: the first one that is no cost and was scored on most questions."""
    ranked = [
        (metric.direction is Direction.LOWER or metric.seems_lower, lost, place)
        for place, (metric, lost) in enumerate(zip(metrics, missing, strict=True))
    ]
    return metrics[min(ranked)[2]]


def policy_text(
    starter: str,
    metrics: Sequence[Metric],
    primary: Metric,
    *,
    origin: str,
    paths: Sequence[str] = (),
    detects: str | None = None,
) -> str:
    """Return the text of the policy.

    Parameters
    ----------
    starter
        The shipped starter policy.
    metrics
        Every metric, the primary among them.
    primary
        The metric that decides where a pull request declares none.
    origin
        Where the metrics come from, as the end of a sentence.
    paths
        Patterns of files that may matter to the evaluation, offered as a comment: a forgotten one would not be gated.
    detects
        What today's questions detect, a sentence; None where that is not known.

    """
    _, _, optional = starter.partition("\nprimary: accuracy\n")
    optional, _, _ = optional.partition("\n# Every metric a pull request may declare.")
    optional = optional.replace("#   - metric: accuracy\n", f"#   - metric: {_key(primary.name)}\n")
    if paths:
        shown_paths = ", ".join(f'"{path}"' for path in paths)
        optional = _PATHS.sub(lambda _: f"# paths: [{shown_paths}] # CHECK: what is not named is not gated", optional)
    lines = [
        f"# The policy of this repository's evaluations, proposed by `clearband init` from {origin}.",
        "# It is read from the branch that pull requests are merged into: a pull request cannot change the rules it is",
        "# judged by. Lines with CHECK are proposals: correct them, and remove the word. Other lines that begin with",
        "# `# ` and a key are optional. All keys: docs/policy.md of Clearband.",
        "",
        "# CHECK: the metric that decides where a pull request declares none, spelled as in the result files.",
        f"primary: {_key(primary.name)}",
        *optional.splitlines(),
        "",
        "# Every metric a pull request may declare. Which way is better is said here and never guessed from a name;",
        "# where this file and the tool are silent, `higher` is assumed, and every comment says so.",
        "metrics:",
    ]
    for metric in metrics:
        lines += _metric_lines(metric, is_primary=metric is primary, detects=detects)
    return "\n".join(lines) + "\n"


def checks(metrics: Sequence[Metric], primary: Metric, *, is_read: bool) -> tuple[str, ...]:
    """Return what a person should look at, a sentence each; `is_read`: whether the metrics come from a result file."""
    untold = [metric for metric in metrics if metric.direction is None]
    costs = [metric for metric in untold if metric.seems_lower]
    said = [f"The primary metric is {shown(primary.name)}: is it the number that should decide?"]
    if not is_read:
        said.append("No result file was read: `clearband init --from FILE --force` takes all metrics from one.")
    if untold:
        said.append(f"Nobody said which way is better for {listed(untold)}: uncomment or correct `direction`.")
    if costs:
        said.append(f"By the name, lower may be better for {listed(costs)}.")
    if primary.is_unit:
        said.append(f"`effect` is {EFFECT:g} for {shown(primary.name)}: is that the smallest change that matters?")
    else:
        said.append(f"{shown(primary.name)} has no `effect` yet, the smallest change that matters.")
    return tuple(said)


def _metric(sample: Sample, metric: MetricInspection, lower_is_better: Collection[str]) -> Metric:
    values = sample.inspection.run.metrics[metric.name]
    is_named = metric.name in lower_is_better
    words = {word.casefold() for word in _WORDS.findall(metric.name)}
    # A single 0 or 1 shows no scale; a duration below a second has none that ends at 1.
    reaches_both = bool(np.nanmin(values) == 0.0 and np.nanmax(values) == 1.0)
    return Metric(
        name=metric.name,
        direction=Direction.LOWER if is_named else metric.direction,
        said_by="the command line" if is_named else sample.tool,
        seems_lower=bool(words & _OFTEN_LOWER),
        is_unit=metric.kind is Kind.BINARY or (reaches_both and metric.direction is not Direction.LOWER),
    )


def _metric_lines(metric: Metric, *, is_primary: bool, detects: str | None) -> list[str]:
    lines = [f"  {_key(metric.name)}:"]
    if metric.direction is not None:
        lines.append(f"    direction: {metric.direction} # as {metric.said_by} says")
    elif metric.seems_lower:
        lines.append("    # direction: lower # CHECK: the name suggests it, nobody said it; higher, lower or neutral")
    else:
        lines.append("    # direction: higher # CHECK: nobody said it; higher, lower or neutral")
    if metric.is_unit:
        lines.append("    range: [0, 1] # CHECK: the smallest and the largest possible value")
    if is_primary:
        hint = f"; {detects}" if detects else ""
        commented = "" if metric.is_unit else "# "
        lines.append(f"    {commented}effect: {EFFECT:g} # CHECK: the smallest change that matters{hint}")
    return lines


def _key(name: str) -> str:
    """Return a metric's name as YAML: plain where nothing in it could mean anything, else in double quotes."""
    if _SIMPLE.fullmatch(name):
        return name
    quoted = name.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(sign if sign.isprintable() else f"\\U{ord(sign):08x}" for sign in quoted) + '"'
