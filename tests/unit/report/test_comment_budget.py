"""The comment fits GitHub's limit, whatever it has to say, and says what was cut."""

from __future__ import annotations

from clearband.declaration import NotDeclared
from clearband.report.render import COMMENT_BYTES, comment, summary

from . import factories as make
from .reading import rows


class TestBudget:
    def test_two_hundred_hostile_metrics_fit_and_the_cut_is_said(self) -> None:
        names = [("😀|<b>@" * 50)[: 190 - len(str(i))] + f" {i}" for i in range(200)]
        many = make.comparison(make.primary(names[0]), *(make.metric(name) for name in names[1:]))
        text = comment(make.answer(many, declared=make.declaration(primary_metric=names[0])))
        assert len(text.encode()) <= COMMENT_BYTES
        kept = rows(text)
        assert kept[0][0].startswith("★")
        assert f"{len(kept)} of 200 metrics shown; the record has every one." in text
        assert len(text.encode()) > COMMENT_BYTES - 2_000

    def test_the_finer_numbers_go_before_any_row(self) -> None:
        many = make.comparison(make.primary(), *(make.metric(f"metric {i:03d} " + "_" * 20) for i in range(199)))
        text = comment(make.answer(many))
        assert len(text.encode()) <= COMMENT_BYTES
        assert len(rows(text)) == 200
        assert "The finer numbers of each metric are in the record." in text
        assert "would just clear" not in text

    def test_the_summary_has_room_for_all_of_it(self) -> None:
        many = make.comparison(make.primary(), *(make.metric(f"metric {i:03d} " + "_" * 20) for i in range(199)))
        text = summary(make.answer(many))
        assert text.count("metric 198 ") == 3

    def test_endless_texts_fit(self) -> None:
        from clearband.errors import UnusableResults

        huge = "😀<b>" * 50_000
        for problem in (
            UnusableResults(huge, where=huge, remedy=huge),
            UnusableResults("x", remedy=f"do:\n{huge}\n" * 9),
        ):
            text = comment(make.stopped(problem, declared=NotDeclared(suite="default", reason=huge)))
            assert len(text.encode()) <= COMMENT_BYTES

    def test_ten_thousand_lost_and_noted_questions_fit(self) -> None:
        ids = tuple("😀" * 200 + str(i) for i in range(10_000))
        arm = make.arm(notes=tuple("😀 " * 2_000 for _ in range(50)))
        compared = make.comparison(
            make.primary(), baseline=arm, questions=make.questions(candidate_missing=ids, added=ids)
        )
        reasons = tuple(make.reason(metric="😀" * 200, text="😀" * 5_000) for _ in range(300))
        assert len(comment(make.answer(compared, reasons=reasons)).encode()) <= COMMENT_BYTES
