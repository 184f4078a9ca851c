"""A repository's own comment template: what it may reword, what it may not leave out, and what it may not cost."""

from __future__ import annotations

from dataclasses import replace

import pytest

from clearband import template_process
from clearband.report import render_suites
from clearband.several import Several
from clearband.template_process import SIZE_CAP, NotUsed, comment
from unit.report.variants import VARIANTS

pytestmark = pytest.mark.slow

ONE = Several((VARIANTS["blocked"](),), are_listed=False)
TWO = Several((replace(VARIANTS["blocked"](), suite="a"), replace(VARIANTS["improved"](), suite="b")))


FIRST_ROW_ALONE = (
    "{% extends base %}{% block metrics %}{{ rows[0].name }} {{ rows[0].change }} {{ rows[0].cleared }}{% endblock %}"
)


def next_block(body: str) -> str:
    return "{% extends base %}{% block next %}" + body + "{% endblock %}"


def test_blocks_take_the_place_of_the_built_in_ones_and_the_rest_stays() -> None:
    text = comment(ONE, next_block("\nAsk in the evals channel.\n\n"))
    assert isinstance(text, str)
    assert "Ask in the evals channel." in text
    assert "**Next:**" not in text
    before, _, after = render_suites.comment(ONE).partition("**Next:**")
    assert text.startswith(before)
    assert text.endswith(after.partition("\n\n")[2])


def test_each_suites_part_is_worded_by_it() -> None:
    text = comment(TWO, next_block("\nOurs.\n\n"))
    assert isinstance(text, str)
    assert text.count("Ours.") == 2
    assert text.startswith(render_suites.comment(TWO).partition("####")[0])


@pytest.mark.parametrize(
    ("source", "left_out"),
    [
        ("nothing of it", "the verdict"),
        ("{% extends base %}{% block verdict %}### All is well\n{% endblock %}", "the verdict"),
        (
            "{% extends base %}{% block verdict %}### {{ view.symbol }} {{ view.headline }}\n{% endblock %}",
            "what it means for the merge",
        ),
        ("{% extends base %}{% block metrics %}{% endblock %}", "the metric nDCG@10"),
        (
            FIRST_ROW_ALONE,
            "the metric AP",
        ),
        ("{% extends base %}{% block promises %}<!--{% endblock %}{% block end %}-->{% endblock %}", "the metric"),
    ],
)
def test_what_leaves_out_what_was_found_is_not_used(source: str, left_out: str) -> None:
    found = comment(ONE, source)
    assert isinstance(found, NotUsed)
    assert found.why.startswith(f"it leaves out {left_out}")


@pytest.mark.parametrize(
    ("source", "why"),
    [
        (next_block("{{ view.nothing }}"), "UndefinedError"),
        (next_block("{{ nothing }}"), "UndefinedError"),
        ("{% extends base %}\n{% block x", "TemplateSyntaxError (line 2)"),
        (next_block("{% include '/etc/passwd' %}"), "TemplateNotFound"),
        (next_block("{{ view.__class__.__mro__ }}"), "SecurityError"),
        (next_block("{{ view.rows.__init__.__globals__ }}"), "SecurityError"),
        (next_block("{{ 7 }}"), "TypeError"),
        (next_block("{% for row in range(9) %}{% endfor %}"), "UndefinedError"),
        ("x" * (SIZE_CAP + 1), "more than 32,768 bytes"),
        (next_block("{{ 'a' * 2000000000 }}"), "1,024 MiB"),
        (next_block("{% for a in 'x' * 20 %}" + "long " * 700 + "{% endfor %}"), "more than 60,000 bytes"),
    ],
)
def test_what_cannot_be_used_is_said_with_the_reason(source: str, why: str) -> None:
    found = comment(ONE, source)
    assert isinstance(found, NotUsed)
    assert why in found.why


def test_what_does_not_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    loops = "{% for a in 'x' * 99999 %}" * 4 + "{% endfor %}" * 4
    monkeypatch.setattr(template_process, "SECONDS", 0.0)
    assert isinstance(comment(ONE, next_block(loops)), NotUsed)


def test_what_it_prints_is_escaped_like_everything() -> None:
    text = comment(ONE, next_block("\n{{ '<img src=x> @octocat' }}\n\n"))
    assert isinstance(text, str)
    assert "<img" not in text
    assert "@octocat" not in text
