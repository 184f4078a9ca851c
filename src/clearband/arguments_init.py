"""The words of `clearband init`, and what may stand behind each."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TypeVar

_Parser = TypeVar("_Parser", bound=argparse.ArgumentParser)


def add_init(commands: argparse._SubParsersAction[_Parser]) -> None:
    """Add the command to `commands`."""
    init = commands.add_parser(
        "init",
        help="set a repository up: workflow, policy, pull-request template",
        description="Write a workflow, a policy and the declaration block into the repository around this folder, "
        "without questions: what the tool does not say is marked CHECK. What is there stays as it is.",
    )
    init.add_argument(
        "--from", type=Path, dest="sample", metavar="FILE",
        help="result file, zip or folder of your evaluation: its metrics become the policy's. Without it the tool is "
        "looked for in the repository",
    )  # fmt: skip
    init.add_argument("--primary", metavar="NAME", help="the metric that decides (default: proposed, to be checked)")
    init.add_argument(
        "--lower-is-better", action="append", default=[], metavar="NAME", help="direction of a metric (repeatable)"
    )
    init.add_argument("--series", metavar="NAME", help="which of several systems in FILE, here and in the workflow")
    init.add_argument("--task", metavar="NAME", help="which of several tasks in FILE, here and in the workflow")
    init.add_argument(
        "--force",
        action="store_true",
        help="replace policy and workflow, and append the block to a pull-request template without one",
    )
