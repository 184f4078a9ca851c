"""What the tests of the whole Action share: result files, policies, and what one run left behind."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from github.peer import Identity
from github.peer.world import BOT, Pull

if TYPE_CHECKING:
    from collections.abc import Callable

    from github.conftest import Runner

POLICY = b"""\
primary: accuracy
metrics:
  accuracy: {direction: higher, range: [0, 1]}
  latency: {direction: lower, unit: s}
"""
NO_DEFAULT = POLICY.replace(b"primary: accuracy\n", b"")
DECLARED = "A change\r\n\r\n```clearband\r\nprimary_metric: accuracy\r\n```\r\n"
PUSH = {"ref": "refs/heads/topic", "repository": {"default_branch": "main"}}
READ_ONLY_TOKEN = Identity("github-actions[bot]", 41898282, writes=False)


def results(right: Callable[[int], bool], latency: Callable[[int], float] = lambda number: 1 + number % 7 / 10) -> str:
    """A result file of 120 questions."""
    rows = ({"id": f"q{number}", "accuracy": right(number), "latency": latency(number)} for number in range(120))
    return "".join(json.dumps(row) + "\n" for row in rows)


BASELINE = results(lambda number: number % 3 != 0)
BETTER = results(lambda number: number % 3 != 0 or number % 2 == 0)
WORSE = results(lambda number: number % 3 != 0 and number % 4 != 0)
SIMILAR = results(lambda number: (number % 3 != 0) ^ (number % 17 == 0))


AT = "2027-01-10T00:00:00Z"
"""Five days before the clock of the tests."""
NO_PATHS = {"INPUT_BASELINE": "", "INPUT_CANDIDATE": ""}
ARTIFACTS = {"baseline_artifact": "results", "candidate_artifact": "results"}


def zipped(text: str, name: str = "results.jsonl") -> bytes:
    """An artifact of one file, as it is stored."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, text)
    return buffer.getvalue()


@dataclass
class Done:
    """What one run left behind."""

    status: int
    log: str
    runner: Runner

    @property
    def record(self) -> Any:
        return json.loads((self.runner.workspace / "clearband-out" / "record.json").read_text())

    @property
    def annotations(self) -> list[str]:
        return [line for line in self.log.splitlines() if line.startswith("::")]


def ours(pull: Pull) -> list[str]:
    return [one.body for one in pull.comments if one.author and one.author.login == BOT.login]
