"""One file of judgements between two systems: a baseline of zeros, and a candidate whose values are the preferences."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearband.errors import UnusableResults
from clearband.results import ReadOptions, pairwise, read
from clearband.results.options import PairOptions
from clearband.vocabulary import Direction

from .parquet_bytes import written
from .shapes import delimited, jsonl, seen

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from clearband.results.run import Run

Preferences = dict[str, float | None]


def options(baseline: str | None = None, candidate: str | None = None, **both: object) -> PairOptions:
    return PairOptions(
        baseline=ReadOptions(series=baseline, **both),  # type: ignore[arg-type]  keywords of a test
        candidate=ReadOptions(series=candidate, **both),  # type: ignore[arg-type]
    )


def pair(rows: Sequence[object] | bytes, chosen: PairOptions | None = None) -> tuple[Run, Run]:
    return pairwise.read("judged.jsonl", rows if isinstance(rows, bytes) else jsonl(rows), chosen or options())


def preferences(rows: Sequence[object] | bytes, chosen: PairOptions | None = None) -> Preferences:
    return {question: values["preference"] for question, values in seen(pair(rows, chosen)[1]).items()}


def judged(*verdicts: object, field: str = "winner", **more: object) -> list[dict[str, object]]:
    return [{"id": f"q{number}", field: verdict, **more} for number, verdict in enumerate(verdicts)]


def refused(rows: Sequence[object] | bytes, chosen: PairOptions | None = None) -> UnusableResults:
    with pytest.raises(UnusableResults) as caught:
        pair(rows, chosen)
    assert caught.value.what.startswith("judged.jsonl: ")
    assert caught.value.remedy
    return caught.value


class TestTheTwoRuns:
    def test_differ_by_the_judgement(self) -> None:
        baseline, candidate = pair(judged("baseline", "candidate", "tie"))

        assert seen(baseline) == {f"q{number}": {"preference": 0} for number in range(3)}
        assert seen(candidate) == {"q0": {"preference": -1}, "q1": {"preference": 1}, "q2": {"preference": 0}}
        assert baseline.ids == candidate.ids
        assert baseline.sha256 == candidate.sha256
        assert baseline.directions == candidate.directions == {"preference": Direction.HIGHER}
        assert (baseline.format, baseline.series, candidate.series) == (
            "pairwise", ("baseline", "candidate"), ("candidate", "baseline"),
        )  # fmt: skip

    @pytest.mark.parametrize("nothing", [None, "", "error", "N/A", "$ERROR$"])
    def test_lose_a_question_without_a_judgement(self, nothing: str | None) -> None:
        baseline, candidate = pair(judged("candidate", nothing))

        assert seen(baseline)["q1"] == {"preference": 0}
        assert seen(candidate)["q1"] == {"preference": None}
        assert candidate.errored.tolist() == [False, True]
        assert "1 rows hold no judgement; a question without any is lost." in candidate.notes

    def test_lose_a_question_whose_judge_reports_an_error(self) -> None:
        rows = [{"id": "a", "winner": "baseline", "error": "timeout"}, {"id": "b", "winner": "baseline", "error": None}]

        assert preferences(rows) == {"a": None, "b": -1}

    def test_average_the_judgements_of_a_question_and_have_as_many_trials_in_either_arm(self) -> None:
        rows = [
            {"id": question, "winner": word}
            for question, word in (("a", "candidate"), ("b", "tie"), ("a", "tie"), ("a", "error"), ("a", "baseline"),
                                   ("b", "candidate"))
        ]  # fmt: skip

        baseline, candidate = pair(rows)

        assert seen(candidate) == {"a": {"preference": 0}, "b": {"preference": 0.5}}
        assert seen(baseline) == {"a": {"preference": 0}, "b": {"preference": 0}}
        assert baseline.trials == candidate.trials == 4
        trials = [run.trials_of["preference"] for run in (baseline, candidate)]
        assert trials[0].question.tolist() == trials[1].question.tolist() == [0, 0, 0, 1, 1]
        assert any("judged up to 4 times" in note for note in candidate.notes)

    def test_keep_labels(self) -> None:
        _, candidate = pair(judged("candidate", topic="tax"), options(labels=("topic", "none")))

        assert candidate.labels == {"topic": ("tax",)}

    def test_come_from_any_generic_shape(self, tmp_path: Path) -> None:
        rows = judged("baseline", "candidate")
        expected: Preferences = {"q0": -1, "q1": 1}
        query = "FROM (VALUES ('q0', 'baseline', repeat('x', 999)), ('q1', 'candidate', 'y')) t(id, winner, answer_a)"

        assert preferences(delimited(rows)) == expected
        assert preferences(json.dumps(rows).encode()) == expected
        assert preferences(json.dumps({"n": 2, "judgements": rows}).encode()) == expected
        assert preferences(written(tmp_path, query)) == expected

    def test_key_a_question_by_its_text_or_any_field(self) -> None:
        rows = [{"instruction": "Who?", "case": {"slug": "s"}, "winner": "candidate"}]

        assert preferences(rows) == {"Who?": 1}
        assert preferences(rows, options(id_field="case.slug")) == {"s": 1}


class TestWords:
    @pytest.mark.parametrize("field", ["winner", "Preferred", "verdict", "judgment", "preference"])
    def test_may_stand_in_any_field_for_judgements(self, field: str) -> None:
        assert preferences(judged("baseline", "candidate", field=field)) == {"q0": -1, "q1": 1}

    @pytest.mark.parametrize(
        ("first", "second"),
        [("A", "B"), ("a", "b"), ("[[A]]", "[[B]]"), ("model_a", "model_b"), ("Model 1", "Model 2"), ("first", "second"),
         ("left", "right"), ("assistant_a", "assistant_b"), ("output_1", "output_2"), ("Response A", "Response B")],
    )  # fmt: skip
    def test_that_name_a_place_mean_baseline_first_and_say_so(self, first: str, second: str) -> None:
        _, candidate = pair(judged(first, second, "tie"))

        assert [values["preference"] for values in seen(candidate).values()] == [-1, 1, 0]
        assert any("A) was read as the baseline" in note for note in candidate.notes)

    def test_that_name_a_place_can_be_turned_round(self) -> None:
        assert preferences(judged("A", "B"), options(candidate="A")) == {"q0": 1, "q1": -1}
        assert preferences(judged("A", "B"), options(baseline="B")) == {"q0": 1, "q1": -1}

    @pytest.mark.parametrize("tie", ["tie", "TIE", "tie (bothbad)", "draw", "same", "both bad", "C"])
    def test_for_a_tie(self, tie: str) -> None:
        assert preferences(judged("A", "B", tie))["q2"] == 0

    def test_that_are_names_of_systems_need_to_know_which_is_the_baseline(self) -> None:
        rows = judged("gpt-old", "gpt-new", "tie")

        error = refused(rows)

        assert error.what == (
            'judged.jsonl: which system is the baseline cannot be told: there is "gpt-new", "gpt-old"'
        )
        assert preferences(rows, options("gpt-old")) == {"q0": -1, "q1": 1, "q2": 0}
        assert preferences(rows, options(candidate="gpt-o")) == {"q0": 1, "q1": -1, "q2": 0}

    @pytest.mark.parametrize(
        "words", [("A", "candidate"), ("A", "gpt"), ("x", "y", "z"), ("baseline", "gpt"), ("better", "worse", "A")]
    )
    def test_of_several_kinds_are_refused(self, words: tuple[str, ...]) -> None:
        assert "does not name the preferred one of two systems in one way" in refused(judged(*words)).what

    def test_may_be_ties_alone_or_all_missing(self) -> None:
        assert preferences(judged("tie", "Tie")) == {"q0": 0, "q1": 0}
        assert preferences(judged("error", None)) == {"q0": None, "q1": None}


class TestRowsThatNameTheirSystems:
    ROWS = (
        {"id": "a", "model_a": "old", "model_b": "new", "winner": "model_a"},
        {"id": "a", "model_a": "new", "model_b": "old", "winner": "model_a"},
        {"id": "b", "model_a": "new", "model_b": "old", "winner": "tie (bothbad)"},
        {"id": "c", "model_a": "new", "model_b": "old", "winner": "model_b"},
        {"id": "d", "model_a": "new", "model_b": "third", "winner": "model_a"},
        {"id": "e", "model_a": "new", "model_b": "new", "winner": "model_a"},
    )

    def test_may_show_them_in_either_order_and_judge_other_pairs_too(self) -> None:
        _, candidate = pair(self.ROWS, options("old", "new"))

        assert seen(candidate) == {"a": {"preference": 0}, "b": {"preference": 0}, "c": {"preference": -1}}
        assert "2 rows judge other systems and were left out." in candidate.notes

    def test_may_write_the_winners_name(self) -> None:
        rows = [{**row, "winner": row[str(row["winner"])] if row["winner"] in row else "tie"} for row in self.ROWS[:4]]

        assert preferences(rows, options("old")) == {"a": 0, "b": 0, "c": -1}

    def test_need_to_know_which_is_the_baseline(self) -> None:
        assert "which system is the baseline" in refused(self.ROWS).what
        assert "are not two of the systems" in refused(self.ROWS, options("old")).what
        assert "are not two of the systems" in refused(self.ROWS, options("old", "old")).what
        assert "no series" in refused(self.ROWS, options("older", "new")).what

    def test_with_a_winner_that_is_neither_are_refused(self) -> None:
        error = refused(
            [*self.ROWS, {"id": "f", "model_a": "old", "model_b": "new", "winner": "fourth"}], options("old", "new")
        )

        assert 'is "fourth", which is neither "old" nor "new"' in error.what
        assert error.where == "line 7"

    def test_without_a_name_are_refused(self) -> None:
        rows = [*self.ROWS, {"id": "f", "model_a": None, "model_b": "new", "winner": "tie"}]

        assert refused(rows, options("old", "new")).where == "line 7"

    def test_may_hold_two_games_with_the_order_turned_round(self) -> None:
        row = {"question_id": 1, "model_1": "old", "model_2": "new", "g1_winner": "model_2", "g2_winner": "tie"}

        _, candidate = pair([row], options("old"))

        assert (seen(candidate), candidate.trials) == ({"1": {"preference": 0.5}}, 2)

    def test_of_one_system_against_itself_alone_are_refused(self) -> None:
        rows = [{"id": f"q{number}", "winner": "model_a", "model_a": "x", "model_b": "x"} for number in range(3)]
        with pytest.raises(UnusableResults, match='judges "x" against itself'):
            pair(rows)

    def test_of_one_system_against_itself_are_left_out(self) -> None:
        assert preferences(self.ROWS[4:], options("new", "third")) == {"d": -1}


class TestNumbers:
    def test_below_zero_speak_for_the_first_system(self) -> None:
        assert preferences(judged(-1, 0, 1, 0.5, field="preference")) == {"q0": -1, "q1": 0, "q2": 1, "q3": 0.5}
        assert preferences(b"id,preference\nq0,-1\nq1,\nq2,1\n") == {"q0": -1, "q1": None, "q2": 1}

    @pytest.mark.parametrize("numbers", [(0, 1), (1, 2), (0, 0.5, 1), (1, 3, 5), (True, False), (0, 0)])
    def test_that_are_never_below_zero_are_refused(self, numbers: tuple[float, ...]) -> None:
        error = refused(judged(*numbers, field="preference"))

        assert "is below 0, so which system a number speaks for cannot be told" in error.what
        assert '"baseline", "tie" and "candidate"' in str(error.remedy)

    def test_from_one_to_two_beside_two_outputs_are_alpacaevals(self) -> None:
        rows = [
            {"instruction": f"i{number}", "output_1": "x", "output_2": "y", "generator_1": "ref", "generator_2": "own",
             "preference": value, "is_switched_outputs": bool(number % 2)}
            for number, value in enumerate((1, 2, 1.5, 0, 1.75, None))
        ]  # fmt: skip

        found = preferences(rows, options("ref"))

        assert list(found.values()) == [-1, 1, 0, 0, 0.5, None]


class TestSwappedPlaces:
    @pytest.mark.parametrize("flag", ["swapped", "is_swapped", "order"])
    def test_beside_a_word_for_a_place_are_refused(self, flag: str) -> None:
        rows = [{"id": "a", "winner": "A", flag: True}, {"id": "a", "winner": "B", flag: False}]

        assert "whether the judgement was put right afterwards cannot be told" in refused(rows).what

    def test_do_not_matter_where_the_word_is_no_place_or_nothing_was_swapped(self) -> None:
        own = [
            {"id": "a", "winner": word, "swapped": flag} for word, flag in (("candidate", True), ("candidate", False))
        ]

        assert preferences(own) == {"a": 1}
        assert preferences(judged("A", "B", swapped=False)) == {"q0": -1, "q1": 1}
        assert (
            "put right"
            in refused([{"id": "a", "preference": -1, "swap": 1}, {"id": "b", "preference": 1, "swap": 0}]).what
        )


class TestFiles:
    @pytest.mark.parametrize(
        "data", [b"[]", b'{"id": 1, "score": 1}\n{"id": 2, "score": 0}\n', b"id,score\na,1\n", b"x"]
    )
    def test_without_judgements_are_refused(self, data: bytes) -> None:
        refused(data)

    def test_of_judgements_that_are_read_as_one_run_are_pointed_here(self) -> None:
        with pytest.raises(UnusableResults, match="no field holds a number") as caught:
            read("judged.jsonl", jsonl(judged("A", "B")))
        assert "use --pairwise" in str(caught.value.remedy)


@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.sampled_from(["baseline", "candidate", "tie", "error"])), min_size=1, max_size=20
    )
)  # fmt: skip
def test_turning_the_words_round_turns_the_preference_round(rows: list[tuple[str, str]]) -> None:
    if not {word for _, word in rows} & {"baseline", "candidate"}:
        rows = [*rows, ("a", "baseline")]
    turned = {"baseline": "candidate", "candidate": "baseline"}

    found = preferences([{"id": question, "winner": word} for question, word in rows])
    mirror = preferences([{"id": question, "winner": turned.get(word, word)} for question, word in rows])

    assert mirror == {question: None if value is None else -value for question, value in found.items()}
