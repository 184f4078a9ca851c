"""Files of experiment trackers after damage: a run that keeps its promises, or one `UnusableResults`."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from unit.results.tracker_files import SAMPLES

from fuzz.test_results_fuzz import _check

if TYPE_CHECKING:
    from collections.abc import Iterator

_SETTINGS = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])

_FILES = [
    "mlflow/eval_results_table.json", "mlflow/genai.jsonl", "mlflow/genai.csv", "langsmith/experiment.jsonl",
    "langsmith/experiment.csv", "braintrust/results.jsonl", "phoenix/experiment.json", "phoenix/experiment.csv",
    "azure-ai-evaluation/results.json", "pydantic-evals/report.json", "pydantic-evals/repeated.json",
]  # fmt: skip
_SEEDS = [(SAMPLES / name).read_bytes() for name in _FILES]
_DOCUMENTS = [
    [json.loads(line) for line in seed.splitlines()][:3] if name.endswith(".jsonl") else json.loads(seed)
    for name, seed in zip(_FILES, _SEEDS, strict=True)
    if not name.endswith(".csv")
]
_TOKENS = [
    b"NaN",
    b"Infinity",
    b"1e999",
    b"9" * 400,
    b"\\ud800",
    b"\xff",
    b"\0",
    b'"',
    b"{",
    b"]",
    b",",
    b"\n",
    b"null",
]
_VALUES = st.sampled_from([
    None, True, 0, -1, 10**400, 0.5, float("nan"), "", " ", "x", "\ud800", "\0", "[1", "{'a': 'b'}", [], [1], [None],
    [{"name": "a"}], {}, {"": 1}, {"value": {"value": 1}}, {"name": 1, "score": "x"}, {"id": "q"}, "1.5", "pass",
])  # fmt: skip


@given(data=st.data(), seed=st.sampled_from(_SEEDS))
@_SETTINGS
def test_damaged_bytes(data: st.DataObject, seed: bytes) -> None:
    damaged = bytearray(seed[: data.draw(st.sampled_from([len(seed), 900, 2_500]))])
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(damaged)))
        end = start + data.draw(st.integers(0, 9))
        damaged[start:end] = data.draw(st.sampled_from(_TOKENS) | st.binary(max_size=3))
    _check(bytes(damaged))


def _places(value: object) -> Iterator[tuple[list[object] | dict[str, object], int | str]]:
    """Every entry of every object and list."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in entries:
        yield value, key  # type: ignore[misc]  a list has places, an object keys
        yield from _places(inner)


@given(data=st.data(), document=st.sampled_from(_DOCUMENTS))
@_SETTINGS
def test_values_of_other_types(data: st.DataObject, document: object) -> None:
    """Fields that are missing, renamed, or of a type that the tool never writes."""
    changed = copy.deepcopy(document)
    for _ in range(data.draw(st.integers(1, 3))):
        places = list(_places(changed))
        if not places:
            break
        inside, key = places[data.draw(st.integers(0, len(places) - 1))]
        if isinstance(inside, dict) and data.draw(st.booleans()):
            value = inside.pop(str(key))
            if data.draw(st.booleans()):
                inside[data.draw(st.sampled_from(["id", "inputs.x", "feedback.x", "x/value", "scores", "", "a.b"]))] = (
                    value
                )
        else:
            inside[key] = copy.deepcopy(data.draw(_VALUES))  # type: ignore[index]  a list has places, an object keys
    id_field = data.draw(st.sampled_from([None, None, "id", "input.question", "metadata.id", "name", "inputs"]))

    _check(json.dumps(changed).encode(), id_field=id_field)
    if isinstance(changed, list):
        _check("".join(json.dumps(row) + "\n" for row in changed).encode(), id_field=id_field)
