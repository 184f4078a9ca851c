"""The words of `clearband audit`: its actions, and what may stand behind each."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TypeVar

_Parser = TypeVar("_Parser", bound=argparse.ArgumentParser)
_LEDGER = "a folder of entries, a zip or tar of one, a git bundle, or a git clone that has the ledger's branch"


def add_audit(commands: argparse._SubParsersAction[_Parser], parser_class: type[_Parser]) -> None:
    """Add the command to `commands`."""
    audit = commands.add_parser(
        "audit",
        help="check, read and export a ledger of comparisons",
        description="Check and read a ledger, the append-only record of every comparison. All of it works offline.",
    )
    actions = audit.add_subparsers(dest="audit_command", required=True, metavar="ACTION", parser_class=parser_class)
    verify = actions.add_parser("verify", help="check every byte, the order, the links, the schema and the commits")
    verify.add_argument("ledger", type=Path, metavar="PATH", help=_LEDGER)
    verify.add_argument(
        "--head", type=_digest, metavar="SHA256", help="an entry known to have been there, such as a comment's head"
    )
    _add_replay(actions)
    _add_log(actions)
    show = actions.add_parser("show", help="print one entry")
    show.add_argument("ledger", type=Path, metavar="LEDGER", help=_LEDGER)
    show.add_argument("entry", metavar="ENTRY", help="its number, or the beginning of its SHA-256")
    adopt = actions.add_parser("adopt", help="write down that a run became the baseline")
    adopt.add_argument("ledger", type=Path, metavar="LEDGER", help="a folder of entries, made where it is missing")
    adopt.add_argument("baseline", type=Path, metavar="FILE", help="the run's results")
    adopt.add_argument("--suite", metavar="NAME", help="of this suite alone (default: of all)")
    adopt.add_argument("--by", metavar="NAME", help="who decided it")
    adopt.add_argument("--reason", metavar="TEXT", help="why")
    export = actions.add_parser("export", help="write all comparisons as one HTML page that needs nothing else")
    export.add_argument("ledger", type=Path, metavar="LEDGER", help=_LEDGER)
    export.add_argument("--out", type=Path, required=True, metavar="FILE", help="the page, such as ledger.html")


def _add_replay(actions: argparse._SubParsersAction[_Parser]) -> None:
    replay = actions.add_parser(
        "replay",
        help="compute a recorded comparison again from its files",
        description="Compute a recorded comparison again. The files have to be the recorded ones, to the byte.",
        epilog="exit status:\n  0  the same\n  1  something differs\n  3  unusable: the entry or a file\n",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    replay.add_argument("entry", type=Path, metavar="ENTRY", help="the file of an entry, or a record.json")
    replay.add_argument("--baseline", type=Path, required=True, metavar="FILE", help="as in compare")
    replay.add_argument("--candidate", type=Path, metavar="FILE", help="not needed where one file holds judgements")
    for option, text in (
        ("--fill", "the file that filled what the candidate lost"),
        ("--fill-baseline", "the same for the baseline"),
        ("--anchor", "the anchor's result file"),
    ):
        replay.add_argument(option, type=Path, metavar="FILE", help=text)
    replay.add_argument(
        "--pool",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="another run of the baseline (repeatable)",
    )


def _add_log(actions: argparse._SubParsersAction[_Parser]) -> None:
    log = actions.add_parser("log", help="list the comparisons, and how often each eval set was looked at")
    log.add_argument("ledger", type=Path, metavar="LEDGER", help=_LEDGER)
    log.add_argument("--pr", type=_number, metavar="N", help="only this pull request")
    log.add_argument("--suite", metavar="NAME", help="only this suite")
    log.add_argument("--metric", metavar="NAME", help="only comparisons with this primary metric")
    log.add_argument("--outcome", metavar="WORD", help="only this outcome, such as blocked")
    form = log.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON object a line")
    form.add_argument("--csv", action="store_true", help="comma-separated, with a header")


def _digest(text: str) -> str:
    found = text.strip().lower().removeprefix("sha256:")
    if not re.fullmatch("[0-9a-f]{64}", found):
        raise argparse.ArgumentTypeError(f"{text!r:.80} is not the SHA-256 of an entry (64 hexadecimal digits)")
    return found


def _number(text: str) -> int:
    if not text.removeprefix("#").isdecimal() or not text.isascii() or len(text) > 12:
        raise argparse.ArgumentTypeError(f"{text!r:.40} is not the number of a pull request")
    return int(text.removeprefix("#"))
