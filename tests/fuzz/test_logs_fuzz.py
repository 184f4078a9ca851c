"""Logs of Inspect AI, lm-evaluation-harness and HELM after damage: a run that keeps its promises, or one problem."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from unit.results.harness_rows import row
from unit.results.inspect_logs import ZSTD, as_archive, as_json, failed, log, sample
from unit.results.test_helm import entry, stat

from fuzz.test_results_fuzz import _check
from fuzz.test_trackers_fuzz import _TOKENS, _VALUES, _places

if TYPE_CHECKING:
    from collections.abc import Callable

_SETTINGS = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])

_LOG = log(
    sample("q1", "C"), sample("q2", {"f1": 0.5}), failed("q3"), sample("q1", "I", epoch=2), invalidated=True,
    spec={"scorers": [{"name": "match", "options": {"model": "x"}}], "revision": {"commit": "a"}},
)  # fmt: skip
_ROWS = [row(number, acc=1.0, word_perplexity=[-3.0, 2], f1=[0, 1]) for number in range(2)]
_ENTRIES = [
    entry("id1", stat(), stat("f1_score", 0.5), perturbation={"name": "typos"}),
    entry("id1", trial=1),
    entry("id2"),
]


def _lines(rows: object) -> bytes:
    assert isinstance(rows, list)
    return b"".join(json.dumps(one).encode() + b"\n" for one in rows)


def _as_archive(made: object) -> bytes:
    """The log as an archive as long as it has what an archive is made of."""
    whole = isinstance(made, dict) and {"samples", "version", "eval", "plan"} <= made.keys()
    listed = made["samples"] if whole and isinstance(made, dict) else None
    usable = isinstance(listed, list) and all(isinstance(one, dict) and {"id", "epoch"} <= one.keys() for one in listed)
    return as_archive(made, summaries=listed) if usable and isinstance(made, dict) else json.dumps(made).encode()


_DOCUMENTS: list[tuple[object, Callable[[object], bytes]]] = [
    (_LOG, lambda made: json.dumps(made).encode()),
    (_LOG, _as_archive),
    (_ROWS, _lines),
    (_ENTRIES, lambda made: json.dumps(made).encode()),
]
_SEEDS = [as_json(_LOG), as_archive(_LOG), as_archive(_LOG, method=ZSTD), _lines(_ROWS), json.dumps(_ENTRIES).encode()]


@given(data=st.data(), document=st.sampled_from(_DOCUMENTS), field=st.sampled_from([None, "metadata.qid", "doc.gold"]))
@_SETTINGS
def test_values_of_other_types(
    data: st.DataObject, document: tuple[object, Callable[[object], bytes]], field: str | None
) -> None:
    made, write = copy.deepcopy(document[0]), document[1]
    for _ in range(data.draw(st.integers(1, 3))):
        places = list(_places(made))
        if not places:
            break
        inside, key = places[data.draw(st.integers(0, len(places) - 1))]
        if data.draw(st.booleans()):
            inside[key] = copy.deepcopy(data.draw(_VALUES))  # type: ignore[index]  a list has places, an object keys
        else:
            del inside[key]  # type: ignore[arg-type]  likewise
    _check(write(made), id_field=field)


@given(data=st.data(), seed=st.sampled_from(_SEEDS))
@_SETTINGS
def test_damaged_bytes(data: st.DataObject, seed: bytes) -> None:
    damaged = bytearray(seed)
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(damaged)))
        end = start + data.draw(st.integers(0, 9))
        damaged[start:end] = data.draw(st.sampled_from(_TOKENS) | st.binary(max_size=3))
    _check(bytes(damaged[: data.draw(st.sampled_from([None, 700, -30]))]))


@given(data=st.data(), method=st.sampled_from([0, 8, ZSTD]))
@_SETTINGS
def test_directories_that_lie(data: st.DataObject, method: int) -> None:
    """Sizes, places and methods that the archive only claims."""
    damaged = bytearray(as_archive(_LOG, method=method))
    first = damaged.index(b"PK\x01\x02")
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(first, len(damaged) - 4))
        damaged[at : at + 4] = data.draw(st.sampled_from([0, 1, 93, 2**16, 2**31 - 1, 2**32 - 1])).to_bytes(4, "little")
    _check(bytes(damaged))
