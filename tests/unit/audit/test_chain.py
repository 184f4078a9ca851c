"""A ledger's chain: what was changed, dropped, swapped or added is named, with its place."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearband.audit.chain import verify
from clearband.audit.entry import Draft, Entry, EntryType, place
from clearband.audit.record import canonical_bytes

if TYPE_CHECKING:
    from collections.abc import Callable


def draft(key: str, **more: Any) -> Draft:
    values: dict[str, Any] = {
        "key": key,
        "type": EntryType.COMPARISON,
        "recorded_at": "2026-01-02T03:04:05Z",
        "record": {"version": 1, "verdict": {"outcome": "pass"}},
    }
    return Draft(**{**values, **more})


def ledger(count: int = 4) -> list[Entry]:
    entries: list[Entry] = []
    for number in range(count):
        entries.append(place(draft(f"run-{number}"), entries[-1] if entries else None))
    return entries


def files(entries: list[Entry]) -> dict[str, bytes]:
    return {entry.name: entry.data for entry in entries}


def forged(seq: int, **changes: Any) -> dict[str, bytes]:
    """Return one file that says what `changes` say, with the name that fits its bytes."""
    body = {**ledger(1)[0].body, "seq": seq, **changes}
    data = canonical_bytes(body)
    return {f"{seq:08d}-{sha256(data).hexdigest()}.json": data}


def test_a_whole_ledger_verifies_and_knows_its_head() -> None:
    entries = ledger()
    chain = verify(files(entries), head=entries[-1].sha256)
    assert chain.faults == ()
    assert chain.entries == tuple(entries)
    assert chain.head == entries[-1]
    assert chain.by_key("run-2") == entries[2]
    assert verify({}).head is None


@given(st.data())
def test_a_flipped_byte_anywhere_is_named(data: st.DataObject) -> None:
    entries = ledger()
    number = data.draw(st.integers(0, 3))
    there = bytearray(entries[number].data)
    there[data.draw(st.integers(0, len(there) - 1))] ^= data.draw(st.integers(1, 255))
    chain = verify({**files(entries), entries[number].name: bytes(there)})
    assert chain.faults[0].file == entries[number].name
    assert "was changed" in chain.faults[0].what


@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_dropped_entry_leaves_a_gap_before_the_next(number: int) -> None:
    entries = ledger()
    left = [entry for entry in entries if entry is not entries[number]]
    fault = verify(files(left)).faults[0]
    assert fault.file == entries[number + 1].name
    assert fault.what == f"follows a gap: number {number + 1} is missing"


def test_the_dropped_newest_entry_shows_only_against_a_known_head() -> None:
    entries = ledger()
    assert verify(files(entries[:-1])).faults == ()
    fault = verify(files(entries[:-1]), head=entries[-1].sha256).faults[0]
    assert fault.file == entries[-2].name
    assert entries[-1].sha256[:12] in fault.what


def test_two_swapped_entries_are_named() -> None:
    entries = ledger()
    swapped = files(entries)
    first, second = entries[1].name, entries[2].name
    swapped[first], swapped[second] = swapped[second], swapped[first]
    assert {fault.file for fault in verify(swapped).faults[:2]} == {first, second}


def test_a_rewritten_middle_breaks_the_link_of_what_follows() -> None:
    entries = ledger()
    other = place(draft("another"), entries[0])
    left = [entries[0], other, *entries[2:]]
    fault = verify(files(left)).faults[0]
    assert fault.file == entries[2].name
    assert "does not follow the entry before it" in fault.what


def test_a_second_entry_of_one_number_is_named() -> None:
    entries = ledger()
    again = place(draft("fork"), entries[2])
    faults = verify(files([*entries, again])).faults
    assert any("second entry number 4" in fault.what for fault in faults)


@pytest.mark.parametrize(
    ("break_it", "what"),
    [
        (lambda: {"notes.txt": b"x"}, "is no entry"),
        (lambda: forged(1, v=2), "has the version 2"),
        (lambda: forged(1, type="guess"), "unknown type 'guess'"),
        (lambda: forged(1, record=None), "does not hold what its type needs"),
        (lambda: forged(1, more=1), "does not have the keys"),
        (lambda: forged(1, key=None), "has no key"),
    ],
)
def test_what_is_no_entry_is_named(break_it: Callable[[], dict[str, bytes]], what: str) -> None:
    assert what in verify(break_it()).faults[0].what


def test_a_number_inside_that_is_not_the_names_is_a_fault() -> None:
    data = ledger(1)[0].data
    name = f"00000002-{sha256(data).hexdigest()}.json"
    assert "says it is number 1, its name says 2" in verify({name: data}).faults[0].what


def test_another_spelling_of_the_same_entry_is_no_entry() -> None:
    data = json.dumps(dict(ledger(1)[0].body)).encode()
    name = f"00000001-{sha256(data).hexdigest()}.json"
    assert "not in canonical form" in verify({name: data}).faults[0].what


@given(st.dictionaries(st.text(max_size=20), st.binary(max_size=200), max_size=4))
def test_any_files_are_judged_without_a_traceback(found: dict[str, bytes]) -> None:
    assert len(verify(found).faults) >= len(found)
