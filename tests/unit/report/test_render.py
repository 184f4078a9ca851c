"""The templates: packaged, sandboxed, and unable to forget to escape."""

from __future__ import annotations

import subprocess
import sys
from importlib import resources

import pytest
from jinja2 import TemplateNotFound, UndefinedError
from jinja2.exceptions import SecurityError, TemplateAssertionError

from clearband.report import render
from clearband.report.phrase import say

ENVIRONMENT = render._environment()


def rendered(source: str, **values: object) -> str:
    return ENVIRONMENT.from_string(source).render(values)


def test_text_is_escaped_whatever_the_template_does() -> None:
    assert rendered("{{ name }}", name="<b>") == "<code>&#60;b&#62;</code>"
    assert rendered("{{ name ~ '|' }}", name="<b>") == "<code>&#60;b&#62;&#124;</code>"
    assert rendered("{% set x = name %}{{ x }}", name="|") == "<code>&#124;</code>"
    assert rendered("{% for name in names %}{{ name }}{% endfor %}", names=["|"]) == "<code>&#124;</code>"
    assert rendered("{{ name }}", name=say("our words")) == "our words"


def test_a_number_cannot_be_printed_past_the_rounding_rules() -> None:
    with pytest.raises(TypeError, match="a template printed a float"):
        rendered("{{ x }}", x=0.1)


@pytest.mark.parametrize("source", ["{{ name | safe }}", "{{ name | escape }}", "{{ name | replace('a', 'b') }}"])
def test_there_is_no_filter_that_could_undo_it(source: str) -> None:
    with pytest.raises(TemplateAssertionError, match="No filter named"):
        rendered(source, name="<b>")


def test_a_missing_value_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        rendered("{{ nothing }}")


@pytest.mark.parametrize("source", ["{{ x.__class__ }}", "{{ x.__init__.__globals__ }}", "{{ ''.__class__.__mro__ }}"])
def test_the_sandbox_holds(source: str) -> None:
    with pytest.raises(SecurityError):
        rendered(source, x=say("a"))


@pytest.mark.parametrize("name", ["../pyproject.toml", "/etc/passwd", "pull_request_template.md", "comment.md"])
def test_no_other_file_can_be_included(name: str) -> None:
    with pytest.raises(TemplateNotFound):
        rendered("{% include name %}", name=name)


@pytest.mark.parametrize("name", ["comment.md.j2", "summary.md.j2"])
def test_the_templates_are_part_of_the_package(name: str) -> None:
    assert resources.files("clearband").joinpath("templates", name).read_text(encoding="utf-8").endswith("\n")


def test_rendering_reads_no_environment_and_no_clock() -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from unit.report.variants import VARIANTS\n"
        "from clearband.report.render import comment, summary\n"
        "sys.stdout.buffer.write((comment(VARIANTS['some_lost']()) + summary(VARIANTS['blocked']())).encode())"
    )
    here = str(resources.files("clearband").joinpath("..", "..", "tests"))
    texts = set()
    for environment in (
        {"LC_ALL": "C", "TZ": "Asia/Tokyo", "PYTHONHASHSEED": "1"},
        {"LANG": "tr_TR.UTF-8", "PYTHONHASHSEED": "2"},
    ):
        done = subprocess.run(
            [sys.executable, "-c", code, here], capture_output=True, timeout=60, check=True, env=environment
        )
        texts.add(done.stdout)
    assert len(texts) == 1
