"""A ledger in a folder: every writer's entry lands once, and nothing is ever overwritten."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from clearband.audit.chain import verify
from clearband.errors import UsageError
from clearband.ledger_folder import append, read_folder

from .test_chain import draft

if TYPE_CHECKING:
    from pathlib import Path


def test_entries_follow_each_other(tmp_path: Path) -> None:
    first, second = append(tmp_path / "ledger", draft("a")), append(tmp_path / "ledger", draft("b"))
    assert (first.seq, second.seq) == (1, 2)
    assert second.body["prev"] == first.sha256
    assert verify(read_folder(tmp_path / "ledger"), head=second.sha256).faults == ()


def test_the_same_key_is_written_once(tmp_path: Path) -> None:
    first = append(tmp_path, draft("a"))
    assert append(tmp_path, draft("a", recorded_at="2027-01-01T00:00:00Z")) == first
    assert len(read_folder(tmp_path)) == 1


def test_fifty_writers_lose_nothing(tmp_path: Path) -> None:
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(lambda number: append(tmp_path, draft(f"run-{number}")), range(50)))
    chain = verify(read_folder(tmp_path))
    assert chain.faults == ()
    assert sorted(entry.key for entry in chain.entries) == sorted(f"run-{number}" for number in range(50))


def test_writers_in_other_processes_wait_too(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path\n"
        "from clearband.audit.entry import Draft, EntryType\n"
        "from clearband.ledger_folder import append\n"
        "for number in range(5):\n"
        "    append(Path(sys.argv[1]), Draft(key=f'{sys.argv[2]}-{number}', type=EntryType.COMPARISON,\n"
        "           recorded_at='2026-01-02T03:04:05Z', record={'version': 1}))\n"
    )
    writers = [subprocess.Popen([sys.executable, "-c", script, str(tmp_path), str(number)]) for number in range(4)]
    assert [writer.wait() for writer in writers] == [0] * 4
    chain = verify(read_folder(tmp_path))
    assert chain.faults == ()
    assert len(chain.entries) == 20


def test_a_ledger_that_does_not_verify_is_not_continued(tmp_path: Path) -> None:
    entry = append(tmp_path, draft("a"))
    (tmp_path / entry.name).write_bytes(entry.data.replace(b"pass", b"fail"))
    with pytest.raises(UsageError, match=r"does not verify.*was changed"):
        append(tmp_path, draft("b"))
    assert len(read_folder(tmp_path)) == 1


@pytest.mark.parametrize("kind", ["link", "folder"])
def test_what_is_no_plain_file_is_refused(tmp_path: Path, kind: str) -> None:
    odd = tmp_path / "00000001-aa.json"
    if kind == "link":
        odd.symlink_to("/etc/hostname")
    else:
        odd.mkdir()
    with pytest.raises(UsageError, match="is no entry of a ledger"):
        read_folder(tmp_path)


def test_a_folder_that_cannot_be_made_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot be written"):
        append(tmp_path / "file" / "ledger", draft("a"))
