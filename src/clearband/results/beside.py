"""What stands beside a result file: totals and settings, found by name, read if they can be, and spelled as text."""

from __future__ import annotations

import fnmatch
import re
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from clearband.errors import UnusableResults
from clearband.results import lenient_json, member_names
from clearband.results.question_keys import canonical

if TYPE_CHECKING:
    from clearband.results.result_file import ResultFile

T = TypeVar("T")

_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def named(file: ResultFile, pattern: str) -> list[str]:
    """Return the files beside this one whose name fits `pattern`, those of the same time first, then the newest."""
    own = member_names.stamp(file.name)
    found = [name for name in file.beside if fnmatch.fnmatch(member_names.basename(name), pattern)]
    return sorted(found, key=lambda name: (member_names.stamp(name) == own, name), reverse=True)


def decoded(file: ResultFile, name: str, kind: type[T], *, tool: str) -> T | None:
    """Return a file beside this one as `kind`; None where it is damaged, since the results can be read without it."""
    try:
        return lenient_json.part(replace(file, name=name), file.beside[name], kind, tool=tool)
    except UnusableResults:
        return None


def settings(value: object) -> dict[str, object]:
    """Return an object of settings; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def spoken(value: object) -> str:
    """Return a setting as text for people."""
    return value if isinstance(value, str) else canonical(value)


def steady(value: object) -> str:
    """Spell settings the same way in every process: without the addresses of functions."""
    return _ADDRESS.sub("", canonical(value))
