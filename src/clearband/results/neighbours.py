"""What stands beside a file of a folder or an archive, as a reader of that one file looks at it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clearband.results.snapshot import Content


class Neighbours(Mapping[str, bytes]):
    """The other files of a bundle by their path from one file's folder; that folder's own files come first."""

    def __init__(self, members: Mapping[str, Content], path: str) -> None:
        self._members = members
        self._path = path
        self._own = path.split("/")[:-1]

    def __getitem__(self, name: str) -> bytes:
        parts = list(self._own)
        for part in name.split("/"):
            if part != "..":
                parts.append(part)
            elif parts:
                parts.pop()
        found = self._members["/".join(parts)]
        return found if isinstance(found, bytes) else b""  # totals and settings are never so large

    def __iter__(self) -> Iterator[str]:
        names = [self._from_here(path) for path in self._members if path != self._path]
        return iter(sorted(names, key=lambda name: (name.startswith("../"), "/" in name)))

    def __len__(self) -> int:
        return len(self._members) - 1

    def _from_here(self, path: str) -> str:
        parts = path.split("/")
        shared = 0
        while shared < min(len(self._own), len(parts) - 1) and parts[shared] == self._own[shared]:
            shared += 1
        return "/".join([*[".."] * (len(self._own) - shared), *parts[shared:]])
