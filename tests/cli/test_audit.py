"""`clearband compare --ledger` and `clearband audit`, as a person runs them."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

CRANFIELD = Path(__file__).parents[2] / "examples" / "cranfield"


def clearband(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-P", "-m", "clearband", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, encoding="utf-8")


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger of three comparisons, the last of them repeated."""
    folder = tmp_path_factory.mktemp("audit") / "ledger"
    files = CRANFIELD / "bm25_stem.csv", CRANFIELD / "lsa200.csv"
    for primary in ("nDCG@10", "AP", "RR", "RR"):
        done = clearband("compare", *files, "--primary", primary, "--ledger", folder)
        assert done.returncode == 0, done.stderr
        assert "ledger " in done.stderr
    return folder


def test_equal_comparisons_are_one_entry(ledger: Path) -> None:
    assert len([path for path in ledger.iterdir() if not path.name.startswith(".")]) == 3


def test_a_whole_ledger_verifies_against_its_head(ledger: Path) -> None:
    done = clearband("audit", "verify", ledger)
    assert done.returncode == 0
    head = next(line.split()[1] for line in done.stdout.splitlines() if line.startswith("head "))
    assert "3 entries, every byte and every link as written, each as the schema says." in done.stdout
    assert "There are no commits to check here" in done.stdout
    assert "The known entry is there." in clearband("audit", "verify", ledger, "--head", head).stdout


def test_the_log_is_a_table_csv_or_json_lines_and_can_be_narrowed(ledger: Path) -> None:
    table, _, exposure = clearband("audit", "log", ledger).stdout.partition("\n\n")
    assert [line.split()[0] for line in table.splitlines()] == ["no", "1", "2", "3"]
    assert "1 look, suite default" in exposure
    rows = list(csv.DictReader(io.StringIO(clearband("audit", "log", ledger, "--csv").stdout)))
    assert [row["primary"] for row in rows] == ["nDCG@10", "AP", "RR"]
    narrowed = clearband("audit", "log", ledger, "--json", "--metric", "AP").stdout.splitlines()
    assert [json.loads(line)["state"] for line in narrowed] == ["improved"]
    assert clearband("audit", "log", ledger, "--outcome", "blocked").stdout == "No entry fits.\n"
    assert clearband("audit", "log", ledger, "--pr", "7", "--suite", "default").stdout == "No entry fits.\n"


def test_an_entry_is_shown_by_number_or_digest(ledger: Path) -> None:
    shown = clearband("audit", "show", ledger, "2")
    entry = json.loads(shown.stdout)
    assert entry["record"]["metrics"][0]["name"] == "AP"
    assert entry["pr"] is None
    digest = next(path.name for path in ledger.iterdir() if path.name.startswith("00000002"))[9:20]
    assert clearband("audit", "show", ledger, digest).stdout == shown.stdout
    missing = clearband("audit", "show", ledger, "9")
    assert (missing.returncode, missing.stdout) == (3, "")
    assert "clearband audit log" in missing.stderr


def test_what_was_changed_dropped_or_added_is_named_with_exit_status_3(ledger: Path, tmp_path: Path) -> None:
    files = {path.name: path.read_bytes() for path in sorted(ledger.iterdir()) if not path.name.startswith(".")}
    names = list(files)
    broken = {
        "was changed": {**files, names[1]: files[names[1]].replace(b"improved", b"regressed")},
        "number 2 is missing": {name: data for name, data in files.items() if name != names[1]},
        "is no entry": {**files, "notes.txt": b"x"},
    }
    for number, (what, found) in enumerate(broken.items()):
        folder = tmp_path / str(number)
        folder.mkdir()
        for name, data in found.items():
            (folder / name).write_bytes(data)
        done = clearband("audit", "verify", folder)
        assert done.returncode == 3
        assert what in done.stdout


def test_a_newest_entry_that_was_dropped_shows_against_the_head(ledger: Path, tmp_path: Path) -> None:
    names = sorted(path.name for path in ledger.glob("0*.json"))
    for name in names[:-1]:
        (tmp_path / name).write_bytes((ledger / name).read_bytes())
    assert clearband("audit", "verify", tmp_path).returncode == 0
    done = clearband("audit", "verify", tmp_path, "--head", names[-1][9:73])
    assert done.returncode == 3
    assert f"{names[1]} the known entry {names[-1][9:21]} is not here" in done.stdout
    wrong = clearband("audit", "verify", tmp_path, "--head", names[-1][9:20])
    assert (wrong.returncode, wrong.stdout) == (3, "")
    assert "is not the SHA-256 of an entry" in wrong.stderr


def test_the_ledger_is_exported_as_one_page(ledger: Path, tmp_path: Path) -> None:
    done = clearband("audit", "export", ledger, "--out", tmp_path / "page.html")
    assert (done.returncode, done.stderr) == (0, "")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "3 entries" in page
    again = clearband("audit", "export", ledger, "--out", tmp_path / "again.html")
    assert again.returncode == 0
    assert (tmp_path / "again.html").read_text(encoding="utf-8") == page
    refused = clearband("audit", "export", ledger, "--out", tmp_path / "none" / "page.html")
    assert (refused.returncode, refused.stdout) == (3, "")
    assert "cannot be written" in refused.stderr


def test_the_page_on_the_audit_trail_names_every_action_and_every_option() -> None:
    text = (Path(__file__).parents[2] / "docs" / "audit.md").read_text(encoding="utf-8")
    told = set(re.findall(r"^\*\*`clearband audit (\w+)", text, re.MULTILINE))
    done = clearband("audit", "--help").stdout
    actions = set(re.findall(r"^    (\w+) ", done, re.MULTILINE))
    assert told == actions
    for action in actions:
        options = set(re.findall(r"--[a-z-]+", clearband("audit", action, "--help").stdout)) - {"--help"}
        assert {option for option in options if f"`{option}" not in text and f" {option}" not in text} == set()


def test_a_ledger_that_cannot_be_written_is_said_and_changes_no_verdict(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    files = CRANFIELD / "bm25_stem.csv", CRANFIELD / "lsa200.csv"
    done = clearband("compare", *files, "--primary", "AP", "--ledger", tmp_path / "file" / "ledger")
    assert done.returncode == 0
    assert "not recorded in the ledger" in done.stderr
    assert "Improved" in done.stdout


def test_a_second_file_fills_what_the_candidate_lost(tmp_path: Path) -> None:
    rows = [{"id": f"q{place}", "score": place % 5 / 4} for place in range(60)]
    for name, found in (("base", rows), ("cand", rows[:50]), ("again", rows[45:])):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in found))
    arguments = ("compare", tmp_path / "base.jsonl", tmp_path / "cand.jsonl", "--primary", "score", "--json")
    lost = json.loads(clearband(*arguments).stdout)
    assert lost["verdict"]["outcome"] == "invalid"
    filled = json.loads(clearband(*arguments, "--fill", tmp_path / "again.jsonl").stdout)
    assert filled["verdict"]["outcome"] == "pass"
    assert filled["inputs"]["candidate"]["filled"] == 10


def test_runs_of_the_baseline_are_pooled_and_an_anchor_is_compared_too(tmp_path: Path) -> None:
    for name, shift in (("base", 0), ("again", 1), ("cand", 2), ("v1", 3)):
        rows = [{"id": f"q{place}", "score": (place + shift) % 5 / 4} for place in range(60)]
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    base, cand = tmp_path / "base.jsonl", tmp_path / "cand.jsonl"
    again, anchor = ("--pool", tmp_path / "again.jsonl"), ("--anchor", tmp_path / "v1.jsonl")
    record = json.loads(clearband("compare", base, cand, *again, *anchor, "--primary", "score", "--json").stdout)
    assert record["inputs"]["baseline"]["name"] == "base.jsonl and 1 more"
    assert record["inputs"]["baseline"]["trials"] == 2
    assert record["anchor"]["name"] == "v1.jsonl"
    assert record["anchor"]["metrics"][0]["n"] == 60
    same = clearband("compare", base, cand, "--pool", base)
    assert (same.returncode, same.stdout) == (3, "")
    assert "pooled with itself" in same.stderr


def test_one_file_of_judgements_is_compared_by_itself(tmp_path: Path) -> None:
    winners = ["B"] * 22 + ["A"] * 8 + ["tie"] * 10
    rows = [{"id": f"q{place}", "winner": winner} for place, winner in enumerate(winners)]
    (tmp_path / "judged.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = clearband("compare", "--pairwise", tmp_path / "judged.jsonl", "--primary", "preference", "--json")
    found = json.loads(done.stdout)["metrics"][0]
    assert (found["name"], found["wins"], found["losses"], found["ties"]) == ("preference", 22, 8, 10)
    assert found["delta"] == 0.35
    two = clearband("compare", "--pairwise", tmp_path / "judged.jsonl", tmp_path / "judged.jsonl")
    assert (two.returncode, two.stdout) == (3, "")
    assert "--pairwise reads one file" in two.stderr
    assert clearband("compare", tmp_path / "judged.jsonl").returncode == 3


def test_a_run_is_adopted_once_and_the_ledger_still_verifies(tmp_path: Path) -> None:
    rows = "".join(json.dumps({"id": f"q{place}", "score": place % 2}) + "\n" for place in range(20))
    (tmp_path / "main.jsonl").write_text(rows)
    ledger = tmp_path / "ledger"
    for _ in range(2):
        done = clearband("audit", "adopt", ledger, tmp_path / "main.jsonl", "--by", "maia", "--reason", "release 1.4")
        assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("entry 1  ")
    assert clearband("audit", "verify", ledger).returncode == 0
    assert "adoption" in clearband("audit", "log", ledger).stdout
    entry = json.loads(clearband("audit", "show", ledger, "1").stdout)
    assert (entry["event"]["author"], entry["event"]["reason"], entry["event"]["suite"]) == (
        "maia",
        "release 1.4",
        None,
    )


def test_what_is_no_result_file_is_not_adopted(tmp_path: Path) -> None:
    (tmp_path / "main.jsonl").write_text("nothing\n")
    done = clearband("audit", "adopt", tmp_path / "ledger", tmp_path / "main.jsonl")
    assert (done.returncode, done.stdout) == (3, "")
    assert not (tmp_path / "ledger").exists()
