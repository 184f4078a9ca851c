"""What each part of the comment says, and that the gate's every verdict can be said."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from clearband.gate import judge
from clearband.report import terminal
from clearband.report.render import comment, summary
from clearband.vocabulary import Direction, Mode, Outcome, Requirement, Role, State

from . import factories as make
from .reading import FORBIDDEN, read
from .variants import VARIANTS


class TestAnswersWithoutAComparison:
    @pytest.mark.parametrize("name", ["undeclared", "declaration_problem", "unusable_results", "unusable_policy"])
    def test_show_no_table_and_no_change(self, name: str) -> None:
        text = comment(VARIANTS[name]())
        assert "before" not in text.replace("before any result", "").replace("before the first result", "")
        assert not re.search(r"[+−]0\.\d", text)

    def test_an_undeclared_metric_comes_with_the_block_to_paste(self) -> None:
        text = comment(VARIANTS["undeclared"]())
        assert "````\n```clearband\n# one of: nDCG@10, AP, RR, P@10, R@100\nprimary_metric: <metric>\n```\n````" in text

    def test_a_suite_is_named_in_its_block(self) -> None:
        answer = replace(VARIANTS["undeclared"](), suite="search")
        assert "\nsuite: search\nprimary_metric: <metric>\n" in comment(answer)

    def test_a_problem_names_place_and_remedy(self) -> None:
        text = read(comment(VARIANTS["unusable_results"]()))
        assert "lsa200.csv: the last row ends inside a quoted field (line 226, field nDCG@10)." in text
        assert "Next: the file was cut off while it was written: run the evaluation again." in text


class TestGating:
    def test_a_guardrail_that_blocks_does_not_hide_the_primary(self) -> None:
        text = read(comment(VARIANTS["blocked_by_guardrail"]()))
        assert "Blocked by a guardrail: R@100" in text
        assert "The primary metric nDCG@10 got better: +0.041 [+0.016, +0.066]." in text

    def test_several_blocking_metrics_are_all_named(self) -> None:
        metrics = (make.regressed(role=Role.PRIMARY), make.regressed("AP", role=Role.GUARDRAIL))
        blocked = make.answer(make.comparison(*metrics), outcome=Outcome.BLOCKED)
        assert "The merge is blocked: nDCG@10 and AP got worse." in read(comment(blocked))

    def test_an_inconclusive_guardrail_is_not_blamed_for_a_block(self) -> None:
        metrics = (make.regressed(role=Role.PRIMARY), make.metric("AP", role=Role.GUARDRAIL))
        blocked = make.answer(make.comparison(*metrics), outcome=Outcome.BLOCKED)
        assert "The merge is blocked: the primary metric got worse." in read(comment(blocked))

    def test_a_required_improvement_that_turned_out_identical_is_blocked_in_words(self) -> None:
        same = make.comparison(make.identical(role=Role.PRIMARY))
        text = read(comment(make.answer(same, outcome=Outcome.BLOCKED, require=Requirement.IMPROVEMENT)))
        assert "Blocked: nDCG@10 is the same on all 225 questions" in text
        assert "an improvement is required, and nothing changed" in text

    def test_a_primary_metric_that_no_file_holds_is_named(self) -> None:
        missing = make.reason(
            "primary-missing", "faithfulness", "The primary metric faithfulness is in neither result file."
        )
        answer = make.answer(make.comparison(make.metric("AP")), outcome=Outcome.INVALID, reasons=(missing,))
        text = read(comment(answer))
        assert "Cannot tell: faithfulness was not compared" in text
        assert "that never passes. The primary metric faithfulness is in neither result file." in text

    def test_a_loss_as_large_as_the_declared_effect_on_too_few_differences_is_held_back(self) -> None:
        first = make.sparse(role=Role.PRIMARY, effect=0.005)
        text = read(comment(make.answer(make.comparison(first), outcome=Outcome.CANNOT_TELL)))
        assert "Held back: the measured loss is at least the declared 0.5 points, and too few questions differ" in text

    @pytest.mark.parametrize(
        "state",
        [
            make.identical(role=Role.PRIMARY, margin=0.01),
            make.sparse(role=Role.PRIMARY, margin=0.01),
            make.metric(role=Role.PRIMARY, margin=0.001),
        ],
    )
    def test_a_loss_that_is_not_ruled_out_is_held_back(self, state: object) -> None:
        compared = make.comparison(state)  # type: ignore[arg-type]  # every case is a metric
        held = make.answer(compared, outcome=Outcome.CANNOT_TELL, require=Requirement.NON_INFERIORITY)
        assert "Held back: a loss of the margin (" in read(comment(held))

    def test_report_mode_says_what_the_gate_would_have_said(self) -> None:
        text = read(comment(VARIANTS["report_mode"]()))
        assert "Not gated: the policy only reports (mode: report)." in text
        assert "If it were gated, it would block." in text


OF_EVERY_STATE = {
    State.IMPROVED: make.improved,
    State.REGRESSED: make.regressed,
    State.CHANGED: lambda **changes: make.metric(
        state=State.CHANGED, cleared=True, direction=Direction.NEUTRAL, **changes
    ),
    State.INCONCLUSIVE: make.metric,
    State.IDENTICAL: make.identical,
    State.TOO_SPARSE: lambda **changes: make.sparse("nDCG@10", **changes),
    State.INVALID: make.unmeasured,
}


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("require", Requirement)
@pytest.mark.parametrize("guard", State)
@pytest.mark.parametrize("state", State)
def test_whatever_the_gate_says_can_be_said(state: State, guard: State, require: Requirement, mode: Mode) -> None:
    """Every pair of states under every requirement, judged by the real gate."""
    metrics = (OF_EVERY_STATE[state](role=Role.PRIMARY), replace(OF_EVERY_STATE[guard](role=Role.GUARDRAIL), name="AP"))
    ungated = "The policy only reports (mode: report)." if mode is Mode.REPORT else None
    answer = make.answer(make.comparison(*metrics), require=require, ungated=ungated)
    assert answer.comparison is not None
    assert answer.terms is not None
    answer = replace(answer, verdict=judge(answer.comparison, answer.terms))
    text = read(comment(answer))
    merge = text.split("\n")[2]
    means = {
        Outcome.PASS: "Not blocked",
        Outcome.BLOCKED: "The merge is blocked: ",
        Outcome.CANNOT_TELL: "Held back: ",
        Outcome.INVALID: "Stopped: ",
        Outcome.NOT_GATED: "Not gated: ",
    }
    assert merge.startswith(means[answer.verdict.outcome])
    assert "nDCG@10" in text.split("\n\n")[0] + text.split("\n\n")[1]
    assert "nan" not in text
    assert not FORBIDDEN.findall(text)
    assert summary(answer)
    assert terminal.text(answer, colour=False, width=80)


class TestDeclarationLine:
    def test_says_what_was_read_and_where(self) -> None:
        text = read(comment(VARIANTS["inconclusive"]()))
        assert "Declared in the description, line 9: primary metric nDCG@10, smallest effect that matters 0.03." in text

    def test_says_that_nothing_was_declared_and_what_to_paste(self) -> None:
        text = read(comment(VARIANTS["not_declared_but_policy"]()))
        assert (
            "Nothing declared: the description holds no declaration. Held to the policy's primary metric, nDCG@10."
            in text
        )
        assert "primary_metric: <metric>" in text

    def test_says_when_the_metric_was_named_on_the_command_line(self) -> None:
        text = read(comment(make.answer(make.comparison(make.primary()), no_policy=True)))
        assert "Primary metric nDCG@10, named on the command line." in text


class TestOtherMetrics:
    def test_a_cleared_exploratory_metric_cannot_replace_the_starred_one(self) -> None:
        text = read(comment(VARIANTS["inconclusive"]()))
        assert "AP, P@10 and R@100 cleared, but were not declared: they cannot replace the starred one." in text

    def test_nothing_is_said_where_none_cleared(self) -> None:
        assert "cannot replace" not in comment(make.answer(make.comparison(make.primary(), make.metric("RR"))))

    def test_a_guardrail_and_a_metric_without_direction_are_not_temptations(self) -> None:
        quiet = (make.improved("AP", role=Role.GUARDRAIL), make.metric("cost", state=State.CHANGED, cleared=True))
        assert "cannot replace" not in comment(make.answer(make.comparison(make.primary(), *quiet)))


class TestData:
    def test_every_count_is_said(self) -> None:
        text = read(comment(VARIANTS["some_lost"]()))
        assert (
            "243 questions paired; lost: 3 in the candidate, 0 in the baseline; 559 added (not compared); "
            "18 not applicable to nDCG@10."
        ) in text

    def test_the_worst_case_is_said_where_something_is_lost(self) -> None:
        text = read(comment(VARIANTS["some_lost"]()))
        assert (
            "If all 3 lost questions had gone against the candidate, the interval of nDCG@10 would be [−0.015, +0.039]"
            in text
        )
        assert "(values from the declared range)" in text
        assert "gone against" not in comment(VARIANTS["inconclusive"]())

    def test_an_observed_range_is_called_no_bound(self) -> None:
        answer = VARIANTS["some_lost"]()
        assert answer.comparison is not None
        first, *rest = answer.comparison.metrics
        guessed = replace(first, worst_case_is_bound=False)
        text = comment(replace(answer, comparison=replace(answer.comparison, metrics=(guessed, *rest))))
        assert "(values from the observed range, no bound)" in text

    def test_lost_questions_are_named_in_the_details(self) -> None:
        assert "Lost, missing in the candidate: 17, 90 and 213" in read(comment(VARIANTS["some_lost"]()))


class TestReproducing:
    @pytest.mark.parametrize(
        ("name", "command"),
        [
            ("inconclusive", "clearband compare bm25_stem.csv lsa200.csv --policy .github/clearband.yml --effect 0.03"),
            ("monte_carlo", "--effect 0.03 --n-boot 2000"),
            ("not_gated_laptop", "clearband compare bm25_stem.csv lsa200.csv\n"),
            ("hostile_names", "clearband compare baseline-file lsa200.csv"),
        ],
    )
    def test_the_details_hold_the_command(self, name: str, command: str) -> None:
        assert command in comment(VARIANTS[name]())

    def test_a_declared_metric_that_is_not_the_policys_is_in_the_command(self) -> None:
        answer = make.answer(declared=make.declaration(), held_to=make.policy(primary="AP"))
        assert "--primary nDCG@10 --effect 0.03" in comment(answer)

    def test_a_lower_metric_without_a_policy_is_in_the_command(self) -> None:
        first = make.primary("latency", direction=Direction.LOWER, effect=None)
        assert "--primary latency --lower-is-better latency" in comment(
            make.answer(make.comparison(first), no_policy=True)
        )
