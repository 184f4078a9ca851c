"""The command line: arguments in, an exit status out. No logic lives here."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from clearband import __version__
from clearband.errors import ClearbandError, UsageError
from clearband.plain_text import SUITE_NAME
from clearband.vocabulary import IntervalMethod

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clearband import laptop, laptop_plan

EXIT_STATUS = """exit status:
  0  pass, or nothing was gated
  1  blocked: a gated metric regressed
  2  cannot tell: the comparison does not show what was asked of it
  3  unusable: a file, the policy, the declaration or the command line
"""


class _Parser(argparse.ArgumentParser):
    """A parser whose usage errors are ours: argparse's own exit status 2 means "cannot tell" here."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{self.prog}: {message}", remedy=f"See {self.prog} --help.")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    # A closed stream is None, and writing to it must not change an exit status.
    nowhere = Path(os.devnull)
    sys.stdout = sys.stdout or nowhere.open("w", encoding="utf-8")
    sys.stderr = sys.stderr or nowhere.open("w", encoding="utf-8")
    for stream in (sys.stdout, sys.stderr):
        # Under LANG=C a minus sign must not end in a traceback.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        chosen = _parser().parse_args(arguments)
        match chosen.command:
            case "action":
                from clearband import action  # noqa: PLC0415  brings requests, which only the Action needs

                return action.main()
            case "plan":
                from clearband import laptop_plan  # noqa: PLC0415

                return laptop_plan.plan_files(_plan_arguments(chosen), stdout=sys.stdout, stderr=sys.stderr)
            case _:
                from clearband import laptop  # noqa: PLC0415  brings numpy, which --version does not need

                return laptop.compare(_compare_arguments(chosen), stdout=sys.stdout, stderr=sys.stderr)
    except ClearbandError as problem:
        _complain(f"clearband: {problem}\n")
        return problem.exit_status
    except Exception as defect:
        # Python's own exit status for a traceback is 1, which here means "blocked".
        if os.environ.get("CLEARBAND_DEBUG"):
            raise
        _complain(
            f"clearband: a defect in Clearband itself ({type(defect).__name__}); nothing was decided\n"
            "Please report it, with what CLEARBAND_DEBUG=1 in the environment prints.\n"
        )
        return 3


def _complain(message: str) -> None:
    with contextlib.suppress(OSError):
        sys.stderr.write(message)
        sys.stderr.flush()


def _compare_arguments(chosen: argparse.Namespace) -> laptop.CompareArguments:
    from clearband import laptop  # noqa: PLC0415
    from clearband.results.options import ReadOptions  # noqa: PLC0415
    from clearband.terms import Options  # noqa: PLC0415

    return laptop.CompareArguments(
        baseline=chosen.baseline,
        candidate=chosen.candidate,
        policy=chosen.policy,
        pr_body=chosen.pr_body,
        out=chosen.out,
        as_json=chosen.json,
        aa=chosen.aa,
        suite=chosen.suite,
        options=Options(
            primary=chosen.primary,
            effect=chosen.effect,
            confidence=chosen.confidence,
            interval=chosen.interval,
            n_boot=chosen.n_boot,
            seed=chosen.seed,
            reading=ReadOptions(id_field=chosen.id),
            metrics=tuple(chosen.metric),
            lower_is_better=tuple(chosen.lower_is_better),
        ),
    )


def _plan_arguments(chosen: argparse.Namespace) -> laptop_plan.PlanArguments:
    from clearband import laptop_plan  # noqa: PLC0415
    from clearband.results.options import ReadOptions  # noqa: PLC0415
    from clearband.terms import Options  # noqa: PLC0415

    return laptop_plan.PlanArguments(
        baseline=chosen.baseline,
        candidate=chosen.candidate,
        policy=chosen.policy,
        effect=chosen.effect,
        power=chosen.power,
        correlation=chosen.correlation,
        ladder=chosen.ladder,
        as_json=chosen.json,
        options=Options(
            confidence=chosen.confidence,
            interval=chosen.interval,
            reading=ReadOptions(id_field=chosen.id),
            metrics=tuple(chosen.metric),
            lower_is_better=tuple(chosen.lower_is_better),
        ),
    )


def _parser() -> _Parser:
    parser = _Parser(
        prog="clearband",
        description="Did your change clear the noise band? Paired bootstrap over the questions of an evaluation.",
    )
    parser.add_argument("--version", action="version", version=f"clearband {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)
    _add_compare(commands)
    _add_plan(commands)
    commands.add_parser(
        "action",
        help="run as a GitHub Action, from GitHub's environment",
        description="Run as a GitHub Action: inputs, event and token come from the environment.",
    )
    return parser


def _add_compare(commands: argparse._SubParsersAction[_Parser]) -> None:
    compare = commands.add_parser(
        "compare",
        help="compare two result files",
        description="Compare a candidate's results with a baseline's, question by question, on every metric.",
        epilog=EXIT_STATUS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    compare.add_argument("baseline", type=Path, metavar="BASELINE", help="result file of the system as it is")
    compare.add_argument("candidate", type=Path, metavar="CANDIDATE", help="result file of the system as changed")
    gate = compare.add_argument_group("what decides")
    gate.add_argument("--primary", metavar="NAME", help="the primary metric; without it or a policy, nothing is gated")
    gate.add_argument("--policy", type=Path, metavar="FILE", help="policy file, such as .github/clearband.yml")
    gate.add_argument("--pr-body", type=Path, metavar="FILE", help="saved pull-request text that holds the declaration")
    gate.add_argument("--suite", type=_suite, default="default", metavar="NAME", help="which declaration to read")
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
    data.add_argument("--id", metavar="FIELD", help="field that identifies a question in both files")
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
    output.add_argument("--json", action="store_true", help="print the record on standard output, nothing else")


def _add_plan(commands: argparse._SubParsersAction[_Parser]) -> None:
    plan = commands.add_parser(
        "plan",
        help="say how many questions a comparison takes",
        description="Say what today's questions can detect and how many an effect takes, from one run or a pair.",
    )
    plan.add_argument("baseline", type=Path, metavar="BASELINE", help="result file of the system as it is")
    plan.add_argument(
        "candidate", type=Path, nargs="?", metavar="CANDIDATE", help="result file of a pilot, if there is one"
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
    plan.add_argument("--id", metavar="FIELD", help="field that identifies a question")
    plan.add_argument(
        "--metric", action="append", default=[], metavar="NAME", help="plan only these metrics (repeatable)"
    )
    plan.add_argument("--lower-is-better", action="append", default=[], metavar="NAME", help="direction (repeatable)")
    plan.add_argument("--confidence", type=_confidence, metavar="C", help="of the interval (default: 0.95)")
    plan.add_argument(
        "--interval", type=IntervalMethod, choices=list(IntervalMethod), metavar="METHOD", help="as in compare"
    )
    plan.add_argument("--json", action="store_true", help="print the plan as JSON")


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
