"""What a comment says of registration, looks and overrides."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from clearband.report.render import comment
from clearband.report.terminal import text
from clearband.vocabulary import ShowQuestions

from . import further_variants as further
from . import registered_variants as made
from .reading import read

if TYPE_CHECKING:
    from collections.abc import Callable

    from clearband.answers import Answer
    from clearband.vocabulary import Outcome


def shown(answer: Answer) -> str:
    return read(comment(answer)).replace("\u00a0", " ")


@pytest.mark.parametrize(("make", "outcome"), made.OUTCOMES.items(), ids=lambda value: getattr(value, "__name__", ""))
def test_each_variant_is_what_it_is_called(make: Callable[[], Answer], outcome: Outcome) -> None:
    assert make().verdict.outcome is outcome


def test_declared_in_time_is_one_quiet_sentence_and_the_look_beside_it() -> None:
    said = shown(made.declared_in_time())
    assert "Declared before the first CI result. Look 2 under this declaration." in said
    assert "exploratory" not in said


def test_an_amendment_shows_both_declarations_and_the_sequence_with_times() -> None:
    said = shown(made.amended_after_results())
    assert "The declaration was changed after results existed; the first one still counts." in said
    assert "First declared: recall (required: improvement); now: mrr; first result: 2026-03-01 12:30 UTC." in said
    assert "Reason given: the reviewers care more about <img src=x> ranks." in said
    assert said.index("12:00 UTC recall") < said.index("12:30 UTC the first") < said.index("12:45 UTC mrr")
    assert "Blocked by the first declaration: recall" in said


def test_what_was_declared_late_is_called_exploratory() -> None:
    assert "Declared after results existed: exploratory, whatever it shows." in shown(made.declared_after_results())


def test_what_cannot_be_shown_says_why() -> None:
    said = shown(made.declared_nobody_knows_when())
    assert "It cannot be shown that this was declared before its result: exploratory." in said
    assert "was deleted or cannot be read" in said


def test_more_looks_than_planned_are_said_with_what_looking_does() -> None:
    said = shown(made.third_look())
    assert "Look 3 under this declaration, 2 were planned." in said
    assert "at most 7 % that one of 3 looks clears as better" in said
    assert "Cannot tell: mrr improved, and that is not yet shown" in said


class TestOverrides:
    def test_who_why_when_and_for_what_stand_at_the_top_and_the_verdict_stays_visible(self) -> None:
        answer = made.overridden()
        said = shown(answer)
        assert answer.exit_status == 0
        assert answer.verdict.exit_status == 1
        assert "Overridden. Blocked: recall" in said
        assert (
            "Not blocked: let through by maia on 2026-03-01 12:50 UTC, for commit 0123456789ab alone: known trade"
            in said
        )
        assert "@everyone" not in comment(answer)

    def test_one_that_does_not_hold_is_named_with_its_reason(self) -> None:
        answer = made.override_refused()
        assert answer.exit_status == 1
        assert "The override by vic does not hold: it is by somebody without write permission." in shown(answer)

    def test_the_line_to_write_stands_in_the_details_of_what_was_stopped(self) -> None:
        assert f"/clearband override {made.HEAD} <reason>" in shown(made.override_refused())
        assert "/clearband override" not in shown(made.declared_in_time())

    def test_a_verdict_that_could_not_be_reached_cannot_be_overridden(self) -> None:
        answer = made.overridden()
        missing = replace(answer.verdict, outcome=type(answer.verdict.outcome).INVALID)
        assert replace(answer, verdict=missing).exit_status == 3


def test_a_terminal_says_it_too() -> None:
    said = " ".join(text(made.amended_after_results(), colour=False, width=100).split())
    assert "changed after results existed" in said


class TestNaming:
    def test_where_questions_may_only_be_counted_none_is_named(self) -> None:
        broken = further.must_pass_broken()
        counted = replace(broken, show_questions=ShowQuestions.COUNTS)
        assert re.findall(r"\bq\d{3}\b", shown(broken))
        assert not set(re.findall(r"\bq\d{3}\b", shown(counted)))
        assert "that must pass on exact_match newly fail." in shown(counted)
