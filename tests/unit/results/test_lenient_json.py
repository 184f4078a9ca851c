"""JSON with NaN, as Python's own ``json`` writes it: the same document with null, and texts left alone."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearband.results import lenient_json

_TEXTS = st.sampled_from(["NaN", '"NaN', "\\", '\\"NaN\\', "a: NaN, b", "\\\\NaN", "é\n"]) | st.text(max_size=4)
_DOCUMENTS = st.recursive(
    st.sampled_from([math.nan, None, 1, -0.5, True]) | _TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXTS, inner, max_size=4),
    max_leaves=25,
)


def without(value: object) -> object:
    match value:
        case float() if math.isnan(value):
            return None
        case list():
            return [without(one) for one in value]
        case dict():
            return {name: without(one) for name, one in value.items()}
        case _:
            return value


@given(_DOCUMENTS, st.booleans())
def test_every_bare_nan_becomes_null_and_nothing_else_changes(document: object, plain: bool) -> None:
    data = json.dumps(document, ensure_ascii=plain, indent=None if plain else 1).encode("utf-8", "surrogatepass")

    assert json.loads(lenient_json.without_nan(data)) == without(document)


@pytest.mark.parametrize("data", [b'{"a": "NaN"}', b'["\\"NaN"]', b"{}", b"[Infinity]", b"\xff"])
def test_bytes_without_a_bare_nan_are_handed_back_themselves(data: bytes) -> None:
    assert lenient_json.without_nan(data) is data
