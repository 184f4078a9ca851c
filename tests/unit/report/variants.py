"""Every variant of what people see, by name; each has an expected comment in tests/golden/comments."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from clearband import answers
from clearband.comparison import Lost
from clearband.declaration import DeclarationProblem, NotDeclared
from clearband.errors import ResultsMissing, UnusableDeclaration, UnusablePolicy, UnusableResults
from clearband.policy import MetricPolicy
from clearband.proposal import Proposal, lint
from clearband.vocabulary import Direction, Flag, Outcome, Requirement, Role, State

from . import factories as make
from .further_variants import OUTCOMES
from .registered_variants import OUTCOMES as REGISTERED

if TYPE_CHECKING:
    from collections.abc import Callable

    from clearband.answers import Answer

HOSTILE_NAMES = (
    "pipe|s & `ticks` | x",
    "@octocat and #12 and GH-7",
    '<img src=x onerror="alert(1)"><script>alert(2)</script>',
    "[link](https://example.com) ![i](https://example.com/i.png)",
    "\u202edetanoitseuq\u202c ok\u200bay",
    "דיוק באחוזים",
    "准确率 точность 🧑\u200d🔬 ❤\ufe0f",
    "</details>\n\n# heading\n\n---",
    "x" * 150 + "_" + "y" * 49,
    "\x1b[31mred\x1b[0m \x07 $a_1$ **bold** ~~gone~~",
)


def improved() -> Answer:
    first = make.improved(role=Role.PRIMARY, effect=0.03, n_suggested=281, n_suggested_basis="declared")
    return make.answer(make.comparison(first, *make.others()), declared=make.declaration())


def inconclusive() -> Answer:
    return make.answer(declared=make.declaration())


def inconclusive_without_effect() -> Answer:
    first = make.metric(role=Role.PRIMARY)
    return make.answer(
        make.comparison(first, *make.others()[1:2]), declared=make.declaration(effect=None, hypothesis=None)
    )


def within_effect() -> Answer:
    first = make.primary(flags=(Flag.WITHIN_EFFECT,), effect=0.05, n_suggested=114)
    return make.answer(make.comparison(first, *make.others()), declared=make.declaration(effect=0.05))


def blocked() -> Answer:
    first = make.regressed(role=Role.PRIMARY, effect=0.03, n_suggested=305, n_suggested_basis="declared")
    return make.answer(
        make.comparison(first, *make.others()),
        outcome=Outcome.BLOCKED,
        reasons=(make.reason("regressed", text="the whole interval is below zero"),),
        declared=make.declaration(),
    )


def blocked_by_guardrail() -> Answer:
    guard = make.regressed("R@100", role=Role.GUARDRAIL, margin=0.005, baseline_mean=0.7354, candidate_mean=0.7044)
    return make.answer(
        make.comparison(make.improved(role=Role.PRIMARY, n_suggested=301), guard, *make.others()[:3]),
        outcome=Outcome.BLOCKED,
        reasons=(make.reason("guardrail-regressed", "R@100", "the guardrail regressed beyond its margin"),),
        declared=make.declaration(effect=None),
    )


def within_margin() -> Answer:
    first = make.regressed(role=Role.PRIMARY, margin=0.02, flags=(), n_suggested=400)
    return make.answer(make.comparison(first), declared=make.declaration(effect=None))


def improvement_not_shown() -> Answer:
    return make.answer(
        outcome=Outcome.CANNOT_TELL,
        require=Requirement.IMPROVEMENT,
        declared=make.declaration(require=Requirement.IMPROVEMENT),
    )


def non_inferior() -> Answer:
    first = make.primary(margin=0.02)
    return make.answer(make.comparison(first), require=Requirement.NON_INFERIORITY, declared=make.declaration())


def identical() -> Answer:
    first = make.identical(role=Role.PRIMARY, effect=0.03)
    same = make.arm("lsa200.csv", make.BASELINE_SHA)
    return make.answer(make.comparison(first, make.identical("AP"), candidate=same), declared=make.declaration())


def too_sparse() -> Answer:
    first = make.sparse(role=Role.PRIMARY)
    return make.answer(
        make.comparison(first, make.sparse("exact_match", why=None)),
        held_to=make.policy(primary="pass_at_1", metrics={"pass_at_1": MetricPolicy(), "exact_match": MetricPolicy()}),
        declared=make.declaration(primary_metric="pass_at_1", effect=None),
    )


def too_few_questions() -> Answer:
    first = make.metric(role=Role.PRIMARY, n=8, nonzero=8, wins=6, losses=2, ties=0, state=State.TOO_SPARSE,
                        why="8 questions, at least 10 must be paired")  # fmt: skip
    return make.answer(make.comparison(first, questions=make.questions(paired=8)))


def too_many_lost() -> Answer:
    lost = tuple(f"q{number:03d}" for number in range(1, 36))
    return make.answer(
        make.comparison(
            make.invalid(role=Role.PRIMARY),
            make.invalid("AP"),
            make.unmeasured("RR"),
            questions=make.questions(paired=225, candidate_missing=lost),
            candidate=make.arm("lsa200.csv", make.CANDIDATE_SHA, notes=("35 rows carry an error and no score.",)),
        ),
        outcome=Outcome.INVALID,
        reasons=(make.reason("too-many-lost", text="35 of 225 questions are lost"),),
        declared=make.declaration(),
    )


def some_lost() -> Answer:
    first = make.primary(
        n=222,
        lost=Lost(candidate_missing=3, baseline_missing=0),
        worst_case_interval=(-0.0151, 0.0389),
        worst_case_is_bound=True,
        not_applicable=18,
    )
    return make.answer(
        make.comparison(
            first,
            *make.others(),
            questions=make.questions(
                paired=243, candidate_missing=("17", "90", "213"), added=tuple(f"new-{i}" for i in range(559))
            ),
        ),
        declared=make.declaration(),
    )


def undeclared() -> Answer:
    return make.stopped(
        UnusableDeclaration("the policy names no primary metric and the description declares none", remedy="paste"),
        declared=NotDeclared(suite="default", reason="the template's placeholder was left as it was"),
        held_to=make.policy(primary=None),
    )


def not_declared_but_policy() -> Answer:
    return make.answer(declared=NotDeclared(suite="default", reason="the description holds no declaration"))


def declaration_problem() -> Answer:
    problem = DeclarationProblem(
        suite="default",
        what="two different declarations: `nDCG@10` and `AP`",
        remedy="keep one of them",
        lines=(9, 31),
    )
    return make.stopped(
        UnusableDeclaration(problem.what, where="lines 9 and 31", remedy=problem.remedy),
        declared=problem,
        held_to=make.policy(),
    )


def unusable_results() -> Answer:
    return make.stopped(
        UnusableResults(
            "lsa200.csv: the last row ends inside a quoted field",
            where="line 226, field nDCG@10",
            remedy="the file was cut off while it was written: run the evaluation again",
        ),
        held_to=make.policy(),
    )


def unusable_policy() -> Answer:
    return make.stopped(
        UnusablePolicy(
            "unknown key `confidense`",
            where="line 3",
            remedy="the nearest key is confidence:\nconfidence: 0.95\nmetrics:\n  accuracy: {direction: higher}",
        )
    )


def not_gated_laptop() -> Answer:
    compared = make.comparison(make.metric(), *make.others())
    return make.answer(compared, no_policy=True, ungated="Neither a primary metric nor a policy was given.")


def not_set_up() -> Answer:
    compared = make.comparison(make.metric(), *make.others())
    return make.answer(
        compared,
        no_policy=True,
        ungated="This repository is not set up yet: there is no policy at the base commit.",
        set_up=False,
    )


def brings_a_policy() -> Answer:
    return replace(not_set_up(), proposal=Proposal(name=".github/clearband.yml", problem=None))


def brings_a_broken_policy() -> Answer:
    return replace(not_set_up(), proposal=lint(b"primary: recal\nmetrics:\n  recall:\n", name=".github/clearband.yml"))


def nothing_to_compare_with_yet() -> Answer:
    missing = ResultsMissing("The baseline `base/results.jsonl` cannot be read: No such file or directory.")
    proposal = Proposal(name=".github/clearband.yml", problem=None)
    return replace(answers.not_set_up(missing, suite="default"), proposal=proposal)


def report_mode() -> Answer:
    first = make.regressed(role=Role.PRIMARY, effect=0.03, n_suggested=305, n_suggested_basis="declared")
    return make.answer(
        make.comparison(first, *make.others()),
        held_to=make.report_mode(),
        declared=make.declaration(),
        ungated="The policy only reports (mode: report).",
    )


def lower_is_better() -> Answer:
    first = make.metric(
        "latency_ms",
        role=Role.PRIMARY,
        direction=Direction.LOWER,
        baseline_mean=1312.4,
        candidate_mean=1187.9,
        delta=-124.5,
        interval=(-197.2, -51.8),
        state=State.IMPROVED,
        cleared=True,
        p_two_sided=0.0009,
        p_sign_flip=0.0011,
        effect=100.0,
        n_suggested=270,
        n_suggested_basis="declared",
        mde=104.0,
    )
    cost = make.metric(
        "cost",
        direction=Direction.NEUTRAL,
        baseline_mean=0.01212,
        candidate_mean=0.01249,
        delta=0.00037,
        interval=(0.00011, 0.00064),
        state=State.CHANGED,
        cleared=True,
        mde=0.0004,
    )
    rules = make.policy(
        primary="latency_ms",
        metrics={
            "latency_ms": MetricPolicy(direction=Direction.LOWER, unit="ms"),
            "cost": MetricPolicy(direction=Direction.NEUTRAL, unit="USD"),
        },
    )
    compared = make.comparison(first, cost)
    return make.answer(compared, held_to=rules, declared=make.declaration(primary_metric="latency_ms", effect=100.0))


def zero_one_metric() -> Answer:
    first = make.accuracy(up=113, down=46, before=431, role=Role.PRIMARY, effect=0.05, n_suggested=610,
                          n_suggested_basis="declared", p_sign_flip=0.0003)  # fmt: skip
    names = ("gpt-4-0613.jsonl", "gpt-4-0613+cot.jsonl")
    return make.answer(
        make.comparison(
            first,
            baseline=make.arm(names[0], questions=800),
            candidate=make.arm(names[1], make.CANDIDATE_SHA, questions=800),
            questions=make.questions(paired=800),
        ),
        held_to=make.policy(primary="pass_at_1", metrics={}),
        declared=make.declaration(primary_metric="pass_at_1", effect=0.05, hypothesis=None),
    )


def monte_carlo() -> Answer:
    first = make.primary(monte_carlo_error=(0.0008, 0.0009), seed=11)
    rest = tuple(replace(m, monte_carlo_error=(0.0007, 0.0008), seed=11) for m in make.others())
    return make.answer(make.comparison(first, *rest, n_boot=2000), declared=make.declaration())


def forty_metrics() -> Answer:
    rest = tuple(make.metric(f"category_{number:02d}/exact_match") for number in range(1, 40))
    return make.answer(make.comparison(make.primary(), *rest), declared=make.declaration())


def hostile_names() -> Answer:
    rest = tuple(make.improved(name) for name in HOSTILE_NAMES[1:])
    first = make.primary(HOSTILE_NAMES[0])
    compared = make.comparison(
        first,
        *rest,
        baseline=make.arm("base|line`<b>.csv", notes=("a note by @octocat about https://example.com and `ticks|`",)),
        questions=make.questions(candidate_missing=("@a", "#1", "|")),
    )
    held_to = make.policy(primary=first.name, metrics={first.name: MetricPolicy(unit="@octocat")})
    return make.answer(
        compared,
        held_to=held_to,
        declared=make.declaration(primary_metric=first.name, hypothesis="@octocat **wins** <b>always</b> #1 | x"),
    )


VARIANTS: dict[str, Callable[[], Answer]] = {
    function.__name__: function
    for function in (
        improved,
        inconclusive,
        inconclusive_without_effect,
        within_effect,
        blocked,
        blocked_by_guardrail,
        within_margin,
        improvement_not_shown,
        non_inferior,
        identical,
        too_sparse,
        too_few_questions,
        too_many_lost,
        some_lost,
        undeclared,
        not_declared_but_policy,
        declaration_problem,
        unusable_results,
        unusable_policy,
        not_gated_laptop,
        not_set_up,
        brings_a_policy,
        brings_a_broken_policy,
        nothing_to_compare_with_yet,
        report_mode,
        lower_is_better,
        zero_one_metric,
        monte_carlo,
        forty_metrics,
        hostile_names,
        *OUTCOMES,
        *REGISTERED,
    )
}
