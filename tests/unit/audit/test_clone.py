"""A ledger in a git clone or bundle: made by the real git, read without it; each commit adds one entry."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from clearband.audit.ledger import check
from clearband.errors import UsageError
from clearband.ledger_source import Found, find

from .ledgers import chained, comparison, files

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

ENTRIES = chained([comparison(7, -0.004), comparison(7, -0.006, seed=2), comparison(None, 0.06, standing=None)])
FILES = files(ENTRIES, folders=True)
BRANCH = "clearband-ledger"
NOBODY = {f"GIT_{who}_{what}": "nobody@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


def git(folder: Path, *arguments: object) -> str:
    quiet = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", **NOBODY}
    done = subprocess.run(
        ["git", *map(str, arguments)],
        cwd=folder,
        env={**os.environ, **quiet},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def write(folder: Path, found: Mapping[str, bytes]) -> None:
    for path, data in found.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)


def commit(folder: Path, found: Mapping[str, bytes]) -> None:
    write(folder, found)
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--allow-empty", "--message", "Record")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository whose branch holds the ledger as the program writes it."""
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch", BRANCH)
    for path, data in FILES.items():
        commit(folder, {path: data})
    return folder


def faults(found: Found) -> list[str]:
    chain = check(found.files)
    commits = () if found.commits is None else found.commits.faults
    return [f"{fault.file} {fault.what}" for fault in (*chain.faults, *found.faults, *commits)]


def is_whole(found: Found) -> None:
    assert faults(found) == []
    assert found.files == FILES
    assert found.commits is not None
    assert (found.commits.count, found.commits.is_whole, found.no_commits) == (3, True, None)


def test_a_work_tree_with_loose_objects(repository: Path) -> None:
    is_whole(find(repository))


def test_packed_objects_and_packed_branches(repository: Path) -> None:
    git(repository, "gc", "--quiet", "--aggressive")
    assert not (repository / ".git" / "refs" / "heads" / BRANCH).exists()
    is_whole(find(repository))


def test_a_bare_clone(repository: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", "--bare", repository, "bare.git")
    found = find(tmp_path / "bare.git")
    is_whole(found)
    assert found.read_from == f"{BRANCH} at {git(repository, 'rev-parse', 'HEAD')[:12]}"


def test_a_clone_that_borrows_its_objects(repository: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", "--shared", repository, "shared")
    is_whole(find(tmp_path / "shared"))


def test_a_linked_work_tree(repository: Path, tmp_path: Path) -> None:
    git(repository, "checkout", "--quiet", "--orphan", "main")
    git(repository, "commit", "--quiet", "--allow-empty", "--message", "Begin")
    git(repository, "worktree", "add", "--quiet", tmp_path / "linked", BRANCH)
    is_whole(find(tmp_path / "linked"))


def test_the_branch_is_found_in_a_clone_of_the_whole_project(repository: Path, tmp_path: Path) -> None:
    git(repository, "checkout", "--quiet", "--orphan", "main")
    git(repository, "rm", "--quiet", "-r", "--cached", ".")
    write(repository, {"README.md": b"A project"})
    git(repository, "add", "README.md")
    git(repository, "commit", "--quiet", "--message", "Begin")
    git(tmp_path, "clone", "--quiet", "--branch", "main", repository, "project")
    found = find(tmp_path / "project")
    is_whole(found)
    assert (found.read_from or "").startswith(f"origin/{BRANCH} at ")


def test_a_git_bundle(repository: Path, tmp_path: Path) -> None:
    git(repository, "bundle", "create", "--quiet", tmp_path / "ledger.bundle", BRANCH)
    is_whole(find(tmp_path / "ledger.bundle"))


@pytest.mark.parametrize("name", ["ledger.zip", "ledger.tar", "ledger.tar.gz"])
def test_an_archive_of_the_folder_has_no_commits(repository: Path, tmp_path: Path, name: str) -> None:
    git(repository, "archive", "--prefix=where-it-was/", "--output", tmp_path / name, "HEAD")
    found = find(tmp_path / name)
    assert faults(found) == []
    assert len(found.files) == len(FILES)
    assert found.commits is None


def test_a_shallow_clone_says_that_it_is_one(repository: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", "--depth", "2", repository.as_uri(), "shallow")
    found = find(tmp_path / "shallow")
    assert faults(found) == []
    assert found.commits is not None
    assert (found.commits.count, found.commits.is_whole) == (2, False)


def test_long_chains_of_deltas_are_followed(tmp_path: Path) -> None:
    entries = chained([comparison(7, -0.004, seed=seed) for seed in range(1, 6)] * 5)
    folder = tmp_path / "long"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch", BRANCH)
    for path, data in files(entries, folders=True).items():
        commit(folder, {path: data})
    git(folder, "gc", "--quiet", "--aggressive")
    found = find(folder)
    assert faults(found) == []
    assert found.commits is not None
    assert found.commits.count == 25


def changed(folder: Path, found: Mapping[str, bytes | None]) -> list[str]:
    """Return the faults after one more commit that writes or removes files."""
    for path, data in found.items():
        if data is None:
            (folder / path).unlink()
    commit(folder, {path: data for path, data in found.items() if data is not None})
    tip = git(folder, "rev-parse", "HEAD")[:12]
    return [fault.replace(tip, "<tip>") for fault in faults(find(folder))]


def test_a_commit_that_changes_or_removes_an_entry_is_named(repository: Path) -> None:
    path = next(iter(FILES))
    found = changed(repository, {path: FILES[path] + b" "})
    assert f"commit <tip> changes {path}" in found
    assert "commit <tip> adds 0 files instead of one" in found
    assert any(fault.startswith(f"{path} was changed") for fault in found)


def test_an_entry_that_is_taken_back_shows_in_the_commits_alone(repository: Path) -> None:
    newest = list(FILES)[-1]
    path = max(FILES, key=lambda path: path.rpartition("/")[2])
    assert newest == path
    assert changed(repository, {path: None}) == [
        f"commit <tip> removes {path}",
        "commit <tip> adds 0 files instead of one",
    ]


def test_two_entries_in_one_commit_are_named(repository: Path) -> None:
    more = chained([*[comparison(7, -0.004)] * 5])[3:]
    found = changed(repository, {f"pr-7/{entry.name}": entry.data for entry in more})
    assert any(fault.startswith("commit <tip> adds 2 files instead of one: pr-7/") for fault in found)


def test_a_join_of_two_histories_is_named(repository: Path) -> None:
    git(repository, "checkout", "--quiet", "-b", "other", "HEAD~1")
    git(repository, "commit", "--quiet", "--allow-empty", "--message", "Elsewhere")
    git(repository, "checkout", "--quiet", BRANCH)
    git(repository, "merge", "--quiet", "--no-edit", "other")
    assert any("joins 2 histories" in fault for fault in faults(find(repository)))


def test_what_the_folder_shows_is_held_to_its_commit(repository: Path) -> None:
    first, *_, last = FILES
    (repository / first).write_bytes(FILES[first].replace(b"pass", b"fail"))
    assert any(fault.startswith(f"{first} was changed") for fault in faults(find(repository)))
    (repository / first).write_bytes(FILES[first])
    (repository / last).unlink()
    assert faults(find(repository)) == [f"{last} is in the commit, and not in the folder"]


def flip(path: Path, place: int) -> None:
    path.chmod(0o644)
    data = bytearray(path.read_bytes())
    data[place] ^= 1
    path.write_bytes(bytes(data))


def test_a_flipped_byte_in_gits_own_files_is_found_and_the_entry_named(repository: Path, tmp_path: Path) -> None:
    path = next(iter(FILES))
    oid = git(repository, "rev-parse", f"HEAD:{path}")
    git(tmp_path, "clone", "--quiet", "--bare", "--no-hardlinks", repository, "bare.git")
    loose = tmp_path / "bare.git" / "objects" / oid[:2] / oid[2:]
    assert loose.exists()
    flip(loose, loose.stat().st_size // 2)
    with pytest.raises(UsageError, match=path[:20]):
        find(tmp_path / "bare.git")


def test_a_damaged_bundle_is_refused(repository: Path, tmp_path: Path) -> None:
    bundle = tmp_path / "ledger.bundle"
    git(repository, "bundle", "create", "--quiet", bundle, BRANCH)
    size = bundle.stat().st_size
    for place in (size // 2, size - 1):
        shutil.copy(bundle, tmp_path / "damaged.bundle")
        flip(tmp_path / "damaged.bundle", place)
        with pytest.raises(UsageError, match="is damaged"):
            find(tmp_path / "damaged.bundle")


def test_a_bundle_of_a_part_of_the_history_is_refused(repository: Path, tmp_path: Path) -> None:
    git(repository, "bundle", "create", "--quiet", tmp_path / "part.bundle", f"HEAD~1..{BRANCH}")
    with pytest.raises(UsageError, match="a part of the history"):
        find(tmp_path / "part.bundle")


def test_objects_that_a_clone_left_out_are_said(repository: Path, tmp_path: Path) -> None:
    git(repository, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "--quiet", "--bare", "--filter=blob:none", repository.as_uri(), "partial.git")
    with pytest.raises(UsageError, match="is missing"):
        find(tmp_path / "partial.git")


@pytest.mark.parametrize("what", ["nothing", "text"])
def test_where_there_is_no_ledger_it_is_said(tmp_path: Path, what: str) -> None:
    if what == "text":
        (tmp_path / "text").write_text("no ledger")
    with pytest.raises(UsageError, match="There is no ledger in"):
        find(tmp_path / what)


def test_links_out_of_the_folder_are_refused(tmp_path: Path) -> None:
    (tmp_path / "00000001-aa.json").symlink_to("/etc/hostname")
    with pytest.raises(UsageError, match="is no entry of a ledger"):
        find(tmp_path)


def found_in(folder: Path, names: Mapping[str, Any]) -> Found:
    write(folder, names)
    return find(folder)


def test_a_plain_folder_may_be_flat_or_hold_the_folders_of_pull_requests(tmp_path: Path) -> None:
    assert found_in(tmp_path / "flat", files(ENTRIES)).files == files(ENTRIES)
    found = found_in(tmp_path / "deep", {**FILES, ".lock": b""})
    assert found.files == FILES
    assert found.commits is None
