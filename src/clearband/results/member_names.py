"""What the names of files in a folder tell: which task each is about, and when it was written.

A name decides nothing about a format; it only tells the files of one tool apart.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

_PACKED = ".gz"
_SUFFIX = re.compile(r"\.(?=[A-Za-z0-9]*[A-Za-z])[A-Za-z0-9]{1,8}")
_STAMP = re.compile(
    r"(?<!\d)(?P<date>20\d\d-?(?:0[1-9]|1[0-2])-?(?:0[1-9]|[12]\d|3[01]))"
    r"(?:[T_ -]?(?P<time>[01]\d|2[0-3])[-:.]?(?P<rest>[0-5]\d(?:[-:.]?[0-6]\d(?:[.,]\d{1,9})?)?)"
    r"(?P<zone>Z|[+-]\d\d[-:]\d\d)?)?(?!\d)"
)
_EDGE = "-_. |"

_IGNORED = frozenset({".ds_store", "thumbs.db", "desktop.ini", ".gitignore", ".gitkeep", ".gitattributes"})
IGNORED_FOLDERS = frozenset({"__macosx", ".git", "__pycache__", ".ipynb_checkpoints", "node_modules"})
"""Folders in lower case that hold no results, whatever lies in them."""

_PREDICTIONS = ("all_preds.json", "all_preds.jsonl", "preds.json", "preds.jsonl")
_BESIDE = {
    "samples_*": ("results_*.json",),  # lm-evaluation-harness
    "per_instance_stats*": ("run_spec.json", "instances.json"),  # HELM
    "details_*": ("results_*.json", "results.json"),  # lighteval
    "results.json": _PREDICTIONS,  # SWE-bench, its experiments
}
_COMPANION = re.compile(
    r"(?:config|configuration|settings|summary|aggregates?|metadata|meta|params|parameters|hyperparameters|args|arguments"
    r"|manifest|environment|package|package-lock|requirements|stats|run_spec|scenario|scenario_state|results_\d.*)\.\w+"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """When a file says it was written."""

    digits: str
    """Year to fraction of a second, as far as the name goes; later ones are larger text."""
    zone: str
    """As written; stamps of different zones do not compare."""


def basename(path: str) -> str:
    """Return the name without its folder."""
    return path.rpartition("/")[2]


def stem(path: str) -> str:
    """Return the name without its folder and without ``.jsonl``, ``.csv.gz`` and the like."""
    name = basename(path).removesuffix(_PACKED)
    suffix = _SUFFIX.fullmatch(PurePosixPath(name).suffix)
    return name.removesuffix(suffix[0]) if suffix else name


def stamp(path: str) -> Stamp | None:
    """Return the last ISO time in the name, such as ``2026-11-30T19-39-06.320994``; None where there is none."""
    found = _last_stamp(stem(path))
    if found is None:
        return None
    digits = "".join(re.findall(r"\d", f"{found['date']}{found['time'] or ''}{found['rest'] or ''}"))
    return Stamp(digits=digits, zone=found["zone"] or "")


def untimed(path: str) -> str:
    """Return the `stem` without its time: the same name whenever the tool was run."""
    return _without_time(stem(path))


def home(path: str) -> str:
    """Return the file's folder without times: the same whenever the tool was run, another for another system."""
    return "/".join(_without_time(folder) for folder in path.split("/")[:-1])


def newest(stamps: list[Stamp]) -> Stamp | None:
    """Return the latest; None where that cannot be told: other zones, or a day beside a time of that day."""
    latest = max(stamps, key=lambda one: one.digits)
    unclear = (one.zone != latest.zone or (one != latest and latest.digits.startswith(one.digits)) for one in stamps)
    return None if any(unclear) else latest


def is_ignored(path: str) -> bool:
    """Whether the file is there for the operating system or a tool of its own, and for nobody else."""
    *folders, name = path.lower().split("/")
    return name in _IGNORED or name.startswith("._") or not IGNORED_FOLDERS.isdisjoint(folders)


def is_companion(path: str, *patterns: str) -> bool:
    """Whether the name is one that tools give to what stands beside results (settings, totals), or fits `patterns`."""
    name = basename(path)
    return _COMPANION.fullmatch(name.lower()) is not None or any(fnmatchcase(name, pattern) for pattern in patterns)


def wanted_beside(path: str) -> tuple[str, ...]:
    """Return the patterns of the files that a reader of this file may want to see beside it."""
    return next((wanted for pattern, wanted in _BESIDE.items() if fnmatchcase(basename(path), pattern)), ())


def _without_time(text: str) -> str:
    found = _last_stamp(text)
    if found is None:
        return text
    before, after = text[: found.start()].rstrip(_EDGE), text[found.end() :].lstrip(_EDGE)
    return "_".join(part for part in (before, after) if part)


def _last_stamp(text: str) -> re.Match[str] | None:
    return max(_STAMP.finditer(text), key=lambda found: found.start(), default=None)
