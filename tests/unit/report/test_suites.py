"""Several suites in one comment: one verdict first, a line for each, and each one's own part."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import TYPE_CHECKING

import pytest

from clearband import answers
from clearband.errors import ResultsMissing
from clearband.report import render_suites
from clearband.report.marker import marker
from clearband.report.render import COMMENT_BYTES, comment
from clearband.several import Several

from . import factories as make
from .reading import FORBIDDEN, GOLDEN, check_golden, read
from .variants import VARIANTS

if TYPE_CHECKING:
    from clearband.answers import Answer


def several(**variants: str) -> Several:
    return Several(tuple(replace(KNOWN[variant](), suite=suite) for suite, variant in variants.items()))


def absent() -> Answer:
    problem = ResultsMissing(
        "The candidate `results/answers.jsonl` cannot be read: No such file or directory.",
        remedy="The input `candidate` is a path in the workspace: the file must be written before this step.",
    )
    return answers.absent(problem, suite="answers", policy=make.policy(), declaration=make.declaration())


KNOWN = VARIANTS | {"absent": absent}


MIXED = {"retrieval": "inconclusive", "answers": "blocked", "tone": "improved", "safety": "undeclared"}
GOLDENS = {
    "one_of_four_blocks": MIXED,
    "all_pass": {"retrieval": "inconclusive", "tone": "improved"},
    "nothing_shown": {"retrieval": "inconclusive", "tone": "identical"},
    "one_is_missing": {"retrieval": "improved", "answers": "absent"},
}


@pytest.mark.parametrize("name", GOLDENS)
def test_the_comment_has_its_expected_bytes(name: str) -> None:
    check_golden(GOLDEN / "suites" / f"{name}.md", render_suites.comment(several(**GOLDENS[name])))


def test_no_expected_comment_is_left_over() -> None:
    assert {file.stem for file in (GOLDEN / "suites").iterdir()} == set(GOLDENS)


class TestTheVerdict:
    @pytest.mark.parametrize(
        ("variants", "status"),
        [
            (["improved", "inconclusive"], 0),
            (["improved", "improvement_not_shown"], 2),
            (["improvement_not_shown", "undeclared"], 3),
            (["undeclared", "improvement_not_shown", "blocked"], 1),
            (["blocked", "overridden"], 1),
            (["improved", "overridden"], 0),
            (["improved", "not_set_up"], 0),
            (["improved", "absent"], 2),
        ],
    )
    def test_one_suite_that_does_not_pass_is_enough_in_whatever_order(self, variants: list[str], status: int) -> None:
        for order in permutations(variants):
            assert several(**{f"s{number}": name for number, name in enumerate(order)}).exit_status == status

    def test_the_first_of_the_gravest_decides(self) -> None:
        both = several(a="improved", b="blocked", c="blocked")
        assert both.deciding.suite == "b"
        assert [answer.suite for answer in both.gravest_first()] == ["b", "c", "a"]


class TestTheComment:
    def test_it_is_the_comment_that_a_repository_without_suites_has(self) -> None:
        text = render_suites.comment(several(**MIXED))
        assert text.split("\n")[0] == marker("default")
        assert text.count("clearband:comment") == 1

    def test_every_suite_has_a_line_in_the_policys_order(self) -> None:
        lines = [line for line in read(render_suites.comment(several(**MIXED))).splitlines() if line.startswith("|")]
        assert [line.split("|")[1].strip() for line in lines[2:6]] == list(MIXED)

    def test_what_does_not_pass_is_open_and_first_the_rest_is_folded(self) -> None:
        text = render_suites.comment(several(**MIXED))
        order = [text.index(f"Suite <code>{suite}</code>") for suite in ("answers", "safety", "retrieval", "tone")]
        assert order == sorted(order)
        assert text.count("\n#### ") == 2
        assert "<details><summary>✅ Suite <code>tone</code>. Improved" in text

    def test_whatever_else_does_not_pass_is_named_beside_the_verdict(self) -> None:
        text = read(render_suites.comment(several(**MIXED)))
        assert "The merge is blocked: 1 of 4 suites got worse." in text
        assert "Not passing either: safety." in text

    def test_a_tick_stands_for_an_improvement_only(self) -> None:
        assert "### ✅" not in render_suites.comment(several(a="inconclusive", b="identical"))
        assert "### ✅ Improved: <code>b</code>" in render_suites.comment(several(a="inconclusive", b="improved"))
        assert "### ✅" not in render_suites.comment(several(a="improved", b="blocked"))

    @pytest.mark.parametrize("name", GOLDENS)
    def test_it_is_plain_and_closes_what_it_opens(self, name: str) -> None:
        text = render_suites.comment(several(**GOLDENS[name]))
        assert FORBIDDEN.findall(read(text)) == []
        assert "\n\n\n" not in text
        assert text.count("<details>") == text.count("</details>")

    def test_a_run_for_one_suite_has_that_suites_own_comment(self) -> None:
        answer = replace(VARIANTS["blocked"](), suite="answers")
        assert render_suites.comment(Several((answer,), are_listed=False)) == comment(answer)

    def test_one_suite_alone_is_told_like_several(self) -> None:
        assert "1 suite compared" in render_suites.comment(several(a="inconclusive"))


class TestRoom:
    @staticmethod
    def wide(suite: str) -> Answer:
        many = make.comparison(make.primary(), *(make.metric(f"metric {i:03d} " + "_" * 20) for i in range(199)))
        return replace(make.answer(many), suite=suite)

    def test_fifty_suites_of_two_hundred_metrics_fit_and_each_has_its_line(self) -> None:
        text = render_suites.comment(Several(tuple(self.wide(f"cell-{number}") for number in range(50))))
        assert len(text.encode()) <= COMMENT_BYTES
        assert all(f"| <code>cell&#45;{number}</code> |" in text for number in range(50))

    def test_parts_without_room_are_counted(self) -> None:
        answers = [replace(VARIANTS["inconclusive"](), suite=f"cell-{number}") for number in range(50)]
        whole = render_suites.summary(Several(tuple(answers)))
        assert whole.count("<details><summary>⚪️ Suite") == 50
        long = [replace(VARIANTS["hostile_names"](), suite=f"cell-{number}") for number in range(50)]
        text = render_suites.comment(Several(tuple(long)))
        shown = text.count("Suite <code>cell")
        assert len(text.encode()) <= COMMENT_BYTES
        assert shown < 50
        assert f"no room for the parts of {50 - shown} suites" in read(text)

    def test_a_few_suites_share_the_room_equally(self) -> None:
        text = render_suites.comment(Several(tuple(self.wide(f"cell-{number}") for number in range(3))))
        shown = [
            int(part.split(" of 200 metrics shown")[0].split()[-1])
            for part in text.split("####")[1:]
            if "of 200" in part
        ]
        assert len(text.encode()) <= COMMENT_BYTES
        assert all(abs(one - shown[0]) < 20 for one in shown)
