"""The ledger on GitHub: an orphan branch of the repository, one commit and one file an entry, never forced.

Entries lie in a folder of their pull request (``pr-7``), or in ``no-pr``: what a run has to read of a ledger that grows
for years are the names, in one call, and the entries of its own pull request. Order and links stand in the names.

A new entry is a commit on top of the head that was read; GitHub takes it only while that is still the head
(`force: false`), so two writers cannot both win, and nothing is ever replaced. Who loses reads again and tries again.
"""

from __future__ import annotations

import base64
import binascii
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from clearband.audit.chain import Fault, read_entry
from clearband.audit.entry import NAME, Draft, Entry, Link, NotRecorded, Recorded, place
from clearband.errors import GitHubError
from clearband.github import failures
from clearband.github.client import part

if TYPE_CHECKING:
    from collections.abc import Callable

    from clearband.github.client import Client

BRANCH: Final = "clearband-ledger"
NEEDS: Final = "contents: write"
READS: Final = "contents: read"
PATIENCE: Final = 120.0
"""Seconds for which a writer that keeps losing tries again."""
MOST_OWN: Final = 500
"""Entries of one pull request that are read."""

_REF: Final = f"heads/{BRANCH}"
_LONGEST_PAUSE: Final = 8.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """An entry as the branch lists it."""

    link: Link
    path: str
    blob: str
    """Git's id of the file's content."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """The ledger as its branch has it at one commit."""

    commit: str | None
    """None where there is no ledger yet."""
    listed: tuple[Listed, ...] = ()
    """By sequence number."""

    @property
    def head(self) -> Link | None:
        """The newest entry."""
        return self.listed[-1].link if self.listed else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Protection:
    """Which rules keep the branch from being rewritten."""

    non_fast_forward: bool
    deletion: bool


@dataclass(slots=True, kw_only=True)
class LedgerBranch:
    """Reads and appends to the ledger of one repository.

    `chance` gives numbers from 0 to 1, evenly; it spreads writers who lost against each other.
    """

    client: Client
    repository: str
    chance: Callable[[], float]
    clock: Callable[[], float] = time.time
    sleep: Callable[[float], object] = time.sleep
    _read: dict[str, Entry] = field(default_factory=dict)
    """Entries by their blob: what was read once does not change."""

    def branch(self) -> Branch:
        """Return the ledger's names.

        Raises
        ------
        GitHubError
            It cannot be read, or is not what Clearband writes.

        """
        try:
            ref = self.client.get(self._at(f"git/ref/{part(_REF)}"), needs=READS).json()
        except failures.NotThere:
            return Branch(commit=None)
        commit = _text(_part(ref, "object"), "sha")
        tree = self.client.get(self._at(f"git/trees/{commit}"), needs=READS, query={"recursive": "1"}).json()
        files = tree.get("tree") if isinstance(tree, dict) else None
        if not isinstance(files, list) or tree.get("truncated") is not False:
            raise failures.NotUnderstood(f"The files of the branch `{BRANCH}` cannot be listed.")
        listed = [_listed(file) for file in files if isinstance(file, dict) and file.get("type") != "tree"]
        listed.sort(key=lambda one: one.link.seq)
        for expected, one in enumerate(listed, start=1):
            if one.link.seq != expected:
                raise _broken(f"entry number {expected} is missing or stands twice")
        return Branch(commit=commit, listed=tuple(listed))

    def entries(self, branch: Branch, *, number: int | None) -> tuple[Entry, ...]:
        """Return the entries of one pull request, or of the runs without one, oldest first, each held to its name.

        Of very many the oldest and the newest: what was registered first, and what was compared last.
        """
        own = [one for one in branch.listed if one.path.startswith(f"{_folder(number)}/")]
        if len(own) > MOST_OWN:
            own = own[: MOST_OWN // 2] + own[-MOST_OWN // 2 :]
        return tuple(self._entry(one) for one in own)

    def protection(self) -> Protection | None:
        """Return which rules hold for the branch; None where that cannot be found out."""
        try:
            rules = list(self.client.pages(self._at(f"rules/branches/{BRANCH}"), needs="metadata: read"))
        except GitHubError:
            return None
        kinds = {rule.get("type") for rule in rules if isinstance(rule, dict)}
        return Protection(non_fast_forward="non_fast_forward" in kinds, deletion="deletion" in kinds)

    def append(self, draft: Draft, *, number: int | None) -> Recorded | NotRecorded:
        """Write `draft` behind the newest entry; an entry of the same key is returned as it stands."""
        ends = self.clock() + PATIENCE
        pause = 0.25
        while True:
            try:
                written = self._attempt(draft, number)
            except failures.PermissionMissing as problem:
                return NotRecorded(problem.what, problem.remedy or "", read_only=True)
            except GitHubError as problem:
                return NotRecorded(problem.what, problem.remedy or "Run the job again.", read_only=False)
            if written is not None:
                return Recorded(written)
            wait = pause * self.chance()
            if self.clock() + wait > ends:
                reason = f"Other runs wrote to the ledger all the time for {PATIENCE:.0f} seconds."
                return NotRecorded(reason, "Run the job again.", read_only=False)
            self.sleep(wait)
            pause = min(2.0 * pause, _LONGEST_PAUSE)

    def _attempt(self, draft: Draft, number: int | None) -> Entry | None:
        """Try once; None where somebody else was faster."""
        branch = self.branch()
        for known in self.entries(branch, number=number):
            if known.key == draft.key:
                return known
        entry = place(draft, branch.head)
        file = {"path": f"{_folder(number)}/{entry.name}", "mode": "100644", "type": "blob"}
        tree: dict[str, Any] = {"tree": [file | {"content": entry.data.decode("ascii")}]}
        if branch.commit is not None:
            tree["base_tree"] = branch.commit
        made = self._post("git/trees", tree)
        parents = [] if branch.commit is None else [branch.commit]
        message = f"Record entry {entry.seq}: {draft.type}"
        commit = self._post("git/commits", {"message": message, "tree": made, "parents": parents})
        return entry if self._advance(branch, commit) else None

    def _advance(self, branch: Branch, commit: str) -> bool:
        """Make `commit` the branch's head; False where the branch is no longer where it was read."""
        try:
            if branch.commit is None:
                # Whether a lost answer had worked shows when the entry is looked for by its key.
                body = {"ref": f"refs/{_REF}", "sha": commit}
                self.client.post(self._at("git/refs"), body, needs=NEEDS, landed=lambda: None)
            else:
                self.client.patch(self._at(f"git/refs/{part(_REF)}"), {"sha": commit, "force": False}, needs=NEEDS)
        except failures.Refused as problem:
            if any(word in problem.what.lower() for word in ("fast forward", "already exists", "conflict", "409")):
                return False
            raise
        return True

    def _post(self, path: str, body: dict[str, Any]) -> str:
        """Create a git object, which is named by its content: doing it twice does no harm."""
        answer = self.client.post(self._at(path), body, needs=NEEDS, landed=lambda: None)
        return _text(answer.json(), "sha")

    def _entry(self, listed: Listed) -> Entry:
        if listed.blob not in self._read:
            found = read_entry(listed.path.rpartition("/")[2], self._content(listed))
            if isinstance(found, Fault):
                raise _broken(f"{found.file} {found.what}")
            self._read[listed.blob] = found
        return self._read[listed.blob]

    def _content(self, listed: Listed) -> bytes:
        answer = self.client.get(self._at(f"git/blobs/{listed.blob}"), needs=READS).json()
        try:
            return base64.b64decode("".join(_text(answer, "content").split()), validate=True)
        except (binascii.Error, ValueError):
            raise failures.NotUnderstood("GitHub's answer holds no base64.") from None

    def _at(self, path: str) -> str:
        return f"/repos/{self.repository}/{path}"


def _folder(number: int | None) -> str:
    return "no-pr" if number is None else f"pr-{number}"


def _listed(file: dict[str, Any]) -> Listed:
    path = _text(file, "path")
    matched = NAME.fullmatch(path.rpartition("/")[2])
    if matched is None or path.count("/") != 1:
        raise _broken(f"it holds `{failures.quoted(path, 80)}`, which is no entry")
    return Listed(link=Link(seq=int(matched[1]), sha256=matched[2]), path=path, blob=_text(file, "sha"))


def _broken(what: str) -> failures.NotUnderstood:
    return failures.NotUnderstood(
        f"The ledger on the branch `{BRANCH}` does not verify: {what}.",
        remedy="Nothing is added to it. Clone the branch and run `clearband audit verify` on it, then restore it.",
    )


def _part(value: object, key: str) -> dict[str, Any]:
    part = value.get(key) if isinstance(value, dict) else None
    if not isinstance(part, dict):
        raise failures.NotUnderstood(f"GitHub's answer holds no {key}.")
    return part


def _text(value: object, key: str) -> str:
    text = value.get(key) if isinstance(value, dict) else None
    if not isinstance(text, str):
        raise failures.NotUnderstood(f"GitHub's answer holds no {key}.")
    return text
