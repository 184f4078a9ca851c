"""The policy's rules on what outlives a comparison: the anchor, the ledger, overrides, and how questions are named."""

from __future__ import annotations

import pytest

from clearband.policy import Anchor, Policy
from clearband.vocabulary import LedgerMode, ShowQuestions

from .policies import policy, refusal


def test_an_anchor_is_named_and_may_be_tied_to_one_file() -> None:
    digest = "0123456789abcdef" * 4
    assert policy("anchor: {name: v1.4}").anchor == Anchor(name="v1.4")
    assert policy(f"anchor: {{name: 'v1 final', sha256: {digest}, gate: true}}").anchor == Anchor(
        name="v1 final", sha256=digest, gate=True
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("anchor: {gate: true}", "does not name the anchor"),
        ("anchor: {name: v1, sha256: abc}", "is no SHA-256"),
        (f"anchor: {{name: v1, sha256: {'A' * 64}}}", "is no SHA-256"),
        ("anchor: {name: v1, gate: maybe}", "anchor.gate"),
        ("anchor: v1", "not `key: value` lines"),
        ("anchor: {name: v1, file: x}", "unknown key `file`"),
        ("ledger: true", "ledger"),
        ("show_questions: text", "show_questions"),
        ("override_by_author: maintainers", "override_by_author"),
    ],
)
def test_what_cannot_be_meant_is_refused_where_it_stands(text: str, said: str) -> None:
    assert said in str(refusal(text))


def test_the_ledger_overrides_and_questions_have_one_word_each() -> None:
    read = policy("ledger: required\noverride_by_author: true\nshow_questions: ids")
    assert (read.ledger, read.override_by_author, read.show_questions) == (
        LedgerMode.REQUIRED,
        True,
        ShowQuestions.IDS,
    )
    silent = Policy()
    assert (silent.ledger, silent.override_by_author, silent.show_questions) == (LedgerMode.NONE, False, None)
