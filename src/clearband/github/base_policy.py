"""The policy's bytes at a trusted commit; never from the checkout, which may be the pull request's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clearband.errors import UnusablePolicy
from clearband.github import event, failures
from clearband.github.encoding import decoded, part

if TYPE_CHECKING:
    from clearband.github.client import Client

NEEDS = "contents: read"
SIZE_CAP: Final = 64 * 1024
"""Bytes of a policy file; thousands of metrics fit."""


def resolve(client: Client, repository: str, ref: str) -> str:
    """Return the commit that `ref` (a branch, or a commit already) stands for."""
    if event.is_commit(ref):
        return ref
    answer = client.get(f"/repos/{repository}/commits/{part(ref)}", needs=NEEDS)
    commit = answer.json()
    sha = commit.get("sha") if isinstance(commit, dict) else None
    if not isinstance(sha, str) or not event.is_commit(sha):
        raise failures.NotUnderstood(f"GitHub's answer to {answer.call} is not a commit.")
    return sha


def read(client: Client, repository: str, path: str, commit: str) -> bytes | None:
    """Return the file `path` at `commit`; None only where the commit's tree was read and lacks it.

    A 404 alone says nothing: the API answers so too where the token may not read the repository.
    """
    try:
        answer = client.get(f"/repos/{repository}/contents/{part(path)}", needs=NEEDS, query={"ref": commit})
    except failures.NotThere as absent:
        if _in_tree(client, repository, path, commit):
            raise absent from None
        return None
    return _content(answer.json(), path, answer.call)


def _content(file: Any, path: str, call: str) -> bytes:
    kind = file.get("type") if isinstance(file, dict) else "folder"
    if kind != "file":
        raise UnusablePolicy(
            f"`{path}` is not a file at the base commit but a {kind}.", remedy="Make it a plain file of the repository."
        )
    size, content = file.get("size"), file.get("content")
    if isinstance(size, int) and size > SIZE_CAP:
        raise UnusablePolicy(f"`{path}` has {size} bytes; a policy has at most {SIZE_CAP}.")
    if file.get("encoding") != "base64" or not isinstance(content, str):
        raise failures.NotUnderstood(f"GitHub's answer to {call} holds no content.")
    return decoded(content, call=call)


def _in_tree(client: Client, repository: str, path: str, commit: str) -> bool:
    """Whether `path` is in the tree of `commit`, read folder by folder; any failure to read is an error."""
    tree = commit
    names = path.split("/")
    for name in names:
        answer = client.get(f"/repos/{repository}/git/trees/{part(tree)}", needs=NEEDS)
        listing = answer.json()
        entries = listing.get("tree") if isinstance(listing, dict) else None
        if not isinstance(entries, list):
            raise failures.NotUnderstood(f"GitHub's answer to {answer.call} is not a tree.")
        entry = next((one for one in entries if isinstance(one, dict) and one.get("path") == name), None)
        if entry is None:
            if listing.get("truncated") is not False:
                raise failures.NotUnderstood(f"GitHub's answer to {answer.call} is cut short.")
            return False
        tree = str(entry.get("sha"))
    return True
