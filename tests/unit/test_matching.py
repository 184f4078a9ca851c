"""Which questions two runs share: removed, edited and renamed ones never slip through unseen."""

from __future__ import annotations

import pytest

from clearband.errors import UnusableResults
from clearband.matching import labels, match

from .factories import run


def numbered(count: int, start: int = 0) -> list[str]:
    return [f"q{place:03}" for place in range(start, start + count)]


def of(count: int, start: int = 0, **more: object) -> object:
    return run({"score": [1.0] * count}, ids=numbered(count, start), **more)


def test_fewer_than_nine_tenths_in_common_stop_with_examples_of_both_sides() -> None:
    with pytest.raises(UnusableResults) as refused:
        match(of(20), of(20, 3), allow_changed_questions=False)
    text = str(refused.value)
    assert "Only 17 of the 20 questions" in text
    assert "`q000`" in text
    assert "`q020`" in text
    assert "--id" in text
    assert "allow_changed_questions" in text


def test_one_absent_question_never_stops_a_small_set() -> None:
    matched = match(of(5), of(4), allow_changed_questions=False)
    assert matched.absent_ids == ("q004",)


def test_with_consent_questions_may_go_and_come() -> None:
    matched = match(of(20), of(20, 10), allow_changed_questions=True)
    assert matched.ids.tolist() == numbered(10, 10)
    assert matched.added == tuple(numbered(10, 20))


def test_an_edited_question_makes_the_comparison_unusable() -> None:
    before = of(3, content=("a", "b", "c"))
    after = of(3, content=("a", "X", "c"))
    with pytest.raises(UnusableResults, match=r"1 question has the same id and another content.*`q001`"):
        match(before, after, allow_changed_questions=False)


def test_with_consent_an_edited_question_is_left_out_and_listed() -> None:
    matched = match(of(3, content=("a", "b", "c")), of(3, content=("a", "X", "c")), allow_changed_questions=True)
    assert matched.edited == ("q001",)
    assert matched.ids.tolist() == ["q000", "q002"]


@pytest.mark.parametrize("more", [{"format": "other/json"}, {"content": None}, {"content": (None, None, None)}])
def test_content_is_compared_only_where_both_files_tell_it_alike(more: dict[str, object]) -> None:
    from dataclasses import replace

    after = replace(of(3, content=("x", "y", "z")), **more)
    assert match(of(3, content=("a", "b", "c")), after, allow_changed_questions=False).edited == ()


def test_questions_told_apart_by_their_place_need_as_many_on_both_sides() -> None:
    with pytest.raises(UnusableResults, match="only their place in the file"):
        match(of(20, by_position=True), of(21), allow_changed_questions=True)
    assert match(of(20, by_position=True), of(20), allow_changed_questions=False).ids.size == 20


def test_labels_come_from_whichever_file_holds_them() -> None:
    before, after = of(2), of(2, labels={"topic": ("law", None)})
    matched = match(before, after, allow_changed_questions=False)
    assert labels(matched, before, after, "topic") == ["law", None]
    assert labels(match(after, before, allow_changed_questions=False), after, before, "topic") == ["law", None]


def test_two_files_that_disagree_about_a_label_are_refused() -> None:
    before, after = of(2, labels={"topic": ("law", "art")}), of(2, labels={"topic": ("law", "law")})
    matched = match(before, after, allow_changed_questions=False)
    with pytest.raises(UnusableResults, match=r"`q001` has `topic` `art`.*`law`"):
        labels(matched, before, after, "topic")


def test_a_label_that_neither_file_holds_is_refused() -> None:
    matched = match(of(2), of(2), allow_changed_questions=False)
    with pytest.raises(UnusableResults, match="holds the field `topic`"):
        labels(matched, of(2), of(2), "topic")
