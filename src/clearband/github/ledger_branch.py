"""The ledger on GitHub: an orphan branch of the repository, one commit and one file an entry, never forced.

Entries lie in a folder of their pull request (``pr-7``), or in ``no-pr``: what a run has to read of a ledger that grows
for years are the names, in one call, and the entries of its own pull request. Order and links stand in the names.

A new entry is a commit on top of the head that was read; GitHub takes it only while that is still the head
(`force: false`), so two writers cannot both win, and nothing is ever replaced. Who loses reads again and tries again.
The Git data API is used throughout because the first entry, which has no parent, can be written in no other way.

A ledger that does not verify is not continued, as far as a run reads it: every number, the newest entry, and its own
pull request's entries, each held to its name and to the entry before it. The whole is for `clearband audit verify`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from clearband.audit.chain import Fault, read_entry
from clearband.audit.entry import Draft, Entry, NotRecorded, Recorded, place
from clearband.errors import GitHubError
from clearband.github import failures, ledger_contents, ledger_listing
from clearband.github.encoding import part
from clearband.github.ledger_listing import BRANCH, REF, Branch, broken, folder, text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from clearband.github.client import Client
    from clearband.github.ledger_listing import Listed

NEEDS: Final = "contents: write"
PATIENCE: Final = 120.0
"""Seconds for which a writer that keeps losing tries again."""
MOST_OWN: Final = 500
"""Entries of one pull request that are read."""

_FIRST_PAUSE: Final = 0.25
_LONGEST_PAUSE: Final = 8.0
_LOST: Final = ("fast forward", "already exists", "object does not exist", "reference update failed")
"""What GitHub says where somebody else was faster, or where its servers do not agree yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Protection:
    """Which rules keep the branch from being rewritten."""

    non_fast_forward: bool
    deletion: bool


@dataclass(frozen=True, slots=True)
class _Lost:
    """An attempt that changed nothing, because the branch was no longer where it was read."""

    why: str


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
        return ledger_listing.read(self.client, self.repository)

    def entries(self, branch: Branch, *, number: int | None) -> tuple[Entry, ...]:
        """Return the entries of one pull request, or of the runs without one, oldest first, each held to its name.

        Of very many the oldest and the newest: what was registered first, and what was compared last.
        """
        own = ledger_listing.own(self.client, self.repository, branch, number=number)
        if len(own) > MOST_OWN:
            own = own[: MOST_OWN // 2] + own[-MOST_OWN // 2 :]
        return self._checked(branch, own)

    def past(self, number: int | None) -> tuple[Entry, ...]:
        """Return the entries of one pull request as they are now."""
        return self.entries(self.branch(), number=number)

    def protection(self) -> Protection | None:
        """Return which rules hold for the branch; None where that cannot be found out."""
        try:
            rules = list(self.client.pages(self._at(f"rules/branches/{BRANCH}"), needs="metadata: read"))
        except GitHubError:
            return None
        kinds = {rule.get("type") for rule in rules if isinstance(rule, dict)}
        return Protection(non_fast_forward="non_fast_forward" in kinds, deletion="deletion" in kinds)

    def append(self, draft: Draft) -> Recorded | NotRecorded:
        """Write `draft` behind the newest entry; an entry of the same key is returned as it stands.

        The key is looked for among the entries of the draft's own pull request: no other run writes it.
        """
        number = None if draft.pr is None else int(draft.pr["number"])
        ends = self.clock() + PATIENCE
        pause = _FIRST_PAUSE
        while True:
            try:
                written = self._attempt(draft, number)
            except GitHubError as problem:
                found = self._landed(draft, number, problem)
                return _refused(problem) if found is None else Recorded(found)
            if isinstance(written, Entry):
                return Recorded(written)
            wait = pause * self.chance()
            if self.clock() + wait > ends:
                reason = f"Other runs were faster for {PATIENCE:.0f} seconds, or GitHub refused: {written.why}"
                return NotRecorded(reason, "Run the job again.", read_only=False)
            self.sleep(wait)
            pause = min(2.0 * pause, _LONGEST_PAUSE)

    def _attempt(self, draft: Draft, number: int | None) -> Entry | _Lost:
        """Try once."""
        branch = self.branch()
        known = self._known(branch, draft, number)
        if known is not None:
            return known
        if branch.newest is not None:
            self._checked(branch, [branch.newest])
        entry = place(draft, branch.head)
        file = {"path": f"{folder(number)}/{entry.name}", "mode": "100644", "type": "blob"}
        tree: dict[str, Any] = {"tree": [file | {"content": entry.data.decode("ascii")}]}
        if branch.commit is not None:
            tree["base_tree"] = ledger_listing.tree_of(self.client, self.repository, branch.commit)
        made = self._post("git/trees", tree)
        parents = [] if branch.commit is None else [branch.commit]
        message = f"Record entry {entry.seq}: {draft.type}"
        commit = self._post("git/commits", {"message": message, "tree": made, "parents": parents})
        lost = self._advance(branch, commit)
        return entry if lost is None else lost

    def _advance(self, branch: Branch, commit: str) -> _Lost | None:
        """Make `commit` the branch's head, if the branch is still where it was read."""
        try:
            if branch.commit is None:
                # Whether a lost answer had worked shows when the entry is looked for by its key.
                body = {"ref": f"refs/{REF}", "sha": commit}
                self.client.post(self._at("git/refs"), body, needs=NEEDS, landed=lambda: None)
            else:
                self.client.patch(self._at(f"git/refs/{part(REF)}"), {"sha": commit, "force": False}, needs=NEEDS)
        except failures.Refused as problem:
            if _is_rule(problem):
                raise
            said = problem.what.lower().partition(": `")[2].replace("-", " ")
            if problem.what.startswith("GitHub answered 409 ") or any(word in said for word in _LOST):
                return _Lost(problem.what)
            raise
        return None

    def _landed(self, draft: Draft, number: int | None, problem: GitHubError) -> Entry | None:
        """Look whether an attempt without an answer worked all the same; a last look after the last attempt."""
        if not isinstance(problem, failures.Unreachable):
            return None
        try:
            return self._known(self.branch(), draft, number)
        except GitHubError:
            return None

    def _known(self, branch: Branch, draft: Draft, number: int | None) -> Entry | None:
        return next((one for one in self.entries(branch, number=number) if one.key == draft.key), None)

    def _post(self, path: str, body: dict[str, Any]) -> str:
        """Create a git object, which is named by its content: doing it twice does no harm."""
        answer = self.client.post(self._at(path), body, needs=NEEDS, landed=lambda: None)
        return text(answer.json(), "sha")

    def _checked(self, branch: Branch, wanted: Iterable[Listed]) -> tuple[Entry, ...]:
        """Return entries, each held to its name and to the name before it."""
        chosen = list(wanted)
        missing = [one for one in chosen if one.blob not in self._read]
        contents = ledger_contents.read(self.client, self.repository, missing)
        for one in missing:
            found = read_entry(one.name, contents[one.blob])
            if isinstance(found, Fault):
                raise broken(f"{found.file} {found.what}")
            self._read[one.blob] = found
        entries = tuple(self._read[one.blob] for one in chosen)
        digests = {one.link.seq: one.link.sha256 for one in (*branch.listed, *chosen)}
        for entry in entries:
            before = digests.get(entry.seq - 1)
            if entry.body["prev"] != before and (before is not None or entry.seq == 1):
                raise broken(f"{entry.name} does not follow the entry before it")
        return entries

    def _at(self, path: str) -> str:
        return f"/repos/{self.repository}/{path}"


def _is_rule(problem: GitHubError) -> bool:
    said = problem.what.lower()
    return "rule violation" in said or "protected branch" in said or "through a pull request" in said


def _refused(problem: GitHubError) -> NotRecorded:
    """Return what an error of the API means for the entry."""
    if _is_rule(problem):
        remedy = (
            f"Take the rule off the branch `{BRANCH}`: it needs `Restrict deletions` and `Block force pushes`, and no "
            "rule that demands pull requests, reviews or checks."
        )
        return NotRecorded(problem.what, remedy, read_only=False)
    match problem:
        # GitHub hides what a token may not write behind a 404 as well.
        case failures.PermissionMissing() | failures.NotThere():
            return NotRecorded(problem.what, problem.remedy or "", read_only=True)
        case _:
            return NotRecorded(problem.what, problem.remedy or "Run the job again.", read_only=False)
