"""What `clearband init` did and what remains, as a person sees it in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clearband.report.escape import visible
from clearband.report.terminal import NARROWEST, display_width, wrapped
from clearband.scaffold import Action

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clearband.scaffold import Scaffold, Step

_PATH, _SENTENCE = 120, 1_000


def init_text(done: Scaffold, *, notes: Iterable[str], baseline_command: str, width: int) -> str:
    """Return what was written, what was left alone and why, and what a person has to do, without a newline at the end.

    Parameters
    ----------
    done
        What was decided, after it was carried out.
    notes
        What else a person should know, a sentence each.
    baseline_command
        The shell line that puts the first baseline in its place.
    width
        Columns of the terminal.

    """
    columns = max(width, NARROWEST)
    paragraphs = [
        wrapped(f"Set up for {done.tool.name}, from {visible(done.origin, _SENTENCE)}.", columns),
        "\n".join(_steps(done.steps, columns)),
        _block(done),
        _listed("To be checked:", done.checks if _writes_policy(done) else (), columns),
        _listed("Noted:", [*notes, *_others(done)], columns),
        "\n".join(_remaining(done, baseline_command, columns)),
    ]
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)


def _steps(steps: Iterable[Step], columns: int) -> Iterable[str]:
    for step in steps:
        yield from _hanging(f"{step.action.value:<12}", f"{visible(step.path, _PATH)}: {step.why}", columns)


def _block(done: Scaffold) -> str:
    if not done.block:
        return ""
    lines = "\n".join(f"    {line}" for line in done.block.splitlines())
    return f"The block to paste:\n\n{lines}"


def _writes_policy(done: Scaffold) -> bool:
    return done.steps[0].action is not Action.LEAVE


def _others(done: Scaffold) -> Iterable[str]:
    for trace in done.others:
        yield f"{trace.tool.name} was found too ({visible(trace.path, _PATH)}); --from FILE chooses by a result file."


def _remaining(done: Scaffold, baseline_command: str, columns: int) -> Iterable[str]:
    yield "What remains, by hand:"
    yield from _hanging(
        "  1. ",
        f"First baseline: evaluate the branch that pull requests are merged into, put the results at {done.baseline}, "
        "and commit them with these files:",
        columns,
    )
    yield f"       {visible(baseline_command, _SENTENCE)}"
    yield from _hanging(
        "     ",
        "The pull request that brings them gates nothing; later ones are stopped while the baseline is missing.",
        columns,
    )
    yield from _hanging(
        "  2. ",
        "Required check: once the workflow has run on a pull request, require `gate` (Settings, Rules, Rulesets, "
        "Require status checks to pass, source GitHub Actions).",
        columns,
    )
    yield from _hanging(
        "  3. ",
        "Ruleset: have changes under .github/ and of the baseline reviewed (CODEOWNERS, and Require review from Code "
        "Owners), or a pull request could rewrite the gate that judges it.",
        columns,
    )


def _listed(heading: str, items: Iterable[str], columns: int) -> str:
    lines = [line for item in items for line in _hanging("  - ", visible(item, _SENTENCE), columns)]
    return "\n".join([heading, *lines]) if lines else ""


def _hanging(first: str, text: str, columns: int) -> Iterable[str]:
    """Yield `text` behind `first`, the lines after it indented as far."""
    indent = display_width(first)
    for number, line in enumerate(wrapped(text, columns - indent).split("\n")):
        yield (" " * indent if number else first) + line
