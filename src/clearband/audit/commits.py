"""The commits of a ledger's branch: one line of history, each commit adding one entry and changing nothing. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clearband.audit.chain import Fault
from clearband.audit.entry import NAME
from clearband.audit.git_objects import FOLDER, DamagedError, tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from collections.abc import Set as AbstractSet

    from clearband.audit.git_objects import Raw

    Read = Callable[[str], Raw]
    """Returns an object by its id, or raises `DamagedError`."""

MOST_COMMITS: Final = 1_000_000
_DEEPEST: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Commits:
    """What the history of a ledger's branch came to."""

    tip: str
    count: int
    faults: tuple[Fault, ...]
    is_whole: bool = True
    """Whether history was there from its beginning; a shallow clone has only its end."""


def listed(read: Read, commit: str) -> dict[str, str]:
    """Return the files of a commit: id by path."""
    return dict(_files(read, _commit(read, commit)[0]))


def history(read: Read, tip: str, *, shallow: AbstractSet[str] = frozenset()) -> Commits:
    """Check every commit up to `tip`.

    Parameters
    ----------
    read
        Returns a git object.
    tip
        The newest commit.
    shallow
        Commits whose parents a shallow clone left out.

    """
    line: list[tuple[str, str]] = []
    faults: list[Fault] = []
    commit: str | None = tip
    is_whole = True
    while commit is not None and len(line) < MOST_COMMITS:
        content, parents = _commit(read, commit)
        line.append((commit, content))
        if len(parents) > 1:
            faults.append(_fault(commit, f"joins {len(parents)} histories; a ledger's is one line"))
        if commit in shallow:
            is_whole = False
            break
        commit = parents[0] if parents else None
    line.reverse()
    before: str | None = None if is_whole else line[0][1]
    expected = 1 if is_whole else 1 + len(list(_files(read, line[0][1])))
    for commit, content in line if is_whole else line[1:]:
        found = list(_one_entry(read, commit, before, content, expected))
        faults += found
        expected += 1
        before = content
    return Commits(tip=tip, count=len(line), faults=tuple(faults), is_whole=is_whole)


def _one_entry(read: Read, commit: str, before: str | None, after: str, expected: int) -> Iterator[Fault]:
    """Yield what a commit does beside adding the next entry."""
    added = []
    for path, old, new in _changes(read, before, after):
        if old is None:
            added.append(path)
        else:
            yield _fault(commit, f"{'removes' if new is None else 'changes'} {path}")
    matched = NAME.fullmatch(added[0].rpartition("/")[2]) if len(added) == 1 else None
    if len(added) != 1:
        yield _fault(commit, f"adds {len(added)} files instead of one: {', '.join(added[:3])}".rstrip(": "))
    elif matched is None:
        yield _fault(commit, f"adds {added[0]}, which is no entry")
    elif int(matched[1]) != expected:
        yield _fault(commit, f"adds entry number {int(matched[1])}, and it is commit number {expected}")


def _changes(
    read: Read, before: str | None, after: str | None, folder: str = "", depth: int = 0
) -> Iterator[tuple[str, str | None, str | None]]:
    """Yield the files that differ between two trees: path, old id, new id."""
    if depth > _DEEPEST:
        raise DamagedError("a git tree has too many folders inside each other")
    old, new = tree(_tree(read, before)), tree(_tree(read, after))
    was = {(name, mode == FOLDER): oid.hex() for mode, name, oid in old - new}
    now = {(name, mode == FOLDER): oid.hex() for mode, name, oid in new - old}
    for name, is_folder in sorted({*was, *now}):
        left, right = was.get((name, is_folder)), now.get((name, is_folder))
        path = f"{folder}{name.decode('utf-8', 'replace')}"
        if is_folder:
            yield from _changes(read, left, right, f"{path}/", depth + 1)
        else:
            yield path, left, right


def _files(read: Read, content: str) -> Iterator[tuple[str, str]]:
    for path, _, oid in _changes(read, None, content):
        if oid is not None:
            yield path, oid


def _tree(read: Read, oid: str | None) -> bytes:
    if oid is None:
        return b""
    kind, data = read(oid)
    if kind != "tree":
        raise DamagedError(f"the git object {oid[:12]} is a {kind} where a tree belongs")
    return data


def _commit(read: Read, oid: str) -> tuple[str, list[str]]:
    """Return a commit's tree and parents."""
    kind, data = read(oid)
    lines = data.partition(b"\n\n")[0].decode("utf-8", "replace").split("\n")
    trees = [line[5:] for line in lines if line.startswith("tree ")]
    if kind != "commit" or len(trees) != 1:
        raise DamagedError(f"the git object {oid[:12]} is no commit")
    return trees[0], [line[7:] for line in lines if line.startswith("parent ")]


def _fault(commit: str, what: str) -> Fault:
    return Fault(file=f"commit {commit[:12]}", what=what)
