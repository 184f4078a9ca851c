"""The door: whatever comes from outside is shown, on one line, and does nothing."""

from __future__ import annotations

import html
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearband.report.escape import door, fenced, inline_code, lines_of, markdown, prose, unmarked, visible, words
from clearband.report.phrase import Block, Phrase, Prose, Quote, listed, say

ANYTHING = st.text(st.characters(exclude_categories=()), max_size=120)  # lone surrogates too
CODE = re.compile(r'<code(?: dir="auto")?>((?:[A-Za-z0-9 ]|(?:<!-- -->)?&#[0-9]+;)*)</code>')


def shown(code: str) -> str:
    """What a reader sees of an escaped name."""
    inside = CODE.fullmatch(code)
    assert inside is not None, code
    return html.unescape(inside[1].replace("<!-- -->", ""))


class TestVisible:
    @pytest.mark.parametrize(
        ("text", "seen"),
        [
            ("ok\u202egnp.exe", "ok<U+202E>gnp.exe"),
            ("pay\u200bpal", "pay<U+200B>pal"),
            ("a\u2066b\u2069", "a<U+2066>b<U+2069>"),
            ("\x1b[31mred\x07", "<U+001B>[31mred<U+0007>"),
            ("a\x00b", "a<U+0000>b"),
            ("lone \ud800 surrogate", "lone <U+D800> surrogate"),
            ("blank\u3164letter", "blank<U+3164>letter"),
            ("soft\u00adhyphen", "soft<U+00AD>hyphen"),
            ("byte\ufefforder", "byte<U+FEFF>order"),
            ("tag\U000e0041", "tag<U+E0041>"),
            ("private\ue000", "private<U+E000>"),
            ("a\ufe01b", "a<U+FE01>b"),
            ("\uffff", "<U+FFFF>"),
        ],
    )
    def test_hidden_characters_are_shown_by_number(self, text: str, seen: str) -> None:
        assert visible(text) == seen

    def test_white_space_becomes_one_space(self) -> None:
        assert visible(" a\r\n\tb\u2028c\u00a0\u00a0d ") == "a b c d"

    @pytest.mark.parametrize(
        "text",
        ["准确率", "точность", "दक्षता", "ความแม่นยำ", "דיוק", "Genauigkeit für Köln", "❤\ufe0f", "🧑\u200d🔬", "👍🏽"],
    )
    def test_other_scripts_and_emoji_stay_as_they_are(self, text: str) -> None:
        assert visible(text) == text

    def test_a_joiner_between_letters_is_no_emoji(self) -> None:
        assert visible("a\u200db") == "a<U+200D>b"
        assert visible("a\ufe0fb") == "a<U+FE0F>b"

    def test_a_tower_of_marks_is_cut_down(self) -> None:
        assert visible("e" + "\u0301" * 50, limit=900).count("<U+0301>") == 46

    def test_long_text_loses_its_middle_not_its_end(self) -> None:
        one, other = ("x" * 150 + ending for ending in ("-macro", "-micro"))
        assert len(visible(one)) == 60
        assert visible(one) != visible(other)
        assert visible(one).endswith("-macro")

    @given(ANYTHING, st.integers(5, 80))
    def test_has_an_end(self, text: str, limit: int) -> None:
        assert len(visible(text, limit)) <= limit
        assert len(visible("\u202e" * 10_000, limit)) <= limit

    @given(ANYTHING)
    def test_nothing_hidden_is_left_but_what_holds_emoji_together(self, text: str) -> None:
        left = {unicodedata.category(sign) for sign in visible(text, limit=2_000)} - {"Cn"}
        assert not left & {"Cc", "Cs", "Co", "Zl", "Zp"}
        assert "\n" not in visible(text)


class TestInlineCode:
    @given(ANYTHING)
    def test_is_code_made_of_letters_digits_spaces_and_entities(self, text: str) -> None:
        assert CODE.fullmatch(inline_code(text))

    @given(ANYTHING)
    def test_shows_exactly_the_visible_text(self, text: str) -> None:
        assert shown(inline_code(text)) == (visible(text) or "(empty)")

    def test_right_to_left_names_are_isolated(self) -> None:
        assert inline_code("דיוק").startswith('<code dir="auto">')
        assert inline_code("accuracy").startswith("<code>")


class TestProse:
    def test_plain_words_stay_unmarked(self) -> None:
        sentence = "35 of 225 questions are lost (15.6 %), at most 2 % may be."
        assert html.unescape(prose(sentence)) == sentence
        assert "<code>" not in prose(sentence)

    @pytest.mark.parametrize(
        ("sentence", "quoted"),
        [
            ("ask @octocat about it", "@octocat"),
            ("see #12 now", "#12"),
            ("see GH-12 now", "GH-12"),
            ("see owner/repo#3, then go", "owner/repo#3"),
            ("visit https://example.com/x?y=1.", "https://example.com/x?y=1"),
            ("visit www.example.com today", "www.example.com"),
            ("commit 0123abcdef is it", "0123abcdef"),
            ("commit deadbeef is it", "deadbeef"),
            ("unknown key `confidense` here", "confidense"),
            ("a_b_c is unknown", "a_b_c"),
            ("a **bold** word", "**bold**"),
            ("some <b>html</b> here", "<b>html</b>"),
            ("a :smile: here", ":smile:"),
            ("pipes | here", "|"),
            ("mail to a@b.example please", "a@b.example"),
            ("math $x$ here", "$x$"),
        ],
    )
    def test_everything_that_could_act_becomes_code(self, sentence: str, quoted: str) -> None:
        assert [shown(found[0]) for found in CODE.finditer(prose(sentence))] == [quoted]

    @given(ANYTHING)
    def test_outside_code_there_are_only_words_figures_and_harmless_signs(self, text: str) -> None:
        outside = CODE.sub("", prose(text))
        assert re.fullmatch(
            r"(?:[A-Za-z0-9\u00c0-\u024f ,.;:?%–—→×±’'\"()\u2212-]|&#(?:33|40|41|43|45|46|91|93);)*", outside
        )
        assert not re.search(r"(?i)www\.|https?:", outside)

    @given(ANYTHING)
    def test_loses_nothing_that_can_be_seen_but_paired_backticks(self, text: str) -> None:
        kept = html.unescape(re.sub("</?code[^>]*>|<!-- -->", "", prose(text)))
        assert kept.replace("`", "").replace(" ", "") == visible(text, 600).replace("`", "").replace(" ", "")


class TestBlocks:
    def test_nothing_inside_closes_the_fence(self) -> None:
        text = fenced(Block("```clearband\nprimary_metric: x\n```\n`````\n</details>", "yaml"))
        fence = text.partition("yaml")[0]
        assert fence == "``````"
        assert text.count(fence) == 2

    def test_spaces_are_kept_and_hidden_characters_are_not(self) -> None:
        assert lines_of(Block("a:\n  b:  1\n\tc\u202ed\x1b[0m")) == ["a:", "  b:  1", " c<U+202E>d<U+001B>[0m"]

    @given(ANYTHING)
    def test_every_line_of_a_block_stays_inside_its_fence(self, text: str) -> None:
        block = fenced(Block(text))
        first, *body, last = block.split("\n")
        assert first == last
        assert set(first) == {"`"}
        assert all(first not in line for line in body)

    def test_a_block_has_an_end(self) -> None:
        assert len(lines_of(Block("x\n" * 5000))) == 61
        assert sum(map(len, lines_of(Block(("\u202e" * 400 + "\n") * 50)))) <= 6_001


class TestDoor:
    def test_text_is_untrusted_unless_said_otherwise(self) -> None:
        assert door("<b>") == "<code>&#60;b&#62;</code>"
        assert door(Quote("<b>")) == door("<b>")
        assert door(say("a ", Quote("|"))) == "a <code>&#124;</code>"

    @pytest.mark.parametrize("value", [1, 0.5, True, None, [], object(), b"x"])
    def test_numbers_and_objects_are_refused(self, value: object) -> None:
        with pytest.raises(TypeError, match="only phrases, blocks and text"):
            door(value)

    def test_even_our_own_words_cannot_act(self) -> None:
        assert html.unescape(words("*a* _b_ `c` | <d> @e #1")) == "*a* _b_ `c` | <d> @e #1"
        assert not set("*_`|<>@#") & set(re.sub("&#[0-9]+;", "", words("*a* _b_ `c` | <d> @e #1")))


class TestPlain:
    @given(ANYTHING)
    def test_a_terminal_gets_nothing_to_obey(self, text: str) -> None:
        line = unmarked(say("name: ", Quote(text), Prose(text)))
        assert not any(unicodedata.category(sign) in {"Cc", "Cs"} for sign in line)

    def test_markdown_and_terminal_say_the_same(self) -> None:
        phrase = say("The metric ", Quote("a|b"), " got better.")
        assert unmarked(phrase) == "The metric a|b got better."
        assert markdown(phrase) == "The metric <code>a&#124;b</code> got better."


def test_lists_read_as_english_and_have_an_end() -> None:
    names = tuple("abcdef")
    assert unmarked(listed(names[:1])) == "a"
    assert unmarked(listed(names[:2])) == "a and b"
    assert unmarked(listed(names[:3])) == "a, b and c"
    assert unmarked(listed(names, most=3)) == "a, b, c and 3 more"


def test_empty_phrases_are_false() -> None:
    assert not say()
    assert not say("", Phrase())
    assert say("a")
