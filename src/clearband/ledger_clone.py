"""A git repository on the disk that holds a ledger's branch, read without git."""

from __future__ import annotations

import mmap
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clearband.audit import git_objects
from clearband.audit.chain import Fault
from clearband.audit.commits import Commits, history, listed
from clearband.audit.git_objects import DamagedError, Pack
from clearband.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from clearband.audit.git_objects import Raw

BRANCH: Final = "clearband-ledger"
_ID = re.compile("[0-9a-f]{40}")
_MOST_LINKS: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Clone:
    """Where a repository keeps what."""

    own: Path
    """HEAD."""
    common: Path
    """Objects and branches: the same folder, but for a linked work tree."""
    bare: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A ledger's branch, as its newest commit has it."""

    files: dict[str, bytes]
    commits: Commits | None
    read_from: str
    no_commits: str | None
    is_checked_out: bool
    """Whether the folder around the repository shows that commit: then its files are what a person looks at."""


def folder_of(path: Path) -> Clone | None:
    """Return the repository at `path`, bare or with a work tree; None for a plain folder."""
    inside = path / ".git"
    if inside.is_file():
        told = inside.read_text(encoding="utf-8", errors="replace")
        if not told.startswith("gitdir: "):
            return None
        own = (path / told.removeprefix("gitdir: ").strip()).resolve()
        common = own / "commondir"
        there = (own / common.read_text(encoding="utf-8").strip()).resolve() if common.is_file() else own
        return Clone(own=own, common=there, bare=False)
    if inside.is_dir():
        return Clone(own=inside, common=inside, bare=False)
    if (path / "HEAD").is_file() and (path / "objects").is_dir():
        return Clone(own=path, common=path, bare=True)
    return None


def read(clone: Clone) -> Read:
    """Read the ledger's branch of a repository.

    Raises
    ------
    UsageError
        The repository has no such branch, or it cannot be read.

    """
    refs = _refs(clone)
    head = _head(clone, refs)
    name, tip = _branch(refs, head)
    shallow = clone.common / "shallow"
    cut = frozenset(shallow.read_text(encoding="ascii").split()) if shallow.is_file() else frozenset()
    opened = _read(_Objects(clone.common).read, tip, f"{name} at {tip[:12]}", cut)
    shown = not clone.bare and head is not None and head[1] == tip
    return Read(
        files=opened.files,
        commits=opened.commits,
        read_from=opened.read_from,
        no_commits=opened.no_commits,
        is_checked_out=shown,
    )


def read_bundle(data: bytes, name: str) -> Read:
    """Read the ledger's branch of a git bundle.

    Raises
    ------
    UsageError
        The bundle has no such branch, or it cannot be read.

    """
    try:
        refs, inner = git_objects.bundle(data)
        pack = git_objects.scanned(inner)
    except DamagedError as problem:
        raise _unreadable(f"{name} {problem}") from None

    def one(oid: str) -> Raw:
        found = pack.find(oid, one)
        if found is None:
            raise DamagedError(f"the git object {oid[:12]} is missing")
        return git_objects.checked(oid, found)

    head = refs.pop("HEAD", None)
    branch, tip = _branch(refs, None if head is None else ("HEAD", head))
    return _read(one, tip, f"{branch} at {tip[:12]}", frozenset())


def apart(committed: Mapping[str, bytes], folder: Mapping[str, bytes]) -> Iterator[Fault]:
    """Yield what the folder around a repository shows otherwise than its commit."""
    for path in sorted({*committed, *folder}):
        if path not in folder:
            yield Fault(file=path, what="is in the commit, and not in the folder")
        elif path not in committed:
            yield Fault(file=path, what="is in the folder, and in no commit")


def _read(one: Callable[[str], Raw], tip: str, read_from: str, cut: frozenset[str]) -> Read:
    try:
        files = {path: _blob(one, path, oid) for path, oid in listed(one, tip).items()}
    except DamagedError as problem:
        raise _unreadable(f"{read_from}: {problem}") from None
    commits, why_not = None, None
    try:
        commits = history(one, tip, shallow=cut)
    except DamagedError as problem:
        why_not = str(problem)
    return Read(files=files, commits=commits, read_from=read_from, no_commits=why_not, is_checked_out=False)


def _blob(one: Callable[[str], Raw], path: str, oid: str) -> bytes:
    try:
        kind, data = one(oid)
    except DamagedError as problem:
        raise DamagedError(f"{path}: {problem}") from None
    if kind != "blob":
        raise DamagedError(f"the git object {oid[:12]} is no file")
    return data


def _branch(refs: Mapping[str, str], head: tuple[str, str] | None) -> tuple[str, str]:
    """Return the ledger's branch and its commit: what is checked out, else the own branch, else a remote's."""
    if head is not None and head[0].endswith(f"/{BRANCH}"):
        return BRANCH, head[1]
    for name in sorted(refs, key=lambda name: (not name.startswith("refs/heads/"), name)):
        if name.startswith(("refs/heads/", "refs/remotes/")) and name.endswith(f"/{BRANCH}"):
            return name.removeprefix("refs/heads/").removeprefix("refs/remotes/"), refs[name]
    if head is not None:
        return head[0].removeprefix("refs/heads/"), head[1]
    raise _unreadable(f"it has no branch {BRANCH!r}")


def _head(clone: Clone, refs: Mapping[str, str]) -> tuple[str, str] | None:
    text = (clone.own / "HEAD").read_text(encoding="utf-8", errors="replace").strip()
    if text.startswith("ref: "):
        name = text.removeprefix("ref: ")
        return (name, refs[name]) if name in refs else None
    return ("HEAD", text) if _ID.fullmatch(text) else None


def _refs(clone: Clone) -> dict[str, str]:
    """Return every branch and its commit; loose ones go before packed ones."""
    found: dict[str, str] = {}
    packed = clone.common / "packed-refs"
    if packed.is_file():
        for line in packed.read_text(encoding="utf-8", errors="replace").splitlines():
            oid, _, name = line.partition(" ")
            if _ID.fullmatch(oid):
                found[name] = oid
    for kind in ("heads", "remotes"):
        top = clone.common / "refs" / kind
        for path in sorted(top.rglob("*")) if top.is_dir() else ():
            oid = path.read_text(encoding="utf-8", errors="replace").strip() if path.is_file() else ""
            if _ID.fullmatch(oid):
                found[path.relative_to(clone.common).as_posix()] = oid
    return found


class _Objects:
    """The objects of a repository, loose and packed."""

    def __init__(self, repository: Path) -> None:
        self._folders = [repository / "objects"]
        for folder in self._folders:  # grows while it is read: a clone may borrow objects of another
            borrowed = folder / "info" / "alternates"
            if borrowed.is_file() and len(self._folders) < _MOST_LINKS:
                lines = borrowed.read_text(encoding="utf-8", errors="replace").splitlines()
                self._folders += [folder / line for line in lines if line and not line.startswith("#")]
        self._packs = [self._pack(path) for folder in self._folders for path in sorted(folder.glob("pack/*.idx"))]

    def read(self, oid: str) -> Raw:
        """Return an object that is what its id says."""
        if not _ID.fullmatch(oid):
            raise DamagedError("a git object names no other by an id that is read")
        for folder in self._folders:
            path = folder / oid[:2] / oid[2:]
            if path.is_file():
                try:
                    return git_objects.checked(oid, git_objects.loose(path.read_bytes()))
                except DamagedError as problem:
                    raise DamagedError(f"the git object {oid[:12]}: {problem}") from None
        for pack in self._packs:
            found = pack.find(oid, self.read)
            if found is not None:
                return git_objects.checked(oid, found)
        raise DamagedError(f"the git object {oid[:12]} is missing")

    @staticmethod
    def _pack(index: Path) -> Pack:
        try:
            return Pack(_mapped(index.with_suffix(".pack")), git_objects.indexed(_mapped(index)))
        except DamagedError as problem:
            raise _unreadable(str(problem)) from None


def _mapped(path: Path) -> memoryview:
    """Return a file's bytes without reading all of them; a repository's pack may be far larger than its ledger."""
    with path.open("rb") as handle:
        return memoryview(mmap.mmap(handle.fileno(), 0, access=mmap.ACCESS_READ))


def _unreadable(what: str) -> UsageError:
    return UsageError(
        f"The git repository cannot be read as a ledger: {what}",
        remedy=f"Clone the branch again: git clone --single-branch --branch {BRANCH} URL.",
    )
