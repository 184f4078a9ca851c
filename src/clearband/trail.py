"""The Action's audit trail: what is known of a pull request before the verdict, and what is recorded after it.

Runs without a pull request are recorded too; one on a push says which run became the baseline.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from clearband.audit.entry import Draft, Entry, EntryType, NotRecorded, Recorded, adoption
from clearband.clock import stamp
from clearband.declaration import Declaration
from clearband.registration import Earlier, Registration, register
from clearband.vocabulary import LedgerMode, Outcome

if TYPE_CHECKING:
    from clearband.answers import Answer, Declared
    from clearband.comparison import Comparison
    from clearband.github.client import Client
    from clearband.github.ledger_branch import LedgerBranch
    from clearband.github.pull_request import LivePullRequest
    from clearband.override import Override
    from clearband.policy import Policy
    from clearband.pull_facts import PullFacts
    from clearband.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """What came before this run."""

    registration: Registration
    candidates: tuple[str, ...] | None
    """SHA-256 of every candidate that was compared before, oldest first; None where no ledger is kept."""


@dataclass(slots=True, kw_only=True)
class Trail:
    """The audit trail of one suite, on a pull request or on a branch."""

    client: Client
    ledger: LedgerBranch
    settings: Settings
    policy: Policy
    facts: PullFacts | None = None
    """None for a run without a pull request."""
    declared: Declared | None = None

    def past(self) -> Past | None:
        """Return what can be shown about the declaration, and what was compared before; None without a pull request.

        Raises
        ------
        GitHubError
            Something that the verdict needs cannot be read.

        """
        if self.facts is None or self.declared is None:
            return None
        entries = self._entries(self.facts.live.number)
        registration = register(
            suite=self.settings.suite,
            policy=self.policy,
            current=self.declared,
            history=self.facts.history,
            first_result=self.facts.first_result,
            earlier=[_earlier(entry) for entry in entries],
        )
        return Past(
            registration=registration,
            candidates=None if self.policy.ledger is LedgerMode.NONE else tuple(map(_candidate, entries)),
        )

    def record(self, answer: Answer) -> Recorded | NotRecorded | None:
        """Append the comparison, and the override where one let it through; None where nothing is to be recorded."""
        if self.policy.ledger is LedgerMode.NONE or answer.comparison is None:
            return None
        run = self._run() | {"protection": self._protection(), "artifacts": [asdict(one) for one in answer.origins]}
        recorded = self.ledger.append(self.draft(answer, run))
        if isinstance(recorded, NotRecorded):
            return recorded
        # The head that is shown vouches for what follows from the comparison too.
        if answer.override is not None:
            return self.ledger.append(self._override(answer.override, recorded.entry, run))
        if self.settings.event_name == "push" and answer.verdict.outcome is not Outcome.INVALID:
            return self.ledger.append(self._adoption(answer.comparison, run))
        return recorded

    @property
    def live(self) -> LivePullRequest | None:
        """The pull request as it is now; None for a run without one."""
        return None if self.facts is None else self.facts.live

    def passed(self) -> Entry | None:
        """Return the entry by which the pull request's present head passed under this policy; None for none.

        It is the newest comparison of that head: an older pass does not stand against a newer block. One that somebody
        let through counts as passed.
        """
        if self.live is None or self.policy.ledger is LedgerMode.NONE:
            return None
        entries = self.ledger.past(self.live.number)
        mine = [one for one in entries if _is_comparison(one, self.settings.suite) and _head(one) == self.live.head_sha]
        newest = max(mine, key=lambda one: one.seq, default=None)
        if newest is None or newest.body["record"]["policy"]["sha256"] != self.policy.sha256:
            return None
        through = {one.body["event"].get("comparison") for one in entries if one.body["type"] == EntryType.OVERRIDE}
        outcome = newest.body["record"]["verdict"]["outcome"]
        passes = Outcome(outcome).exit_status == 0 or newest.sha256 in through
        return newest if passes else None

    def draft(self, answer: Answer, run: dict[str, Any] | None = None) -> Draft:
        """Return the entry of a comparison before it has a place."""
        run = self._run() if run is None else run
        look = None if answer.terms is None or answer.terms.look is None else answer.terms.look.number
        return Draft(
            key=f"run:{self.settings.run_id}:{self.settings.run_attempt}:{self.settings.suite}",
            type=EntryType.COMPARISON,
            recorded_at=self._now(),
            record=answer.record,
            repo=self._repo(),
            pr=self._pull(),
            run=run,
            registration=_registration(answer.registration, answer.declaration),
            look=look,
        )

    def _override(self, override: Override, of: Entry, run: dict[str, Any]) -> Draft:
        return Draft(
            key=f"override:{override.comment_id}:{self.settings.suite}:{of.sha256[:16]}",
            type=EntryType.OVERRIDE,
            recorded_at=self._now(),
            event={
                "suite": self.settings.suite,
                "comparison": of.sha256,
                "sha": override.sha,
                "author": override.author,
                "author_id": override.author_id,
                "at": override.at,
                "reason": override.reason,
                "comment_id": override.comment_id,
            },
            repo=self._repo(),
            pr=self._pull(),
            run=run,
        )

    def _adoption(self, comparison: Comparison, run: dict[str, Any]) -> Draft:
        """Return the entry that says which run the next pull requests are compared with."""
        adopted = adoption(
            sha256=comparison.candidate.sha256,
            suite=self.settings.suite,
            author=self.settings.actor or None,
            author_id=None,
            reason="pushed",
            recorded_at=self._now(),
        )
        return replace(adopted, repo=self._repo(), run=run)

    def _entries(self, number: int) -> list[Entry]:
        """Return the earlier comparisons of this pull request and suite."""
        if self.policy.ledger is LedgerMode.NONE:
            return []
        found = self.ledger.past(number)
        return [entry for entry in found if _is_comparison(entry, self.settings.suite)]

    def _repo(self) -> dict[str, Any]:
        return {"id": self.settings.repository_id, "full_name": self.settings.repository}

    def _pull(self) -> dict[str, Any] | None:
        if self.live is None:
            return None
        return {
            "number": self.live.number,
            "author_id": self.live.author_id,
            "author_login": self.live.author,
            "head_sha": self.live.head_sha,
            "base_sha": self.live.base_sha,
            "created_at": self.live.created_at,
        }

    def _run(self) -> dict[str, Any]:
        return {
            "id": self.settings.run_id,
            "attempt": self.settings.run_attempt,
            "workflow": self.settings.workflow,
            "event": self.settings.event_name,
        }

    def _protection(self) -> dict[str, bool] | None:
        """Return which rules kept the branch from being rewritten when the entry was written."""
        protection = self.ledger.protection()
        return None if protection is None else asdict(protection)

    def _now(self) -> str:
        return stamp(self.client.clock())


def _is_comparison(entry: Entry, suite: str) -> bool:
    record = entry.body.get("record")
    return isinstance(record, dict) and record.get("suite") == suite


def _head(entry: Entry) -> object:
    pull = entry.body.get("pr")
    return pull.get("head_sha") if isinstance(pull, dict) else None


def _candidate(entry: Entry) -> str:
    return str(entry.body["record"]["inputs"]["candidate"]["sha256"])


def _earlier(entry: Entry) -> Earlier:
    told = entry.body.get("registration")
    registration = told if isinstance(told, dict) else {}
    registered, first = registration.get("registered"), registration.get("first_result_at")
    return Earlier(
        seq=entry.seq,
        registered=registered if isinstance(registered, str) else None,
        standing=str(registration.get("standing")),
        first_result_at=first if isinstance(first, str) else None,
    )


def _registration(registration: Registration | None, declared: Declared | None) -> dict[str, Any] | None:
    if registration is None:
        return None
    first = registration.registered
    return {
        "standing": registration.standing.value,
        "registrar": registration.registrar.value,
        "registered": None if first is None else first.canonical,
        "registered_sha256": None if first is None else first.sha256,
        "current_sha256": declared.sha256 if isinstance(declared, Declaration) else None,
        "first_result_at": registration.first_result_at,
        "evidence": [asdict(one) for one in registration.evidence],
        "doubts": list(registration.doubts),
    }
