"""What was declared and where it was read, and the blocks to paste where something is missing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clearband.declaration import Declaration, DeclarationProblem, NotDeclared, to_paste
from clearband.report.phrase import Block, Phrase, Piece, Prose, Quote, say
from clearband.vocabulary import Direction

if TYPE_CHECKING:
    from clearband.answers import Answer
    from clearband.policy import Policy
    from clearband.report.numbers import Figures

_EASY_NAME = re.compile(r"[A-Za-z0-9_./:@+%-]{1,200}")
POLICY_PATH = ".github/clearband.yml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Paste:
    """Something to copy, and where it goes."""

    intro: Phrase
    block: Block


def declared(answer: Answer, figures: Figures | None) -> Phrase:
    """Return one sentence: what was declared, where it was read, or what the verdict is held to instead."""
    match answer.declaration:
        case Declaration():
            return _read(answer.declaration, figures)
        case NotDeclared():
            return say("Nothing declared: ", Prose(_sentence(answer.declaration.reason)), " ", _held_to(answer))
        case DeclarationProblem():
            return say()
        case None:
            return _held_to(answer)


def _sentence(text: str) -> str:
    return text.strip().removesuffix(".") + "."


def _read(declaration: Declaration, figures: Figures | None) -> Phrase:
    parts: list[Piece | Phrase] = [
        f"Declared in the description, line {declaration.line}: primary metric ",
        Quote(declaration.primary_metric),
    ]
    if declaration.effect is not None:
        effect = f"{declaration.effect:.12g}" if figures is None else figures.given(declaration.effect)
        parts.append(f", smallest effect that matters {effect}")
    if declaration.require is not None:
        parts.append(f", required: {declaration.require.value}")
    parts.append(".")
    if declaration.hypothesis:
        parts += [" Hypothesis: ", Prose(_sentence(declaration.hypothesis), 240)]
    return say(*parts)


def _held_to(answer: Answer) -> Phrase:
    terms = answer.terms
    if terms is None or terms.primary is None:
        return say()
    if answer.policy is not None and answer.policy.primary == terms.primary:
        return say("Held to the policy's primary metric, ", Quote(terms.primary), ".")
    return say("Primary metric ", Quote(terms.primary), ", named on the command line.")


def choices(policy: Policy | None, compared: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the metrics that may be declared."""
    if policy is not None and policy.metrics:
        return tuple(n for n, metric in policy.metrics.items() if metric.direction is not Direction.NEUTRAL)
    return compared


def paste_declaration(answer: Answer, compared: tuple[str, ...] = ()) -> Paste:
    """Return the declaration block and where it goes."""
    return Paste(
        intro=say("Into the description of the pull request, before the first result:"),
        block=Block(to_paste(suite=answer.suite, metrics=choices(answer.policy, compared))),
    )


def paste_policy(answer: Answer) -> Paste:
    """Return a starter policy made of the metrics that were compared."""
    metrics = answer.comparison.metrics if answer.comparison is not None else ()
    names = [metric.name for metric in metrics if _EASY_NAME.fullmatch(metric.name)][:20] or ["accuracy"]
    width = max(len(name) for name in names) + 3
    lines = [f'primary: "{names[0]}"  # what decides where a pull request declares nothing', "metrics:"]
    directions = {metric.name: metric.direction.value for metric in metrics}
    for name in names:
        key = f'"{name}":'
        lines.append(f"  {key:<{width}} {{direction: {directions.get(name, 'higher')}}}")
    if len(metrics) > len(names):
        lines.append("  # and so on, one line for each metric")
    return Paste(
        intro=say(
            "As ", Quote(POLICY_PATH), " on the base branch; correct each direction (higher, lower or neutral) by hand:"
        ),
        block=Block("\n".join(lines), "yaml"),
    )
