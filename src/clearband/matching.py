"""Matching: which questions two runs share, and which were added, removed, edited or lost as a whole.

Questions match by id, in canonical order (sorted by id), so that no number depends on the order of rows in a file.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Final

import numpy as np

from clearband.errors import UnusableResults
from clearband.plain_text import shown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from clearband.results.run import Run

LEAST_MATCHED: Final = 0.9
"""Share of the baseline's questions that the candidate has to hold, unless the policy lets questions change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Matched:
    """Row numbers of the common questions in both runs, in canonical order, and the questions beside them."""

    ids: NDArray[np.object_]
    """Shape (common,), sorted."""
    baseline: NDArray[np.int64]
    candidate: NDArray[np.int64]
    absent: NDArray[np.int64]
    """Rows of the baseline whose question the candidate does not hold, whether that counts as lost or as removed."""
    absent_ids: tuple[str, ...]
    added: tuple[str, ...]
    edited: tuple[str, ...]
    """Questions whose content is not the same in both runs; they are not among `ids`."""
    edited_rows: NDArray[np.int64]
    """Their rows of the baseline."""


def match(baseline: Run, candidate: Run, *, allow_changed_questions: bool) -> Matched:
    """Match two runs question by question.

    Parameters
    ----------
    baseline, candidate
        The two runs.
    allow_changed_questions
        The policy's consent to questions that are gone or reworded.

    Raises
    ------
    UnusableResults
        The runs share no question, or too few; questions were edited without consent; or questions are told apart by
        their place alone and the two files do not have as many.

    """
    if baseline.by_position or candidate.by_position:
        _check_as_many(baseline, candidate)
    in_baseline = dict(zip(baseline.ids, count(), strict=False))
    # Two runs of one eval set list the same questions, mostly in the same order: nothing is looked up twice then.
    same = baseline.ids == candidate.ids
    in_candidate = in_baseline if same else dict(zip(candidate.ids, count(), strict=False))
    common = sorted(baseline.ids if same else (question for question in baseline.ids if question in in_candidate))
    absent = () if same else tuple(sorted(in_baseline.keys() - in_candidate.keys()))
    added = () if same else tuple(sorted(in_candidate.keys() - in_baseline.keys()))
    if not common:
        raise _apart(f"{baseline.name} and {candidate.name} have no question in common", baseline, candidate)
    few = len(common) < LEAST_MATCHED * len(baseline.ids) and len(absent) > 1
    if few and not allow_changed_questions:
        what = f"Only {len(common):,} of the {len(baseline.ids):,} questions in {baseline.name} are in {candidate.name}"
        raise _apart(what, baseline, candidate, (absent, added))
    edited = _edited(baseline, candidate, common, in_baseline, in_candidate)
    if edited and not allow_changed_questions:
        raise UnusableResults(
            f"{len(edited):,} {'question has' if len(edited) == 1 else 'questions have'} the same id and another "
            f"content in {candidate.name}, such as "
            f"{_examples(edited)}",
            remedy="A reworded question is another question. Give it a new id, or let the policy say "
            "`allow_changed_questions: true`; then edited questions are left out and listed.",
        )
    changed = set(edited)
    kept = [question for question in common if question not in changed] if changed else common
    if not kept:
        raise UnusableResults(
            f"Every question of {baseline.name} has another content in {candidate.name}",
            remedy="Nothing is left to pair. Were the two runs made on the same eval set?",
        )
    rows = _rows(in_baseline, kept)
    return Matched(
        ids=np.array(kept, dtype=object),
        baseline=rows,
        candidate=rows if same else _rows(in_candidate, kept),
        absent=_rows(in_baseline, absent),
        absent_ids=absent,
        added=added,
        edited=edited,
        edited_rows=_rows(in_baseline, edited),
    )


def labels(matched: Matched, baseline: Run, candidate: Run, field: str) -> list[str | None]:
    """Return a label of each common question.

    Raises
    ------
    UnusableResults
        Neither file holds the field, or the two disagree about a question.

    """
    before, after = baseline.labels.get(field), candidate.labels.get(field)
    if before is None and after is None:
        raise UnusableResults(
            f"Neither {baseline.name} nor {candidate.name} holds the field {shown(field)} that the policy names",
            remedy="Write it into the result files, question by question, or take it out of the policy "
            "(`cluster`, `slices`, `must_pass`).",
        )
    if before is None or after is None:
        rows, texts = (matched.candidate, after) if before is None else (matched.baseline, before)
        return [texts[row] for row in rows.tolist()] if texts is not None else []
    found: list[str | None] = []
    for question, mine, yours in zip(
        matched.ids.tolist(), matched.baseline.tolist(), matched.candidate.tolist(), strict=True
    ):
        if before[mine] is not None and after[yours] is not None and before[mine] != after[yours]:
            raise UnusableResults(
                f"Question {shown(question)} has {shown(field)} {shown(before[mine] or '')} in {baseline.name} and "
                f"{shown(after[yours] or '')} in {candidate.name}",
                remedy="Clusters and slices belong to the eval set: write the same value into both files.",
            )
        found.append(before[mine] if before[mine] is not None else after[yours])
    return found


def _rows(places: dict[str, int], questions: Iterable[str]) -> NDArray[np.int64]:
    return np.fromiter(map(places.__getitem__, questions), dtype=np.int64)


def _edited(
    baseline: Run, candidate: Run, common: list[str], in_baseline: dict[str, int], in_candidate: dict[str, int]
) -> tuple[str, ...]:
    """Return the questions whose content differs, where both files come from one tool and tell."""
    same_tool = baseline.format.partition("/")[0] == candidate.format.partition("/")[0]
    before, after = baseline.content, candidate.content
    if before is None or after is None or not same_tool:
        return ()

    def differs(question: str) -> bool:
        mine, yours = before[in_baseline[question]], after[in_candidate[question]]
        return mine is not None and yours is not None and mine != yours

    return tuple(question for question in common if differs(question))


def _check_as_many(baseline: Run, candidate: Run) -> None:
    """Refuse files whose questions only their place tells apart, unless both hold as many."""
    if len(baseline.ids) == len(candidate.ids):
        return
    raise UnusableResults(
        f"{baseline.name} has {len(baseline.ids):,} questions and {candidate.name} has {len(candidate.ids):,}, "
        "and only their place in the file tells them apart",
        remedy="A question more or less shifts all that follow. Write an id for each question, or compare files of "
        "the same eval set.",
    )


def _apart(
    what: str, baseline: Run, candidate: Run, unmatched: tuple[tuple[str, ...], tuple[str, ...]] | None = None
) -> UnusableResults:
    """Say that the ids do not match, with examples of both sides."""
    mine, yours = unmatched or (baseline.ids, candidate.ids)
    only = "Only in" if unmatched else "Ids in"
    return UnusableResults(
        what,
        remedy=f"{only} {baseline.name} ({baseline.key}): {_examples(mine)}; {only.lower()} {candidate.name} "
        f"({candidate.key}): {_examples(yours)}. If another field identifies the question in both files, name it with "
        "--id FIELD. If the eval set changed on purpose, the policy has to say `allow_changed_questions: true`.",
    )


def _examples(ids: tuple[str, ...]) -> str:
    if not ids:
        return "none"
    return ", ".join(shown(question) for question in ids[:3]) + (" ..." if len(ids) > 3 else "")
