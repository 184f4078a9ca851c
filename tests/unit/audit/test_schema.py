"""The published schemas, and that the program's own check of them agrees with a full implementation."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from referencing import Registry, Resource

from clearband.audit import schema
from clearband.audit.schema import ENTRY, KNOWN, RECORD, fault

from .ledgers import adoption, chained, comparison, override

COMPARED, LAPTOP = chained([comparison(7, -0.004), comparison(None, 0.06, standing=None)])
KINDS = {
    "comparison": COMPARED,
    "on a laptop": LAPTOP,
    "override": chained([override(COMPARED)])[0],
    "adoption": chained([adoption("multilingual")])[0],
}
REGISTRY: Registry[Any] = Registry().with_resources(
    [(name, Resource.from_contents(schema.published(name))) for name in (ENTRY, RECORD)]
)
FULL = jsonschema.Draft202012Validator(schema.published(ENTRY), registry=REGISTRY)


def plain(kind: str) -> Any:
    return json.loads(KINDS[kind].data)


@pytest.mark.parametrize("kind", KINDS)
def test_real_entries_of_every_type_keep_the_published_schema(kind: str) -> None:
    FULL.validate(plain(kind))
    assert fault(plain(kind)) is None


@pytest.mark.parametrize("name", ["entry.schema.json", "record.schema.json"])
def test_the_schemas_are_shipped_and_carry_their_version(name: str) -> None:
    text = resources.files("clearband.audit").joinpath(name).read_text(encoding="utf-8")
    found = json.loads(text)
    jsonschema.Draft202012Validator.check_schema(found)
    assert found["$id"] == f"urn:clearband:{name.removesuffix('.schema.json')}:1"


def keywords(value: Any, *, names: bool = False) -> set[str]:
    """Return every keyword in a schema, and none of the names of what it describes."""
    match value:
        case dict():
            found = set() if names else set(value)
            return found.union(
                *(keywords(inner, names=key in {"properties", "$defs"} and not names) for key, inner in value.items())
            )
        case list():
            return set().union(*map(keywords, value))
        case _:
            return set()


@pytest.mark.parametrize("name", [ENTRY, RECORD])
def test_no_schema_uses_what_the_check_does_not_know(name: str) -> None:
    assert keywords(schema.published(name)) <= KNOWN


ODD = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.floats(-2, 2)
    | st.text("a0:-", max_size=3)
    | st.just([])
    | st.just({})
)


def places(value: Any, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place, *(deeper for key, inner in items for deeper in places(inner, (*place, key)))]


PLACES = {kind: places(plain(kind))[1:] for kind in KINDS}


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_the_programs_own_check_agrees_with_a_full_one(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(sorted(KINDS)))
    body = plain(kind)
    *steps, last = data.draw(st.sampled_from(PLACES[kind]))
    place = body
    for step in steps:
        place = place[step]
    match data.draw(st.sampled_from(["replace", "remove", "add"])):
        case "replace":
            place[last] = data.draw(ODD)
        case "remove":
            del place[last]
        case _ if isinstance(place, dict):
            place[data.draw(st.text("xyz", min_size=1, max_size=3))] = data.draw(ODD)
        case _:
            place.append(data.draw(ODD))
    assert (fault(body) is None) is FULL.is_valid(body)
