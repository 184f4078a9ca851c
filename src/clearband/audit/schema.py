"""The published schemas of entries and records, and the part of JSON Schema that they use. Pure.

The program checks with this what it publishes, without a package for all of JSON Schema; the tests hold it against one.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import resources
from typing import Any, Final

ENTRY: Final = "urn:clearband:entry:1"
RECORD: Final = "urn:clearband:record:1"
_FILES: Final = {ENTRY: "entry.schema.json", RECORD: "record.schema.json"}
_TYPES: Final[dict[str, tuple[type, ...]]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "null": (type(None),),
    "integer": (int,),
    "number": (int, float),
}
_SAID: Final = frozenset({"$schema", "$id", "$defs", "title", "description", "format"})
"""What tells people something and checks nothing."""
KNOWN: Final = _SAID | {
    "$ref",
    "type",
    "const",
    "enum",
    "anyOf",
    "oneOf",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "pattern",
}
"""Every keyword that a schema here may use."""


@cache
def published(name: str) -> dict[str, Any]:
    """Return a published schema by its `$id`."""
    text = resources.files("clearband.audit").joinpath(_FILES[name]).read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def fault(value: Any, name: str = ENTRY) -> str | None:
    """Return where and how `value` breaks a published schema; None where it keeps it."""
    found = _check(value, published(name), published(name), "")
    return None if found is None else f"{found[0] or 'the whole'} {found[1]}"


Broken = tuple[str, str]


def _check(value: Any, schema: dict[str, Any], root: dict[str, Any], place: str) -> Broken | None:
    if "$ref" in schema:
        target, root = _target(schema["$ref"], root)
        found = _check(value, target, root, place)
        if found is not None:
            return found
    found = _itself(value, schema, place) or _forms(value, schema, root, place)
    if found is not None:
        return found
    match value:
        case dict():
            return _object(value, schema, root, place)
        case list():
            return _array(value, schema, root, place)
        case str():
            pattern = schema.get("pattern")
            missed = pattern is not None and re.search(pattern.replace("$", r"\Z"), value) is None
            return (place, f"does not look like {pattern}") if missed else None
        case bool() | None:
            return None
        case _:
            return _number(value, schema, place)


def _itself(value: Any, schema: dict[str, Any], place: str) -> Broken | None:
    if "type" in schema and not _is(value, schema["type"]):
        return place, f"is {_named(value)} instead of {schema['type']}"
    if "const" in schema and not _same(value, schema["const"]):
        return place, f"is not {schema['const']!r}"
    if "enum" in schema and not any(_same(value, one) for one in schema["enum"]):
        return place, f"is none of {', '.join(map(str, schema['enum']))}"
    return None


def _target(reference: str, root: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    if not reference.startswith("#"):
        return published(reference), published(reference)
    target = root
    for part in reference.removeprefix("#/").split("/"):
        target = target[part]
    return target, root


def _forms(value: Any, schema: dict[str, Any], root: dict[str, Any], place: str) -> Broken | None:
    for key in ("anyOf", "oneOf"):
        if key in schema:
            found = _any(value, schema[key], root, place, exactly=key == "oneOf")
            if found is not None:
                return found
    return None


def _any(
    value: Any, schemas: list[dict[str, Any]], root: dict[str, Any], place: str, *, exactly: bool
) -> Broken | None:
    """Return what keeps `value` from every one of several schemas: of the one that it comes closest to."""
    faults: list[Broken | None] = []
    for one in schemas:
        faults.append(_check(value, one, root, place))
        if faults[-1] is None and not exactly:
            return None
    kept = faults.count(None)
    if kept:
        return None if kept == 1 else (place, "fits several forms of which it may have one")
    return max((one for one in faults if one is not None), key=lambda one: _depth(one[0]))


def _depth(place: str) -> int:
    return place.count(".") + place.count("[") + bool(place)


def _object(value: dict[str, Any], schema: dict[str, Any], root: dict[str, Any], place: str) -> Broken | None:
    missing = [key for key in schema.get("required", ()) if key not in value]
    if missing:
        return place, f"lacks {missing[0]!r}"
    properties, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    for key, inner in value.items():
        where = f"{place}.{key}" if place else key
        if key in properties:
            found = _check(inner, properties[key], root, where)
        elif others is False:
            return place, f"holds {key!r:.60}, which nothing is known about"
        else:
            found = None if others is True else _check(inner, others, root, where)
        if found is not None:
            return found
    return None


def _array(value: list[Any], schema: dict[str, Any], root: dict[str, Any], place: str) -> Broken | None:
    if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
        return place, f"has {len(value)} items"
    if schema.get("uniqueItems") and len({json.dumps(one, sort_keys=True) for one in value}) < len(value):
        return place, "holds one thing twice"
    if "items" in schema:
        for index, inner in enumerate(value):
            found = _check(inner, schema["items"], root, f"{place}[{index}]")
            if found is not None:
                return found
    return None


def _number(value: float, schema: dict[str, Any], place: str) -> Broken | None:
    if "minimum" in schema and value < schema["minimum"]:
        return place, f"is below {schema['minimum']}"
    if "maximum" in schema and value > schema["maximum"]:
        return place, f"is above {schema['maximum']}"
    if "exclusiveMinimum" in schema and value <= schema["exclusiveMinimum"]:
        return place, f"is not above {schema['exclusiveMinimum']}"
    if "exclusiveMaximum" in schema and value >= schema["exclusiveMaximum"]:
        return place, f"is not below {schema['exclusiveMaximum']}"
    return None


def _is(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    if kind == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, _TYPES[kind])


def _same(value: Any, other: Any) -> bool:
    return bool(value == other) and isinstance(value, bool) is isinstance(other, bool)


def _named(value: Any) -> str:
    return next(kind for kind in _TYPES if _is(value, kind))
