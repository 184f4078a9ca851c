"""A whole ledger: whatever is done to its files is named, with the file."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearband.audit.ledger import check
from clearband.audit.record import canonical_bytes

from .ledgers import adoption, chained, comparison, files, override

if TYPE_CHECKING:
    from clearband.audit.entry import Entry


def ledger() -> list[Entry]:
    """Return a ledger of every type of entry, on pull requests and on a laptop."""
    entries = chained([comparison(7, -0.004), comparison(None, 0.06, standing=None), comparison(8, -0.09)])
    return chained([comparison(7, -0.004), comparison(None, 0.06, standing=None), comparison(8, -0.09),
                    override(entries[2]), adoption()])  # fmt: skip


ENTRIES = ledger()


@pytest.mark.parametrize("folders", [False, True])
def test_a_whole_ledger_verifies_flat_and_in_the_folders_of_its_branch(folders: bool) -> None:
    chain = check(files(ENTRIES, folders=folders), head=ENTRIES[-1].sha256)
    assert chain.faults == ()
    assert chain.entries == tuple(ENTRIES)


@settings(max_examples=60, deadline=None)
@given(number=st.integers(0, len(ENTRIES) - 1), place=st.integers(0), bit=st.integers(0, 7))
def test_flipping_one_bit_of_any_entry_names_that_entry(number: int, place: int, bit: int) -> None:
    entry = ENTRIES[number]
    data = bytearray(entry.data)
    data[place % len(data)] ^= 1 << bit
    chain = check({**files(ENTRIES), entry.name: bytes(data)})
    assert chain.faults[0].file == entry.name
    assert "was changed" in chain.faults[0].what


@pytest.mark.parametrize("number", range(len(ENTRIES) - 1))
def test_a_dropped_entry_is_named_by_the_one_behind_it(number: int) -> None:
    found = {name: data for name, data in files(ENTRIES).items() if name != ENTRIES[number].name}
    faults = check(found).faults
    assert [fault.file for fault in faults] == [ENTRIES[number + 1].name]
    assert f"number {number + 1} is missing" in faults[0].what


def test_the_newest_entry_dropped_shows_against_a_head_that_was_seen() -> None:
    found = files(ENTRIES[:-1])
    assert check(found).faults == ()
    faults = check(found, head=ENTRIES[-1].sha256).faults
    assert [fault.file for fault in faults] == [ENTRIES[-2].name]
    assert ENTRIES[-1].sha256[:12] in faults[0].what


def renumbered(entry: Entry, seq: int) -> dict[str, bytes]:
    data = canonical_bytes({**entry.body, "seq": seq})
    return {f"{seq:08d}-{sha256(data).hexdigest()}.json": data}


def test_two_entries_that_changed_places_are_both_named() -> None:
    first, second = ENTRIES[1], ENTRIES[2]
    kept = files([*ENTRIES[:1], *ENTRIES[3:]])
    chain = check({**kept, **renumbered(second, 2), **renumbered(first, 3)})
    numbers = [int(fault.file[:8]) for fault in chain.faults]
    assert numbers == [2, 3, 4]
    assert all("does not follow" in fault.what for fault in chain.faults)


def test_two_files_that_swapped_their_names_are_both_named() -> None:
    first, second = ENTRIES[1], ENTRIES[2]
    chain = check({**files(ENTRIES), first.name: second.data, second.name: first.data})
    changed = [fault.file for fault in chain.faults if "was changed" in fault.what]
    assert changed == [first.name, second.name]


def test_what_is_no_entry_what_stands_twice_and_what_lies_elsewhere_is_named() -> None:
    entry = ENTRIES[0]
    found = files(ENTRIES, folders=True)
    assert [fault.file for fault in check({**found, "pr-7/notes.md": b""}).faults] == ["pr-7/notes.md"]
    twice = check({**found, f"pr-9/{entry.name}": entry.data}).faults
    assert [(fault.file, fault.what) for fault in twice] == [
        (f"pr-9/{entry.name}", f"is the same entry as pr-7/{entry.name}")
    ]
    moved = {path: data for path, data in found.items() if not path.endswith(entry.name)}
    faults = check({**moved, f"pr-8/{entry.name}": entry.data}).faults
    assert [fault.what for fault in faults] == ["lies in the folder pr-8, and is about pull request 7"]
    laptop = ENTRIES[1]
    moved = {path: data for path, data in found.items() if not path.endswith(laptop.name)}
    faults = check({**moved, f"pr-8/{laptop.name}": laptop.data}).faults
    assert [fault.what for fault in faults] == ["lies in the folder pr-8, and is about no pull request"]


def rewritten(**changes: Any) -> dict[str, bytes]:
    """Return a consistent ledger of one entry whose content was rewritten by somebody with every right."""
    body = json.loads(ENTRIES[0].data)
    for path, value in changes.items():
        *steps, last = path.split("__")
        place = body
        for step in steps:
            place = place[step]
        place[last] = value
    data = canonical_bytes(body)
    return {f"00000001-{sha256(data).hexdigest()}.json": data}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"recorded_at": "yesterday"}, "recorded_at does not look like"),
        ({"look": 0}, "look is below 1"),
        ({"look": "1"}, "look is string instead of"),
        ({"pr__number": "7"}, "pr.number is string instead of integer"),
        ({"registration__standing": "fine"}, "registration.standing is none of"),
        ({"record__verdict__outcome": "great"}, "record.verdict.outcome is none of pass, blocked"),
        ({"record__inputs__baseline__sha256": "x"}, "record.inputs.baseline.sha256 does not look like"),
        ({"record__more": 1}, "record holds 'more', which nothing is known about"),
        ({"event": {}}, "event is object instead of null"),
    ],
)
def test_what_breaks_the_schema_is_named_by_its_place(changes: dict[str, Any], said: str) -> None:
    chain = check(rewritten(**changes))
    (fault,) = chain.faults
    assert chain.entries == ()
    assert fault.what.startswith("does not keep the published schema: ")
    assert said in fault.what
