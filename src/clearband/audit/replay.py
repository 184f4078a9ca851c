"""A recorded comparison, computed again: what it was asked out of the record, and whether both came to the same. Pure.

States, outcomes, counts and digests must be equal. Numbers may differ in their last bits between processors: by a
billionth of a standard error, by a billionth where they are no change (p, for example), and always by the twelfth
digit, to which a record is rounded. Sentences, and the names that files happened to have, are not compared.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from clearband.audit import schema
from clearband.audit.asked import Asked, asked_of
from clearband.audit.record import VERSION
from clearband.declaration import Declaration, DeclarationProblem, NotDeclared
from clearband.errors import UnusableResults
from clearband.registration import Registration
from clearband.vocabulary import Registrar, Requirement, Standing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clearband.declaration import Declaration as _Declaration

    Declared = _Declaration | NotDeclared | DeclarationProblem

TOLERANCE: Final = 1e-9
"""Of a standard error, or of 1."""
_DIGITS: Final = 1e-11
"""Two numbers rounded to twelve digits may be so far apart, as a share of them, and be the same."""
_WORDS: Final = frozenset({"text", "why", "notes"})
_OUTSIDE: Final = frozenset({"clearband", "inputs.baseline.name", "inputs.candidate.name", "anchor.input.name"})
_IN_UNITS: Final = frozenset(
    {"baseline_mean", "candidate_mean", "delta", "interval", "sd", "mde", "simultaneous_interval", "monte_carlo_error"}
)
"""The numbers that are held against the standard error."""
_SIZES: Final = frozenset({"n_to_clear", "n_suggested", "suggested"})
"""Whole numbers that were rounded up: the last bit of what was rounded may decide."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What a record says was handed in, beside the files."""

    suite: str
    asked: Asked
    declaration: Declared | None
    registration: Registration | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One place where the recorded and the recomputed value are not the same."""

    place: str
    """Such as ``metrics[0].interval[1]``."""
    recorded: Any
    found: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """What the comparison of two records came to."""

    exact: int
    """States, outcomes, counts, names and digests that were compared."""
    numbers: int
    largest: float
    """The largest difference of a number, in the unit that the tolerance is in."""
    differences: tuple[Difference, ...]


def given(record: Mapping[str, Any]) -> Given:
    """Return what a record was computed from.

    Raises
    ------
    UnusableResults
        It is no record, of another version, or of a comparison that never came to numbers.

    """
    if record.get("version") != VERSION or not isinstance(record.get("verdict"), dict):
        raise UnusableResults(
            "This is no record of a comparison that this Clearband reads",
            remedy=f"Name an entry of a ledger, or a record.json of version {VERSION}.",
        )
    if record.get("asked") is None or record.get("inputs") is None:
        reasons = record["verdict"].get("reasons") or [{}]
        raise UnusableResults(
            f"The record holds no comparison, so there is nothing to compute again: {reasons[0].get('text')}",
            remedy="Replay an entry whose outcome is not `invalid`.",
        )
    broken = schema.fault(record, schema.RECORD)
    if broken is not None:
        raise UnusableResults(
            f"The record does not keep its published schema: {broken}",
            remedy="`clearband audit verify` names what is wrong with a ledger's entry.",
        )
    suite = str(record["suite"])
    return Given(
        suite=suite,
        asked=asked_of(record["asked"]),
        declaration=_declaration(record["declaration"], suite),
        registration=_registration(record["registration"], suite),
    )


def compared(recorded: Mapping[str, Any], found: Mapping[str, Any]) -> Replayed:
    """Hold a recorded comparison against the one that was computed again."""
    pairs = list(_leaves(recorded, found, "", None))
    checks = [(pair, _apart(pair)) for pair in pairs]
    numbers = [apart for pair, apart in checks if pair.is_number]
    return Replayed(
        exact=len(pairs) - len(numbers),
        numbers=len(numbers),
        largest=max((apart for apart in numbers if apart != float("inf")), default=0.0) * TOLERANCE,
        differences=tuple(
            Difference(place=pair.place, recorded=pair.recorded, found=pair.found)
            for pair, apart in checks
            if apart > 1.0
        ),
    )


@dataclass(frozen=True, slots=True)
class _Pair:
    """A recorded value and the one found in the same place."""

    place: str
    recorded: Any
    found: Any
    allowed: float

    @property
    def is_number(self) -> bool:
        return type(self.recorded) is float and type(self.found) is float


_ABSENT: Final = "(absent)"


def _leaves(recorded: Any, found: Any, place: str, error: float | None) -> Iterator[_Pair]:
    if isinstance(recorded, dict) and isinstance(found, dict):
        own = _standard_error(recorded) or error
        # What a newer version adds was not recorded, and cannot differ.
        for key, value in recorded.items():
            where = f"{place}.{key}" if place else key
            # A must-pass result tells in words which questions it is about; elsewhere `questions` holds counts.
            if where in _OUTSIDE or key in _WORDS or (key == "questions" and isinstance(value, str)):
                continue
            yield from _leaves(value, found.get(key, _ABSENT), where, own)
    elif isinstance(recorded, list) and isinstance(found, list) and len(recorded) == len(found):
        for index, (before, after) in enumerate(zip(recorded, found, strict=True)):
            yield from _leaves(before, after, f"{place}[{index}]", error)
    else:
        yield _Pair(place, _number(recorded, found), _number(found, recorded), _allowed(place, recorded, found, error))


def _number(value: Any, other: Any) -> Any:
    """Return `value`, as a float where it is a whole number beside one."""
    return float(value) if type(value) is int and type(other) is float else value


def _allowed(place: str, recorded: Any, found: Any, error: float | None) -> float:
    """Return how far apart two values may be."""
    if not isinstance(recorded, (int, float)) or not isinstance(found, (int, float)):
        return 0.0
    size = max(abs(recorded), abs(found))
    key = place.rsplit(".", 1)[-1].partition("[")[0]
    if type(recorded) is int and type(found) is int:
        return max(1.0, TOLERANCE * size) if key in _SIZES else 0.0
    if key in _IN_UNITS and error is not None:
        return max(TOLERANCE * error, _DIGITS * size)
    return TOLERANCE * max(1.0, size)


def _apart(pair: _Pair) -> float:
    """Return how far apart a pair is, in units of what is allowed; above 1 is different."""
    if pair.recorded == pair.found and type(pair.recorded) is type(pair.found):
        return 0.0
    plain = (int, float)
    if pair.allowed == 0.0 or type(pair.recorded) not in plain or type(pair.found) not in plain:
        return float("inf")
    apart = float(abs(pair.recorded - pair.found) / pair.allowed)
    return float("inf") if math.isnan(apart) else apart


def _standard_error(part: Mapping[str, Any]) -> float | None:
    """Return about one standard error of a metric or slice: a quarter of its interval, or its spread over root n."""
    interval, sd, n = part.get("interval"), part.get("sd"), part.get("n")
    if isinstance(interval, list) and len(interval) == 2 and interval[1] > interval[0]:
        return float(interval[1] - interval[0]) / 4.0
    return float(sd / n**0.5) if isinstance(sd, (int, float)) and isinstance(n, int) and n > 0 and sd > 0 else None


def _registration(part: Mapping[str, Any] | None, suite: str) -> Registration | None:
    if part is None:
        return None
    registered = _declaration(part["registered"], suite)
    return Registration(
        standing=Standing(part["standing"]),
        registrar=Registrar(part["registrar"]),
        registered=registered if isinstance(registered, Declaration) else None,
    )


def _declaration(part: Mapping[str, Any] | None, suite: str) -> Declared | None:
    if part is None:
        return None
    match part["status"]:
        case "not-declared":
            return NotDeclared(suite=suite, reason=part["reason"])
        case "problem":
            return DeclarationProblem(suite=suite, what=part["reason"], remedy="", lines=())
        case _:
            unsigned = Declaration(
                suite=suite,
                primary_metric=part["primary_metric"],
                effect=part["effect"],
                require=None if part["require"] is None else Requirement(part["require"]),
                guardrails=tuple(part["guardrails"]),
                hypothesis=part["hypothesis"],
                looks=part["looks"],
                results_seen_before=part["results_seen_before"],
                reason=part["reason"],
                line=1,
                sha256="",
            )
            return replace(unsigned, sha256=sha256(unsigned.canonical.encode()).hexdigest())
