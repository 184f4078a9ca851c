"""Registration: what can be shown about when a declaration was made, from times that a server set. Pure.

The registered declaration is the valid one that was in force when the first result of the pull request came to exist.
Changes before that are nobody's business; a change after it is shown, and the first one keeps deciding. What cannot be
read is unknown, never unchanged. Nobody can see what ran on a laptop: "before the first CI result" is all that is said.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from clearband.declaration import Declaration, parse
from clearband.errors import UnusableDeclaration
from clearband.terms import Options, settle
from clearband.vocabulary import Registrar, Standing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clearband.declaration import DeclarationProblem, NotDeclared
    from clearband.policy import Policy


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One server-set time and what it is a time of."""

    at: str
    """UTC, ISO 8601 to the second, such as ``2026-03-01T12:00:00Z``; these compare as text."""
    what: str
    """A sentence's end, such as ``the first result was uploaded``."""
    source: str
    """Where it was read, such as ``artifact 123``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """The description of a pull request as it was from some time on."""

    at: str
    body: str | None
    """None where the revision was deleted, or cannot be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """Every version of a description, oldest first; the first one is the pull request as it was opened."""

    revisions: tuple[Revision, ...]
    complete: bool = True
    """Whether every edit is among them."""
    last_edited_at: str | None = None
    """None where it was never edited."""
    why_not: str | None = None
    """Why it is not complete, and what would help; None where it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstResult:
    """The earliest result of a pull request that is known; `evidence` is None where that cannot be read."""

    evidence: Evidence | None
    why_not: str | None = None
    """Why it cannot be read, and what would help; None where it was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """What an earlier entry of the ledger says about the same pull request and suite."""

    seq: int
    registered: str | None
    """The canonical text of the declaration that was registered then; None for the policy's own primary."""
    standing: str
    first_result_at: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """The registered declaration, and what can be shown about it."""

    standing: Standing
    registrar: Registrar
    registered: Declaration | None = None
    """What was in force at the first result; None where that was the policy's own primary, or is not known."""
    first_result_at: str | None = None
    evidence: tuple[Evidence, ...] = ()
    """Oldest first."""
    doubts: tuple[str, ...] = field(default=())
    """What could not be read, a sentence each."""

    @property
    def is_exploratory(self) -> bool:
        """Whether the declared metric may have been chosen by its result."""
        return self.standing in {Standing.AFTER, Standing.UNKNOWN}


def register(
    *,
    suite: str,
    policy: Policy | None,
    current: Declaration | NotDeclared | DeclarationProblem,
    history: History,
    first_result: FirstResult,
    earlier: Sequence[Earlier] = (),
) -> Registration:
    """Return what can be shown about the declaration of one suite.

    Parameters
    ----------
    suite
        The comparison.
    policy
        The policy at the base commit; a declaration that it does not allow binds nobody.
    current
        What the description declares now.
    history
        What it declared before.
    first_result
        When the first result came to exist; the present run's own at the latest.
    earlier
        The ledger's entries for this pull request and suite, oldest first.

    """
    usable = _usable(policy)
    versions = _versions(history, suite, usable)
    result, doubts = _first_result(first_result, earlier)
    mine = usable(current)
    evidence = tuple(sorted([*_evidence(versions), *([result] if result else [])], key=lambda one: one.at))
    registration = Registration(
        standing=Standing.UNKNOWN,
        registrar=Registrar.POLICY if mine is None else Registrar.DESCRIPTION,
        first_result_at=None if result is None else result.at,
        evidence=evidence,
        doubts=doubts,
    )
    found = _by_the_ledger(earlier, suite, usable)
    if found is None and history.complete and all(_is_the_policys(version, policy) for version in versions):
        return replace(registration, standing=Standing.BEFORE, registrar=Registrar.POLICY)
    match found or _in_force(versions, history, result):
        case _Unknown(why=why):
            return replace(registration, doubts=(*doubts, why))
        case Declaration() as registered:
            standing = Standing.BEFORE if _same(mine, registered) else Standing.AMENDED
            return replace(registration, standing=standing, registrar=Registrar.DESCRIPTION, registered=registered)
        case None:
            if mine is None or _chooses_the_policys_own(mine, policy):
                return replace(registration, standing=Standing.BEFORE, registrar=Registrar.POLICY)
            return replace(registration, standing=Standing.AFTER)


@dataclass(frozen=True, slots=True)
class _Unknown:
    """What was in force cannot be told."""

    why: str


@dataclass(frozen=True, slots=True)
class _Version:
    """A revision, read: a usable declaration, none, or one that cannot be read."""

    at: str
    declared: Declaration | None
    readable: bool


def _usable(policy: Policy | None) -> Callable[[object], Declaration | None]:
    """Return what lets a declaration through that the policy allows, and nothing else."""

    def usable(declared: object) -> Declaration | None:
        if not isinstance(declared, Declaration):
            return None
        try:
            settle(policy=policy, declaration=declared, options=Options(), needs_policy=False)
        except UnusableDeclaration:
            return None
        return declared

    return usable


def _versions(history: History, suite: str, usable: Callable[[object], Declaration | None]) -> list[_Version]:
    return [
        _Version(
            revision.at,
            None if revision.body is None else usable(parse(revision.body, suite=suite)),
            readable=revision.body is not None,
        )
        for revision in sorted(history.revisions, key=lambda revision: revision.at)
    ]


def _first_result(first: FirstResult, earlier: Sequence[Earlier]) -> tuple[Evidence | None, tuple[str, ...]]:
    """Return the earliest result that is known; artifacts may have been deleted since, entries not."""
    known = [] if first.evidence is None else [first.evidence]
    known += [
        Evidence(at=entry.first_result_at, what="the first result existed", source=f"ledger entry {entry.seq}")
        for entry in earlier
        if entry.first_result_at is not None
    ]
    doubts = () if first.why_not is None else (first.why_not,)
    return min(known, key=lambda one: one.at, default=None), doubts


def _by_the_ledger(
    earlier: Sequence[Earlier], suite: str, usable: Callable[[object], Declaration | None]
) -> Declaration | None:
    """Return the declaration that the first entry found registered: a history that is rewritten later changes nothing.

    An entry that could not tell, or found the declaration too late, binds nobody.
    """
    for entry in earlier:
        if entry.standing in {Standing.BEFORE, Standing.AMENDED} and entry.registered is not None:
            return usable(parse(f"```clearband\n{entry.registered}```\n", suite=suite))
    return None


def _in_force(versions: Sequence[_Version], history: History, result: Evidence | None) -> Declaration | _Unknown | None:
    """Return the valid declaration that was in force at the first result."""
    if result is None:
        return _from_the_beginning(versions, history) or _Unknown(
            "When the first result came to exist could not be read."
        )
    if not history.complete and (history.last_edited_at is None or history.last_edited_at > result.at):
        return _Unknown(history.why_not or "The description's edit history is not complete.")
    for version in reversed([version for version in versions if version.at <= result.at]):
        if not version.readable:
            return _Unknown(f"The version of the description from {version.at} was deleted or cannot be read.")
        if version.declared is not None:
            return version.declared
    return None


def _from_the_beginning(versions: Sequence[_Version], history: History) -> Declaration | None:
    """Return what was declared when the pull request was opened and never changed: no result of it can be older."""
    first = versions[0].declared if versions and history.complete else None
    if first is None or not all(version.readable and _same(version.declared, first) for version in versions):
        return None
    return first


def _same(declared: Declaration | None, other: Declaration) -> bool:
    return declared is not None and _substance(declared) == _substance(other)


def _is_the_policys(version: _Version, policy: Policy | None) -> bool:
    """Tell whether a version of the description left the choice to the policy: then its time does not matter."""
    return version.readable and (version.declared is None or _chooses_the_policys_own(version.declared, policy))


def _chooses_the_policys_own(declared: Declaration | None, policy: Policy | None) -> bool:
    """Tell whether a declaration names what the policy had registered anyway; asking for more then chooses nothing."""
    return declared is not None and policy is not None and policy.primary == declared.primary_metric


def _substance(declared: Declaration) -> str:
    """Return what a declaration declares: explaining it later is no amendment."""
    return replace(declared, reason=None, results_seen_before=None).canonical


def _evidence(versions: Sequence[_Version]) -> list[Evidence]:
    """Return when the description began to declare something else."""
    found, before = [], None
    for number, version in enumerate(versions):
        source = "pull request" if number == 0 else "edit history"
        if not version.readable:
            found.append(
                Evidence(at=version.at, what="a version of the description that cannot be read", source=source)
            )
        elif version.declared is not None and (before is None or _substance(version.declared) != before):
            what = f"{version.declared.primary_metric} was declared primary"
            found.append(Evidence(at=version.at, what=what, source=source))
            before = _substance(version.declared)
        elif version.declared is None and before is not None:
            found.append(Evidence(at=version.at, what="the declaration was removed or became unusable", source=source))
            before = None
    return found
