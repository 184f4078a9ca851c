"""The part of YAML that a policy may use, and that the rest is refused with its line."""

from __future__ import annotations

import re

import pytest

from clearband.errors import UnusablePolicy
from clearband.policy_yaml import Mapping, Scalar, Sequence, read


def refusal(text: str | bytes) -> UnusablePolicy:
    with pytest.raises(UnusablePolicy) as caught:
        read(text if isinstance(text, bytes) else text.encode(), name="clearband.yml")
    return caught.value


@pytest.mark.parametrize(
    ("text", "line", "fault"),
    [
        ("a: 1\nmetrics: &all {}", 2, "anchor `&all`"),
        ("primary: &p x", 1, "anchor `&p`"),
        ("primary: *p", 1, "alias `*p`"),
        ("metrics:\n  <<: {a: {}}", 2, "merge key"),
        ("primary: !!str a", 1, "tag"),
        ("primary: !important a", 1, "tag"),
        ("!!python/object/apply:os.system [id]", 1, "tag"),
        ("primary: a\nmode: gate\nprimary: b", 3, "`primary` appears twice, on lines 1 and 3"),
        ("metrics:\n  a: {}\n  'a': {}", 3, "appears twice"),
        ("primary: a\n---\nprimary: b", 2, "second document"),
        ("? [a]\n: 1", 1, "a key is itself a list or mapping"),
        ("a: " + "[" * 21, 1, "nested deeper than 20"),
        ("[" + "1," * 20_001 + "]", 1, "more than 20,000 values"),
        ("primary: a\n\tmode: gate", 2, "not a policy"),
        ("primary: a: b", 1, "not a policy"),
        ("primary: 'a", 1, "not a policy"),
        ("primary: @a", 1, "not a policy"),
        ("primary: a\nmode: \x01", 2, "<U+0001>"),
        ('primary: "\\U99999999"', 1, "not a policy"),
    ],
)
def test_the_rest_of_yaml_is_refused_with_its_line(text: str, line: int, fault: str) -> None:
    error = refusal(text)
    assert fault in error.what
    assert re.match(rf"line {line}\b", str(error.where))
    assert error.remedy


def test_text_in_another_encoding_is_refused_with_its_line() -> None:
    error = refusal(b"primary: a\nunit: \xff")
    assert "UTF-8" in error.what
    assert error.where == "line 2"
    assert "UTF-8" in refusal("primary: a".encode("utf-16")).what


def test_a_file_beyond_64_kib_is_refused_unread() -> None:
    assert read(b"#" * 65_535 + b"\n", name="clearband.yml") == Mapping((), 1)
    assert "65,537 bytes" in refusal(b"[" * 65_537).what


def test_scalars_stay_the_text_that_was_written() -> None:
    words = ["no", "1:30", "0x1F", "2026-01-01", "~", "1_000", "0o7", ".inf"]
    tree = read(f"[{', '.join(words)}]".encode(), name="clearband.yml")
    assert isinstance(tree, Sequence)
    assert tree.items == tuple(Scalar(word, plain=True, line=1) for word in words)


def test_every_value_knows_its_line() -> None:
    tree = read(b"a: 1\n\n# note\nb:\n  - 'x'\n  - |\n    y\n", name="clearband.yml")
    assert tree == Mapping(
        (
            (Scalar("a", plain=True, line=1), Scalar("1", plain=True, line=1)),
            (
                Scalar("b", plain=True, line=4),
                Sequence((Scalar("x", plain=False, line=5), Scalar("y\n", plain=False, line=6)), line=5),
            ),
        ),
        line=1,
    )
