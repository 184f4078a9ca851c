"""`clearband audit replay`: recorded comparisons, some of them years old, come to the same again.

The records in tests/golden/records were written once, and every version of Python and of Clearband replays them.
`CLEARBAND_UPDATE_GOLDEN=1` writes them anew.
"""

from __future__ import annotations

import io
import json
import os
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from clearband.audit.record import canonical_bytes
from clearband.cli import main
from clearband.declaration import Declaration, parse
from clearband.pipeline import Request, answer
from clearband.policy_file import load
from clearband.registration import Registrar, Registration, Standing
from clearband.sources import Source
from clearband.terms import Options
from clearband.vocabulary import ShowQuestions

from .conftest import Ended

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).resolve().parents[1] / "golden" / "records"
BASELINE, CANDIDATE = HERE / "baseline.jsonl", HERE / "candidate.jsonl"
FILES = ("--baseline", BASELINE, "--candidate", CANDIDATE)

ASKED: dict[str, tuple[object, ...]] = {
    "ideal": ("--primary", "quality", "--effect", "0.05"),
    "monte_carlo": ("--primary", "quality", "--n-boot", "2000", "--seed", "11"),
    "monte_carlo_seeded_by_the_data": ("--primary", "correct", "--n-boot", "999"),
    "bca_at_99": ("--primary", "correct", "--interval", "bca", "--confidence", "0.99"),
    "clusters_and_slices": ("--policy", HERE / "policy.yml"),
    "declared": ("--policy", HERE / "policy.yml", "--pr-body", HERE / "description.md"),
    "few_metrics": ("--primary", "latency", "--lower-is-better", "latency", "--metric", "latency", "--id", "id"),
    "nothing_gated": (),
}


def run_clearband(_: Path, *arguments: object) -> Ended:
    """Run the program in this process: what other processes add is tested elsewhere, and costs a second each."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = main([str(argument) for argument in arguments])
    return Ended(status=status, out=out.getvalue(), err=err.getvalue())


@pytest.mark.parametrize("name", ASKED)
def test_a_recorded_comparison_comes_to_the_same(name: str) -> None:
    record = HERE / f"{name}.json"
    if os.environ.get("CLEARBAND_UPDATE_GOLDEN") == "1":
        done = run_clearband(HERE, "compare", BASELINE, CANDIDATE, *ASKED[name], "--json")
        record.write_text(done.out, encoding="utf-8")
    done = run_clearband(HERE, "audit", "replay", record, *FILES)
    assert done.status == 0, done.out + done.err
    assert "The same: " in done.out


def test_every_golden_record_is_replayed() -> None:
    assert {file.stem for file in HERE.glob("*.json")} == set(ASKED)


def altered(tmp_path: Path, change: Callable[[dict[str, Any]], object], name: str = "ideal") -> Ended:
    """Return how the replay of a changed record ends."""
    record = json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))
    change(record)
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    return run_clearband(tmp_path, "audit", "replay", file, *FILES)


def put(*path: str | int, value: object) -> Callable[[dict[str, Any]], object]:
    """Return what sets one value of a record."""

    def change(record: dict[str, Any]) -> None:
        place: Any = record
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (("metrics", 0, "state"), "regressed", "metrics[0].state: recorded 'regressed'"),
        (("metrics", 0, "wins"), 1, "metrics[0].wins: recorded 1"),
        (("metrics", 0, "delta"), 0.0123, "metrics[0].delta: recorded 0.0123"),
        (("metrics", 1, "cleared"), True, "metrics[1].cleared: recorded True, now False"),
        (("metrics", 1, "mde"), float("nan"), "metrics[1].mde: recorded nan"),
        (("verdict", "outcome"), "blocked", "verdict.outcome: recorded 'blocked'"),
        (("verdict", "exit_status"), 1, "verdict.exit_status: recorded 1"),
        (("questions", "set_sha256"), "f" * 64, "questions.set_sha256"),
        (("inputs", "baseline", "questions"), 1, "inputs.baseline.questions"),
        (("family", "chance_any"), 0.5, "family.chance_any: recorded 0.5"),
    ],
)
def test_what_was_changed_is_named_with_exit_status_1(tmp_path: Path, path: Any, value: object, said: str) -> None:
    done = altered(tmp_path, put(*path, value=value))
    assert (done.status, done.err) == (1, "")
    assert said in done.out
    assert "Not the same: 1 difference." in done.out


@pytest.mark.parametrize("name", ["ideal", "monte_carlo"])
def test_another_question_gives_another_answer(tmp_path: Path, name: str) -> None:
    done = altered(tmp_path, put("asked", "confidence", value=0.8), name)
    assert done.status == 1
    assert "method.confidence: recorded 0.95, now 0.8" in done.out


def test_another_seed_is_no_replay(tmp_path: Path) -> None:
    done = altered(tmp_path, put("asked", "seed", value=12), "monte_carlo")
    assert done.status == 1
    assert "metrics[0].interval" in done.out


def test_the_last_bits_may_differ_between_processors(tmp_path: Path) -> None:
    record = json.loads((HERE / "ideal.json").read_text(encoding="utf-8"))
    low, high = record["metrics"][0]["interval"]
    hair = (high - low) / 4 * 0.5e-9
    assert altered(tmp_path, put("metrics", 0, "interval", value=[low + hair, high])).status == 0
    assert altered(tmp_path, put("metrics", 0, "interval", value=[low + 8 * hair, high])).status == 1


def test_names_and_sentences_are_not_compared(tmp_path: Path) -> None:
    assert altered(tmp_path, put("inputs", "baseline", "name", value="renamed.jsonl")).status == 0
    assert altered(tmp_path, put("verdict", "reasons", 0, "text", value="In other words.")).status == 0
    assert altered(tmp_path, put("clearband", value="0.0.1")).status == 0


@pytest.mark.parametrize(
    ("swapped", "said"),
    [
        (("--baseline", CANDIDATE, "--candidate", CANDIDATE), "The baseline is not the file that was compared"),
        (("--baseline", BASELINE, "--candidate", BASELINE), "The candidate is not the file that was compared"),
    ],
)
def test_another_file_is_refused_by_name(tmp_path: Path, swapped: tuple[object, ...], said: str) -> None:
    done = run_clearband(tmp_path, "audit", "replay", HERE / "ideal.json", *swapped)
    assert (done.status, done.out) == (3, "")
    assert said in done.err


def test_an_entry_of_a_ledger_is_replayed_and_a_changed_one_refused(tmp_path: Path) -> None:
    run_clearband(tmp_path, "compare", BASELINE, CANDIDATE, "--primary", "quality", "--ledger", tmp_path / "ledger")
    entry = next((tmp_path / "ledger").glob("0*.json"))
    assert run_clearband(tmp_path, "audit", "replay", entry, *FILES).status == 0
    entry.write_bytes(entry.read_bytes().replace(b'"wins": ', b'"wins": 1'))
    done = run_clearband(tmp_path, "audit", "replay", entry, *FILES)
    assert done.status == 3
    assert "was changed" in done.err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("nothing", "is no entry and no record"),
        ("[]", "is no entry and no record"),
        ("{}", "no record of a comparison"),
        ('{"prev": null, "type": "override", "record": null}', "is about an override"),
        ('{"version": 1, "verdict": {"reasons": [{"text": "x is empty"}]}}', "holds no comparison"),
        (
            '{"version": 1, "verdict": {}, "asked": {}, "inputs": {}}',
            "does not keep its published schema: the whole lacks",
        ),
    ],
)
def test_what_is_no_record_is_said(tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / "r.json").write_text(content)
    done = run_clearband(tmp_path, "audit", "replay", tmp_path / "r.json", *FILES)
    assert (done.status, done.out) == (3, "")
    assert said in done.err


def test_filled_pooled_and_anchored_comparisons_are_replayed_with_all_their_files(tmp_path: Path) -> None:
    def file(name: str, shift: int, places: range) -> Path:
        path = tmp_path / name
        lines = [json.dumps({"id": f"q{place}", "score": (place * 7 + shift) % 5 / 4}) for place in places]
        path.write_text("\n".join(lines))
        return path

    base, again, anchor = (file(f"{name}.jsonl", shift, range(60)) for name, shift in (("a", 0), ("b", 1), ("v1", 3)))
    cand, filler = file("cand.jsonl", 2, range(50)), file("fill.jsonl", 2, range(45, 60))
    more = ("--pool", again, "--fill", filler, "--anchor", anchor)
    record = tmp_path / "record.json"
    record.write_text(run_clearband(tmp_path, "compare", base, cand, *more, "--primary", "score", "--json").out)
    files = ("--baseline", base, "--candidate", cand)
    assert run_clearband(tmp_path, "audit", "replay", record, *files, *more).status == 0
    for left_out, said in ((0, "The baseline is not the file"), (2, "Add --fill FILE"), (4, "Add --anchor FILE")):
        fewer = (*more[:left_out], *more[left_out + 2 :])
        done = run_clearband(tmp_path, "audit", "replay", record, *files, *fewer)
        assert done.status == 3
        assert said in done.err


def test_judgements_of_a_pair_are_replayed_from_their_one_file(tmp_path: Path) -> None:
    winners = ["B"] * 22 + ["A"] * 8 + ["tie"] * 10
    judged = tmp_path / "judged.jsonl"
    judged.write_text("\n".join(json.dumps({"id": f"q{n}", "winner": who}) for n, who in enumerate(winners)))
    record = tmp_path / "record.json"
    done = run_clearband(tmp_path, "compare", "--pairwise", judged, "--primary", "preference", "--json")
    record.write_text(done.out)
    assert run_clearband(tmp_path, "audit", "replay", record, "--baseline", judged).status == 0


FIRST = "```clearband\nprimary_metric: quality\nlooks: 3\n```\n"
OTHER = "```clearband\nprimary_metric: correct\nrequire: improvement\nlooks: 2\nreason: quality is noisy\n```\n"
BEFORE, AFTER, AMENDED, UNKNOWN = Standing.BEFORE, Standing.AFTER, Standing.AMENDED, Standing.UNKNOWN
PAST: dict[str, tuple[str | None, Standing | None, str | None, int | None, bool]] = {
    "declared in time, second look": (FIRST, BEFORE, FIRST, 1, True),
    "amended": (OTHER, AMENDED, FIRST, 0, True),
    "declared too late": (OTHER, AFTER, None, 0, True),
    "beyond the planned looks": (OTHER, BEFORE, OTHER, 4, True),
    "nobody knows when": (OTHER, UNKNOWN, None, None, True),
    "the policy's own metric": ("No block at all", BEFORE, None, 0, True),
    "not set up yet": (FIRST, None, None, None, False),
}


@pytest.mark.parametrize("name", PAST)
def test_what_a_pull_request_was_held_to_is_in_the_record(tmp_path: Path, name: str) -> None:
    body, standing, registered, earlier, has_policy = PAST[name]
    first = None if registered is None else parse(registered)
    policy = load((HERE / "policy.yml").read_bytes() + b"max_looks: 5\n", name="policy.yml")
    recorded = answer(
        Request(
            baseline=Source(name="baseline.jsonl", data=BASELINE.read_bytes()),
            candidate=Source(name="candidate.jsonl", data=CANDIDATE.read_bytes()),
            policy=policy if has_policy else None,
            declaration=parse(body),
            options=Options(),
            needs_policy=True,
            registration=None
            if standing is None
            else Registration(
                standing=standing,
                registrar=Registrar.DESCRIPTION,
                registered=first if isinstance(first, Declaration) else None,
            ),
            earlier_candidates=None if earlier is None else tuple(f"{number:064x}" for number in range(earlier)),
            show_questions=ShowQuestions.COUNTS,
        )
    )
    assert recorded.problem is None
    (tmp_path / "record.json").write_bytes(canonical_bytes(recorded.record))
    done = run_clearband(tmp_path, "audit", "replay", tmp_path / "record.json", *FILES)
    assert done.status == 0, done.out + done.err
