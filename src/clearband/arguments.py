"""The command line's words: commands, options, and what may stand behind them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import NoReturn

from clearband import __version__
from clearband.arguments_audit import add_audit
from clearband.arguments_init import add_init
from clearband.errors import UsageError
from clearband.plain_text import DEFAULT_SUITE, SUITE_NAME
from clearband.vocabulary import IntervalMethod

EXIT_STATUS = """exit status:
  0  pass, or nothing was gated
  1  blocked: a gated metric regressed
  2  cannot tell: the comparison does not show what was asked of it
  3  unusable: a file, the policy, the declaration or the command line
"""


class Parser(argparse.ArgumentParser):
    """A parser whose usage errors are ours: argparse's own exit status 2 means "cannot tell" here."""

    def error(self, message: str) -> NoReturn:
        """Raise what is wrong with the command line."""
        raise UsageError(f"{self.prog}: {message}", remedy=f"See {self.prog} --help.")


def parser() -> Parser:
    """Return the parser of the whole command line."""
    parser = Parser(
        prog="clearband",
        description="Did your change clear the noise band? Paired bootstrap over the questions of an evaluation.",
    )
    parser.add_argument("--version", action="version", version=f"clearband {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=Parser)
    _add_compare(commands)
    _add_plan(commands)
    _add_inspect(commands)
    add_init(commands)
    add_audit(commands, Parser)
    commands.add_parser(
        "action",
        help="run as a GitHub Action, from GitHub's environment",
        description="Run as a GitHub Action: inputs, event and token come from the environment.",
    )
    return parser


def _add_compare(commands: argparse._SubParsersAction[Parser]) -> None:
    compare = commands.add_parser(
        "compare",
        help="compare two result files",
        description="Compare a candidate's results with a baseline's, question by question, on every metric.",
        epilog=EXIT_STATUS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    compare.add_argument(
        "baseline", type=Path, metavar="BASELINE", help="results of the system as it is: file, zip or folder"
    )
    compare.add_argument(
        "candidate", type=Path, nargs="?", metavar="CANDIDATE", help="results of the system as changed"
    )
    gate = compare.add_argument_group("what decides")
    gate.add_argument("--primary", metavar="NAME", help="the primary metric; without it or a policy, nothing is gated")
    gate.add_argument("--policy", type=Path, metavar="FILE", help="policy file, such as .github/clearband.yml")
    gate.add_argument("--pr-body", type=Path, metavar="FILE", help="saved pull-request text that holds the declaration")
    gate.add_argument("--suite", type=_suite, default=DEFAULT_SUITE, metavar="NAME", help="whose declaration and rules")
    gate.add_argument("--effect", type=_positive, metavar="X", help="smallest change of the primary that matters")
    gate.add_argument(
        "--lower-is-better", action="append", default=[], metavar="NAME", help="direction of a metric (repeatable)"
    )
    gate.add_argument(
        "--aa",
        action="store_true",
        help="CANDIDATE re-runs BASELINE: say how steady the evaluation is",
    )
    data = compare.add_argument_group("what is read")
    _add_reading(data, pair=True)
    data.add_argument(
        "--pairwise",
        action="store_true",
        help="BASELINE holds judgements between two systems, and there is no CANDIDATE",
    )
    data.add_argument(
        "--fill", type=Path, metavar="FILE", help="second file with values for questions that the candidate lost"
    )
    data.add_argument("--fill-baseline", type=Path, metavar="FILE", help="the same for the baseline")
    data.add_argument(
        "--pool",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="another run of the baseline's system, pooled with BASELINE question by question (repeatable)",
    )
    data.add_argument(
        "--anchor", type=Path, metavar="FILE", help="compare CANDIDATE with this run too, such as the last release"
    )
    data.add_argument(
        "--metric", action="append", default=[], metavar="NAME", help="compare only these metrics (repeatable)"
    )
    method = compare.add_argument_group("how it is computed")
    method.add_argument("--confidence", type=_confidence, metavar="C", help="of every interval (default: 0.95)")
    method.add_argument(
        "--interval",
        type=IntervalMethod,
        choices=list(IntervalMethod),
        metavar="METHOD",
        help="percentile (default), expanded, bca or bounded",
    )
    method.add_argument(
        "--n-boot",
        type=_n_boot,
        metavar="N",
        help="ideal (default): the bootstrap distribution itself, no resamples; or a number of resamples. More "
        "resamples steady the digits, they do not narrow the interval",
    )
    method.add_argument("--seed", type=_seed, metavar="N", help="seed of the resamples (default: from the data)")
    output = compare.add_argument_group("what comes out")
    output.add_argument("--out", type=Path, metavar="DIR", help="write record.json, comment.md and summary.md there")
    output.add_argument(
        "--comment-template", type=Path, metavar="FILE", help="word comment.md by a template, to try it (with --out)"
    )
    said = output.add_mutually_exclusive_group()
    said.add_argument("--json", action="store_true", help="print the record on standard output, nothing else")
    said.add_argument("--quiet", action="store_true", help="print the first line alone, and no progress")
    output.add_argument("--ledger", type=Path, metavar="DIR", help="append the record to the ledger in this folder")


def _add_plan(commands: argparse._SubParsersAction[Parser]) -> None:
    plan = commands.add_parser(
        "plan",
        help="say how many questions a comparison takes",
        description="Say what today's questions can detect and how many an effect takes, from one run or a pair.",
    )
    plan.add_argument("baseline", type=Path, metavar="BASELINE", help="results of the system as it is")
    plan.add_argument(
        "candidate", type=Path, nargs="?", metavar="CANDIDATE", help="results of a pilot, if there is one"
    )
    plan.add_argument(
        "--effect", type=_positive, metavar="X", help="smallest change that matters (default: the policy's)"
    )
    plan.add_argument(
        "--power", type=_share, default=0.8, metavar="P", help="how often it should be detected (default: 0.8)"
    )
    plan.add_argument(
        "--correlation", type=_correlation, default=0.5, metavar="R",
        help="between two runs over questions, assumed where there is no candidate (default: 0.5)",
    )  # fmt: skip
    plan.add_argument("--ladder", action="store_true", help="measure random parts of the pair's questions as well")
    plan.add_argument("--policy", type=Path, metavar="FILE", help="policy file, for directions, ranges and effects")
    plan.add_argument("--suite", type=_suite, default=DEFAULT_SUITE, metavar="NAME", help="whose rules of the policy")
    _add_reading(plan, pair=True)
    plan.add_argument(
        "--metric", action="append", default=[], metavar="NAME", help="plan only these metrics (repeatable)"
    )
    plan.add_argument("--lower-is-better", action="append", default=[], metavar="NAME", help="direction (repeatable)")
    plan.add_argument("--confidence", type=_confidence, metavar="C", help="of the interval (default: 0.95)")
    plan.add_argument(
        "--interval", type=IntervalMethod, choices=list(IntervalMethod), metavar="METHOD", help="as in compare"
    )
    plan.add_argument("--json", action="store_true", help="print the plan as JSON")


def _add_inspect(commands: argparse._SubParsersAction[Parser]) -> None:
    inspect = commands.add_parser(
        "inspect",
        help="say how a result file is read",
        description="Say what a result file was recognised as, its questions and metrics, and what names a question.",
    )
    inspect.add_argument("file", type=Path, metavar="FILE", help="result file, zip archive or folder")
    inspect.add_argument("--json", action="store_true", help="print one JSON object, nothing else")
    _add_reading(inspect, pair=False)


def _add_reading(place: argparse._ActionsContainer, *, pair: bool) -> None:
    """Add the options that say how result files are read; with a `pair`, also those for one of them."""
    place.add_argument("--id", metavar="FIELD", help="field that identifies a question" + " in both files" * pair)
    place.add_argument("--series", metavar="NAME", help="which of several systems in one file; a beginning is enough")
    if pair:
        place.add_argument("--baseline-series", metavar="NAME", help="the same for the baseline alone")
        place.add_argument("--candidate-series", metavar="NAME", help="the same for the candidate alone")
    place.add_argument("--task", metavar="NAME", help="which of several tasks; a beginning is enough")


def _share(text: str) -> float:
    value = _number(text)
    if not 0.05 <= value <= 0.999:
        raise argparse.ArgumentTypeError(f"{text!r} is not between 0.05 and 0.999")
    return value


def _correlation(text: str) -> float:
    value = _number(text)
    if not -1.0 <= value < 1.0:
        raise argparse.ArgumentTypeError(f"{text!r} is not from -1 to below 1")
    return value


def _n_boot(text: str) -> int | None:
    if text == "ideal":
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 8 or not 1 <= int(text) <= 10_000_000:
        raise argparse.ArgumentTypeError(f"{text!r} is neither 'ideal' nor a number of resamples up to 10,000,000")
    return int(text)


def _suite(text: str) -> str:
    if not SUITE_NAME.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a suite's name (letters, digits, . _ -)")
    return text


def _seed(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 18:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 to 10^18")
    return int(text)


def _positive(text: str) -> float:
    value = _number(text)
    if not 0.0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")
    return value


def _confidence(text: str) -> float:
    value = _number(text)
    if not 0.5 <= value <= 0.9999:
        advice = f"; 95 % is written 0.95, not {text}" if 1.0 < value < 100.0 else ""
        raise argparse.ArgumentTypeError(f"{text!r} is not between 0.5 and 0.9999{advice}")
    return value


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None
