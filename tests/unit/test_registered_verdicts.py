"""What registration and looks mean for the verdict: nothing is passed that was chosen after the fact."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from clearband.declaration import Declaration, parse
from clearband.pipeline import Request, answer
from clearband.policy import MetricPolicy, Policy
from clearband.registration import Registrar, Registration, Standing
from clearband.sources import Source
from clearband.terms import Options
from clearband.vocabulary import Mode, Outcome, Requirement, Role

if TYPE_CHECKING:
    from clearband.answers import Answer

N = 200
METRICS = {"good": MetricPolicy(), "bad": MetricPolicy(), "flat": MetricPolicy(), "slow": MetricPolicy()}
POLICY = Policy(metrics=METRICS, max_looks=5)


def files(shifts: dict[str, float]) -> tuple[Source, Source]:
    """Return a baseline and a candidate whose metrics moved by so much, with a spread of 0.1."""
    random = np.random.default_rng(3)
    truth = random.uniform(0.3, 0.7, N)
    arms = []
    for candidate in (False, True):
        lines = [",".join(["id", *shifts])]
        moved = {name: random.normal(scale=0.1, size=N) for name in shifts}
        moved = {name: noise - noise.mean() for name, noise in moved.items()}
        for place in range(N):
            values = [truth[place] + (shifts[name] + moved[name][place]) * candidate for name in shifts]
            lines.append(",".join([f"q{place}", *(f"{value:.5f}" for value in values)]))
        arms.append(Source(name="abc"[candidate] + ".csv", data="\n".join(lines).encode()))
    return arms[0], arms[1]


BASELINE, CANDIDATE = files({"good": 0.05, "bad": -0.05, "flat": 0.0, "slow": 0.0165})


def declared(metric: str, **more: object) -> Declaration:
    lines = "".join(f"{key}: {value}\n" for key, value in {"primary_metric": metric, **more}.items())
    read = parse(f"```clearband\n{lines}```\n")
    assert isinstance(read, Declaration)
    return read


def judged(
    current: Declaration,
    standing: Standing | None = Standing.BEFORE,
    *,
    registered: Declaration | None = None,
    policy: Policy = POLICY,
    **more: Any,
) -> Answer:
    registration = (
        None
        if standing is None
        else Registration(standing=standing, registrar=Registrar.DESCRIPTION, registered=registered)
    )
    return answer(
        Request(
            baseline=BASELINE, candidate=CANDIDATE, policy=policy, declaration=current, options=Options(),
            registration=registration, **more,
        )
    )  # fmt: skip


def codes(done: Answer) -> list[str]:
    return [reason.code for reason in done.verdict.reasons]


class TestDeclaredAfterResults:
    @pytest.mark.parametrize("standing", [Standing.AFTER, Standing.UNKNOWN])
    def test_every_metric_of_the_policy_becomes_a_guardrail(self, standing: Standing) -> None:
        done = judged(declared("good"), standing)
        assert done.comparison is not None
        roles = {metric.name: metric.role for metric in done.comparison.metrics}
        assert roles == dict.fromkeys(("bad", "flat", "slow"), Role.GUARDRAIL) | {"good": Role.PRIMARY}
        assert done.verdict.outcome is Outcome.BLOCKED

    def test_an_improvement_that_may_have_been_picked_is_not_shown(self) -> None:
        policy = Policy(metrics={"good": METRICS["good"], "flat": METRICS["flat"]})
        done = judged(declared("good", require="improvement"), Standing.AFTER, policy=policy)
        assert done.verdict.outcome is Outcome.CANNOT_TELL
        assert codes(done)[0] == "declared-late"

    def test_declared_before_nothing_is_added(self) -> None:
        done = judged(declared("good", require="improvement"))
        assert done.verdict.outcome is Outcome.PASS


class TestAmended:
    def test_the_first_declaration_still_blocks(self) -> None:
        done = judged(declared("good"), Standing.AMENDED, registered=declared("bad"))
        assert done.verdict.outcome is Outcome.BLOCKED
        assert codes(done) == ["improved", "amended-after-results"]
        assert "Held to the first declaration, which named bad" in done.verdict.reasons[1].text

    def test_the_present_declaration_blocks_too(self) -> None:
        done = judged(declared("bad"), Standing.AMENDED, registered=declared("good"))
        assert done.verdict.outcome is Outcome.BLOCKED

    def test_the_first_requirement_cannot_be_shaken_off(self) -> None:
        first = declared("flat", require="improvement")
        done = judged(declared("flat"), Standing.AMENDED, registered=first)
        assert done.verdict.outcome is Outcome.CANNOT_TELL

    def test_where_both_pass_it_passes_and_says_that_it_was_amended(self) -> None:
        done = judged(declared("good"), Standing.AMENDED, registered=declared("flat"))
        assert done.verdict.outcome is Outcome.PASS
        assert "amended-after-results" in codes(done)
        assert done.record["registration"]["registered"]["primary_metric"] == "flat"

    def test_where_nothing_is_gated_it_is_only_said(self) -> None:
        policy = Policy(metrics=METRICS, mode=Mode.REPORT)
        done = judged(declared("good"), Standing.AMENDED, registered=declared("bad"), policy=policy)
        assert done.verdict.outcome is Outcome.NOT_GATED
        assert done.verdict.if_gated is Outcome.BLOCKED


class TestLooks:
    def test_planned_looks_split_alpha_where_an_improvement_is_asked(self) -> None:
        once = judged(declared("slow", require="improvement"), earlier_candidates=())
        assert once.comparison is not None
        p = next(metric.p_two_sided for metric in once.comparison.metrics if metric.name == "slow") or 1.0
        assert 0.05 / 5 < p < 0.05
        assert once.verdict.outcome is Outcome.PASS
        five = judged(declared("slow", require="improvement", looks=5), earlier_candidates=())
        assert five.verdict.outcome is Outcome.CANNOT_TELL
        assert codes(five) == ["looks-spent"]

    def test_a_regression_is_judged_at_the_full_level_whatever_was_planned(self) -> None:
        done = judged(declared("bad", looks=5), earlier_candidates=())
        assert done.verdict.outcome is Outcome.BLOCKED

    def test_looks_say_nothing_where_no_improvement_is_asked(self) -> None:
        assert judged(declared("slow", looks=5), earlier_candidates=()).verdict.outcome is Outcome.PASS

    def test_more_looks_than_planned_show_nothing(self) -> None:
        earlier = ("a" * 64, "b" * 64)
        done = judged(declared("good", require="improvement", looks=2), earlier_candidates=earlier)
        assert done.verdict.outcome is Outcome.CANNOT_TELL
        assert "this is look 3, and the declaration planned 2" in done.verdict.reasons[0].text

    def test_without_a_count_the_plan_still_splits(self) -> None:
        done = judged(declared("slow", require="improvement", looks=5), earlier_candidates=None)
        assert done.verdict.outcome is Outcome.CANNOT_TELL


def test_the_policys_requirement_holds_where_the_first_declaration_was_weaker() -> None:
    strict = Policy(metrics=METRICS, require=Requirement.IMPROVEMENT)
    done = judged(declared("flat"), Standing.AMENDED, registered=declared("good"), policy=strict)
    assert done.verdict.outcome is Outcome.CANNOT_TELL
