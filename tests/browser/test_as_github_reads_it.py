"""Comments through GitHub's own parser and its allow-list: nothing is taken away, and nothing hostile comes alive."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from github_page import removed, sanitised, unsanitised
from hypothesis import given, settings
from hypothesis import strategies as st

from clearband.report.escape import fenced, inline_code, prose
from clearband.report.phrase import Block

COMMENTS = sorted((Path(__file__).resolve().parents[1] / "golden" / "comments").glob("*.md"))
EVERY = pytest.mark.parametrize("file", COMMENTS, ids=lambda file: file.stem)

HOSTILE = (
    "@octocat",
    "@github/security-team",
    "octocat@example.com",
    "mailto:octocat@example.com",
    "xmpp:octocat@example.com/a",
    "a.b@c.d@e.f and g@h.i",
    "#1",
    "GH-1",
    "octocat/hello#1",
    "0123456789abcdef0123456789abcdef01234567",
    "deadbeef",
    "https://example.com/?q=1&r=2",
    "www.example.com",
    "[text](https://example.com)",
    "[text][1]\n\n[1]: https://example.com",
    "![image](https://example.com/x.png)",
    "<img src=x onerror=alert(1)>",
    "<script>alert(1)</script>",
    "<a href='javascript:alert(1)'>x</a>",
    "<https://example.com>",
    "<!-- clearband:comment suite=default -->",
    "-->",
    "</details></summary>",
    "</code></td></tr></table>",
    "a | b | c",
    "a \\| b",
    "`code` and ``more``",
    "```\nfence\n```",
    "~~~",
    "**bold** _em_ ~~gone~~",
    "# heading",
    "> quote",
    "- item\n- item",
    "1. item",
    "0)",
    "2) item",
    "---",
    "===",
    "$\\frac{1}{2}$ and $$x$$",
    ":smile: :octocat:",
    "[^1]",
    "> [!WARNING]",
    "- [x] done",
    "&lt;b&gt; &#64;octocat &commat;octocat",
    "\u202egnp.exe",
    "a\u200b@octocat",
    "\\@octocat",
    "line\r\nbreak\u2028and\u0085more",
    "\x00\x07\x1b[31m",
    "<pre>",
    "<svg/onload=alert(1)>",
    "{{ view }} {% raw %}",
    "x" * 5_000,
    "\ud800",
    "",
    " ",
)
HARMLESS = {"h3", "p", "code", "table", "thead", "tbody", "tr", "th", "td", "strong", "br", "ul", "li", "pre"}
HARMLESS_EVERYWHERE = HARMLESS | {"details", "summary"}


class Page(HTMLParser):
    """The tags of a page, its text outside code, and the cells of each row."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.open: list[str] = []
        self.outside_code = ""
        self.code: list[str] = []
        self.cells: list[int] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag not in {"br", "img", "hr", "input"}:
            self.open.append(tag)
        if tag == "tr":
            self.cells.append(0)
        if tag in {"td", "th"}:
            self.cells[-1] += 1
        if tag == "code":
            self.code.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, "the sanitiser balances its tags"

    def handle_data(self, data: str) -> None:
        if "code" in self.open:
            self.code[-1] += data
        else:
            self.outside_code += data


def page(markdown: str) -> Page:
    return Page(sanitised(unsanitised(markdown)))


def contexts(text: str) -> str:
    """A comment with a hostile text in every place that a text can be in."""
    code, sentence, block = inline_code(text), prose(text), fenced(Block(text, "yaml"))
    return (
        f"### Improved: {code} better\n\n**Stopped: {code} never passes.** {sentence}\n\n{sentence}\n\n"
        f"| metric | change |\n|:--|--:|\n| ★ **{code}** | 1 |\n| {sentence} | {code} |\n\n"
        f"<details><summary>Details</summary>\n\n- Note: {sentence}\n- {code}\n\n{block}\n\n</details>\n"
    )


def assert_harmless(shown: Page) -> None:
    assert shown.tags <= HARMLESS_EVERYWHERE
    assert shown.open == []
    assert "@" not in shown.outside_code
    assert not re.search(r"#\d|GH-\d|https?:|www\.|\b[0-9a-f]{7,40}\b|[$`|<>*~]", shown.outside_code)


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text)[:30])
def test_a_hostile_text_does_nothing_wherever_it_stands(text: str) -> None:
    shown = page(contexts(text))
    assert_harmless(shown)
    assert shown.cells == [2, 2, 2]
    assert removed(contexts(text)) == []


@settings(deadline=None)
@given(
    st.text(st.characters(exclude_categories=()), max_size=80)
    | st.text(st.sampled_from("@#|`*_<>[]()!\\$:~-=&; \na1/."), max_size=60)
)
def test_no_text_does_anything_wherever_it_stands(text: str) -> None:
    shown = page(contexts(text))
    assert_harmless(shown)
    assert shown.cells == [2, 2, 2]


def test_these_payloads_would_act_if_they_were_not_escaped() -> None:
    def acts(text: str) -> bool:
        raw = page(f"{text} x\n\n| a | b |\n|---|---|\n| {text} | x |\n")
        return not raw.tags <= HARMLESS or "@" in raw.outside_code or set(raw.cells) != {2}

    assert sum(acts(text) for text in HOSTILE if text.isprintable()) >= 24


@EVERY
def test_the_sanitiser_takes_nothing_from_a_comment(file: Path) -> None:
    assert removed(file.read_text(encoding="utf-8")) == []


@EVERY
def test_a_comment_holds_no_link_no_image_and_no_mention(file: Path) -> None:
    markdown = file.read_text(encoding="utf-8")
    for ours in ("&#62;\u00a010×", "&#60;\u00a00.001"):
        markdown = markdown.replace(ours, "")
    assert_harmless(page(markdown))


@EVERY
def test_every_row_of_a_comment_has_as_many_cells_as_its_header(file: Path) -> None:
    markdown = file.read_text(encoding="utf-8")
    tables = re.findall(r"<table>.*?</table>", unsanitised(markdown), flags=re.DOTALL)
    for table in tables:
        assert len(set(Page(table).cells)) == 1
    widths = [len(re.findall(r"(?<!\\)\|", line)) for line in markdown.split("\n") if line.startswith("|")]
    assert sum(len(Page(table).cells) for table in tables) == len(widths) - len(tables)


@EVERY
def test_the_marker_is_invisible(file: Path) -> None:
    assert "clearband:comment" not in page(file.read_text(encoding="utf-8")).outside_code
