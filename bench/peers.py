"""The tools that Clearband is measured beside: where they come from, what they are asked, and how far they go."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bench import files
from bench.environments import Environment
from bench.timing import Command

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.environments import Ready
    from bench.files import Layout

WORK: Final = Path(__file__).parent / "work"

LIBRARIES: Final = Environment(
    name="libraries", requirements=("numpy==2.4.6", "scipy==1.17.1", "arch==8.0.0", "orjson==3.13.0")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """One tool and what it is asked to do with two files."""

    name: str
    environment: Environment
    layout: Layout
    does: str
    """What it computes, for the table."""
    argv: Callable[[Ready, Path, Path], tuple[str | Path, ...]]
    largest: int = 100_000
    """Questions up to which it is asked."""
    why_largest: str = ""


def _environment(name: str, version: str) -> Environment:
    return Environment(name=name, requirements=(f"{name}=={version}",))


PEERS: Final = (
    Peer(
        name="noisecheck",
        environment=_environment("noisecheck", "0.1.1"),
        layout=files.NOISECHECK,
        does="10 metrics, studentized bootstrap, 10,000 resamples",
        argv=lambda ready, baseline, candidate: (ready.program("noisecheck"), "compare", baseline, candidate),
    ),
    Peer(
        name="statgate",
        environment=_environment("statgate", "0.1.1"),
        layout=files.STATGATE,
        does="1 metric, BCa bootstrap and permutations",
        argv=lambda ready, baseline, candidate: (
            *(ready.program("statgate"), "compare", baseline, candidate),
            *("--metric", "score", "--seed", "1"),
        ),
    ),
    Peer(
        name="evalsig",
        environment=_environment("evalsig", "0.1.2"),
        layout=files.EVALSIG,
        does="1 metric, paired bootstrap, 10,000 resamples",
        argv=lambda ready, baseline, candidate: (
            *(ready.program("evalsig"), "compare", "--baseline", baseline, "--candidate", candidate),
            *("--format", "runframe", "--method", "paired_bootstrap"),
        ),
    ),
    Peer(
        name="errorbars",
        environment=_environment("errorbars", "0.2.4"),
        layout=files.ERRORBARS,
        does="1 metric, normal approximation, no bootstrap",
        argv=lambda ready, baseline, candidate: (ready.program("errorbars"), "compare", baseline, candidate),
    ),
    Peer(
        name="abeval",
        environment=_environment("abeval", "0.1.0"),
        layout=files.ONE_METRIC,
        does="1 metric, bootstrap and permutations, 10,000 each",
        argv=lambda ready, baseline, candidate: (ready.program("abeval"), "compare", baseline, candidate),
        largest=10_000,
        why_largest="pure Python: minutes",
    ),
    Peer(
        name="deltagate",
        environment=_environment("deltagate", "0.1.1"),
        layout=files.WIDE,
        does="10 metrics, BCa bootstrap, 5,000 resamples (a library: read with json)",
        argv=lambda ready, baseline, candidate: (ready.python, WORK / "deltagate_suite.py", baseline, candidate),
    ),
    Peer(
        name="scipy percentile",
        environment=LIBRARIES,
        layout=files.WIDE,
        does="10 metrics, scipy.stats.bootstrap, 9,999 resamples (read with orjson)",
        argv=lambda ready, baseline, candidate: (
            *(ready.python, WORK / "library_bootstrap.py", "scipy-percentile", baseline, candidate),
        ),
    ),
    Peer(
        name="scipy BCa",
        environment=LIBRARIES,
        layout=files.WIDE,
        does="10 metrics, scipy.stats.bootstrap, 9,999 resamples (read with orjson)",
        argv=lambda ready, baseline, candidate: (
            *(ready.python, WORK / "library_bootstrap.py", "scipy-bca", baseline, candidate),
        ),
        largest=10_000,
        why_largest="the jackknife grows with the square of n",
    ),
    Peer(
        name="arch percentile",
        environment=LIBRARIES,
        layout=files.WIDE,
        does="10 metrics, arch.bootstrap, 9,999 resamples (read with orjson)",
        argv=lambda ready, baseline, candidate: (
            *(ready.python, WORK / "library_bootstrap.py", "arch-percentile", baseline, candidate),
        ),
    ),
)


def import_floor(own: Ready) -> Command:
    """Return the start-up that no program on these libraries can go below."""
    return Command(name="import floor", argv=(own.python, "-c", "import numpy, jinja2, yaml"))


def bare_read(libraries: Ready, paths: tuple[Path, Path], parser: str) -> Command:
    """Return the bare reading of the same files: parse every line, keep nothing."""
    return Command(name=f"bare read ({parser})", argv=(libraries.python, WORK / "bare_read.py", parser, *paths))


def clearband(own: Ready, paths: tuple[Path, Path], *, name: str = "Clearband", primary: str) -> Command:
    """Return a comparison as it is made on a laptop."""
    return Command(name=name, argv=(own.program("clearband"), "compare", *paths, "--primary", primary))
