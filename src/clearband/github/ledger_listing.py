"""What the ledger's branch holds: the names of its entries, read without their contents.

A name holds an entry's number and digest, so order and newest entry show in one listing. GitHub lists up to 100,000
files or 7 MB at once, which is some 20,000 entries; a larger ledger is read by its newest commit and folder by folder,
and then its numbers are no longer counted by every run, only by `clearband audit verify`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from clearband.audit.entry import NAME, Link
from clearband.github import failures
from clearband.github.encoding import part

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clearband.github.client import Client

BRANCH: Final = "clearband-ledger"
REF: Final = f"heads/{BRANCH}"
READS: Final = "contents: read"
_ID: Final = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """An entry as the branch lists it."""

    link: Link
    path: str
    blob: str
    """Git's id of the file's content."""

    @property
    def name(self) -> str:
        """The file's name without its folder."""
        return self.path.rpartition("/")[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """The ledger as its branch has it at one commit."""

    commit: str | None
    """None where there is no ledger yet."""
    listed: tuple[Listed, ...] = ()
    """By sequence number: all of them, or the newest alone where they are too many for one answer."""
    folders: Mapping[str, str] | None = None
    """Name and tree of each folder where the entries are too many for one answer."""

    @property
    def newest(self) -> Listed | None:
        """The newest entry."""
        return self.listed[-1] if self.listed else None

    @property
    def head(self) -> Link | None:
        """Number and digest of the newest entry."""
        return None if self.newest is None else self.newest.link


def read(client: Client, repository: str) -> Branch:
    """Return the names on the ledger's branch.

    Raises
    ------
    GitHubError
        It cannot be read, or is not what Clearband writes.

    """
    at = f"/repos/{repository}"
    # Asking for one reference answers 404 for a missing branch and for a missing permission; this list does not.
    answer = client.get(f"{at}/git/matching-refs/{part(REF)}", needs=READS)
    refs = answer.json()
    if not isinstance(refs, list):
        raise failures.NotUnderstood(f"GitHub's answer to {answer.call} is not a list.")
    ours = [ref for ref in refs if isinstance(ref, dict) and ref.get("ref") == f"refs/{REF}"]
    if not ours:
        return Branch(commit=None)
    commit = text(ours[0].get("object"), "sha")
    tree = client.get(f"{at}/git/trees/{part(commit)}", needs=READS, query={"recursive": "1"}).json()
    if not isinstance(tree, dict) or tree.get("truncated") is not False:
        return _too_many(client, at, commit)
    listed = sorted(map(_listed, _files(tree)), key=lambda one: one.link.seq)
    for expected, one in enumerate(listed, start=1):
        if one.link.seq != expected:
            raise broken(f"entry number {expected} is missing or stands twice")
    return Branch(commit=commit, listed=tuple(listed))


def own(client: Client, repository: str, branch: Branch, *, number: int | None) -> list[Listed]:
    """Return the entries of one pull request, or of the runs without one, by sequence number."""
    wanted = folder(number)
    if branch.folders is None:
        return [one for one in branch.listed if one.path.startswith(f"{wanted}/")]
    if wanted not in branch.folders:
        return []
    tree = _whole(client, f"/repos/{repository}", branch.folders[wanted])
    entries = [_listed({**file, "path": f"{wanted}/{file.get('path')}"}) for file in _files(tree)]
    return sorted(entries, key=lambda one: one.link.seq)


def tree_of(client: Client, repository: str, commit: str) -> str:
    """Return the id of a commit's tree, which a new tree is built on."""
    answer = client.get(f"/repos/{repository}/git/commits/{part(commit)}", needs=READS).json()
    return text(answer.get("tree") if isinstance(answer, dict) else None, "sha")


def folder(number: int | None) -> str:
    """Return the folder of a pull request's entries, or of the runs without one."""
    return "no-pr" if number is None else f"pr-{number}"


def broken(what: str) -> failures.NotUnderstood:
    """Return the error for a ledger that does not verify."""
    return failures.NotUnderstood(
        f"The ledger on the branch `{BRANCH}` does not verify: {what}.",
        remedy="Nothing is added to it. Clone the branch and run `clearband audit verify` on it, then restore it.",
    )


def text(value: object, key: str) -> str:
    """Return a text inside an answer of the API."""
    found = value.get(key) if isinstance(value, dict) else None
    if not isinstance(found, str):
        raise failures.NotUnderstood(f"GitHub's answer holds no {key}.")
    return found


def _too_many(client: Client, at: str, commit: str) -> Branch:
    """Return the newest entry, as its commit added it, and the folders."""
    said = client.get(f"{at}/commits/{part(commit)}", needs=READS).json()
    files = said.get("files") if isinstance(said, dict) else None
    if not isinstance(files, list) or len(files) != 1 or text(files[0], "status") != "added":
        raise broken("its newest commit does not add one entry and nothing else")
    newest = _listed({"path": text(files[0], "filename"), "sha": text(files[0], "sha")})
    tree = _whole(client, at, commit)
    return Branch(
        commit=commit,
        listed=(newest,),
        folders={text(one, "path"): text(one, "sha") for one in tree["tree"] if one.get("type") == "tree"},
    )


def _whole(client: Client, at: str, tree: str) -> dict[str, Any]:
    """Return one folder's listing, which must be complete."""
    listing = client.get(f"{at}/git/trees/{part(tree)}", needs=READS).json()
    if not isinstance(listing, dict) or listing.get("truncated") is not False:
        raise failures.NotUnderstood(f"The files of the branch `{BRANCH}` cannot be listed.")
    _files(listing)
    return listing


def _files(tree: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what a listing holds beside folders."""
    found = tree.get("tree")
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise failures.NotUnderstood(f"The files of the branch `{BRANCH}` cannot be listed.")
    return [one for one in found if one.get("type") != "tree"]


def _listed(file: dict[str, Any]) -> Listed:
    path, blob = text(file, "path"), text(file, "sha")
    matched = NAME.fullmatch(path.rpartition("/")[2])
    if matched is None or path.count("/") != 1 or _ID.fullmatch(blob) is None:
        raise broken(f"it holds `{failures.quoted(path, 80)}`, which is no entry")
    return Listed(link=Link(seq=int(matched[1]), sha256=matched[2]), path=path, blob=blob)
