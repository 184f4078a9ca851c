"""Whether a baseline out of the workspace is one that the pull request itself brings: then it would set its own bar."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from clearband.errors import UnusableResults
from clearband.plain_text import shown
from clearband.sources import Source

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clearband.sources import Pooled


def check(baseline: Source | Pooled, own: Mapping[str, str]) -> tuple[str, ...]:
    """Return what has to be said of files that the pull request alters and that are called like the baseline's.

    Parameters
    ----------
    baseline
        As it was read from the workspace.
    own
        The id, as git has it, of the content that the pull request gives to each file which it adds or alters.

    Raises
    ------
    UnusableResults
        The baseline is the pull request's own version of one of them.

    """
    if not isinstance(baseline, Source):
        return ()
    notes = []
    for name, data in _files(baseline):
        for path, sha in own.items():
            if path.rpartition("/")[2] != name:
                continue
            if _git_id(data, sha) == sha:
                raise UnusableResults(
                    f"The baseline is the pull request's own version of {shown(path)}: the change would be held to a "
                    "bar that it sets itself.",
                    remedy="Take the baseline from the base commit: check out\n"
                    "ref: ${{ github.event.pull_request.base.sha }}\nbefore this step, or use `baseline-artifact`.",
                )
            notes.append(f"The pull request changes {shown(path)}; its own version was not used as the baseline.")
    return tuple(dict.fromkeys(notes))


def _files(source: Source) -> Iterator[tuple[str, bytes]]:
    """Yield the files with their bytes; those that are too large to be held are in no repository either."""
    if source.members is None:
        files = {source.name: source.data}
    else:
        files = {path.rpartition("/")[2]: data for path, data in source.members.items()}
    for name, data in files.items():
        if isinstance(data, bytes):
            yield name, data


def _git_id(data: bytes, like: str) -> str:
    """Return the id that git gives to a file's content, by the algorithm that the id `like` was made with."""
    kind = "sha256" if len(like) == 64 else "sha1"
    return hashlib.new(kind, b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
