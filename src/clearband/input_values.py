"""The Action's inputs and GitHub's variables, one by one: each read strictly, or refused in a few words."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path
from typing import Final

from clearband.errors import UsageError
from clearband.plain_text import DEFAULT_SUITE, SUITE_NAME, is_repository_path

_REPOSITORY = re.compile(r"[A-Za-z0-9._-]{1,100}/[A-Za-z0-9._-]{1,100}")
_WORKFLOW = re.compile(r"[^/]+/[^/]+/\.github/workflows/([^/@]{1,200})@.+")
_WORKFLOW_FILE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._ -]{0,194}\.ya?ml")
_NAME_CAP: Final = 255
_TOKEN = re.compile(r"[!-~]+")


class CommentMode(StrEnum):
    """When the comment on the pull request is written."""

    ALWAYS = "always"
    ON_CHANGE = "on-change"
    NEVER = "never"


class BuiltFrom(StrEnum):
    """Which commit the evaluation of a pull request checked out; GitHub's lists do not tell."""

    HEAD = "head"
    MERGE = "merge"
    """The test merge, which `actions/checkout` takes where nothing is said."""
    UNKNOWN = ""


def built_from(given: str) -> BuiltFrom:
    """Return what the candidate was built from."""
    try:
        return BuiltFrom(given)
    except ValueError:
        raise UsageError("must be `head` or `merge`.") from None


def inside(workspace: Path, given: str) -> Path:
    """Return `given` as an absolute path, links resolved; it must lie inside `workspace`."""
    try:
        root = workspace.resolve()
        path = (root / given).resolve()
    except (OSError, RuntimeError, ValueError):  # a loop of links; a NUL character
        raise UsageError(f"`{given[:200]}` is not a usable path.") from None
    if not path.is_relative_to(root):
        raise UsageError(f"`{given[:200]}` leads out of the workspace. Give a path inside it.")
    return path


def suite_name(given: str) -> str:
    """Return the name of a suite; the one that a repository without suites has where nothing is given."""
    if not given:
        return DEFAULT_SUITE
    if not SUITE_NAME.fullmatch(given):
        raise UsageError("1 to 50 letters, digits, `.`, `_` or `-`.")
    return given


def repository(given: str) -> str:
    """Return ``owner/name`` of a repository."""
    if not _REPOSITORY.fullmatch(given) or {".", ".."} & set(given.split("/")):
        raise UsageError("must be `owner/name`.")
    return given


def repository_path(given: str) -> str:
    """Return the path of a file inside the repository."""
    if not is_repository_path(given):
        raise UsageError("must be the path of a file inside the repository, such as `.github/clearband.yml`.")
    return given


def comment_mode(given: str) -> CommentMode:
    """Return when the comment is written."""
    try:
        return CommentMode(given)
    except ValueError:
        allowed = ", ".join(f"`{mode}`" for mode in CommentMode)
        raise UsageError(f"must be one of {allowed}.") from None


def token(given: str) -> str:
    """Return a token that can stand in a header."""
    if not _TOKEN.fullmatch(given):
        raise UsageError("holds characters that no token has.")
    return given


def metric_name(given: str) -> str | None:
    """Return a metric's name; None for none."""
    if len(given) > 200:
        raise UsageError("longer than any metric's name (200 characters).")
    return given or None


def artifact_name(given: str) -> str | None:
    """Return an artifact's name; None for none."""
    if len(given) > _NAME_CAP or not given.isprintable() or set(given) & set('"/\\:<>|*?'):
        raise UsageError("is not a name that an artifact can have.")
    return given or None


def workflow_name(given: str) -> str | None:
    """Return a workflow's file name; None for none."""
    if given and not _WORKFLOW_FILE.fullmatch(given):
        raise UsageError("must be a file name such as `eval.yml`, without its folder.")
    return given or None


def beginning(given: str) -> str | None:
    """Return the beginning of a name; None for none."""
    if len(given) > 1_000:
        raise UsageError("longer than 1,000 characters; a beginning of the name is enough.")
    return given or None


def workflow_of(reference: str) -> str | None:
    """Return the file name out of ``owner/name/.github/workflows/eval.yml@refs/heads/main``."""
    found = _WORKFLOW.fullmatch(reference)
    return found[1] if found else None


def file(given: str | None) -> Path | None:
    """Return the path of one of the runner's files; None where it names none."""
    return Path(given) if given else None


def positive(given: str | None) -> int | None:
    """Return a whole number that is written as one; None for anything else."""
    return int(given) if given and given.isascii() and given.isdigit() and len(given) < 20 else None
